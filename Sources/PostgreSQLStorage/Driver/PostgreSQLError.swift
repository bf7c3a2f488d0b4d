import CPostgreSQL
import TimeclockDomain

/// The error that PostgreSQL answered instead of rows (postgresql.org/docs/current/errcodes-appendix.html). Holds no
/// values.
struct PostgreSQLError: Error, Hashable, CustomStringConvertible {
  /// Five characters; empty for errors that libpq itself reports.
  let sqlState: String
  /// The constraint that refused, by its name in `sql/`.
  var constraint: String?
  /// Whether the connection ended with this error, so that nothing after it was executed.
  let endsConnection: Bool
  /// PostgreSQL's one-line message, without values.
  let message: String

  init(sqlState: String, constraint: String? = nil, endsConnection: Bool = false, message: String) {
    self.sqlState = sqlState
    self.constraint = constraint
    self.endsConnection = endsConnection
    self.message = message
  }

  init(_ result: OpaquePointer?) {
    func field(_ code: Character) -> String? {
      let code = Int32(code.asciiValue ?? 0)
      return PQresultErrorField(result, code).map { String(cString: $0) }
    }
    // PG_DIAG_SEVERITY_NONLOCALIZED, PG_DIAG_SQLSTATE, PG_DIAG_CONSTRAINT_NAME, PG_DIAG_MESSAGE_PRIMARY. The server
    // says FATAL if it ends the connection and PANIC if it ends itself, for any reason; libpq gives no severity to
    // errors of its own.
    endsConnection = field("V") != "ERROR"
    sqlState = field("C") ?? ""
    constraint = field("n")
    message = field("M") ?? "no answer"
  }

  var description: String {
    let place = constraint.map { " (\($0))" } ?? ""
    return "PostgreSQL error \(sqlState.isEmpty ? "without code" : sqlState)\(place): \(message)"
  }

  /// Whether the same transaction may succeed when it is tried again: serialization failure, deadlock, and a
  /// prepared statement that the connection no longer has.
  var isTransient: Bool { ["40001", "40P01", "26000"].contains(sqlState) }

  /// Whether somebody else has held a lock for too long to be waited for with a connection in hand.
  var isLockTimeout: Bool { sqlState == "55P03" }

  /// Whether the same may succeed a little later.
  var mayPass: Bool { isTransient || isLockTimeout || needsNewConnection || endsConnection }

  /// Whether the server takes no writes any more: it has become a standby.
  var isReadOnly: Bool { sqlState == "25006" }

  /// Whether it was too late to commit. Should the server's clock have been set, a new connection knows of it.
  var isTooLate: Bool { sqlState == CommitFence.sqlState }

  /// Whether it takes another connection to go on.
  var needsNewConnection: Bool { isReadOnly || isTooLate }

  /// The error that a caller gets. A refusal by a constraint that the rules let through, and a wrong statement, are
  /// faults of this program and stay unchanged.
  var refusal: any Error {
    if let departure { return departure }
    return switch sqlState {
    // Disk full.
    case "53100": TimeclockError.storageFull
    default:
      switch sqlState.prefix(2) {
      // Data exceptions, integrity, wrong statements, and internal errors.
      case "22", "23", "42", "XX", "0A": self
      default: TimeclockError.unavailable(retryAfterSeconds: 1)
      }
    }
  }

  /// The connection ended, and nobody said why.
  static let connectionLost = PostgreSQLError(
    sqlState: "08006", endsConnection: true, message: "the connection was lost")
  /// The server did not answer in time, and the connection was given up.
  static let timedOut = PostgreSQLError(
    sqlState: "08006", endsConnection: true, message: "the server did not answer in time")
}
