import Procedures
import TimeclockDomain

/// The owner of the rows that a statement is about. Row-level security keeps the statement from all other rows,
/// regardless of its conditions (docs/decisions/0015-row-level-security.md).
enum RowScope: Sendable {
  /// One organization.
  case organization(OrganizationKey)
  /// One organization, also while it is on its way to another cell: for what a move itself needs.
  case movingOrganization(OrganizationKey)
  /// No organization: accounts, kept answers and the schema's version belong to none. The owner that the transaction
  /// has named before stays named.
  case noOrganization
  /// Every organization.
  case everyone(because: CrossingReason)
}

extension RowScope {
  /// The transaction's setting; nil if it does not matter.
  enum Setting: Hashable {
    case organization(Int64)
    case movingOrganization(Int64)
    case everyone
  }

  var setting: Setting? {
    switch self {
    case .organization(let key): .organization(key.value)
    case .movingOrganization(let key): .movingOrganization(key.value)
    case .noOrganization: nil
    case .everyone: .everyone
    }
  }
}

extension RowScope.Setting {
  /// Has the transaction see these rows, until it ends or another setting follows. Fails for an organization that has moved to
  /// another cell, and, unless the transaction only reads, for one that is moving (`Departure`).
  ///
  /// Outside of a transaction block, the setting lasts until the pipeline's next synchronization point
  /// (postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
  func query(isReading: Bool) -> PostgreSQLQuery {
    switch self {
    case .organization(let row):
      PostgreSQLQuery(
        isReading ? Departure.namingToRead : Departure.namingToWrite, [.integer(row)], in: .noOrganization)
    case .movingOrganization(let row):
      PostgreSQLQuery(Departure.namingToRead, [.integer(row)], in: .noOrganization)
    case .everyone: PostgreSQLQuery(Self.namingEveryone, [], in: .noOrganization)
    }
  }

  /// SQL for the same, for connections that run SQL as text. Ends with the transaction.
  static let everyoneInTransaction = "SET LOCAL timeclock.organization = 'everyone'"

  /// SQL that makes a new connection see no row of any organization, regardless of its role's and database's settings.
  static let nobodyInSession = "SET timeclock.organization = ''"

  private static let namingEveryone = PostgreSQLStatement(
    "SELECT set_config('timeclock.organization', 'everyone', true)")

  /// The order in which reads of one round trip are sent, so that each setting is made once.
  var order: Int64 {
    switch self {
    case .organization(let row), .movingOrganization(let row): row
    case .everyone: .min
    }
  }
}
