import Threads
import TimeclockDomain

extension PostgreSQLStorage {
  package func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    let limit = min(PageLimit.clamped(query.limit), Self.exportedRows)
    var session: Int64?
    if let id = query.session { session = try await row(of: id, in: query.organization) }
    var parts: [PostgreSQLRows] = []
    var count = 0
    for part in query.ofEachOwner where count < limit {
      let selection = TimeEntryExportSelection(part, session: session, limit: limit - count)
      let rows = try await readAtLength(
        selections.statement(selection.sql), selection.values, in: .organization(query.organization))
      parts.append(rows)
      count += rows.count
    }
    return try await atLength { [parts, isFull = count == limit] in
      var output = output
      var last: TimeEntryExportCursor?
      for rows in parts {
        for number in 0..<rows.count {
          let exported = try TimeEntryExportRows.entry(rows[number])
          last = TimeEntryExportRows.cursor(rows[number])
          guard !query.filter.matches(exported.entry) || append(&output, exported) else {
            return TimeEntryExportPage(output: output, next: last)
          }
        }
      }
      return TimeEntryExportPage(output: output, next: isFull ? last : nil)
    }
  }

  /// Runs work that takes long away from the event loops, on one of a few threads for that.
  ///
  /// - Throws: Any error of `work`; `.unavailable` if too much waits.
  func atLength<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    do {
      return try await longWork.run(work)
    } catch is BlockingPoolFull {
      throw LoopConnections.unavailable
    }
  }

  /// The most rows of a page, which libpq holds whole: half a megabyte most often, and 20 MB if every entry has the
  /// longest notes that any policy allows.
  private static let exportedRows = 500
}
