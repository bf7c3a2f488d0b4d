import Cryptography
import TimeclockDomain

/// The statements on attempts to log in.
enum LogInAttemptRows {
  /// Attempts that share a row with this one wait for each other until the transaction ends, over all processes.
  static let lock = PostgreSQLStatement("SELECT pg_advisory_xact_lock($1)")

  /// Reads the counters of an account from a network, of the network, of the account, and of the account's right
  /// passwords.
  static let counts = PostgreSQLStatement(
    """
    SELECT (SELECT clear_at FROM log_in_attempts WHERE account = $1 AND network = $2), \
    (SELECT clear_at FROM log_in_attempts WHERE account = ''::bytea AND network = $2), \
    (SELECT clear_at FROM log_in_attempts WHERE account = $1 AND network = ''), \
    (SELECT known_until FROM log_in_attempts WHERE account = $1 AND network = $2), \
    (SELECT clear_at FROM log_in_attempts WHERE account = $1 AND network = 'right')
    """)

  /// Adds `$4` milliseconds to the counted time, as of `$3`, but not beyond `$5`.
  static let count = PostgreSQLStatement(
    """
    INSERT INTO log_in_attempts AS a (account, network, clear_at) VALUES ($1, $2, $3::bigint + $4::bigint) \
    ON CONFLICT (account, network) DO UPDATE SET clear_at = least(greatest(a.clear_at, $3) + $4, $5)
    """)

  static let takeBack = PostgreSQLStatement(
    "UPDATE log_in_attempts SET clear_at = clear_at - $3 WHERE account = $1 AND network = $2")

  static let forget = PostgreSQLStatement(
    "UPDATE log_in_attempts SET clear_at = $3, known_until = $4 WHERE account = $1 AND network = $2")

  /// Skips rows that another process is removing or counting.
  static let deleteExpired = PostgreSQLStatement(
    """
    DELETE FROM log_in_attempts WHERE ctid = ANY (ARRAY(SELECT ctid FROM log_in_attempts \
    WHERE greatest(clear_at, known_until) <= $1 ORDER BY greatest(clear_at, known_until) LIMIT $2 \
    FOR UPDATE SKIP LOCKED)) RETURNING clear_at
    """)

  static let deleteOfAccount = PostgreSQLStatement("DELETE FROM log_in_attempts WHERE account = $1")

  /// The values of the parameters of `count`.
  static func countValues(_ counter: LogInCounter, at now: Instant) -> [PostgreSQLValue] {
    row(counter) + [
      .instant(now), .integer(counter.limit.intervalMilliseconds),
      .instant(now.adding(milliseconds: counter.limit.mostMilliseconds)),
    ]
  }

  /// A count's row, by account and network.
  static func row(_ counter: LogInCounter) -> [PostgreSQLValue] {
    [counter.account.map(account) ?? .bytes([]), .text(counter.network)]
  }

  /// The SHA-256 digest that is stored for the account of the attempt.
  static func account(_ text: String) -> PostgreSQLValue {
    .bytes(SHA256.hash(Array(text.utf8)))
  }

  /// The advisory lock of a network, or of an account that is logged in. Two that share one only wait for each other.
  static func lockNumber(of attempt: LogInAttempt) -> Int64 {
    let digest = SHA256.hash(Array((attempt.network?.text ?? attempt.account).utf8))
    return Int64(bitPattern: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
