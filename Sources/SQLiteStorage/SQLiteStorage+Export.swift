import Threads
import TimeclockDomain

extension SQLiteStorage {
  package func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    try await readLong { [identifiers] connection in
      var output = output
      var walk = try TimeEntryExportWalk(query, on: connection, identifiers: identifiers)
      let next = try walk.run { append(&output, $0) }
      return TimeEntryExportPage(output: output, next: next)
    }
  }

  /// Runs a read that takes long away from the event loops, on one of a few threads for that.
  ///
  /// - Throws: As `read` does; `.unavailable` where too many wait.
  func readLong<Value: Sendable>(
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await longReads.run { try self.read(body) }
    } catch is BlockingPoolFull {
      throw TimeclockError.unavailable(retryAfterSeconds: 1)
    }
  }
}
