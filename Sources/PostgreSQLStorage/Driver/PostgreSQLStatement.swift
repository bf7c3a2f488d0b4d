import Synchronization

/// A statement that connections keep prepared under its number. Meant for `static let`.
final class PostgreSQLStatement: Sendable {
  let text: String
  /// Whether PostgreSQL plans each execution for its values, instead of keeping one generic plan. For statements whose
  /// best plan depends strongly on the values.
  let isPlannedAnew: Bool
  /// Identifies the statement; counts from 0, so that a connection can keep an array of prepared statements.
  let number: Int
  /// The number as a name for PostgreSQL.
  let name: String

  private static let count = Atomic(0)

  init(_ text: String, isPlannedAnew: Bool = false) {
    self.text = text
    self.isPlannedAnew = isPlannedAnew
    number = Self.count.add(1, ordering: .relaxed).oldValue
    name = "t\(number)"
  }
}

/// Replaces the text of a statement about somebody's rows, whenever a connection prepares one. For tests only.
typealias StatementRewriting = @Sendable (String, RowScope) -> String

/// A statement and its values.
struct PostgreSQLQuery {
  let statement: PostgreSQLStatement
  let parameters: PostgreSQLParameters
  /// The owner of the rows that it is about.
  let scope: RowScope

  init(_ statement: PostgreSQLStatement, _ values: [PostgreSQLValue], in scope: RowScope) {
    self.statement = statement
    parameters = PostgreSQLParameters(values)
    self.scope = scope
  }

  static let begin = PostgreSQLQuery(PostgreSQLStatement("BEGIN"), [], in: .noOrganization)
  static let commit = PostgreSQLQuery(PostgreSQLStatement("COMMIT"), [], in: .noOrganization)
  static let rollback = PostgreSQLQuery(PostgreSQLStatement("ROLLBACK"), [], in: .noOrganization)
}
