import EventLoops
import Synchronization
import Threads

/// Makes connections on a few threads of its own, since looking names up and shaking hands block.
final class Connector: Sendable {
  private let location: PostgreSQLLocation
  /// Whether the connections only read.
  var isReadOnly: Bool { location.isReadOnly }
  /// For the connections that answer requests.
  let rewrite: StatementRewriting?
  private let pool: BlockingPool
  private let log: @Sendable (String) -> Void
  /// Whether the last attempt of all has failed, so that a database that is away is logged once.
  private let isAway = Mutex(false)
  private let expiryTally = Mutex(ExpiryTally())
  private let isStopped = Atomic(false)
  /// The place of the location's host that has answered last.
  private let host = Atomic(0)

  /// - Throws: `ThreadStartError`.
  init(
    _ location: PostgreSQLLocation, rewrite: StatementRewriting?, log: @escaping @Sendable (String) -> Void
  ) throws {
    self.location = location
    self.rewrite = rewrite
    self.log = log
    pool = try BlockingPool(name: "pg-connect", threadCount: 2, queueLimit: 4_096)
  }

  /// Connects, first to the host that has answered last, and calls `completion` on a thread of the connector, or at
  /// once if it takes no more work.
  ///
  /// - Parameter needsOwnSession: Whether a connection that shares its session is closed, and `SharedSession` the failure.
  func connect(
    needsOwnSession: Bool = false,
    _ completion: @escaping @Sendable (Result<EstablishedConnection, any Error>) -> Void
  ) {
    let isTaken = pool.submit { [self] in
      completion(
        Result {
          guard !isStopped.load(ordering: .relaxed) else { throw PostgreSQLError.connectionLost }
          let connection = try EstablishedConnection.connect(
            location, beginningAt: host.load(ordering: .relaxed))
          if let place = connection.host { host.store(place, ordering: .relaxed) }
          guard needsOwnSession else { return connection }
          do {
            try SessionCheck.requireOwnSession(of: connection, at: location)
          } catch {
            connection.close()
            throw error
          }
          return connection
        })
    }
    if !isTaken { completion(.failure(PostgreSQLError.connectionLost)) }
  }

  func noteConnected() {
    guard
      isAway.withLock({ isAway in
        defer { isAway = false }
        return isAway
      })
    else { return }
    report("PostgreSQL is back.")
  }

  func noteFailure(_ error: any Error) {
    guard
      isAway.withLock({ isAway in
        defer { isAway = true }
        return !isAway
      })
    else { return }
    report("PostgreSQL cannot be reached: \((error as? PostgreSQLError)?.message ?? "\(error)")")
  }

  /// Has it logged, now and then, that calls were refused because no connection was free for them in time.
  ///
  /// - Parameter now: In the nanoseconds of the event loops.
  func noteExpired(_ count: Int, at now: Int64) {
    guard let count = expiryTally.withLock({ $0.add(count, at: now) }) else { return }
    let calls = count == 1 ? "1 call, which was refused" : "\(count) calls, which were refused"
    report("No connection to PostgreSQL was free in time for \(calls).")
  }

  /// Writes one line about the database for the operator of the service; never with values in it.
  func report(_ line: String) {
    log(line)
  }

  /// Waits for attempts under way, and ends the threads.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    pool.stop()
  }
}
