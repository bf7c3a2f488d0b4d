/// Whether a connection has a session of its own. A pooler that shares sessions after each transaction gives it none: nobody
/// hears its notifications, and its settings and advisory locks are another client's
/// (pgbouncer.org/features.html#sql-feature-map-for-pooling-modes).
enum SessionCheck {
  /// Sets a word in the session of a connection, and looks for it there and in another one, whose transaction keeps a shared
  /// session away from the first one.
  ///
  /// - Throws: `SharedSession`; `PostgreSQLError`.
  static func requireOwnSession(
    of connection: EstablishedConnection, at location: PostgreSQLLocation
  ) throws {
    let other = try EstablishedConnection.connect(location, beginningAt: connection.host ?? 0)
    defer { other.close() }
    // Another client may have taken the shared session just then.
    for _ in 0..<attempts {
      let word = String(UInt64.random(in: .min ... .max), radix: 36)
      try connection.execute("SELECT set_config('\(setting)', '\(word)', false)", within: answerSeconds)
      try other.execute("BEGIN", within: answerSeconds)
      let seenByOther = try other.execute(question, within: answerSeconds)
      let seen = try connection.execute(question, within: answerSeconds)
      try other.execute("ROLLBACK", within: answerSeconds)
      guard seen == word, seenByOther != word else { throw SharedSession() }
    }
  }

  private static let attempts = 3
  private static let answerSeconds: Int32 = 3
  private static let setting = "timeclock.session"
  private static let question = "SELECT current_setting('\(setting)', true)"
}

/// A connection's session is another client's, too.
struct SharedSession: Error {}
