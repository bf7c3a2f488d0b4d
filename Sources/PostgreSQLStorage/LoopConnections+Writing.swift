import EventLoops
import TimeclockDomain

extension LoopConnections {
  /// Runs a statement that reads.
  ///
  /// - Throws: `.unavailable`; `PostgreSQLError` for a fault of this program.
  func read(_ query: PostgreSQLQuery) async throws -> PostgreSQLRows {
    try requireServing(readers)
    let deadline = try waitingDeadline()
    return try await withUnsafeThrowingContinuation { continuation in
      reads.insert(
        WaitingQuery(
          query: query, lockOrder: .init(first: 0, second: 0), deadline: deadline, continuation: continuation),
        at: place(in: reads, deadline))
      if reads.count >= Self.gatheredReads { sendReads() }
    }
  }

  /// Runs a statement that writes, in one transaction with others that wait; committed when it returns.
  ///
  /// - Throws: `.unavailable` where nothing was done, or where nobody can tell; `.storageFull`;
  ///   `PostgreSQLError` for a fault of this program.
  func write(
    _ query: PostgreSQLQuery, lockOrder: WaitingQuery.LockOrder
  ) async throws -> PostgreSQLRows {
    try requireServing(writers)
    let deadline = try waitingDeadline()
    return try await withUnsafeThrowingContinuation { continuation in
      writes.insert(
        WaitingQuery(query: query, lockOrder: lockOrder, deadline: deadline, continuation: continuation),
        at: place(in: writes, deadline))
    }
  }

  /// Until when what is asked now may wait for a connection, in the loop's nanoseconds, so that the answer is there
  /// before the task's `StorageDeadline`.
  ///
  /// - Throws: `.unavailable` where there is no time left for an answer.
  func waitingDeadline() throws -> Int64 {
    guard let deadline = StorageDeadline.current else { return loop.now + Self.patience }
    let left = (deadline.end - .now).components
    let time = left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000 - Self.answerTime
    guard time > 0 else { throw Self.unavailable }
    return loop.now + min(time, Self.patience)
  }

  /// Where something with this deadline stands among others: most often at the end.
  private func place(in queue: [WaitingQuery], _ deadline: Int64) -> Int {
    guard let last = queue.last, last.deadline > deadline else { return queue.count }
    return queue.firstIndex { $0.deadline > deadline } ?? queue.count
  }

  /// Sends the reads that wait, in one round trip, on the connection with the least to do.
  func sendReads() {
    while !reads.isEmpty {
      var best: PostgreSQLConnection?
      for slot in readers {
        guard let connection = slot.connection else { continue }
        if best.map({ connection.queryCount < $0.queryCount }) ?? true { best = connection }
      }
      guard let best, best.queryCount < Self.readLimit else { return }
      send(takeReads(Self.readLimit - best.queryCount), on: best)
    }
  }

  private func takeReads(_ limit: Int) -> [WaitingQuery] {
    if let first = reads.first, first.isAlone {
      reads.removeFirst()
      return [first]
    }
    let count = min(limit, reads.firstIndex { $0.isAlone } ?? reads.count)
    defer { reads.removeFirst(count) }
    return Array(reads[..<count])
  }

  private func send(_ waiting: [WaitingQuery], on connection: PostgreSQLConnection) {
    let deadline = loop.now + Self.answerTime
    // Those about the same rows together, which then are named once. The others see nothing of it.
    let group =
      waiting.count < 3
      ? waiting
      : waiting.sorted { $0.query.scope.setting?.order ?? .max < $1.query.scope.setting?.order ?? .max }
    connection.send(
      QueryGroup(group.map(\.query), deadline: deadline) { [self] outcome in
        switch outcome {
        case .rows(let rows, _):
          for (waiting, rows) in zip(group, rows) { waiting.continuation.resume(returning: rows) }
        case .failed(let error, _): tryAgain(group, \.reads, after: error)
        // A read may be done twice.
        case .lost(let error): tryAgain(group, \.reads, after: error)
        }
      })
  }

  /// Gives every free connection what has waited longest: a transaction, or all writes as one batch.
  func sendWrites() {
    for slot in writers where !transactions.isEmpty || !writes.isEmpty {
      guard let connection = slot.connection, !slot.isTaken, connection.isIdle else { continue }
      if let first = transactions.first, first.deadline <= writes.first?.deadline ?? .max {
        slot.isTaken = true
        transactions.removeFirst()
        first.continuation.resume(returning: LeasedConnection(slot: slot, connection: connection))
      } else {
        sendBatch(takeWrites(), on: connection)
      }
    }
  }

  private func takeWrites() -> [WaitingQuery] {
    if let first = writes.first, first.isAlone {
      writes.removeFirst()
      return [first]
    }
    let count = min(Self.batchLimit, writes.firstIndex { $0.isAlone } ?? writes.count)
    defer { writes.removeFirst(count) }
    return writes[..<count].enumerated().sorted {
      ($0.element.lockOrder, $0.offset) < ($1.element.lockOrder, $1.offset)
    }.map(\.element)
  }

  private func sendBatch(_ batch: [WaitingQuery], on connection: PostgreSQLConnection) {
    let deadline = loop.now + Self.answerTime
    let queries = [.begin] + batch.map(\.query) + [connection.fence(deadline), .commit]
    let group = QueryGroup(queries, deadline: deadline) {
      [self, unowned connection] outcome in
      switch CommitOutcome(outcome, statementCount: queries.count) {
      case .committed(let rows):
        for (waiting, rows) in zip(batch, rows.dropFirst()) { waiting.continuation.resume(returning: rows) }
      case .undone(let error):
        endFailedTransaction(connection, error)
        tryAgain(batch, \.writes, after: error)
      case .unknown(let error):
        report(error)
        for waiting in batch { waiting.refuse() }
      }
    }
    connection.send(group)
  }

  /// Leaves the transaction block that an error has left open, or the server altogether, where it takes no writes
  /// any more: the next connection goes to the one that does.
  func endFailedTransaction(_ connection: PostgreSQLConnection, _ error: PostgreSQLError) {
    if error.needsNewConnection { return connection.end(error) }
    connection.send(QueryGroup([.rollback], deadline: loop.now + Self.answerTime) { _ in })
  }

  /// Tries again what was certainly not done, or may be done twice, unless it is out of patience. A statement
  /// that failed in company may have had nothing to do with it; one that failed alone has.
  private func tryAgain(
    _ group: [WaitingQuery], _ queue: ReferenceWritableKeyPath<LoopConnections, [WaitingQuery]>,
    after error: PostgreSQLError
  ) {
    let isWorthIt = error.isTransient || error.needsNewConnection || error.endsConnection
    var again: [WaitingQuery] = []
    var isReported = false
    for var waiting in group {
      waiting.attemptCount += 1
      if (isWorthIt || group.count > 1), waiting.attemptCount < Self.attemptLimit, waiting.deadline > loop.now
      {
        waiting.isAlone = true
        again.append(waiting)
      } else {
        if !isReported { report(error) }
        isReported = true
        waiting.continuation.resume(throwing: isWorthIt ? Self.unavailable : error.refusal)
      }
    }
    // Before what came later, which has later deadlines too.
    let place = self[keyPath: queue].firstIndex { $0.deadline > again.last?.deadline ?? .max }
    self[keyPath: queue].insert(contentsOf: again, at: place ?? self[keyPath: queue].count)
  }

  /// How long a call of the storage waits for a connection at most, all attempts together.
  static let patience: Int64 = 3_000_000_000
  /// How long a connection may owe an answer. The server ends statements before
  /// (`EstablishedConnection.sessionSettings`).
  static let answerTime: Int64 = 5_000_000_000
  /// How many reads are sent before the loop's turn ends: so the database answers some while the loop still takes in the
  /// requests of others.
  private static let gatheredReads = 8
  /// The most statements of reads under way on one connection.
  private static let readLimit = 128
  /// The most writes in one transaction.
  private static let batchLimit = 64
  private static let attemptLimit = 5
}
