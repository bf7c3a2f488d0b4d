import EventLoops
import Metrics
import TimeclockDomain

extension LoopConnections {
  /// Runs a statement that reads.
  ///
  /// - Parameter isLong: Whether it reads very many rows. Of those one at a time is under way, by organization in turn.
  /// - Throws: `.unavailable`; `PostgreSQLError` for a fault of this program.
  func read(_ query: PostgreSQLQuery, isLong: Bool = false) async throws -> PostgreSQLRows {
    let start = metrics.map { _ in StorageMetrics.now }
    defer { if let metrics, let start { metrics.reads.observe(since: start) } }
    try requireServing(readers)
    try departures.require(query.scope.setting, isReading: true, at: loop.now)
    let deadline = try waitingDeadline()
    return try await withUnsafeThrowingContinuation { continuation in
      var waiting = WaitingQuery(
        query: query, lockOrder: .init(first: 0, second: 0), deadline: deadline, continuation: continuation)
      if isLong {
        waiting.isLong = true
        longReads.insert(waiting, of: query.scope.setting)
      } else {
        reads.insert(waiting, at: place(in: reads, deadline))
        if reads.count >= Self.gatheredReads { sendReads() }
      }
    }
  }

  /// Sends the next long read in turn when the one before is answered: on the connection for them, or with the others
  /// if there is none.
  func sendLongRead() {
    guard !isReadingLong, !longReads.isEmpty else { return }
    // One that is opened for it is waited for; nobody's short reads wait behind a long one.
    if let longReader, longReader.connection == nil, longReader.mayConnect(at: loop.now) { return }
    guard let connection = longReader?.connection ?? leastBusyReader else { return }
    guard let waiting = longReads.takeFirst() else { return }
    isReadingLong = true
    send([waiting], on: connection)
  }

  /// Sends the reads that wait, in one round trip, on the connection with the least to do.
  func sendReads() {
    while !reads.isEmpty {
      guard let best = leastBusyReader, best.queryCount < Self.readLimit else { return }
      send(takeReads(Self.readLimit - best.queryCount), on: best)
    }
  }

  /// The connection for reads that has the least to do.
  var leastBusyReader: PostgreSQLConnection? {
    var best: PostgreSQLConnection?
    for slot in readers {
      guard let connection = slot.connection else { continue }
      if best.map({ connection.queryCount < $0.queryCount }) ?? true { best = connection }
    }
    return best
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
    // Groups statements about the same rows, so that their owner is named once. The others are not affected.
    let group =
      waiting.count < 3
      ? waiting
      : waiting.sorted { $0.query.scope.setting?.order ?? .max < $1.query.scope.setting?.order ?? .max }
    connection.send(
      QueryGroup(group.map(\.query), isReading: true, deadline: deadline) { [self] outcome in
        let isLong = group.first?.isLong == true
        if isLong { isReadingLong = false }
        switch outcome {
        case .rows(let rows, _):
          for (waiting, rows) in zip(group, rows) { waiting.continuation.resume(returning: rows) }
        // A read may be done twice.
        case .failed(let error, _), .lost(let error):
          let again =
            withoutDeparted(group, after: error, outcome.succeededCount)
            ?? worthTryingAgain(group, after: error)
          if isLong {
            for waiting in again { longReads.insert(waiting, of: waiting.query.scope.setting) }
          } else {
            reads.insert(contentsOf: again, at: place(in: reads, before: again))
          }
        }
        // The server reads the next one while this one is worked on.
        if isLong { sendLongRead() }
      })
  }

  /// The number of reads that are sent before the loop's turn ends: so the database answers some while the loop still
  /// takes in other requests.
  private static let gatheredReads = 8
  /// The most statements of reads under way on one connection.
  private static let readLimit = 128
}
