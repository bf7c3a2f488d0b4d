import EventLoops
import Metrics
import Threads
import TimeclockDomain

extension LoopConnections {
  /// Runs a statement that writes, in one transaction with others that wait; committed when it returns.
  ///
  /// - Throws: `.unavailable` if nothing was done, or if the outcome is unknown; `.storageFull`; `PostgreSQLError` for
  ///   a fault of this program.
  func write(
    _ query: PostgreSQLQuery, lockOrder: WaitingQuery.LockOrder
  ) async throws -> PostgreSQLRows {
    let start = metrics.map { _ in StorageMetrics.now }
    defer { if let metrics, let start { metrics.writes.observe(since: start) } }
    try requireWriting()
    try departures.require(query.scope.setting, isReading: false, at: loop.now)
    let deadline = try waitingDeadline()
    return try await withUnsafeThrowingContinuation { continuation in
      writes.insert(
        WaitingQuery(query: query, lockOrder: lockOrder, deadline: deadline, continuation: continuation),
        at: place(in: writes, deadline))
    }
  }

  /// Gives every free connection a transaction, or writes that wait as one batch.
  ///
  /// The last connection that no transaction has is for batches only, so that nobody's transactions keep a clock-in
  /// waiting. If there is only one, both take turns.
  func sendWrites() {
    guard !transactions.isEmpty || !writes.isEmpty else { return }
    let connectedCount = writers.count { $0.connection != nil }
    for slot in writers where !transactions.isEmpty || !writes.isEmpty {
      guard let connection = slot.connection, slot.use == nil, connection.isIdle else { continue }
      if connectedCount == 1 {
        let isBatchNext = wasTransactionLast
        wasTransactionLast = false
        if isBatchNext, sendBatch(on: connection) { continue }
        wasTransactionLast = sendTransaction(on: slot, connection, of: connectedCount)
        if !wasTransactionLast, !isBatchNext { sendBatch(on: connection) }
      } else if !sendTransaction(on: slot, connection, of: connectedCount) {
        sendBatch(on: connection)
      }
    }
  }

  /// Gives a connection to the next transaction in turn; false if none may have it.
  private func sendTransaction(
    on slot: ConnectionSlot, _ connection: PostgreSQLConnection, of connectedCount: Int
  ) -> Bool {
    let takenCount = writers.count { $0.use != nil }
    guard !transactions.isEmpty, takenCount + 1 < connectedCount || connectedCount == 1 else { return false }
    // One connection is left to short transactions if there are enough.
    let mayBeLong = writers.count { $0.use == .long } < max(1, connectedCount - 2)
    var claim: LockClaim?
    let next = transactions.takeFirst { waiting in
      guard case .short(let lock) = waiting.kind else { return mayBeLong }
      guard let lock else { return true }
      claim = claims.claim(ifFree: lock, for: loop)
      return claim != nil
    }
    guard let next else { return false }
    slot.use = next.kind.isLong ? .long : .short
    metrics?.commits.observe(1)
    switch next.work {
    case .transaction(let continuation):
      continuation.resume(returning: LeasedConnection(slot: slot, connection: connection, claim: claim))
    case .write(var waiting):
      waiting.claim = waiting.claim ?? claim
      send([waiting], on: connection) { [weak slot, unowned connection] in
        if slot?.connection === connection { slot?.use = nil }
      }
    }
    return true
  }

  /// Sends writes that wait as one transaction; false if there are none that may be sent.
  @discardableResult
  private func sendBatch(on connection: PostgreSQLConnection) -> Bool {
    let batch = takeWrites()
    guard !batch.isEmpty else { return false }
    metrics?.commits.observe(batch.count)
    send(batch, on: connection) {}
    return true
  }

  /// The writes that have waited longest, in the order in which they lock; if there are more than one batch takes,
  /// those of each organization in turn.
  private func takeWrites() -> [WaitingQuery] {
    var batch: [WaitingQuery] = []
    if claims.isEmpty, writes.count <= Self.batchLimit {
      swap(&batch, &writes)
    } else {
      var places = QueueInTurn<RowScope.Setting?, Int>()
      for (place, waiting) in writes.enumerated() where !claims.isClaimed(waiting.lockOrder, for: loop) {
        places.append(place, of: waiting.query.scope.setting)
      }
      var taken: Set<Int> = []
      while taken.count < Self.batchLimit, let place = places.takeFirst() { taken.insert(place) }
      guard !taken.isEmpty else { return [] }
      var left: [WaitingQuery] = []
      for (place, waiting) in writes.enumerated() {
        if taken.contains(place) { batch.append(waiting) } else { left.append(waiting) }
      }
      writes = left
    }
    return batch.enumerated().sorted {
      ($0.element.lockOrder, $0.offset) < ($1.element.lockOrder, $1.offset)
    }.map(\.element)
  }

  /// Sends writes as one transaction.
  ///
  /// - Parameter ended: Called when the connection is free again, or has ended.
  private func send(
    _ batch: [WaitingQuery], on connection: PostgreSQLConnection, _ ended: @escaping () -> Void
  ) {
    let deadline = loop.now + Self.answerTime
    let queries = [.begin] + batch.map(\.query) + [connection.fence(deadline), .commit]
    let group = QueryGroup(queries, deadline: deadline) {
      [self, unowned connection] outcome in
      ended()
      switch CommitOutcome(outcome, statementCount: queries.count) {
      case .committed(let rows):
        for (waiting, rows) in zip(batch, rows.dropFirst()) { waiting.continuation.resume(returning: rows) }
      case .undone(let error):
        endFailedTransaction(connection, error)
        tryAgain(batch, after: error, outcome.succeededCount.map { $0 - 1 })
      case .unknown(let error):
        report(error)
        for waiting in batch { waiting.refuse() }
      }
    }
    connection.send(group)
  }

  /// Leaves the transaction block that an error has left open, or the server altogether, if it takes no writes any
  /// more: the next connection goes to the one that does.
  func endFailedTransaction(_ connection: PostgreSQLConnection, _ error: PostgreSQLError) {
    if error.needsNewConnection { return connection.end(error) }
    connection.send(QueryGroup([.rollback], deadline: loop.now + Self.answerTime) { _ in })
  }

  /// Tries writes again that were undone, unless they are out of patience.
  ///
  /// - Parameter culprit: The place of the one that has failed, if it is one of them.
  private func tryAgain(_ batch: [WaitingQuery], after error: PostgreSQLError, _ culprit: Int?) {
    if let others = withoutDeparted(batch, after: error, culprit) {
      return writes.insert(contentsOf: others, at: place(in: writes, before: others))
    }
    guard error.isLockTimeout, let culprit, batch.indices.contains(culprit) else {
      for waiting in worthTryingAgain(batch, after: error) { wait(alone: waiting) }
      return
    }
    // It goes on waiting alone, and nobody of this process beside it; the others had nothing to do with it.
    var waiting = batch[culprit]
    let others = batch[..<culprit] + batch[(culprit + 1)...]
    writes.insert(contentsOf: others, at: place(in: writes, before: Array(others)))
    guard waiting.deadline > loop.now else {
      report(error)
      return waiting.refuse()
    }
    waiting.claim = waiting.claim ?? claims.claim(waiting.lockOrder)
    wait(alone: waiting)
  }

  private func wait(alone waiting: WaitingQuery) {
    transactions.insert(
      WaitingTransaction(
        work: .write(waiting), kind: .short(locking: waiting.claim == nil ? waiting.lockOrder : nil),
        deadline: waiting.deadline), of: waiting.query.scope.setting)
  }

  /// The most writes in one transaction.
  private static let batchLimit = 64
}
