import Synchronization
import TimeclockDomain

/// A storage in front of another that can be told to fail.
final class FaultyStorage: Storage {
  /// What fails, and how.
  struct Fault: Sendable {
    /// Thrown by what fails.
    var error: any Error
    /// Whether looking up a token fails too, or only what comes after it.
    var hitsAuthentication: Bool
  }

  private let base: any Storage
  private let fault = Mutex<Fault?>(nil)
  private let hold = Mutex<Hold?>(nil)
  private let leaks = Leaks()

  /// Where closing forgotten entries fails.
  private let brokenOrganization = Mutex<OrganizationKey?>(nil)

  init(_ base: any Storage) {
    self.base = base
  }

  /// Makes everything fail from now on, or, with nil, work again.
  func inject(_ newFault: Fault?) {
    fault.withLock { $0 = newFault }
  }

  /// Forgets from now on to whom something belongs: the faults that isolation tests are for.
  func leak(_ kind: Leaks.Kind) {
    leaks.begin(kind)
  }

  /// Has those who ask for a recorded answer wait, from now on.
  func holdAnswers() { hold.withLock { $0 = Hold() } }

  /// Returns when somebody waits for a recorded answer.
  func answerHeld() async {
    await withCheckedContinuation { continuation in
      hold.withLock { hold in
        if hold?.waiting != nil { continuation.resume() } else { hold?.onWaiting = continuation }
      }
    }
  }

  /// Lets the one go on who waits, and makes nobody wait any more.
  func releaseAnswers() {
    hold.withLock { hold in
      hold?.waiting?.resume()
      hold = nil
    }
  }

  /// Somebody who waits for a recorded answer, and somebody who waits for that.
  private struct Hold {
    var waiting: CheckedContinuation<Void, Never>?
    var onWaiting: CheckedContinuation<Void, Never>?
  }

  /// Makes closing forgotten entries of one organisation fail from now on, or, with nil, work again.
  func failClosing(in organization: OrganizationKey?) {
    brokenOrganization.withLock { $0 = organization }
  }

  private func storage(authenticates: Bool = false) throws -> any Storage {
    if let fault = fault.withLock({ $0 }), !authenticates || fault.hitsAuthentication { throw fault.error }
    return base
  }

  func checkReadiness() async throws { try await storage().checkReadiness() }

  func close() async { await base.close() }

  // MARK: Organisations

  func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext,
    recording: AnswerRecording<User>?
  ) async throws -> User {
    try await storage().createOrganization(
      organization, admin: admin, token: token, context: context, recording: recording)
  }

  func organization(_ key: OrganizationKey) async throws -> Organization {
    try await storage().organization(key)
  }

  func updateOrganization(
    _ key: OrganizationKey, expectedVersion: Int64?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Organization) throws -> Void
  ) async throws -> Organization {
    try await storage().updateOrganization(
      key, expectedVersion: expectedVersion, context: context, change)
  }

  // MARK: Members

  func profile(of user: UserKey) async throws -> Profile { try await storage().profile(of: user) }

  func membership(of userID: UserID, in organization: OrganizationKey) async throws -> Membership? {
    let home = leaks.home(of: userID) ?? organization
    return try await storage().membership(of: userID, in: home)
  }

  func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    try await storage().memberships(of: userIDs, in: organization)
  }

  func member(_ userID: UserID, in organization: OrganizationKey) async throws -> Member? {
    try await storage().member(userID, in: organization)
  }

  func members(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Member, RowCursor> {
    try await storage().members(of: organization, after: cursor, limit: limit)
  }

  func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext, recording: AnswerRecording<Member>?
  ) async throws -> Member {
    let created = try await storage().createMember(account, member, context: context, recording: recording)
    leaks.note(created.userID, in: member.organization)
    return created
  }

  func updateMember(
    _ userID: UserID, in organization: OrganizationKey, expectedVersion: Int64?,
    passwordHash: PasswordHash?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Member) throws -> Void
  ) async throws -> Member {
    try await storage().updateMember(
      userID, in: organization, expectedVersion: expectedVersion, passwordHash: passwordHash,
      context: context, change)
  }

  // MARK: Attempts to log in

  func beginLogInAttempt(_ attempt: LogInAttempt, at now: Instant) async throws {
    try await storage().beginLogInAttempt(attempt, at: now)
  }

  func endLogInAttempt(_ attempt: LogInAttempt, as outcome: LogInOutcome, at now: Instant) async throws {
    try await storage().endLogInAttempt(attempt, as: outcome, at: now)
  }

  func deleteExpiredLogInAttempts(at now: Instant, limit: Int) async throws -> Int {
    try await storage().deleteExpiredLogInAttempts(at: now, limit: limit)
  }

  // MARK: Tokens

  func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    let storage = try storage(authenticates: true)
    let found = try await storage.authenticate(digest, organizationID: organizationID, at: now)
    if let membership = found?.membership { leaks.note(digest, in: membership.organizationID) }
    guard let found, found.membership == nil, let home = leaks.home(of: digest) else { return found }
    return try await storage.authenticate(digest, organizationID: home, at: now)
  }

  func noteTokenUse(_ tokenKey: Int64, at now: Instant) { base.noteTokenUse(tokenKey, at: now) }

  func logInAccount(for email: EmailAddress) async throws -> LogInAccount? {
    try await storage().logInAccount(for: email)
  }

  func passwordHash(of user: UserKey) async throws -> PasswordHash? {
    try await storage().passwordHash(of: user)
  }

  func createLogInToken(
    _ token: NewToken, for user: UserKey, checkedHash: PasswordHash, newHash: PasswordHash?,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await storage().createLogInToken(
      token, for: user, checkedHash: checkedHash, newHash: newHash, recording: recording)
  }

  func deleteToken(_ tokenKey: Int64) async throws { try await storage().deleteToken(tokenKey) }

  func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64,
    context: ChangeContext
  ) async throws {
    try await storage().changePassword(
      of: user, from: current, to: new, keepingToken: tokenKey, context: context)
  }

  func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    context: ChangeContext
  ) async throws {
    try await storage().acceptMembership(
      of: user, with: digest, from: current, to: new, context: context)
  }

  func apiTokens(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<ApiToken, RowCursor> {
    try await storage().apiTokens(of: organization, after: cursor, limit: limit)
  }

  func createApiToken(
    _ token: ApiToken, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await storage().createApiToken(
      token, digest: digest, in: organization, context: context, recording: recording)
  }

  func deleteApiToken(
    _ id: ApiTokenID, in organization: OrganizationKey, context: ChangeContext
  ) async throws {
    try await storage().deleteApiToken(id, in: organization, context: context)
  }

  // MARK: Time entries

  func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry {
    let entry = try await storage().createTimeEntry(new, recording: recording)
    leaks.note(entry, in: new.member.organization)
    return entry
  }

  func createTimeEntries(
    _ new: [NewTimeEntry], keeping: BulkKeeping,
    recording: AnswerRecording<[Result<TimeEntry, TimeclockError>]>?
  ) async throws -> [Result<TimeEntry, TimeclockError>] {
    try await storage().createTimeEntries(new, keeping: keeping, recording: recording)
  }

  func importTimeEntries(
    _ batch: ImportBatch, isDryRun: Bool, recording: AnswerRecording<ImportOutcome>?
  ) async throws -> ImportOutcome {
    try await storage().importTimeEntries(batch, isDryRun: isDryRun, recording: recording)
  }

  func clockOut(_ clockOut: ClockOut, recording: AnswerRecording<TimeEntry>?) async throws -> TimeEntry {
    try await storage().clockOut(clockOut, recording: recording)
  }

  func updateTimeEntry(
    _ update: TimeEntryUpdate, _ change: @escaping @Sendable (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    try await storage().updateTimeEntry(update, change)
  }

  func deleteTimeEntry(
    _ update: TimeEntryUpdate, _ check: @escaping @Sendable (TimeEntry) throws -> Void
  ) async throws {
    try await storage().deleteTimeEntry(update, check)
  }

  func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps {
    if let entry = excluded.flatMap(leaks.entry) { return TimeEntryOverlaps(entries: [entry], count: 1) }
    return try await storage().overlaps(of: member, from: start, to: end, excluding: excluded)
  }

  func activeTimeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try await storage().activeTimeEntry(of: member)
  }

  func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    if let entry = leaks.entry(id) { return entry }
    return try await storage().timeEntry(id, in: organization)
  }

  func timeEntries(_ query: TimeEntryQuery) async throws -> Page<TimeEntry, TimeEntryCursor> {
    try await storage().timeEntries(query)
  }

  func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    try await storage().exportTimeEntries(query, into: output, append)
  }

  func newestChange() async throws -> Instant? {
    try await storage().newestChange()
  }

  func organizationsWithForgottenEntries(at now: Instant) async throws -> [OrganizationKey] {
    try await storage().organizationsWithForgottenEntries(at: now)
  }

  func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry] {
    guard brokenOrganization.withLock({ $0 }) != organization else { throw UnforeseenError() }
    return try await storage().closeForgottenEntries(in: organization, limit: limit, context: context)
  }

  func presence(_ query: PresenceQuery) async throws -> Page<PresentMember, PresenceCursor> {
    try await storage().presence(query)
  }

  func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report {
    try await storage().report(on: query, calculate)
  }

  // MARK: Answers

  func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer? {
    await withCheckedContinuation { continuation in
      hold.withLock { hold in
        guard hold != nil else { return continuation.resume() }
        hold?.waiting = continuation
        hold?.onWaiting?.resume()
      }
    }
    return try await storage().recordedAnswer(for: key, at: now)
  }

  func recordAnswer(_ recording: AnswerRecording<Void>) async throws {
    try await storage().recordAnswer(recording)
  }

  func deleteExpiredAnswers(at now: Instant, limit: Int) async throws -> Int {
    try await storage().deleteExpiredAnswers(at: now, limit: limit)
  }

  // MARK: Sessions

  func createSession(
    _ session: Session, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<SessionDetails>?
  ) async throws -> SessionDetails {
    try await storage().createSession(
      session, in: organization, context: context, recording: recording)
  }

  func session(_ id: SessionID, in organization: OrganizationKey) async throws -> SessionDetails? {
    try await storage().session(id, in: organization)
  }

  func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor> {
    try await storage().sessions(query)
  }

  func updateSession(
    _ update: SessionUpdate, _ change: @escaping @Sendable (inout Session) throws -> Void
  ) async throws -> SessionDetails {
    try await storage().updateSession(update, change)
  }

  func deleteSession(_ deletion: SessionDeletion) async throws { try await storage().deleteSession(deletion) }

  // MARK: Changes

  func changes(
    of organization: OrganizationKey, after sequence: Int64, resources: Set<TimeclockDomain.Snapshot.Kind>,
    limit: Int
  ) async throws -> [Change] {
    try await storage().changes(of: organization, after: sequence, resources: resources, limit: limit)
  }

  func auditLog(_ query: AuditLogQuery) async throws -> Page<Change, RowCursor> {
    var query = query
    if let id = query.resourceID { query.organization = leaks.home(of: id) ?? query.organization }
    return try await storage().auditLog(query)
  }

  func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> [StoredChange] {
    try await storage().storedChanges(of: organization, after: sequence, limit: limit)
  }

  func unsealedChanges(of organization: OrganizationKey) async throws -> UnsealedChanges {
    try await storage().unsealedChanges(of: organization)
  }

  // MARK: Personal data

  func personalChanges(
    of userID: UserID, in organization: OrganizationKey, after cursor: RowCursor?
  ) async throws -> Page<Change, RowCursor> {
    try await storage().personalChanges(of: userID, in: organization, after: cursor)
  }

  func assignedSessions(
    of member: MemberKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<AssignedSession, RowCursor> {
    try await storage().assignedSessions(of: member, after: cursor, limit: limit)
  }

  func anonymizeMember(
    _ userID: UserID, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Member>?
  ) async throws -> Member {
    try await storage().anonymizeMember(
      userID, in: organization, context: context, recording: recording)
  }

  func organizations() async throws -> [(key: OrganizationKey, id: OrganizationID)] {
    try await storage().organizations()
  }
}
