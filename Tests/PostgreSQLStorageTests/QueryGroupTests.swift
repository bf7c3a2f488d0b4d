import CPostgreSQL
import Testing

@testable import PostgreSQLStorage

@Suite("A group of statements")
struct QueryGroupTests {
  private static let ended = PostgreSQLError.timedOut

  /// The outcome of BEGIN and COMMIT when `answered` of them were answered before the connection ended.
  private func outcome(answered: Int, error: PostgreSQLError?) -> CommitOutcome? {
    var outcome: CommitOutcome?
    let group = QueryGroup([.begin, .commit], deadline: .max) {
      outcome = CommitOutcome($0, statementCount: 2)
    }
    group.rows = ["BEGIN", "COMMIT"].prefix(answered).map { tag in PostgreSQLRows(result(tag)) }
    group.error = error
    group.lose(.connectionLost)
    return outcome
  }

  /// A result with this command tag, as libpq makes one for the server's answers.
  private func result(_ tag: String) -> OpaquePointer {
    let result = PQmakeEmptyPGresult(nil, PGRES_COMMAND_OK)!
    // The buffer is the result's own, and long enough for any tag.
    let status = PQcmdStatus(result)!
    for (index, byte) in tag.utf8CString.enumerated() { status[index] = byte }
    return result
  }

  @Test("that was answered whole stays answered when the connection then ends", arguments: [ended, nil])
  func answeredWhole(_ error: PostgreSQLError?) {
    guard case .committed(let rows) = outcome(answered: 2, error: error) else {
      Issue.record("an answered COMMIT was forgotten")
      return
    }
    #expect(rows.map(\.commandTag) == ["BEGIN", "COMMIT"])
  }

  @Test("whose COMMIT is ended by the server is neither committed nor undone", arguments: [ended, nil])
  func endedAtCommit(_ error: PostgreSQLError?) {
    guard case .unknown = outcome(answered: 1, error: error) else {
      Issue.record("nobody can tell what became of a COMMIT without answer")
      return
    }
  }

  @Test("that the server ended before COMMIT is undone")
  func endedBeforeCommit() {
    guard case .undone(Self.ended) = outcome(answered: 0, error: Self.ended) else {
      Issue.record("what came after the error was not executed")
      return
    }
  }
}
