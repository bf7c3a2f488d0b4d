import Synchronization

/// A statement that connections keep prepared under its number. Meant for `static let`.
final class PostgreSQLStatement: Sendable {
  let text: String
  /// Whether PostgreSQL is to make a plan for the values of every execution, instead of keeping one for values
  /// that it does not know. For statements whose best plan depends on the values by far.
  let isPlannedAnew: Bool
  /// Tells statements apart; counts from 0, so that a connection can keep an array of what it has prepared.
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
