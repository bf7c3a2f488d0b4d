import StorageCalls
import Synchronization
import TimeclockDomain

/// A storage in front of another that fails on request.
final class FaultyStorage: StorageInFront {
  /// The calls that fail, and their error.
  struct Fault: Sendable {
    /// The error of the failing calls.
    var error: any Error
    /// Whether looking up a token fails too, or only later calls.
    var hitsAuthentication: Bool
  }

  let base: any Storage
  private let fault = Mutex<Fault?>(nil)
  private let hold = Mutex<Hold?>(nil)
  private let leaks = Leaks()

  private let changes = Atomic<Int>(0)

  /// The organization whose forgotten entries cannot be closed.
  private let brokenOrganization = Mutex<OrganizationKey?>(nil)

  init(_ base: any Storage) {
    self.base = base
  }

  /// The number of calls begun that may change what reading shows: a writing method, a fault, a leak.
  ///
  /// While it stays the same, two reads at the same time are the same.
  var changeCount: Int { changes.load(ordering: .sequentiallyConsistent) }

  private func noteChange() { changes.add(1, ordering: .sequentiallyConsistent) }

  /// Makes everything fail from now on, or, with nil, work again.
  func inject(_ newFault: Fault?) {
    noteChange()
    fault.withLock { $0 = newFault }
  }

  /// Ignores the owner of records from now on: the faults that isolation tests look for.
  func leak(_ kind: Leaks.Kind) {
    noteChange()
    leaks.begin(kind)
  }

  /// Makes callers that ask for a recorded answer wait from now on.
  func holdAnswers() { hold.withLock { $0 = Hold() } }

  /// Waits until a caller waits for a recorded answer.
  func answerHeld() async {
    await withCheckedContinuation { continuation in
      hold.withLock { hold in
        if hold?.waiting != nil { continuation.resume() } else { hold?.onWaiting = continuation }
      }
    }
  }

  /// Lets the waiting caller continue, and makes no further caller wait.
  func releaseAnswers() {
    hold.withLock { hold in
      hold?.waiting?.resume()
      hold = nil
    }
  }

  /// The caller that waits for a recorded answer, and the test that waits for that caller.
  private struct Hold {
    var waiting: CheckedContinuation<Void, Never>?
    var onWaiting: CheckedContinuation<Void, Never>?
  }

  /// Makes closing forgotten entries of one organization fail from now on, or, with nil, work again.
  func failClosing(in organization: OrganizationKey?) {
    brokenOrganization.withLock { $0 = organization }
  }

  /// Every request notes the use of its token, which no snapshot shows (`lastUsedAt`).
  private static let unseen: Set = ["noteTokenUse(_:at:)"]

  func enter(_ method: String) throws {
    if StorageCalls.kind(of: method) == .writes, !Self.unseen.contains(method) { noteChange() }
    guard let fault = fault.withLock({ $0 }), fault.hitsAuthentication || !method.hasPrefix("authenticate(")
    else { return }
    throw fault.error
  }

  // MARK: Leaks

  func membership(of userID: UserID, in organization: OrganizationKey) async throws -> Membership? {
    try enter(#function)
    return try await base.membership(of: userID, in: leaks.home(of: userID) ?? organization)
  }

  func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext, recording: AnswerRecording<Member>?
  ) async throws -> Member {
    try enter(#function)
    let created = try await base.createMember(account, member, context: context, recording: recording)
    leaks.note(created.userID, in: member.organization)
    return created
  }

  func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    try enter(#function)
    let found = try await base.authenticate(digest, organizationID: organizationID, at: now)
    if let membership = found?.membership { leaks.note(digest, in: membership.organizationID) }
    guard let found, found.membership == nil, let home = leaks.home(of: digest) else { return found }
    return try await base.authenticate(digest, organizationID: home, at: now)
  }

  func createTimeEntry(
    _ new: NewTimeEntry, recording: AnswerRecording<TimeEntry>?
  ) async throws -> TimeEntry {
    try enter(#function)
    let entry = try await base.createTimeEntry(new, recording: recording)
    leaks.note(entry, in: new.member.organization)
    return entry
  }

  func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?
  ) async throws -> TimeEntryOverlaps {
    if let entry = excluded.flatMap(leaks.entry) { return TimeEntryOverlaps(entries: [entry], count: 1) }
    try enter(#function)
    return try await base.overlaps(of: member, from: start, to: end, excluding: excluded)
  }

  func timeEntry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    if let entry = leaks.entry(id) { return entry }
    try enter(#function)
    return try await base.timeEntry(id, in: organization)
  }

  func auditLog(_ query: AuditLogQuery) async throws -> Page<Change, RowCursor> {
    try enter(#function)
    var query = query
    if let id = query.resourceID { query.organization = leaks.home(of: id) ?? query.organization }
    return try await base.auditLog(query)
  }

  // MARK: Faults of one method

  func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry] {
    guard brokenOrganization.withLock({ $0 }) != organization else { throw UnforeseenError() }
    try enter(#function)
    return try await base.closeForgottenEntries(in: organization, limit: limit, context: context)
  }

  func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer? {
    await withCheckedContinuation { continuation in
      hold.withLock { hold in
        guard hold != nil else { return continuation.resume() }
        hold?.waiting = continuation
        hold?.onWaiting?.resume()
      }
    }
    try enter(#function)
    return try await base.recordedAnswer(for: key, at: now)
  }
}
