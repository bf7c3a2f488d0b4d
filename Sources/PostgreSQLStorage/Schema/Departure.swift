import TimeclockDomain

/// The refusal of an organization that is moving to another cell, or has moved.
///
/// The database itself refuses, by the statement with which each transaction names its organization: an instance that was
/// frozen, or has heard of nothing, acknowledges no write that would be missing in the other cell
/// (docs/decisions/0051-moving-organizations.md). The function `organization_departed` of the schema raises the two states.
enum Departure {
  /// Names an organization to a transaction that may write.
  static let namingToWrite = naming("")
  /// Names an organization to a transaction that only reads: one that is moving is read until the copy is there.
  static let namingToRead = naming(" AND address IS NOT NULL")

  private static func naming(_ condition: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT set_config('timeclock.organization', coalesce((SELECT organization_departed(address) \
      FROM organization_departures WHERE organization_id = $1::bigint\(condition)), $1::bigint::text), true)
      """)
  }
}

extension PostgreSQLError {
  /// The refusal of an organization that is not here any more; nil for other errors.
  var departure: TimeclockError? {
    switch sqlState {
    case "TC503": .organizationMoving
    // The message is the address.
    case "TC421": .organizationMoved(address: message)
    default: nil
    }
  }
}

/// The organizations that a loop has met as departed, so that their requests do not spoil the round trips of others again
/// and again. What is known here is only ever repeated for a moment: the database decides.
struct KnownDepartures {
  private var known: [RowScope.Setting: (refusal: TimeclockError, end: Int64)] = [:]

  /// For how long a refusal is repeated, in nanoseconds.
  private static let lifetime: Int64 = 1_000_000_000

  /// Notes that the database has refused an organization. A transaction about everybody that has met it is about others too.
  ///
  /// - Parameter now: The loop's time, in nanoseconds.
  mutating func note(_ refusal: TimeclockError, of owner: RowScope.Setting, at now: Int64) {
    guard case .organization = owner else { return }
    known = known.filter { $0.value.end > now }
    known[owner] = (refusal, now + Self.lifetime)
  }

  /// - Throws: `.organizationMoved`; `.organizationMoving` if the statement may write.
  func require(_ owner: RowScope.Setting?, isReading: Bool, at now: Int64) throws {
    guard !known.isEmpty, let owner, let found = known[owner], found.end > now else { return }
    guard isReading, found.refusal == .organizationMoving else { throw found.refusal }
  }
}
