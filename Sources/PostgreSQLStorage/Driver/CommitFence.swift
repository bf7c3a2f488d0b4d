/// The last statement before COMMIT: it fails if it is too late to commit.
///
/// A server that is stopped for a while, or is behind a network that is, may find waiting statements that their client
/// has given up and reported as failed. Executed then, they could meet another state: a late clock-out would close the
/// entry of a later clock-in. From this statement to the end of COMMIT the locks of the transaction keep others from
/// its rows.
enum CommitFence {
  /// - Parameters:
  ///   - deadline: The time at which the client gives the answer up, in the loop's nanoseconds.
  ///   - serverClockOffset: `EstablishedConnection.serverClockOffset` of the connection.
  static func query(before deadline: Int64, serverClockOffset: Int64) -> PostgreSQLQuery {
    PostgreSQLQuery(
      statement, [.integer((deadline - margin) / 1_000_000 + serverClockOffset)], in: .noOrganization)
  }

  /// The state of the logarithm of zero, which no other statement asks for.
  static let sqlState = "2201E"

  private static let statement = PostgreSQLStatement(
    "SELECT ln((clock_timestamp() < to_timestamp($1::bigint / 1000.0))::int::float8)")

  /// The time that the answer takes on its way, and the possible error of the clocks' difference, in nanoseconds.
  private static let margin: Int64 = 500_000_000
}
