/// The storage of sessions and their assignees.
package protocol SessionStorage: Sendable {
  /// Keeps a new session.
  ///
  /// - Throws: `.notFound(.member)` for an assignee who is no member; `.memberDeactivated`.
  func createSession(
    _ session: Session, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<SessionDetails>?
  ) async throws -> SessionDetails

  /// One session; nil where the organization has none with this id.
  func session(_ id: SessionID, in organization: OrganizationKey) async throws -> SessionDetails?

  /// A page of sessions: oldest date first, within a date in the order in which they were made.
  func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor>

  /// Changes a session: reads it, lets `change` change date, title, times and location, replaces the assignees
  /// where the update says so, raises the version and writes it back, all in one transaction. A change that changes
  /// nothing leaves the version too.
  ///
  /// Members who are assigned already may stay, deactivated or not. The entries of members who no longer are stay as
  /// they are.
  ///
  /// - Throws: `.notFound(.session)`; `.changed` when the version is another; any error of `change`;
  ///   `.notFound(.member)` and `.memberDeactivated` for a new assignee. Then nothing is changed.
  func updateSession(
    _ update: SessionUpdate, _ change: @escaping @Sendable (inout Session) throws -> Void
  ) async throws -> SessionDetails

  /// Deletes a session and its assignments; with `detachesEntries` it is first taken off the entries that refer to
  /// it, which raises their versions. The former state of each stays in the log of changes.
  ///
  /// - Throws: `.notFound(.session)`; `.changed` when the version is another; `.sessionInUse` while entries
  ///   refer to it. Then nothing is changed.
  func deleteSession(_ deletion: SessionDeletion) async throws
}

extension SessionStorage {
  /// Keeps a new session, without an idempotency key.
  package func createSession(
    _ session: Session, in organization: OrganizationKey, context: ChangeContext
  ) async throws -> SessionDetails {
    try await createSession(session, in: organization, context: context, recording: nil)
  }
}

/// The session to change, and the author of the change.
package struct SessionUpdate: Sendable {
  package var id: SessionID
  package var organization: OrganizationKey
  /// The version that the change is meant for; nil means any.
  package var expectedVersion: Int64?
  /// The assignees from now on; nil leaves them as they are.
  package var assigneeIDs: [UserID]?
  package var context: ChangeContext

  package init(
    id: SessionID, organization: OrganizationKey, expectedVersion: Int64?, assigneeIDs: [UserID]?,
    context: ChangeContext
  ) {
    self.id = id
    self.organization = organization
    self.expectedVersion = expectedVersion
    self.assigneeIDs = assigneeIDs
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
  /// The first date; nil leaves that side open.
  package var from: LocalDate?
  /// The last date; nil leaves that side open.
  package var through: LocalDate?
  package var cursor: SessionCursor?
  /// The most sessions to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, assignee: UserKey? = nil, from: LocalDate? = nil,
    through: LocalDate? = nil, cursor: SessionCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.assignee = assignee
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
