import Synchronization

/// A statement that connections keep prepared under its number. Meant for `static let`.
final class PostgreSQLStatement: Sendable {
  let text: String
  /// Tells statements apart; counts from 0, so that a connection can keep an array of what it has prepared.
  let number: Int
  /// The number as a name for PostgreSQL.
  let name: String

  private static let count = Atomic(0)

  init(_ text: String) {
    self.text = text
    number = Self.count.add(1, ordering: .relaxed).oldValue
    name = "t\(number)"
  }
}

/// A statement and its values.
struct PostgreSQLQuery {
  let statement: PostgreSQLStatement
  let parameters: PostgreSQLParameters

  init(_ statement: PostgreSQLStatement, _ values: [PostgreSQLValue]) {
    self.statement = statement
    parameters = PostgreSQLParameters(values)
  }

  static let begin = PostgreSQLQuery(PostgreSQLStatement("BEGIN"), [])
  static let commit = PostgreSQLQuery(PostgreSQLStatement("COMMIT"), [])
  static let rollback = PostgreSQLQuery(PostgreSQLStatement("ROLLBACK"), [])
}
