/// A time entry to keep.
package struct NewTimeEntry: Sendable {
  package var member: MemberKey
  package var entry: TimeEntry
  /// Whether the member must be assigned to the entry's session; a manager need not be.
  package var needsSessionAssignment: Bool
  package var context: ChangeContext

  package init(member: MemberKey, entry: TimeEntry, needsSessionAssignment: Bool, context: ChangeContext) {
    self.member = member
    self.entry = entry
    self.needsSessionAssignment = needsSessionAssignment
    self.context = context
  }
}

/// The entry to change or delete, and the author of the change.
package struct TimeEntryUpdate: Sendable {
  package var id: TimeEntryID
  package var organization: OrganizationKey
  /// The version that the change is meant for; nil means any.
  package var expectedVersion: Int64?
  /// Whether the entry's member must be assigned to a new session; a manager need not see to it.
  package var needsSessionAssignment: Bool
  package var context: ChangeContext

  package init(
    id: TimeEntryID, organization: OrganizationKey, expectedVersion: Int64?, needsSessionAssignment: Bool,
    context: ChangeContext
  ) {
    self.id = id
    self.organization = organization
    self.expectedVersion = expectedVersion
    self.needsSessionAssignment = needsSessionAssignment
    self.context = context
  }
}

/// Entries that are in the way of a span.
package struct TimeEntryOverlaps: Hashable, Sendable {
  /// The oldest ones, oldest first, at most `TimeEntryStorageLimits.overlapsShown`.
  package var entries: [TimeEntry]
  /// The number of all entries in the way.
  package var count: Int

  package init(entries: [TimeEntry], count: Int) {
    self.entries = entries
    self.count = count
  }
}

/// A member's clocking out.
package struct ClockOut: Sendable {
  package var member: MemberKey
  /// The end of the entry.
  package var time: Instant
  /// Whether the client stated the time; otherwise it is the moment of the request.
  package var isStated: Bool
  /// Replaces the entry's notes; nil leaves them.
  package var notes: Notes?
  /// The policy that judges the entry.
  package var policy: Policy
  package var context: ChangeContext

  package init(
    member: MemberKey, time: Instant, isStated: Bool, notes: Notes?, policy: Policy, context: ChangeContext
  ) {
    self.member = member
    self.time = time
    self.isStated = isStated
    self.notes = notes
    self.policy = policy
    self.context = context
  }
}

/// The entries that a list shows.
package struct TimeEntryQuery: Sendable {
  package var organization: OrganizationKey
  /// The owners of the entries, each once; nil means all of `among`.
  package var users: [UserKey]?
  /// The owners in a query that states none.
  package var among: MemberSelection
  package var range: TimeEntryRange
  package var status: TimeEntryStatus?
  package var session: SessionID?
  package var filter: TimeEntryFilter
  package var cursor: TimeEntryCursor?
  /// The most entries to return, at least 1. With a filter, a page may have fewer, even none, before the end of the
  /// list.
  package var limit: Int

  package init(
    organization: OrganizationKey, users: [UserKey]?, among: MemberSelection = .everybody,
    range: TimeEntryRange,
    status: TimeEntryStatus?,
    session: SessionID?, filter: TimeEntryFilter = TimeEntryFilter(), cursor: TimeEntryCursor?, limit: Int
  ) {
    self.organization = organization
    self.users = users
    self.among = among
    self.range = range
    self.status = status
    self.session = session
    self.filter = filter
    self.cursor = cursor
    self.limit = limit
  }

  /// Makes a query about one owner, or about everyone.
  package init(
    organization: OrganizationKey, user: UserKey?, range: TimeEntryRange, status: TimeEntryStatus?,
    session: SessionID?, cursor: TimeEntryCursor?, limit: Int
  ) {
    self.init(
      organization: organization, users: user.map { [$0] }, range: range, status: status, session: session,
      cursor: cursor, limit: limit)
  }

  /// The same query about each owner alone, or the one about everyone: a list of several owners is put together of theirs.
  package var ofEachOwner: [TimeEntryQuery] {
    guard let users, users.count > 1 else { return [self] }
    return users.map { user in
      var query = self
      query.users = [user]
      return query
    }
  }

  /// The owner; nil in a query about everyone. One about several is asked by `ofEachOwner`.
  package var user: UserKey? { users?.first }

  /// The owners of a query that is not about several.
  package var members: MemberSelection {
    user.map(MemberSelection.member) ?? among
  }

  /// The most rows to look at for a page with this limit.
  package func rowLimit(_ limit: Int) -> Int {
    filter.isEmpty ? limit : max(limit, TimeEntryFilter.window)
  }
}

/// The days or the span that a list is about.
package enum TimeEntryRange: Hashable, Sendable {
  /// Entries whose `date` lies in these days, both included; nil leaves that side open.
  case dates(from: LocalDate?, through: LocalDate?)
  /// Entries that share a moment with the span `[from, to)`; nil leaves that side open. An active entry
  /// reaches to infinity.
  case overlapping(from: Instant?, to: Instant?)
}

/// A place in a list of time entries: the last entry before it.
package struct TimeEntryCursor: Hashable, Sendable {
  package var date: LocalDate
  package var createdAt: Instant
  /// The entry's row, which decides among entries created in one instant.
  package var row: Int64

  package init(date: LocalDate, createdAt: Instant, row: Int64) {
    self.date = date
    self.createdAt = createdAt
    self.row = row
  }
}

/// Bounds of answers.
package enum TimeEntryStorageLimits {
  /// The most entries that an `.overlap` refusal carries; its `count` is of all of them.
  package static let overlapsShown = 20
}

/// The condition on which an entry or a segment belongs to a range of days.
package enum TimeEntryMatch: String, CaseIterable, Sendable {
  /// Its `date` lies in the range, or the start of a segment.
  case start
  /// It shares a moment with the range, so that a shift begun the night before is not lost.
  case overlap
}
