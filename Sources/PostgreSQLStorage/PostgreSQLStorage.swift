import CPostgreSQL
import EventLoops
import Metrics
import Procedures
import SchemaMigrations
import Synchronization
import Threads
import TimeclockDomain

/// The storage on PostgreSQL. Any number of processes may use one database at the same time.
///
/// Every event loop that asks has connections of its own, so a request waits for its answer on the thread that owns its
/// socket. Calls from other threads are served by a loop of the storage's own.
package final class PostgreSQLStorage: Storage {
  /// Whether row-level security holds the role that the storage was opened as.
  package let isRowSecurityActive: Bool
  /// Whether everything that writes is refused with `.readOnlyInstance`.
  let isReadOnly: Bool
  let changeBus = ChangeBus()
  let timerNotices = TimerNotices()
  let access = AccessCache()
  /// None if nothing is written: a standby notifies nobody.
  let listener: AccessListener?
  private let ticker: AnnouncementTicker?
  private let connector: Connector
  private let connectionCount: Int
  private let patienceSeconds: Int64
  private let metrics: StorageMetrics?
  private let shares = WriteShares()
  /// The loop for callers that are on none, and for the connection that listens.
  private let ownLoop: EventLoop
  private let ownThread: NamedThread
  private let loops = Mutex(Loops())
  private let ownLoopCalls = CallGate()
  /// Threads for work on many rows, so that no event loop is kept from its other connections.
  let longWork: BlockingPool
  let selections = TimeEntrySelections()
  let userIdentifiers = UserIdentifiers()
  /// Tokens whose use is about to be recorded.
  let notedTokens = Mutex<Set<Int64>>([])
  private let sealing: SealingSchedule
  private let turns: SharedTurns?
  /// Whether the tables of imports have statistics, as far as this process has looked.
  let hasStatistics = Atomic(false)

  /// The version of libpq in use.
  package static var libraryVersion: String {
    let version = PQlibVersion()
    return "\(version / 10_000).\(version % 10_000)"
  }

  /// Connects, and brings the schema up to date, unless nothing is to be written. Processes that start together wait for
  /// each other.
  ///
  /// - Parameters:
  ///   - location: The location of the database.
  ///   - connectionsPerLoop: The number of connections of each event loop, at least 2.
  ///   - requiresRowSecurity: Whether a role that row-level security does not hold is refused.
  ///   - now: Stamps migrations.
  ///   - metrics: Counts calls, commits and connections; nil if nobody asks for the numbers.
  ///   - log: Takes one line for the operator of the service; called from any thread, without values of rows.
  /// - Throws: `PostgreSQLStorageError`; `ThreadStartError`; `EventLoopError`.
  package static func open(
    _ location: PostgreSQLLocation, connectionsPerLoop: Int = 4, requiresRowSecurity: Bool = false,
    now: Instant = WallClock.system.now, metrics: StorageMetrics? = nil,
    log: @escaping @Sendable (String) -> Void
  ) throws -> PostgreSQLStorage {
    try open(
      location, connectionsPerLoop: connectionsPerLoop, requiresRowSecurity: requiresRowSecurity, now: now,
      sealingDelay: .milliseconds(200), metrics: metrics, log: log)
  }

  /// Opens a storage that seals changes after `sealingDelay`. With nil it seals only those that are read, and does nothing by
  /// itself otherwise.
  ///
  /// - Parameters:
  ///   - patienceSeconds: The longest wait of a call for a connection, all attempts together.
  ///   - rewrite: Replaces the text of each statement sent.
  static func open(
    _ location: PostgreSQLLocation, connectionsPerLoop: Int, requiresRowSecurity: Bool = false, now: Instant,
    sealingDelay: Duration?, patienceSeconds: Int64 = 3, rewrite: StatementRewriting? = nil,
    metrics: StorageMetrics? = nil, log: @escaping @Sendable (String) -> Void
  ) throws -> PostgreSQLStorage {
    let isRowSecurityActive: Bool
    do {
      let connection = try EstablishedConnection.connect(location)
      defer { connection.close() }
      // The lock for migrations would be another client's.
      try SessionCheck.requireOwnSession(of: connection, at: location)
      let schema = SchemaUpdate(connection: connection, now: now)
      if location.isReadOnly {
        try schema.requireCurrent(SchemaMigrations.postgresql)
      } else {
        try schema.run(SchemaMigrations.postgresql)
        try LogIdentity(connection: connection).renewIfMoved()
        try FirstStatistics.gather(on: connection)
        try connection.updateEmailKeys(report: log)
      }
      isRowSecurityActive = try RowSecurity.isActive(on: connection)
    } catch let error as PostgreSQLError {
      throw PostgreSQLStorageError.cannotConnect(error.message)
    } catch is SharedSession {
      throw PostgreSQLStorageError.sessionsAreShared
    }
    guard isRowSecurityActive || !requiresRowSecurity else {
      throw PostgreSQLStorageError.rowSecurityIsBypassed
    }
    // One that only reads does nothing by itself.
    let sealingDelay = location.isReadOnly ? nil : sealingDelay
    let storage = try PostgreSQLStorage(
      location, connectionsPerLoop: connectionsPerLoop, isRowSecurityActive: isRowSecurityActive,
      patienceSeconds: patienceSeconds, sealing: SealingSchedule(delay: sealingDelay), rewrite: rewrite,
      metrics: metrics, log: log)
    // Seals the changes that a process that ended has left.
    storage.noteChange()
    if sealingDelay != nil { storage.tellOthersToLookAtTimers() }
    return storage
  }

  private init(
    _ location: PostgreSQLLocation, connectionsPerLoop: Int, isRowSecurityActive: Bool,
    patienceSeconds: Int64,
    sealing: SealingSchedule, rewrite: StatementRewriting?, metrics: StorageMetrics?,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    self.isRowSecurityActive = isRowSecurityActive
    isReadOnly = location.isReadOnly
    self.sealing = sealing
    self.metrics = metrics
    connector = try Connector(location, rewrite: rewrite, log: log)
    connectionCount = max(2, connectionsPerLoop)
    self.patienceSeconds = patienceSeconds
    let loop = try EventLoop()
    ownLoop = loop
    if location.isReadOnly {
      listener = nil
      ticker = AnnouncementTicker(on: loop, changeBus: changeBus, timers: timerNotices)
    } else {
      listener = AccessListener(
        loop: loop, connector: connector, access: access, changeBus: changeBus, timers: timerNotices)
      ticker = nil
    }
    turns = listener.map(SharedTurns.init)
    longWork = try BlockingPool(
      name: "postgresql-rows", threadCount: 2, queueLimit: 1_000, precedence: .behind)
    ownThread = try NamedThread(name: "postgresql", precedence: .prompt) { loop.run() }
  }

  package func checkReadiness() async throws {
    guard !isReadOnly else { return try await checkLag() }
    _ = try await write(
      Self.writeProbe, [], in: .noOrganization, lockOrder: .init(first: .max, second: .max))
    _ = try await read(Self.readProbe, [], in: .noOrganization)
  }

  /// Succeeds while a standby keeps up with the primary. One that has replayed everything is up to date
  /// however long nothing was written, as long as it is connected
  /// (postgresql.org/docs/current/functions-admin.html#FUNCTIONS-RECOVERY-CONTROL).
  private func checkLag() async throws {
    let lag = try await read(Self.lag, [], in: .noOrganization).first { $0.optionalInteger(0) } ?? nil
    guard let lag, lag <= Self.maximumLag else { throw LoopConnections.unavailable }
  }

  /// The most milliseconds that a standby may lag behind.
  private static let maximumLag: Int64 = 30_000
  private static let lag = PostgreSQLStatement(
    """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN 0 \
    WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver) THEN 0 \
    ELSE (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint END
    """)
  private static let readProbe = PostgreSQLStatement("SELECT count(*) FROM schema_migrations")
  /// Changes no row, and is refused if no row may be changed.
  private static let writeProbe = PostgreSQLStatement(
    "UPDATE schema_migrations SET title = title WHERE number = 0")

  /// Call it once, when the event loops that used the storage have ended.
  package func close() async {
    if sealing.close() { _ = try? await sealAll() }
    try? await notifyOfTimers(timerNotices.close())
    let (own, others) = loops.withLock { loops in
      let all = loops.connections
      loops = Loops(isClosed: true)
      return (
        all.values.filter { $0.loop === ownLoop }, all.values.filter { $0.loop !== ownLoop }
      )
    }
    ownLoop.perform { [listener, ticker] in
      listener?.close()
      ticker?.close()
      for connections in own { connections.close() }
    }
    // Calls that are on the loop now leave it with a refusal.
    await ownLoopCalls.closeWhenLeft()
    ownLoop.perform { [ownLoop] in ownLoop.end() }
    ownThread.join()
    for connections in others where !connections.loop.perform({ connections.close() }) {
      connections.close()
    }
    connector.stop()
    longWork.stop()
    access.invalidate()
  }

  /// Runs a statement that reads. Throws as `LoopConnections.read` does.
  func read(
    _ statement: PostgreSQLStatement, _ values: [PostgreSQLValue], in scope: RowScope
  ) async throws -> PostgreSQLRows {
    let query = PostgreSQLQuery(statement, values, in: scope)
    return try await onLoop { try await $0.read(query) }
  }

  /// Runs a statement that reads very many rows, such as a report's. Others do not wait behind it, and organizations
  /// take turns. Throws as `LoopConnections.read` does.
  func readAtLength(
    _ statement: PostgreSQLStatement, _ values: [PostgreSQLValue], in scope: RowScope
  ) async throws -> PostgreSQLRows {
    let query = PostgreSQLQuery(statement, values, in: scope)
    return try await onLoop { try await $0.read(query, isLong: true) }
  }

  /// Runs a statement that writes. Throws as `LoopConnections.write` does.
  func write(
    _ statement: PostgreSQLStatement, _ values: [PostgreSQLValue], in scope: RowScope,
    lockOrder: WaitingQuery.LockOrder
  ) async throws -> PostgreSQLRows {
    let query = PostgreSQLQuery(statement, values, in: scope)
    return try await onLoop { try await $0.write(query, lockOrder: lockOrder) }
  }

  /// Has changes that are committed now sealed soon.
  func noteChange() {
    sealing.noteChange { [weak self] in try await self?.lookForUnsealed() ?? .nothing }
  }

  /// Runs `body` with the connections of the caller's event loop, or on the storage's own loop.
  func onLoop<Value: Sendable>(
    _ body: (LoopConnections) async throws -> Value
  ) async throws -> Value {
    if let loop = EventLoop.current {
      return try await loop.runTask { try await body(connections(of: loop)) }
    }
    guard ownLoopCalls.enter() else { throw LoopConnections.unavailable }
    defer { ownLoopCalls.leave() }
    return try await ownLoop.runTask { try await body(connections(of: ownLoop)) }
  }

  /// Runs `body` with the turns at shared work on the storage's own loop; nil once it is closed, and where no session can have
  /// one.
  @discardableResult
  func onOwnLoop<Value: Sendable>(
    _ body: @escaping @Sendable (SharedTurns) async -> Value
  ) async -> Value? {
    guard let turns, ownLoopCalls.enter() else { return nil }
    defer { ownLoopCalls.leave() }
    return await ownLoop.runTask { await body(turns) }
  }

  private func connections(of loop: EventLoop) throws -> LoopConnections {
    try loops.withLock { loops in
      if let known = loops.connections[ObjectIdentifier(loop)] { return known }
      guard !loops.isClosed else { throw LoopConnections.unavailable }
      let connections = LoopConnections(
        loop: loop, connector: connector, shares: shares, count: connectionCount,
        patienceSeconds: patienceSeconds, metrics: metrics)
      loops.connections[ObjectIdentifier(loop)] = connections
      return connections
    }
  }
}

/// The connections of every event loop that has asked for some.
private struct Loops {
  var isClosed = false
  var connections: [ObjectIdentifier: LoopConnections] = [:]
}
