import Procedures
import TimeclockDomain

extension SQLiteStorage {
  package func sessions(_ query: SessionQuery) async throws -> Page<SessionDetails, SessionCursor> {
    try await readPage(of: query.organization, limit: query.limit) { connection in
      let selection = SessionSelection(query)
      let rows = try connection.statement(built: StoredSession.page(of: selection.sql))
        .all(selection.values, named: StoredSession.names, StoredSession.init)
      return StoredSession.page(of: rows, limit: query.limit)
    }
  }
}
