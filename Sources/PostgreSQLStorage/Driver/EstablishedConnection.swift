import CPostgreSQL
import EventLoops
import Glibc

/// A connection that stands and is set up, on its way from the thread that made it to its event loop.
///
/// `@unchecked Sendable`: it is used by one thread at a time, and handed on once.
struct EstablishedConnection: @unchecked Sendable {
  let handle: OpaquePointer
  /// The milliseconds to add to a monotonic time of this machine for the server's clock, in milliseconds since 1970;
  /// too many by at most the time that the question took.
  private(set) var serverClockOffset: Int64 = 0
  /// The place of its host in the location; nil if unknown.
  private(set) var host: Int?

  private init(handle: OpaquePointer) {
    self.handle = handle
  }

  /// Connects, waiting as long as that takes: not on an event loop.
  ///
  /// Names are looked up, several hosts are tried in turn and each gets the whole `connect_timeout`, as libpq does it.
  /// The location's settings override the defaults here, except for those that commits depend on.
  ///
  /// - Parameters:
  ///   - firstHost: The place of the location's host that is tried first.
  ///   - sendTimeout: The milliseconds after which a connection ends if the server accepts no data; 0 for the system's
  ///     default.
  /// - Throws: `PostgreSQLError` with one line that says why not.
  static func connect(
    _ location: PostgreSQLLocation, beginningAt firstHost: Int = 0, sendTimeout: Int = 5_000
  ) throws -> EstablishedConnection {
    // Of a keyword that comes twice libpq takes the last value, even if `dbname` is a whole location.
    let settings: [(String, String)] =
      [
        ("fallback_application_name", "timeclock"), ("connect_timeout", "3"),
        ("target_session_attrs", location.isReadOnly ? "prefer-standby" : "read-write"),
        ("tcp_user_timeout", "\(sendTimeout)"),
        ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("dbname", location.conninfo), ("client_encoding", "UTF8"),
      ] + location.hosts.settings(beginningAt: firstHost)
    let handle = withCStrings(settings.map(\.0)) { keywords in
      withCStrings(settings.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
    }
    guard let handle else { throw PostgreSQLError(sqlState: "08001", message: "out of memory") }
    var connection = EstablishedConnection(handle: handle)
    guard PQstatus(handle) == CONNECTION_OK else {
      let message = ConnectionMessage.line(PQerrorMessage(handle))
      connection.close()
      throw PostgreSQLError(sqlState: "08001", message: message)
    }
    connection.host = location.hosts.place(
      ofHost: PQhost(handle).map { String(cString: $0) } ?? "",
      port: PQport(handle).map { String(cString: $0) } ?? "")
    do {
      try connection.requireServer()
      let settings = [sessionSettings, RowScope.Setting.nobodyInSession]
      try connection.execute(
        (settings + (location.isReadOnly ? [readingSetting] : [])).joined(separator: ";"), within: 3)
      try connection.readServerClock()
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  /// Runs statements and waits for them.
  ///
  /// - Parameter seconds: The time for which the server may be silent; nil for no limit.
  /// - Returns: The first column of the first row of the last one, as text; nil if there is none.
  /// - Throws: `PostgreSQLError`; if it is for want of an answer, the connection is good for nothing else.
  @discardableResult
  func execute(_ sql: String, within seconds: Int32? = nil) throws -> String? {
    guard PQsendQuery(handle, sql) == 1 else { throw PostgreSQLError.connectionLost }
    var value: String?
    var failure: PostgreSQLError?
    while true {
      try waitForResult(seconds)
      guard let result = PQgetResult(handle) else { break }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK: value = nil
      case PGRES_TUPLES_OK:
        let isPresent = PQntuples(result) > 0 && PQgetisnull(result, 0, 0) == 0
        value = isPresent ? PQgetvalue(result, 0, 0).map { String(cString: $0) } : nil
      default: failure = failure ?? PostgreSQLError(result)
      }
    }
    if let failure { throw failure }
    return value
  }

  private func waitForResult(_ seconds: Int32?) throws {
    while PQisBusy(handle) == 1 {
      var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      let count = poll(&socket, 1, seconds.map { $0 * 1_000 } ?? -1)
      guard count != 0 else { throw PostgreSQLError.timedOut }
      guard count < 0 || PQconsumeInput(handle) == 1 else { throw PostgreSQLError.connectionLost }
    }
  }

  func close() {
    PQfinish(handle)
  }

  private mutating func readServerClock() throws {
    let asked = EventLoop.monotonicNow() / 1_000_000
    let answer = try execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint", within: 3)
    guard let now = answer.flatMap({ Int64($0) }) else { throw PostgreSQLError.connectionLost }
    serverClockOffset = now - asked
  }

  private func requireServer() throws {
    guard PQserverVersion(handle) >= 130_000 else {
      throw PostgreSQLError(sqlState: "0A000", message: "the server is older than PostgreSQL 13")
    }
    let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw PostgreSQLError(
        sqlState: "0A000", message: "the database has the encoding \(encoding ?? "?"), and needs UTF8")
    }
  }

  /// Everything ends on the server before the client gives it up, and a commit is never less than on disk, regardless
  /// of the settings of database and role. A lock is waited for no longer than others can wait for the connection; then
  /// it is their turn.
  private static let sessionSettings = """
    SET statement_timeout = '4s'; SET lock_timeout = '100ms'; SET idle_in_transaction_session_timeout = '10s';
    SET default_transaction_isolation = 'read committed'; SET default_transaction_deferrable = off;
    SET row_security = on;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
    """
  private static let readingSetting = "SET default_transaction_read_only = on"
}

/// Calls `body` with a null-terminated array of C strings.
func withCStrings<Value>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { UnsafePointer($0) } + [nil]
  return pointers.withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map(body) ?? body(UnsafePointer(bitPattern: 1)!)
  }
}
