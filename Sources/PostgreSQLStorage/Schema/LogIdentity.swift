import TimeclockDomain

/// Gives the log of changes another epoch if the database is another than the one in which it got its epoch.
struct LogIdentity {
  let connection: EstablishedConnection

  /// Renews the epoch if the database's place has changed: `pg_restore` makes a database with a number of its own, a
  /// copy of a cluster's files is recovered on a timeline of its own, and so is a standby that takes over. Call it when
  /// the schema is up to date. Of servers that start together, one renews.
  ///
  /// - Throws: `PostgreSQLError`.
  func renewIfMoved() throws {
    let place = try self.place()
    try connection.execute(
      """
      UPDATE log_epoch SET epoch = '\(LogEpoch.random().text)', place = '\(place)'
      WHERE place IS DISTINCT FROM '\(place)' OR epoch IS NULL
      """)
  }

  /// The cluster, its timeline and the database, each a number. A role that may not ask for one of the first two gets none.
  private func place() throws -> String {
    Self.text([
      try cluster(),
      // The first eight digits of the name of the log's present file
      // (postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-BACKUP).
      try ask("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"),
      try number(),
    ])
  }

  /// The cluster and the database: what stays the same when a standby takes over.
  ///
  /// - Throws: `PostgreSQLError`.
  func database() throws -> String { Self.text([try cluster(), try number()]) }

  private func cluster() throws -> String? { try ask("SELECT system_identifier FROM pg_control_system()") }

  private func number() throws -> String? {
    try connection.execute("SELECT oid FROM pg_database WHERE datname = current_database()")
  }

  private static func text(_ numbers: [String?]) -> String {
    numbers.map { ($0 ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }.joined(separator: "/")
  }

  private func ask(_ sql: String) throws -> String? {
    do {
      return try connection.execute(sql)
    } catch let error as PostgreSQLError where !error.endsConnection {
      return nil
    }
  }
}
