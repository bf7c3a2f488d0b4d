import Cryptography
import TimeclockDomain

/// The statements on attempts to log in.
enum LogInAttemptRows {
  /// Reads the counters of an account from a network, of the network, of the account, and of the account's right
  /// passwords.
  static let counts = SQLiteText(
    """
    SELECT (SELECT clear_at FROM log_in_attempts WHERE account = ?1 AND network = ?2),
      (SELECT clear_at FROM log_in_attempts WHERE account = x'' AND network = ?2),
      (SELECT clear_at FROM log_in_attempts WHERE account = ?1 AND network = ''),
      (SELECT known_until FROM log_in_attempts WHERE account = ?1 AND network = ?2),
      (SELECT clear_at FROM log_in_attempts WHERE account = ?1 AND network = 'right')
    """)

  /// Adds `?4` milliseconds to the counted time, as of `?3`, but not beyond `?5`.
  static let count = SQLiteText(
    """
    INSERT INTO log_in_attempts (account, network, clear_at) VALUES (?1, ?2, ?3 + ?4)
    ON CONFLICT (account, network) DO UPDATE SET clear_at = min(max(clear_at, ?3) + ?4, ?5)
    """)

  static let takeBack = SQLiteText(
    "UPDATE log_in_attempts SET clear_at = clear_at - ?3 WHERE account = ?1 AND network = ?2")

  static let forget = SQLiteText(
    "UPDATE log_in_attempts SET clear_at = ?3, known_until = ?4 WHERE account = ?1 AND network = ?2")

  static let deleteExpired = SQLiteText(
    """
    DELETE FROM log_in_attempts WHERE (account, network) IN (
      SELECT account, network FROM log_in_attempts WHERE max(clear_at, known_until) <= ?1
      ORDER BY max(clear_at, known_until) LIMIT ?2)
    RETURNING clear_at
    """)

  static let deleteOfAccount = SQLiteText("DELETE FROM log_in_attempts WHERE account = ?1")

  /// The values of the parameters of `count`.
  static func countValues(_ counter: LogInCounter, at now: Instant) -> [SQLiteValue] {
    row(counter) + [
      .instant(now), .integer(counter.limit.intervalMilliseconds),
      .instant(now.adding(milliseconds: counter.limit.mostMilliseconds)),
    ]
  }

  /// A count's row, by account and network.
  static func row(_ counter: LogInCounter) -> [SQLiteValue] {
    [counter.account.map(account) ?? .blob([]), .text(counter.network)]
  }

  /// The SHA-256 digest that is stored for the account of the attempt.
  static func account(_ text: String) -> SQLiteValue {
    .blob(SHA256.hash(Array(text.utf8)))
  }
}
