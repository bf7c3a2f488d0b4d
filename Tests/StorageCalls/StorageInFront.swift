import Procedures
import TimeclockDomain

/// A storage in front of another, which everything is handed on to. A storage that does something else in a few
/// methods implements those.
package protocol StorageInFront: Storage where Transaction == Base.Transaction {
  associatedtype Base: Storage

  /// The storage behind.
  var base: Base { get }

  /// Comes before every call that is handed on; its error is thrown instead of calling.
  ///
  /// - Parameter method: The full name of the protocol's method, such as `presence(_:)`; of a procedure, which is an
  ///   extension of the protocol, those of `read` and `write`.
  func enter(_ method: String) throws
}

extension StorageInFront {
  /// The storage behind, unless the call is refused.
  func entered(_ method: String) throws -> Base {
    try enter(method)
    return base
  }

  package func read<Value: Sendable>(
    _ statement: RecordStatement, _ values: [RecordValue], in scope: RecordScope, limit: Int,
    _ row: @escaping @Sendable (inout RecordRow<Base.Transaction.Row>) throws -> Value
  ) async throws -> [Value] {
    try await entered(#function).read(statement, values, in: scope, limit: limit, row)
  }

  package func write<Value: Sendable>(
    _ kind: RecordWrite, recording: AnswerRecording<Value>?,
    _ body: @escaping @Sendable (Base.Transaction) async throws -> Value
  ) async throws -> Value {
    try await entered(#function).write(kind, recording: recording, body)
  }

  /// Is no call: it announces written changes.
  package func announce(_ timers: [ChangedTimer]) { base.announce(timers) }

  package func takesTurn(at work: SharedWork) async -> Bool {
    try? enter(#function)
    return await base.takesTurn(at: work)
  }

  package func checkReadiness() async throws { try await entered(#function).checkReadiness() }

  package func close() async {
    try? enter(#function)
    await base.close()
  }

  // MARK: Members

  package func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    try await entered(#function).memberships(of: userIDs, in: organization)
  }

  // MARK: Attempts to log in

  package func beginLogInAttempt(_ attempt: LogInAttempt, at now: Instant) async throws {
    try await entered(#function).beginLogInAttempt(attempt, at: now)
  }

  package func endLogInAttempt(_ attempt: LogInAttempt, as outcome: LogInOutcome, at now: Instant)
    async throws
  {
    try await entered(#function).endLogInAttempt(attempt, as: outcome, at: now)
  }

  package func deleteExpiredLogInAttempts(at now: Instant, limit: Int) async throws -> Int {
    try await entered(#function).deleteExpiredLogInAttempts(at: now, limit: limit)
  }

  // MARK: Tokens

  package func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    try await entered(#function).authenticate(digest, organizationID: organizationID, at: now)
  }

  package func noteTokenUse(_ tokenKey: Int64, at now: Instant) {
    try? enter(#function)
    base.noteTokenUse(tokenKey, at: now)
  }

  // MARK: Time entries

  package func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry {
    try await entered(#function).createTimeEntry(new, recording: recording)
  }

  package func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    try await entered(#function).createTimeEntries(new, keeping: keeping, recording: recording)
  }

  package func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome {
    try await entered(#function).importTimeEntries(batch, isDryRun: isDryRun, recording: recording)
  }

  package func clockOut(_ clockOut: ClockOut, recording: AnswerRecording<WrittenEntry>?) async throws
    -> TimeEntry
  {
    try await entered(#function).clockOut(clockOut, recording: recording)
  }

  package func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    try await entered(#function).updateTimeEntry(update, change)
  }

  package func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws {
    try await entered(#function).deleteTimeEntry(update, check)
  }

  package func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps {
    try await entered(#function).overlaps(of: member, from: start, to: end, excluding: excluded)
  }

  package func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try await entered(#function).activeTimeEntry(of: member)
  }

  package func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    try await entered(#function).timeEntry(id, in: organization)
  }

  package func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor> {
    try await entered(#function).timeEntries(query)
  }

  package func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    try await entered(#function).exportTimeEntries(query, into: output, append)
  }

  package func newestChange(orAnySince time: Instant) async throws -> Instant? {
    try await entered(#function).newestChange(orAnySince: time)
  }

  package func organizationsWithForgottenEntries(at now: Instant) async throws -> [OrganizationKey] {
    try await entered(#function).organizationsWithForgottenEntries(at: now)
  }

  package func countOfEntriesOverMaximum(at now: Instant) async throws -> Int {
    try await entered(#function).countOfEntriesOverMaximum(at: now)
  }

  package func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry] {
    try await entered(#function).closeForgottenEntries(in: organization, limit: limit, context: context)
  }

  package func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor> {
    try await entered(#function).presence(query)
  }

  package func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report {
    try await entered(#function).report(on: query, calculate)
  }

  // MARK: Answers

  package func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer? {
    try await entered(#function).recordedAnswer(for: key, at: now)
  }

  package func recordAnswer(_ recording: AnswerRecording<Void>) async throws {
    try await entered(#function).recordAnswer(recording)
  }

  package func deleteExpiredAnswers(at now: Instant, limit: Int) async throws -> Int {
    try await entered(#function).deleteExpiredAnswers(at: now, limit: limit)
  }

  // MARK: Changes

  package func listen(
    to organization: OrganizationKey, _ onChange: @escaping @Sendable () -> Void
  ) -> ChangeBus.Listening {
    try? enter(#function)
    return base.listen(to: organization, onChange)
  }

  package func logEnd(of organization: OrganizationKey) async throws -> LogPlace {
    try await entered(#function).logEnd(of: organization)
  }

  package func changes(
    of organization: OrganizationKey, after sequence: Int64, resources: Set<Snapshot.Kind>,
    limit: Int
  ) async throws -> [Change] {
    try await entered(#function).changes(
      of: organization, after: sequence, resources: resources, limit: limit)
  }

  package func auditLog(_ query: AuditLogQuery) async throws -> Page<Change, RowCursor> {
    try await entered(#function).auditLog(query)
  }

  package func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> [StoredChange] {
    try await entered(#function).storedChanges(of: organization, after: sequence, limit: limit)
  }

  package func unsealedChanges(of organization: OrganizationKey) async throws -> UnsealedChanges {
    try await entered(#function).unsealedChanges(of: organization)
  }

  // MARK: Personal data

  package func personalChanges(
    of userID: UserID, in organization: OrganizationKey, after cursor: RowCursor?
  ) async throws -> Page<Change, RowCursor> {
    try await entered(#function).personalChanges(of: userID, in: organization, after: cursor)
  }

  package func assignedSessions(
    of member: MemberKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<AssignedSession, RowCursor> {
    try await entered(#function).assignedSessions(of: member, after: cursor, limit: limit)
  }

  package func anonymizeMember(
    _ userID: UserID, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Member>?
  ) async throws -> Member {
    try await entered(#function).anonymizeMember(
      userID, in: organization, context: context, recording: recording)
  }

  package func organizations() async throws -> [(key: OrganizationKey, id: OrganizationID)] {
    try await entered(#function).organizations()
  }

  // MARK: Sessions

  package func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor> {
    try await entered(#function).sessions(query)
  }

  // MARK: Timers

  package func listen(
    toTimerOf member: MemberKey, _ onChange: @escaping @Sendable () -> Void
  ) -> TimerBus.Listening {
    try? enter(#function)
    return base.listen(toTimerOf: member, onChange)
  }

  package func listenToDueTimers(
    _ onDue: @escaping @Sendable (Instant?) -> Void
  ) -> DueTimerBus.Listening {
    try? enter(#function)
    return base.listenToDueTimers(onDue)
  }
}
