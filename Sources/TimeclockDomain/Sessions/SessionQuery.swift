/// The session to change, and the author of the change.
package struct SessionUpdate: Sendable {
  package var id: SessionID
  package var organization: OrganizationKey
  /// The version that the change is meant for; nil means any.
  package var expectedVersion: Int64?
  /// The assignees in sight from now on; nil leaves them as they are.
  package var assigneeIDs: [UserID]?
  /// The sight of the author. Assignees who are not in it stay.
  package var sight: Sight
  package var context: ChangeContext

  package init(
    id: SessionID, organization: OrganizationKey, expectedVersion: Int64?, assigneeIDs: [UserID]?,
    sight: Sight = .everyone, context: ChangeContext
  ) {
    self.id = id
    self.organization = organization
    self.expectedVersion = expectedVersion
    self.assigneeIDs = assigneeIDs
    self.sight = sight
    self.context = context
  }
}

/// The session to delete, and the author of the deletion.
package struct SessionDeletion: Sendable {
  package var id: SessionID
  package var organization: OrganizationKey
  /// The version that is meant; nil means any.
  package var expectedVersion: Int64?
  /// Whether entries that refer to the session lose it, instead of keeping it from being deleted.
  package var detachesEntries: Bool
  package var context: ChangeContext

  package init(
    id: SessionID, organization: OrganizationKey, expectedVersion: Int64?, detachesEntries: Bool,
    context: ChangeContext
  ) {
    self.id = id
    self.organization = organization
    self.expectedVersion = expectedVersion
    self.detachesEntries = detachesEntries
    self.context = context
  }
}

/// The sessions that a list shows.
package struct SessionQuery: Sendable {
  package var organization: OrganizationKey
  /// Only sessions to which this member is assigned; nil means all.
  package var assignee: UserKey?
  /// Only sessions to which a member of this group is assigned at the time of the reading; nil means all.
  package var group: GroupKey?
  /// The first date; nil leaves that side open.
  package var from: LocalDate?
  /// The last date; nil leaves that side open.
  package var through: LocalDate?
  package var cursor: SessionCursor?
  /// The most sessions to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, assignee: UserKey? = nil, group: GroupKey? = nil, from: LocalDate? = nil,
    through: LocalDate? = nil, cursor: SessionCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.assignee = assignee
    self.group = group
    self.from = from
    self.through = through
    self.cursor = cursor
    self.limit = limit
  }
}

/// A place in a list of sessions: the last session before it.
package struct SessionCursor: Hashable, Sendable {
  package var date: LocalDate
  /// The session's row, which decides among sessions of one date.
  package var row: Int64

  package init(date: LocalDate, row: Int64) {
    self.date = date
    self.row = row
  }
}
