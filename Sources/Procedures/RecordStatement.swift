import TimeclockDomain

/// A statement that both storages run, each in its own words. Meant for `static let`, for connections keep it prepared.
///
/// The text is PostgreSQL's, which SQLite reads alike but for the parameters (`$1`, which become `?1`) and the locks,
/// which one writer does not need.
package final class RecordStatement: Sendable {
  package let sqlite: String
  package let postgresql: String
  /// The names of the columns that it gives.
  package let names: [String]
  /// The reason why it sees rows of more than one organization; nil if it sees those that its transaction is about.
  package let crossing: CrossingReason?

  /// - Parameters:
  ///   - text: The statement, after the list of its columns if there are `columns`.
  ///   - columns: The columns that it gives.
  ///   - lock: The lock that PostgreSQL takes on the rows, such as `FOR NO KEY UPDATE`.
  ///   - sqlite: The text for SQLite, in place of `text`.
  ///   - crossing: The reason why it sees rows of more than one organization.
  package init(
    _ text: String, columns: RecordColumns? = nil, lock: String? = nil, sqlite: String? = nil,
    across crossing: CrossingReason? = nil
  ) {
    func selection(_ list: KeyPath<RecordColumns, String>) -> String {
      columns.map { "SELECT \($0[keyPath: list]) " } ?? ""
    }
    self.sqlite = (selection(\.sqliteList) + (sqlite ?? text)).replacing("$", with: "?")
    postgresql = selection(\.list) + text + (lock.map { " " + $0 } ?? "")
    names = columns?.names ?? []
    self.crossing = crossing
  }

  /// A statement that gives the rows it has changed, such as `DELETE … RETURNING`.
  ///
  /// - Parameter sqlite: The text for SQLite, in place of `text`.
  package init(
    _ text: String, returning columns: RecordColumns, sqlite: String? = nil,
    across crossing: CrossingReason? = nil
  ) {
    self.sqlite = "\(sqlite ?? text) RETURNING \(columns.list)".replacing("$", with: "?")
    postgresql = "\(text) RETURNING \(columns.list)"
    names = columns.names
    self.crossing = crossing
  }
}

/// The expressions that a statement selects, each under a name.
package struct RecordColumns: Sendable {
  package let names: [String]
  /// The expressions in their order, as SQL lists them.
  package let list: String
  /// The same for SQLite.
  let sqliteList: String

  private init(names: [String], list: String, sqliteList: String) {
    self.names = names
    self.list = list
    self.sqliteList = sqliteList
  }

  /// The same with further expressions behind them.
  func adding(_ others: [(name: String, expression: String)]) -> RecordColumns {
    let more = others.map { ", " + $0.expression }.joined()
    return RecordColumns(
      names: names + others.map(\.name), list: list + more, sqliteList: sqliteList + more)
  }

  /// - Parameter sqlite: The expressions for SQLite in place of those of `columns`, by their names.
  package init(_ columns: [(name: String, expression: String)], sqlite: [String: String] = [:]) {
    names = columns.map(\.name)
    list = columns.map(\.expression).joined(separator: ", ")
    sqliteList = columns.map { sqlite[$0.name] ?? $0.expression }.joined(separator: ", ")
  }

  /// Columns by their own names.
  package init(_ names: String...) {
    self.init(names.map { ($0, $0) })
  }
}

/// The reasons why a statement is about more than one organization. Row-level security lets it see all of them then;
/// there is no other way around the wall in this program, so this list is all there is
/// (docs/decisions/0015-row-level-security.md).
package enum CrossingReason: Sendable {
  /// A token is found by its digest, and says itself which organization it is good for.
  case tokensAreFoundByDigest
  /// A token is known, and its owner is not: its use is noted, or its owner logs out.
  case tokensAreFoundByKey
  /// A log-in is valid in every organization that the person has accepted, and belongs to none.
  case logInsBelongToNoOrganization
  /// People see all of their own memberships.
  case peopleSeeTheirOwnMemberships
  /// The changes that an account allows depend on whether it is used elsewhere too.
  case accountsAreShared
  /// A person's tokens go with the account, in every organization.
  case accountsEndEverywhere
  /// The service looks once a minute for organizations that have something to close, and then goes to each.
  case jobsLookForWork
  /// The service looks for organizations that have changes to seal, and then goes to each.
  case sealingLooksForWork
  /// The service looks for webhooks with something to send, and for attempts that are old; sending is up to each one.
  case webhooksAreDelivered
  /// The service looks for timers whose time has come, and for old sessions of timers.
  case timersEnd
  /// The service looks for members who have push targets, and for those that are over; sending is each member's own.
  case pushIsDelivered
  /// A command of the operator lists the organizations.
  case operatorsListOrganizations
}
