import TimeclockDomain

/// The storage of time entries.
///
/// Two invariants are the database's own, independent of any checks of the callers: a member has at most one active
/// entry in an organization, and the entries of a member never overlap as half-open spans `[clock-in, clock-out)`, an
/// active one reaching to infinity.
package protocol TimeEntryStorage: Sendable {
  /// Keeps a new entry, active or closed.
  ///
  /// - Throws: `.memberDeactivated`; `.sessionNotFound`; `.sessionNotAssigned` if the entry demands an assignment;
  ///   `.alreadyClockedIn` for an active entry when there is one; `.overlap`; `.periodLocked`.
  func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry

  /// Keeps new closed entries of one organization, in one transaction, one after the other: each as
  /// `createTimeEntry` keeps it, judged together with those that come before it.
  ///
  /// - Parameter keeping: The entries to keep if some are refused.
  /// - Returns: The result of each, in their order, or, if nothing is kept, the result that it would have had.
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
  ///   `.sessionNotFound` and `.sessionNotAssigned` for a new session; `.overlap`, `.periodLocked`. Then nothing is changed.
  func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry

  /// Deletes an entry unless `check` throws. The entry's last state stays in the log of changes.
  ///
  /// - Throws: `.notFound(.timeEntry)`; `.changed` when the version is another; any error of `check`; `.periodLocked`.
  func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws

  /// The member's entries that share a moment with `[start, end)`, one of them left out.
  func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps

  /// The member's active entry; nil when clocked out.
  func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry?

  /// One entry; nil if the organization has none with this id.
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
