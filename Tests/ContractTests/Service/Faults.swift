import Procedures
import StorageCalls
import Synchronization
import TimeclockDomain

/// The faults of a service's storage, for tests to plant.
final class Faults: Sendable {
  /// The calls that fail, and their error.
  struct Fault: Sendable {
    /// The error of the failing calls.
    var error: any Error
    /// Whether looking up a token fails too, or only later calls.
    var hitsAuthentication: Bool
  }

  private let fault = Mutex<Fault?>(nil)
  private let hold = Mutex<Hold?>(nil)
  fileprivate let leaks = Leaks()

  private let changes = Atomic<Int>(0)

  /// The organization whose forgotten entries cannot be closed.
  private let brokenOrganization = Mutex<OrganizationKey?>(nil)

  /// How often something has begun that may change what reading shows: a writing method, a fault, a leak.
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

  /// Comes before each call of the storage; throws the error of one that fails.
  fileprivate func enter(_ method: String) throws {
    if StorageCalls.kind(of: method) == .writes, !Self.unseen.contains(method) { noteChange() }
    guard let fault = fault.withLock({ $0 }), fault.hitsAuthentication || !method.hasPrefix("authenticate(")
    else { return }
    throw fault.error
  }

  /// Throws where closing the forgotten entries of the organization fails.
  fileprivate func requireClosing(in organization: OrganizationKey) throws {
    guard brokenOrganization.withLock({ $0 }) != organization else { throw UnforeseenError() }
  }

  /// Waits as long as callers that ask for a recorded answer are held.
  fileprivate func waitWhileHeld() async {
    await withCheckedContinuation { continuation in
      hold.withLock { hold in
        guard hold != nil else { return continuation.resume() }
        hold?.waiting = continuation
        hold?.onWaiting?.resume()
      }
    }
  }
}

extension Storage {
  /// The storage, with the faults that tests plant in it.
  func with(_ faults: Faults) -> any Storage { FaultyStorage(base: self, faults: faults) }
}

private struct FaultyStorage<Base: Storage>: StorageInFront {
  let base: Base
  let faults: Faults

  private var leaks: Leaks { faults.leaks }

  func enter(_ method: String) throws { try faults.enter(method) }

  // MARK: Leaks

  func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    try enter(#function)
    var found = try await base.memberships(of: userIDs, in: organization)
    for userID in userIDs {
      guard let home = leaks.home(of: userID) else { continue }
      found[userID] = try await base.memberships(of: [userID], in: home)[userID]
    }
    return found
  }

  func write<Value: Sendable>(
    _ kind: RecordWrite, recording: AnswerRecording<Value>?,
    _ body: nonisolated(nonsending) @escaping @Sendable (Base.Transaction) async throws -> Value
  ) async throws -> Value {
    try enter(#function)
    let value = try await base.write(kind, recording: recording, body)
    if let member = value as? Member, case .organization(let organization) = kind.scope {
      leaks.note(member.userID, in: organization)
    }
    return value
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
    try faults.requireClosing(in: organization)
    try enter(#function)
    return try await base.closeForgottenEntries(in: organization, limit: limit, context: context)
  }

  func recordedAnswer(for key: IdempotencyKey, at now: Instant) async throws -> RecordedAnswer? {
    await faults.waitWhileHeld()
    try enter(#function)
    return try await base.recordedAnswer(for: key, at: now)
  }
}
