import DatabaseCopy
import Glibc
import SchemaMigrations
import TimeclockDomain

/// Moves one organization from one cell into another that has organizations of its own: PostgreSQL databases whose servers
/// run (docs/decisions/0051-moving-organizations.md).
///
/// The source is closed to writes, then everything is copied in one transaction of the target, then the source names the
/// address to go to. Each step is found done by a later attempt, so a move that was cut off anywhere goes on. Used by one
/// thread, which it blocks.
package final class OrganizationMove {
  let source: PostgreSQLCopyConnection
  let target: PostgreSQLCopyConnection
  package let id: OrganizationID
  /// The organization's number in the source.
  let number: Int64
  /// The target's cluster and database.
  private let targetIdentity: String
  /// Whether every row has to be in the log; false in tests whose rows no operation has made.
  var isAudited = true

  /// Connects to both, and keeps other moves of the organization away until `close`.
  ///
  /// - Parameter name: The organization's id, or its name if only one has it.
  /// - Throws: `MoveError.noSuchOrganization`, `.busy`; `PostgreSQLStorageError`; `PostgreSQLError`.
  package init(_ name: String, from source: PostgreSQLLocation, to target: PostgreSQLLocation) throws {
    let from = try PostgreSQLCopyConnection(source)
    do {
      let to = try PostgreSQLCopyConnection(target)
      do {
        (number, id) = try Self.prepare(name, from, to)
        targetIdentity = try LogIdentity(connection: to.connection).database()
      } catch {
        to.connection.close()
        throw error
      }
      (self.source, self.target) = (from, to)
    } catch {
      from.connection.close()
      throw error
    }
  }

  /// - Returns: The organization's number in the source, and its id.
  private static func prepare(
    _ name: String, _ source: PostgreSQLCopyConnection, _ target: PostgreSQLCopyConnection
  ) throws -> (number: Int64, id: OrganizationID) {
    for connection in [source.connection, target.connection] {
      try connection.execute("SET timeclock.organization = 'everyone'; SET lock_timeout = '10s'")
      try SchemaUpdate(connection: connection, now: .earliest).requireCurrent(SchemaMigrations.postgresql)
    }
    let id = OrganizationID(name)
    let found = try source.rows(
      "SELECT organization_id, id FROM organizations WHERE \(id == nil ? "name" : "id::text") = $1",
      [id?.text ?? name])
    guard found.count == 1,
      let organization = try found.first({
        (number: $0.integer(0), id: try $0.identifier(1) as OrganizationID)
      })
    else { throw MoveError.noSuchOrganization(count: found.count) }
    for connection in [source.connection, target.connection] { try lock(organization.id, on: connection) }
    return organization
  }

  /// Ends the connections, and with them what was begun and not committed.
  package func close() {
    source.connection.close()
    target.connection.close()
  }

  /// The server may notice a moment later that the connection of a move has ended. It is asked again and again, since a statement that
  /// waited would be an older transaction to the move that has the lock.
  private static func lock(_ id: OrganizationID, on connection: EstablishedConnection) throws {
    let end = ContinuousClock.now + .seconds(10)
    while try connection.execute("SELECT pg_try_advisory_lock(\(lockSpace), hashtext('\(id.text)'))") != "t" {
      guard ContinuousClock.now < end else { throw MoveError.busy }
      usleep(100_000)
    }
  }

  /// "move" as a number.
  private static let lockSpace = "x'6d6f7665'::int"

  /// Moves the organization, or what is left to do of it.
  ///
  /// - Parameters:
  ///   - address: Where the organization is served from then on.
  ///   - seal: Seals the organization's changes in the source.
  /// - Returns: The copy; nil if an earlier attempt has made it.
  /// - Throws: `MoveError`; the databases' errors. `MoveError.outcomeUnknown` if the target may have committed.
  package func run(
    to address: String, seal: (OrganizationKey) async throws -> Void, report: (CopyProgress) -> Void
  ) async throws -> CopyResult? {
    let hasArrived = try isInTarget()
    let state = try departure()
    if case .address(let former)? = state, !hasArrived { throw MoveError.lost(address: former) }
    if state == nil {
      if !hasArrived {
        try requireMovable()
        _ = try MovedAccounts(of: number, from: source, to: target)
      }
      try source.connection.execute(
        "INSERT INTO organization_departures (organization_id, target) VALUES (\(number), '\(targetIdentity)')"
      )
    }
    try waitForOlderTransactions()
    var result: CopyResult?
    if !hasArrived {
      try await seal(OrganizationKey(number))
      result = try copy(report)
    }
    _ = try source.rows(
      """
      WITH departed AS ( \
      UPDATE organization_departures SET address = $1 WHERE organization_id = \(number)) \
      SELECT pg_notify('\(AccessListener.changeChannel)', '\(number)')
      """, [address])
    return result
  }

  /// Opens the organization at the source again, as long as the target does not have it: also after a move, if the target has
  /// been restored to the time before. Then the log goes on under another epoch, since readers have followed the lost one.
  ///
  /// - Throws: `MoveError.notMoving`, `.arrived`, `.otherTarget`.
  package func abandon() throws {
    guard let state = try departure() else { throw MoveError.notMoving }
    guard try !isInTarget() else { throw MoveError.arrived }
    if case .address = state {
      try source.connection.execute(
        """
        INSERT INTO organization_arrivals (organization_id, epoch, database_epoch) \
        SELECT \(number), '\(LogEpoch.random().text)', e.epoch FROM log_epoch e ON CONFLICT (organization_id) \
        DO UPDATE SET epoch = excluded.epoch, database_epoch = excluded.database_epoch
        """)
    }
    try source.connection.execute("DELETE FROM organization_departures WHERE organization_id = \(number)")
  }

  enum State {
    case moving
    case address(String)
  }

  /// - Throws: `MoveError.otherTarget` if a move to another database has begun: that one may have the organization.
  func departure() throws -> State? {
    let found = try source.rows(
      "SELECT address, target FROM organization_departures WHERE organization_id = \(number)"
    ).first { (state: $0.optionalText(0).map(State.address) ?? .moving, target: $0.text(1)) }
    guard found.map({ $0.target == targetIdentity }) ?? true else { throw MoveError.otherTarget }
    return found?.state
  }

  /// Whether the organization has come to the target.
  ///
  /// - Throws: `MoveError.alreadyThere` if it is there from no move, or has moved on.
  func isInTarget() throws -> Bool {
    let found = try target.rows(
      """
      SELECT a.organization_id IS NOT NULL AND d.organization_id IS NULL FROM organizations o \
      LEFT JOIN organization_arrivals a ON a.organization_id = o.organization_id \
      LEFT JOIN organization_departures d ON d.organization_id = o.organization_id WHERE o.id = '\(id.text)'
      """
    ).first { $0.bool(0) }
    guard found != false else { throw MoveError.alreadyThere }
    return found != nil
  }

  private func requireMovable() throws {
    let state = try source.connection.execute(
      "SELECT state FROM organizations WHERE organization_id = \(number)")
    let movable: [Organization.State] = [.active, .deactivated]
    guard movable.contains(where: { $0.rawValue == state }) else { throw MoveError.deleted }
  }

  /// Waits until nothing goes on that could have begun before the organization was closed: from then on what is committed is
  /// all that there will be.
  ///
  /// A transaction has its virtual number from its first statement on
  /// (postgresql.org/docs/current/transaction-id.html). Roles that write no entries are of no account, and
  /// moves of other organizations neither.
  private func waitForOlderTransactions() throws {
    let running = """
      SELECT l.virtualxid, a.pid::text FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid \
      WHERE l.locktype = 'virtualxid' AND l.granted AND l.mode = 'ExclusiveLock' AND a.pid <> pg_backend_pid() \
      AND a.datname = current_database() AND a.usesysid IS NOT NULL \
      AND has_table_privilege(a.usesysid, 'time_entries', 'INSERT') \
      AND NOT EXISTS (SELECT 1 FROM pg_locks k WHERE k.pid = a.pid AND k.locktype = 'advisory' \
      AND k.classid = \(Self.lockSpace)::oid AND k.objsubid = 2)
      """
    let before = try source.rows(running).map { $0.text(0) }
    let end = ContinuousClock.now + Self.patience
    while true {
      let left = try source.rows(
        "SELECT * FROM (\(running)) r WHERE virtualxid = ANY ($1::text[])", [ArrayText.of(before)]
      ).map { $0.text(1) }
      if left.isEmpty { return }
      guard ContinuousClock.now < end else { throw MoveError.olderTransactions(processes: left) }
      try source.connection.execute("SELECT pg_sleep(0.02)")
    }
  }

  /// The service's own transactions end within this time by the settings of their sessions.
  private static let patience: Duration = .seconds(30)
}
