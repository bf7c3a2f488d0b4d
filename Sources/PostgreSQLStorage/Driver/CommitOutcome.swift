/// The outcome of a transaction whose last statement was COMMIT.
enum CommitOutcome {
  /// It is on disk. Holds the answer of each statement.
  case committed([PostgreSQLRows])
  /// It was rolled back, or never begun.
  case undone(PostgreSQLError)
  /// Unknown: the connection ended after COMMIT was sent, or the server warned that the commit might not have reached
  /// its standby.
  case unknown(PostgreSQLError)

  /// - Parameter statementCount: The number of statements that were sent, COMMIT included.
  init(_ outcome: QueryGroup.Outcome, statementCount: Int) {
    switch outcome {
    case .rows(_, hasWarning: true): self = .unknown(Self.warned)
    case .rows(let rows, _) where rows.last?.commandTag == "COMMIT": self = .committed(rows)
    case .rows:
      self = .undone(PostgreSQLError(sqlState: "25P02", message: "the transaction was rolled back"))
    case .failed(let error, let succeededCount):
      // A server that ends the connection at COMMIT, or right after it has answered it, may have committed.
      let isAtCommit = succeededCount >= statementCount - 1
      self = isAtCommit && error.endsConnection ? .unknown(error) : .undone(error)
    case .lost(let error): self = .unknown(error)
    }
  }

  private static let warned = PostgreSQLError(
    sqlState: "01000", message: "the server warned that the commit may not be on its standby")
}
