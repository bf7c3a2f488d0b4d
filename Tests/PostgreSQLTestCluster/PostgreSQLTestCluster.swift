import CPostgreSQL
import Foundation

/// A real PostgreSQL of this test process's own, thrown away at its end.
///
/// `initdb` makes it in a temporary folder, as another user if the tests run as root; it listens on a Unix socket in
/// that folder and nowhere else. A PostgreSQL that is not installed is an error, never a reason to leave tests out.
public final class PostgreSQLTestCluster: Sendable {
  /// The folder of the socket and of everything else.
  public let folder: String
  private let programs: String
  private let user: String?

  /// The process's cluster, started with the first use and stopped when the process ends. For tests that leave
  /// the server alone.
  public static let shared = Result { try PostgreSQLTestCluster() }

  /// A cluster for one test, which may stop it and change its settings; stopped when the process ends, if
  /// `remove` was not called before.
  public init() throws {
    programs = try Self.findPrograms()
    user = geteuid() == 0 ? try Self.findOtherUser() : nil
    var template = Array("\(Self.parentFolder())/timeclock-pg-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw ClusterError("no temporary folder, errno \(errno)") }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    if let user {
      guard let account = getpwnam(user), chown(folder, account.pointee.pw_uid, account.pointee.pw_gid) == 0
      else { throw ClusterError("\(folder) cannot be given to \(user)") }
    }
    CleanUp.shared.add { [programs, user, folder] in
      guard FileManager.default.fileExists(atPath: folder) else { return }
      _ = try? Self.run(programs + "/pg_ctl", ["-D", folder + "/data", "-m", "immediate", "stop"], as: user)
      try? FileManager.default.removeItem(atPath: folder)
    }
    try Self.run(
      programs + "/initdb",
      [
        "-D", folder + "/data", "-U", Self.administrator, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
        "-N",
      ],
      as: user)
    try start()
    try execute("CREATE ROLE timeclock LOGIN", in: "postgres")
  }

  /// Row-level security does not hold it.
  private static let administrator = "administrator"

  /// Starts the server, and waits until it takes connections.
  public func start() throws {
    // No durability: these tests do not need it, and the tests of durability have a cluster of their own.
    let settings =
      "-c listen_addresses= -c unix_socket_directories=\(folder) -c fsync=off -c max_connections=2000 "
      + "-c shared_buffers=64MB"
    try Self.run(
      programs + "/pg_ctl",
      ["-D", folder + "/data", "-l", folder + "/log", "-o", settings, "-w", "start"], as: user)
  }

  /// Stops the server, and waits until it has ended.
  ///
  /// - Parameter mode: `fast` says goodbye to every connection, `immediate` is like a crash.
  public func stop(_ mode: String) throws {
    try Self.run(programs + "/pg_ctl", ["-D", folder + "/data", "-m", mode, "-w", "stop"], as: user)
  }

  /// Stops the server and removes everything.
  public func remove() {
    try? stop("immediate")
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A new database, and how to connect to it as the role that owns it and is nothing more.
  ///
  /// - Parameter template: The database to copy, which nobody is connected to; nil for an empty one.
  public func makeDatabase(from template: String? = nil) throws -> String {
    let name = "t" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    let copied = template.map { " TEMPLATE \(Self.name(of: $0))" } ?? ""
    try execute("CREATE DATABASE \(name) OWNER timeclock\(copied)", in: "postgres")
    return "host=\(folder) user=timeclock dbname=\(name)"
  }

  /// Removes a database, even with open connections.
  public func removeDatabase(_ conninfo: String) throws {
    try execute("DROP DATABASE IF EXISTS \(Self.name(of: conninfo)) WITH (FORCE)", in: "postgres")
  }

  /// How to connect to a database as the cluster's superuser.
  public func administratorConninfo(of conninfo: String) -> String {
    "host=\(folder) user=\(Self.administrator) dbname=\(Self.name(of: conninfo))"
  }

  /// Runs SQL as the superuser, on a connection of its own.
  ///
  /// - Returns: The rows of the last statement, a line each, with `|` between the columns.
  /// - Throws: `ClusterError` with the server's message; then none of it was done.
  @discardableResult
  public func execute(_ sql: String, in conninfoOrName: String) throws -> String {
    let connection = PQconnectdb(administratorConninfo(of: conninfoOrName))
    defer { PQfinish(connection) }
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    let result = PQexec(connection, sql)
    defer { PQclear(result) }
    guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
      throw ClusterError("\(sql): \(String(cString: PQerrorMessage(connection)))")
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }.joined(separator: "|")
    }.joined(separator: "\n")
  }

  /// Writes a storage's reports about its database to standard error: why a test that fails was refused.
  public static func report(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }

  private static func name(of conninfo: String) -> Substring {
    conninfo.split(separator: "=").last ?? ""
  }

  /// Memory if there is plenty of it, or else /tmp. Every database made, emptied and removed is a few hundred files,
  /// and a file system on disk took a third of the tests' time to find room for them.
  private static func parentFolder() -> String {
    let memory = "/dev/shm"
    var status = statvfs()
    guard statvfs(memory, &status) == 0, access(memory, W_OK) == 0,
      UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 4 << 30
    else { return "/tmp" }
    return memory
  }

  /// The newest of Debian's, or else the PATH's; TIMECLOCK_TEST_POSTGRESQL names a folder to take instead.
  private static func findPrograms() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let folders =
      versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(debian)/\($0)/bin" }
      + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in environment["TIMECLOCK_TEST_POSTGRESQL"].map({ [$0] }) ?? folders
    where ["initdb", "pg_ctl"].allSatisfy({
      FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
    }) {
      return folder
    }
    throw ClusterError("PostgreSQL is not installed: initdb and pg_ctl are needed (package postgresql)")
  }

  /// PostgreSQL does not run as root.
  private static func findOtherUser() throws -> String {
    for user in ["postgres", "nobody"] where getpwnam(user) != nil { return user }
    throw ClusterError("PostgreSQL does not run as root, and there is neither a user postgres nor nobody")
  }

  @discardableResult
  private static func run(_ program: String, _ arguments: [String], as user: String?) throws -> String {
    guard let user else { return try ChildProcess.run([program] + arguments) }
    return try ChildProcess.run(["/usr/sbin/runuser", "-u", user, "--", program] + arguments)
  }
}

/// Why there is no PostgreSQL to test on.
public struct ClusterError: Error, CustomStringConvertible {
  /// One line, with the program's message.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
