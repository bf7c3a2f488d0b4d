import EventLoops
import TimeclockDomain

/// A transaction of several statements, each of which may depend on what the ones before answered. It has a
/// connection to itself. Used on the connection's loop only.
final class PostgreSQLTransaction {
  private let connection: PostgreSQLConnection
  private let loop: EventLoop
  /// When the connection is given up if the transaction has not ended, in the loop's nanoseconds.
  private let deadline: Int64
  private var hasBegun = false
  /// Whose rows statements are about that say nothing else.
  let scope: RowScope
  /// Whose rows the transaction has named to the server.
  private var named: RowScope.Setting?

  init(_ connection: PostgreSQLConnection, on loop: EventLoop, in scope: RowScope, deadline: Int64) {
    self.connection = connection
    self.loop = loop
    self.scope = scope
    self.deadline = deadline
  }

  /// Runs a statement. The first one begins the transaction in the same round trip.
  ///
  /// - Parameter scope: Whose rows it is about; nil for those that the whole transaction is about.
  /// - Throws: `PostgreSQLError`; then the transaction cannot go on.
  @discardableResult
  func run(
    _ statement: PostgreSQLStatement, _ values: [PostgreSQLValue], in scope: RowScope? = nil
  ) async throws -> PostgreSQLRows {
    guard let rows = try await run([PostgreSQLQuery(statement, values, in: scope ?? self.scope)]).last else {
      throw PostgreSQLError.connectionLost
    }
    return rows
  }

  /// Runs statements in one round trip, each of which sees what was committed before it began.
  ///
  /// - Returns: What each has answered.
  /// - Throws: `PostgreSQLError`; then the transaction cannot go on.
  func run(_ queries: [PostgreSQLQuery]) async throws -> ArraySlice<PostgreSQLRows> {
    let beginCount = hasBegun ? 0 : 1
    hasBegun = true
    switch await send(beginCount == 0 ? queries : [.begin] + queries) {
    case .rows(let rows, _): return rows.dropFirst(beginCount)
    case .failed(let error, _), .lost(let error): throw error
    }
  }

  /// Runs a statement with one row of values after the other, all in one round trip.
  ///
  /// - Returns: What each of them answered.
  /// - Throws: `PostgreSQLError`; then the transaction cannot go on.
  @discardableResult
  func run(
    _ statement: PostgreSQLStatement, each rows: [[PostgreSQLValue]], in scope: RowScope? = nil
  ) async throws -> [PostgreSQLRows] {
    guard !rows.isEmpty else { return [] }
    let scope = scope ?? self.scope
    return Array(try await run(rows.map { PostgreSQLQuery(statement, $0, in: scope) }))
  }

  /// Commits. What it returns is certain.
  func commit() async -> CommitOutcome {
    guard hasBegun else { return .committed([]) }
    let fence = connection.fence(min(deadline, loop.now + LoopConnections.answerTime))
    return CommitOutcome(await send([fence, .commit]), statementCount: 2)
  }

  /// Undoes everything. A connection that cannot even do that is given up, which undoes it too.
  func rollBack() async {
    guard hasBegun else { return }
    _ = await send([.rollback])
  }

  /// Gives the connection up.
  func end(_ error: PostgreSQLError) {
    connection.end(error)
  }

  private func send(_ queries: [PostgreSQLQuery]) async -> QueryGroup.Outcome {
    let namedBefore = named
    named = queries.reversed().lazy.compactMap(\.scope.setting).first ?? named
    return await withUnsafeContinuation { continuation in
      connection.send(
        QueryGroup(
          queries, after: namedBefore, deadline: min(deadline, loop.now + LoopConnections.answerTime)
        ) { continuation.resume(returning: $0) })
    }
  }
}

extension LoopConnections {
  /// Runs a transaction, again where the database asks for it; committed when it returns.
  ///
  /// - Parameter scope: Whose rows it is about.
  /// - Throws: What `body` throws, and then nothing was done; `.unavailable` where nothing was done or nobody
  ///   can tell; `.storageFull`; `PostgreSQLError` for a fault of this program.
  func transaction<Value>(
    in scope: RowScope, _ body: (PostgreSQLTransaction) async throws -> Value
  ) async throws -> Value {
    let deadline = try waitingDeadline()
    while true {
      let lease = try await takeWriter(deadline)
      let transaction = PostgreSQLTransaction(
        lease.connection, on: loop, in: scope, deadline: deadline + Self.answerTime)
      let outcome = await run(body, transaction)
      if lease.slot.connection === lease.connection { lease.slot.isTaken = false }
      switch outcome {
      case .done(let value): return value
      case .refused(let error): throw error
      case .again(let error):
        guard loop.now < deadline else {
          report(error)
          throw Self.unavailable
        }
      }
    }
  }

  private enum Attempt<Value> {
    case done(Value)
    case refused(any Error)
    case again(PostgreSQLError)
  }

  private func run<Value>(
    _ body: (PostgreSQLTransaction) async throws -> Value, _ transaction: PostgreSQLTransaction
  ) async -> Attempt<Value> {
    do {
      let value = try await body(transaction)
      switch await transaction.commit() {
      case .committed: return .done(value)
      case .undone(let error):
        if error.needsNewConnection { transaction.end(error) }
        return failure(error)
      case .unknown(let error):
        report(error)
        return .refused(Self.unavailable)
      }
    } catch let error as PostgreSQLError {
      if error.needsNewConnection { transaction.end(error) } else { await transaction.rollBack() }
      return failure(error)
    } catch {
      await transaction.rollBack()
      return .refused(error)
    }
  }

  private func failure<Value>(_ error: PostgreSQLError) -> Attempt<Value> {
    if error.isTransient || error.needsNewConnection || error.endsConnection { return .again(error) }
    report(error)
    return .refused(error.refusal)
  }

  private func takeWriter(_ deadline: Int64) async throws -> LeasedConnection {
    try requireServing(writers)
    return try await withUnsafeThrowingContinuation { continuation in
      // One that begins again goes before what came later.
      let place = transactions.firstIndex { $0.deadline > deadline } ?? transactions.count
      transactions.insert(WaitingTransaction(deadline: deadline, continuation: continuation), at: place)
    }
  }
}
