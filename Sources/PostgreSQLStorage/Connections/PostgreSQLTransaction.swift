import EventLoops
import Metrics
import Procedures
import TimeclockDomain

/// A transaction of several statements, each of which may depend on earlier answers. It has a connection to itself.
/// Used on the connection's loop only.
final class PostgreSQLTransaction {
  private let connection: PostgreSQLConnection
  private let loop: EventLoop
  /// The time at which the connection is given up if the transaction has not ended, in the loop's nanoseconds.
  private let deadline: Int64
  private var hasBegun = false
  /// The owner of the rows of all statements that name no other owner.
  let scope: RowScope
  /// The owner of rows that the transaction has named to the server.
  private var named: RowScope.Setting?
  private let lockClaims: LockClaims
  private var ownClaims: [LockClaim] = []

  init(
    _ connection: PostgreSQLConnection, on loop: EventLoop, in scope: RowScope, claims: LockClaims,
    deadline: Int64
  ) {
    self.connection = connection
    self.loop = loop
    self.scope = scope
    lockClaims = claims
    self.deadline = deadline
  }

  /// Makes other work of this process that would wait for one of these locks wait without a connection, until the
  /// transaction has ended. To be called before they are locked.
  func claim(_ locks: some Sequence<WaitingQuery.LockOrder>) {
    ownClaims += locks.map(lockClaims.claim)
  }

  /// Ends the claims. To be called when the transaction has ended.
  func endClaims() { ownClaims = [] }

  /// Runs a statement. The first one begins the transaction in the same round trip.
  ///
  /// - Parameter scope: The owner of the rows that it is about; nil for the owner that the whole transaction names.
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

  /// Runs statements in one round trip, each of which sees the commits before it began.
  ///
  /// - Returns: The answer of each statement.
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
  /// - Returns: The answer to each row of values.
  /// - Throws: `PostgreSQLError`; then the transaction cannot go on.
  @discardableResult
  func run(
    _ statement: PostgreSQLStatement, each rows: [[PostgreSQLValue]], in scope: RowScope? = nil
  ) async throws -> [PostgreSQLRows] {
    guard !rows.isEmpty else { return [] }
    let scope = scope ?? self.scope
    return Array(try await run(rows.map { PostgreSQLQuery(statement, $0, in: scope) }))
  }

  /// Commits. The outcome that it returns is certain.
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
  /// Runs a transaction, again if the database asks for it; committed when it returns.
  ///
  /// - Parameters:
  ///   - scope: The owner of the rows that it is about.
  ///   - kind: The kind of the transaction, which limits how long it may hold up others.
  /// - Throws: Any error of `body`, and then nothing was done; `.unavailable` if nothing was done or the outcome is
  ///   unknown; `.storageFull`; `PostgreSQLError` for a fault of this program.
  func transaction<Value>(
    in scope: RowScope, _ kind: TransactionKind = .short(),
    _ body: (PostgreSQLTransaction) async throws -> Value
  ) async throws -> Value {
    let start = metrics.map { _ in StorageMetrics.now }
    defer { if let metrics, let start { metrics.writes.observe(since: start) } }
    let deadline = try waitingDeadline()
    var missedCount = 0
    while true {
      switch try await attempt(body, in: scope, kind, deadline) {
      case .done(let value): return value
      case .refused(let missed as MissedRows):
        // Another transaction has written them meanwhile. Rows that are missed each time are a fault of this program.
        missedCount += 1
        guard missedCount < Self.missedRowsLimit, loop.now < deadline else { throw missed }
      case .refused(let error):
        if let refusal = error as? TimeclockError, refusal.isDeparture, let owner = scope.setting {
          departures.note(refusal, of: owner, at: loop.now)
        }
        throw error
      case .again(let error):
        guard loop.now < deadline else {
          report(error)
          throw Self.unavailable
        }
      }
    }
  }

  /// The most attempts at a transaction that does not find the rows that it has read.
  private static var missedRowsLimit: Int { 3 }

  /// Runs a transaction once: a long one when there is a place for it, before it waits for a connection.
  private func attempt<Value>(
    _ body: (PostgreSQLTransaction) async throws -> Value, in scope: RowScope, _ kind: TransactionKind,
    _ deadline: Int64
  ) async throws -> Attempt<Value> {
    try requireWriting()
    try departures.require(scope.setting, isReading: false, at: loop.now)
    guard case .long(let organization) = kind else {
      return await attemptOnConnection(body, in: scope, kind, deadline)
    }
    do {
      return try await longTransactions.withPlace(
        of: organization, within: .nanoseconds(deadline - loop.now)
      ) { await attemptOnConnection(body, in: scope, kind, deadline) }
    } catch {
      noteExpired(1)
      throw error
    }
  }

  private func attemptOnConnection<Value>(
    _ body: (PostgreSQLTransaction) async throws -> Value, in scope: RowScope, _ kind: TransactionKind,
    _ deadline: Int64
  ) async -> Attempt<Value> {
    do {
      let lease = try await takeWriter(kind, of: scope, deadline)
      let transaction = PostgreSQLTransaction(
        lease.connection, on: loop, in: scope, claims: claims, deadline: deadline + Self.answerTime)
      let outcome = await run(body, transaction)
      transaction.endClaims()
      if lease.slot.connection === lease.connection { lease.slot.use = nil }
      return outcome
    } catch {
      return .refused(error)
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
    if error.mayPass { return .again(error) }
    if error.departure == nil { report(error) }
    return .refused(error.refusal)
  }

  private func takeWriter(
    _ kind: TransactionKind, of scope: RowScope, _ deadline: Int64
  ) async throws -> LeasedConnection {
    try requireServing(writers)
    let owner: RowScope.Setting? =
      if case .long(let organization) = kind { .organization(organization.value) } else { scope.setting }
    return try await withUnsafeThrowingContinuation { continuation in
      transactions.insert(
        WaitingTransaction(work: .transaction(continuation), kind: kind, deadline: deadline), of: owner)
    }
  }
}
