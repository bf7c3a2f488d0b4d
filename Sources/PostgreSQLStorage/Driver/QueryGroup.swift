/// Statements that go to the server together and are answered together: all that stands between two of the
/// pipeline's synchronization points. The first error skips the rest
/// (postgresql.org/docs/current/libpq-pipeline-mode.html).
final class QueryGroup {
  enum Outcome {
    /// The answer of each statement, and whether the server warned of something meanwhile.
    case rows([PostgreSQLRows], hasWarning: Bool)
    /// The error of one statement, and the number of those that succeeded before it.
    case failed(PostgreSQLError, succeededCount: Int)
    /// The connection ended before the group was answered whole.
    case lost(PostgreSQLError)

    /// The number of statements before the one that failed; nil if none did.
    var succeededCount: Int? {
      if case .failed(_, let count) = self { count } else { nil }
    }
  }

  let queries: [PostgreSQLQuery]
  /// The owner of rows that the transaction has named before; nil for none.
  let named: RowScope.Setting?
  /// Whether none of the statements writes.
  let isReading: Bool
  /// The time at which the connection is given up if the group is not answered, in the loop's nanoseconds.
  let deadline: Int64
  private let completion: (Outcome) -> Void

  /// A step that the server is going to answer; it answers them in order.
  enum Step {
    case prepare(PostgreSQLStatement)
    /// Names the owner of the rows that the next statements are about.
    case nameRows
    case execute
  }

  var steps: [Step] = []
  var answeredStepCount = 0
  var rows: [PostgreSQLRows] = []
  var error: PostgreSQLError?
  /// Whether the server warned of something while the group was being answered.
  var hasWarning = false

  /// - Parameter named: The owner of rows that the transaction has named before; nil if it begins with the group.
  init(
    _ queries: [PostgreSQLQuery], after named: RowScope.Setting? = nil, isReading: Bool = false,
    deadline: Int64,
    completion: @escaping (Outcome) -> Void
  ) {
    self.queries = queries
    self.named = named
    self.isReading = isReading
    self.deadline = deadline
    self.completion = completion
    rows.reserveCapacity(queries.count)
  }

  /// Ends the group, when the server has answered all of it.
  func complete() {
    end(.rows(rows, hasWarning: hasWarning))
  }

  /// Ends the group, because there is no connection any more. An error that the server had given before the
  /// connection ended says for certain that the rest was not executed.
  func lose(_ reason: PostgreSQLError) {
    end(.lost(reason))
  }

  /// Statements that were answered stay answered: the server ends connections between a group's last statement and its
  /// synchronization point too.
  private func end(_ outcome: Outcome) {
    if rows.count == queries.count {
      completion(.rows(rows, hasWarning: hasWarning))
    } else if let error {
      completion(.failed(error, succeededCount: rows.count))
    } else {
      completion(outcome)
    }
  }
}
