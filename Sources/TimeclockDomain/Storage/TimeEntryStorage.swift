/// The storage of time entries.
///
/// Two invariants are the database's own, independent of any checks of the callers: a member has at most one active
/// entry in an organization, and the entries of a member never overlap as half-open spans `[clock-in, clock-out)`, an
/// active one reaching to infinity.
package protocol TimeEntryStorage: Sendable {
  /// Keeps a new entry, active or closed.
  ///
  /// - Throws: `.memberDeactivated`; `.sessionNotFound`; `.sessionNotAssigned` where the entry demands an
  ///   assignment; `.alreadyClockedIn` for an active entry when there is one; `.overlap`.
  func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry

  /// Keeps new closed entries of one organization, in one transaction, one after the other: each as
  /// `createTimeEntry` keeps it, judged together with those that come before it.
  ///
  /// - Parameter keeping: The entries to keep where some are refused.
  /// - Returns: The result of each, in their order, or, where nothing is kept, the result that it would have had.
  func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>]

  /// Closes the member's active entry.
  ///
  /// An unstated time that is not after the clock-in (a clock set back, two requests within a millisecond)
  /// becomes one millisecond after it, so that clocking out always works.
  ///
  /// - Throws: `.notClockedIn`; `.endNotAfterStart` for a stated time.
  func clockOut(_ clockOut: ClockOut, recording: AnswerRecording<WrittenEntry>?) async throws -> TimeEntry

  /// Changes an entry: reads it, lets `change` change times, zone, date, session, notes and flags, raises the version
  /// and writes it back, all in one transaction. A change that changes nothing leaves the version too.
  ///
  /// - Throws: `.notFound(.timeEntry)`; `.changed` when the version is another; any error of `change`;
  ///   `.sessionNotFound` and `.sessionNotAssigned` for a new session; `.overlap`. Then nothing is changed.
  func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry

  /// Deletes an entry unless `check` throws. The entry's last state stays in the log of changes.
  ///
  /// - Throws: `.notFound(.timeEntry)`; `.changed` when the version is another; any error of `check`.
  func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws

  /// The member's entries that share a moment with `[start, end)`, one of them left out.
  func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps

  /// The member's active entry; nil when clocked out.
  func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry?

  /// One entry; nil where the organization has none with this id.
  func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry?

  /// A page of entries: newest date first, within a date the newest creation first, within one instant the
  /// last created first.
  ///
  /// - Throws: `.notFound(.session)` when the query names a session that the organization does not have.
  func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor>
}

extension TimeEntryStorage {
  /// Keeps a new entry, without an idempotency key.
  package func createTimeEntry(_ new: NewTimeEntry) async throws -> TimeEntry {
    try await createTimeEntry(new, recording: nil)
  }

  /// Keeps new closed entries, without an idempotency key.
  package func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    try await createTimeEntries(new, keeping: keeping, recording: nil)
  }

  /// Closes the member's active entry, without an idempotency key.
  package func clockOut(_ clockOut: ClockOut) async throws -> TimeEntry {
    try await self.clockOut(clockOut, recording: nil)
  }
}

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
  /// The owners of the entries, each once; nil means everyone.
  package var users: [UserKey]?
  package var range: TimeEntryRange
  package var status: TimeEntryStatus?
  package var session: SessionID?
  package var filter: TimeEntryFilter
  package var cursor: TimeEntryCursor?
  /// The most entries to return, at least 1. Where there is a filter, a page may have fewer, even none, before the end of
  /// the list.
  package var limit: Int

  package init(
    organization: OrganizationKey, users: [UserKey]?, range: TimeEntryRange, status: TimeEntryStatus?,
    session: SessionID?, filter: TimeEntryFilter = TimeEntryFilter(), cursor: TimeEntryCursor?, limit: Int
  ) {
    self.organization = organization
    self.users = users
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

/// Bounds of what an answer shows.
package enum TimeEntryStorageLimits {
  /// The most entries that an `.overlap` refusal carries; its `count` is of all of them.
  package static let overlapsShown = 20
}
