import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor> {
    let selection = SessionSelection(query)
    let rows = try await read(
      selections.statement(selection.sql), selection.values, in: .organization(query.organization)
    ).all(named: StoredSession.names, StoredSession.init)
    return StoredSession.page(of: rows, limit: query.limit)
  }
}
