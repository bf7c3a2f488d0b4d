import CPostgreSQL
import EventLoops
import Metrics
import TimeclockDomain

/// The connections of one event loop, and the work that waits for them. Used on the loop's thread only.
///
/// Reads share the first connections, each statement on its own, up to eight of a turn in one round trip; long ones
/// have one of their own, if there are five or more. Writes take the others, if anything is written at all: whenever
/// one is free it takes everything that waits as one transaction, so that many requests share a commit. Transactions of
/// several statements have a connection to themselves, by organization in turn, and never the last one
/// (docs/decisions/0020-fairness.md). One connection for reads and one for writes stand always, the others while there
/// is work for them.
///
/// `@unchecked Sendable`: other threads only carry it, and close it once the loop has ended.
final class LoopConnections: EventLoopClient, @unchecked Sendable {
  let loop: EventLoop
  private let connector: Connector
  let readers: [ConnectionSlot]
  let writers: [ConnectionSlot]
  /// For long reads; nil if there are too few connections for one of their own.
  let longReader: ConnectionSlot?
  private let slots: [ConnectionSlot]
  var reads: [WaitingQuery] = []
  var longReads = WaitingInTurn<WaitingQuery>()
  /// Whether a long read is under way.
  var isReadingLong = false
  var writes: [WaitingQuery] = []
  var transactions = WaitingInTurn<WaitingTransaction>()
  /// Whether the only connection that writes was given to a transaction last.
  var wasTransactionLast = false
  /// Organizations that were refused a moment ago because they are elsewhere.
  var departures = KnownDepartures()
  private let shares: WriteShares
  /// The longest wait of a call of the storage for a connection, all attempts together, in nanoseconds.
  let patience: Int64
  private var isClosed = false
  let metrics: StorageMetrics?
  private let poolMetrics: PoolMetrics?

  /// - Parameters:
  ///   - shares: The limits that all loops of the process share.
  ///   - count: The number of connections, at least 2.
  ///   - patienceSeconds: The longest wait of a call for a connection, all attempts together.
  ///   - metrics: Counts the calls and the connections; nil if nobody asks for the numbers.
  init(
    loop: EventLoop, connector: Connector, shares: WriteShares, count: Int, patienceSeconds: Int64,
    metrics: StorageMetrics? = nil
  ) {
    self.loop = loop
    self.metrics = metrics
    poolMetrics = metrics?.addPool()
    self.connector = connector
    self.shares = shares
    patience = patienceSeconds * 1_000_000_000
    let isReadOnly = connector.isReadOnly
    let readerCount = isReadOnly ? count - (count >= Self.leastForLongReads ? 1 : 0) : max(1, count / 4)
    readers = (0..<readerCount).map { ConnectionSlot(isKept: $0 == 0) }
    longReader = count >= Self.leastForLongReads ? ConnectionSlot(isKept: false) : nil
    let otherCount = readerCount + (longReader == nil ? 0 : 1)
    writers = (0..<(isReadOnly ? 0 : max(1, count - otherCount))).map { ConnectionSlot(isKept: $0 == 0) }
    slots = readers + writers + [longReader].compactMap { $0 }
    loop.add(self)
  }

  var nextDeadline: Int64 {
    guard !isClosed else { return .max }
    var deadline = Int64.max
    for slot in slots { deadline = min(deadline, slot.deadline) }
    // Later ones have later deadlines.
    if let first = reads.first { deadline = min(deadline, first.deadline) }
    if let first = writes.first { deadline = min(deadline, first.deadline) }
    return min(deadline, transactions.nextDeadline, longReads.nextDeadline)
  }

  func turnEnded() {
    guard !isClosed else { return }
    for slot in slots { attend(to: slot) }
    sendReads()
    sendLongRead()
    sendWrites()
    openMore()
    expire()
    for slot in slots { slot.noteUse(at: loop.now) }
    if let poolMetrics { tell(poolMetrics) }
  }

  /// Writes the connections and the waiting calls down as they are.
  private func tell(_ pool: PoolMetrics) {
    pool.open.store(slots.count { $0.connection != nil }, ordering: .relaxed)
    let inUse = slots.count { $0.use != nil || $0.connection.map { !$0.isIdle } ?? false }
    pool.inUse.store(inUse, ordering: .relaxed)
    let waitingCount = reads.count + writes.count + longReads.count + transactions.count
    pool.waiting.store(waitingCount, ordering: .relaxed)
  }

  /// Closes everything, and refuses waiting calls. On the loop's thread, or after the loop has ended.
  func close() {
    assert(loop.isExclusive)
    isClosed = true
    for slot in slots { slot.connection?.close() }
    refuseReads()
    refuseWrites()
  }

  /// Throws `.unavailable` if nothing can be served now: the storage is closed, or the database is away and the last
  /// attempt to reach it has failed.
  func requireServing(_ slots: [ConnectionSlot]) throws {
    assert(loop.isExclusive)
    guard !isClosed, !areFailing(slots) else { throw Self.unavailable }
  }

  /// Whether the last attempt to reach the database has failed.
  private func areFailing(_ slots: [ConnectionSlot]) -> Bool {
    slots.allSatisfy { $0.isFailing || $0.connection == nil && !$0.isKept }
  }

  /// Throws `.readOnlyInstance` if nothing is ever written; else as `requireServing` does.
  func requireWriting() throws {
    guard !connector.isReadOnly else { throw TimeclockError.readOnlyInstance }
    try requireServing(writers)
  }

  /// From how many connections on there is one for long reads, next to one for short ones and three that write.
  private static let leastForLongReads = 5

  var claims: LockClaims { shares.claims }
  var longTransactions: PlacesInTurn<OrganizationKey> { shares.longTransactions }

  static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  /// Has a fault of the database logged.
  func report(_ error: PostgreSQLError) {
    connector.report(error.description)
  }

  private func attend(to slot: ConnectionSlot) {
    switch slot.state {
    case .connected(let connection):
      connection.checkDeadline(loop.now)
      slot.closeIfIdle(at: loop.now)
    case .connecting, .resting: break
    case .waiting(let time): if time <= loop.now { connect(slot) }
    }
  }

  /// Opens a connection for work that waits because all that stand are busy; one at a time of each kind.
  private func openMore() {
    if !writes.isEmpty || !transactions.isEmpty { openOne(of: writers) }
    if readers.count > 1, readers.allSatisfy({ $0.isResting || $0.isBusy }) { openOne(of: readers) }
    if !longReads.isEmpty, let longReader { openOne(of: [longReader]) }
  }

  private func openOne(of slots: [ConnectionSlot]) {
    guard !slots.contains(where: \.isConnecting), let slot = slots.first(where: \.isResting) else { return }
    slot.wake(at: loop.now)
    attend(to: slot)
  }

  private func connect(_ slot: ConnectionSlot) {
    slot.noteConnecting()
    connector.connect { [loop, weak self] outcome in
      let handoff = Handoff(connections: self, slot: slot, outcome: outcome)
      // A loop that has ended wants no connection any more.
      if !loop.perform({ handoff.take() }) { handoff.discard() }
    }
  }

  /// Takes the outcome of an attempt to connect.
  fileprivate func take(_ outcome: Result<EstablishedConnection, any Error>, for slot: ConnectionSlot) {
    assert(loop.isExclusive)
    do {
      let established = try outcome.get()
      guard !isClosed else { return established.close() }
      let connection = try PostgreSQLConnection(established, on: loop, rewrite: connector.rewrite) {
        [weak self, weak slot] _, reason in
        guard let self, let slot else { return }
        connector.report("A connection to PostgreSQL ended: \(reason.message)")
        slot.noteLoss(at: self.loop.now)
      }
      slot.noteConnected(connection, at: loop.now)
      connector.noteConnected()
    } catch {
      slot.noteFailure(at: loop.now)
      connector.noteFailure(error)
      if areFailing(readers) { refuseReads() }
      if areFailing(writers) { refuseWrites() }
    }
  }

  private func refuseReads() {
    for waiting in reads { waiting.refuse() }
    reads = []
    for waiting in longReads.takeExpired(at: .max) { waiting.refuse() }
  }

  private func refuseWrites() {
    for waiting in writes { waiting.refuse() }
    writes = []
    for waiting in transactions.takeExpired(at: .max) { waiting.refuse() }
  }

  /// Refuses calls that have waited too long, and has that logged.
  private func expire() {
    let count = expire(&reads) + expire(&longReads) + expire(&writes) + expire(&transactions)
    if count > 0 { noteExpired(count) }
  }

  /// Has it logged that calls were refused for want of a connection.
  func noteExpired(_ count: Int) {
    connector.noteExpired(count, at: loop.now)
  }

  private func expire<Work: WaitingWork>(_ queue: inout WaitingInTurn<Work>) -> Int {
    let expired = queue.takeExpired(at: loop.now)
    for waiting in expired { waiting.refuse() }
    return expired.count
  }

  /// Refuses calls that have waited too long in a queue.
  ///
  /// - Returns: The number of refused statements.
  private func expire(_ queue: inout [WaitingQuery]) -> Int {
    let now = loop.now
    guard let first = queue.first, first.deadline <= now else { return 0 }
    let count = queue.count
    queue.removeAll { waiting in
      guard waiting.deadline <= now else { return false }
      waiting.refuse()
      return true
    }
    return count - queue.count
  }
}

/// Carries a connection from the thread that made it to the loop's.
///
/// `@unchecked Sendable`: made by one thread and used once, by the loop's thread, or by the maker's if the loop has
/// ended.
private struct Handoff: @unchecked Sendable {
  let connections: LoopConnections?
  let slot: ConnectionSlot
  let outcome: Result<EstablishedConnection, any Error>

  func take() {
    guard let connections else { return discard() }
    connections.take(outcome, for: slot)
  }

  func discard() {
    if case .success(let established) = outcome { established.close() }
  }
}
