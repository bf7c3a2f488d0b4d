import Threads
import TimeclockDomain

extension PostgreSQLStorage {
  package func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    let limit = min(PageLimit.clamped(query.limit), Self.exportedRows)
    let parts = try await exportedRows(query, limit: limit)
    let isWhole = parts.reduce(0) { $0 + $1.count } < limit
    return try await atLength {
      var output = output
      for rows in parts {
        for number in 0..<rows.count {
          let row = rows[number]
          guard append(&output, try TimeEntryExportRows.entry(row)) else {
            return TimeEntryExportPage(output: output, next: TimeEntryExportRows.cursor(row))
          }
        }
      }
      let last = parts.last { $0.count > 0 }.map { TimeEntryExportRows.cursor($0[$0.count - 1]) }
      return TimeEntryExportPage(output: output, next: isWhole ? nil : last)
    }
  }

  /// Runs work that takes long away from the event loops, on one of a few threads for that.
  ///
  /// - Throws: What `work` throws; `.unavailable` where too much waits.
  func atLength<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    do {
      return try await longWork.run(work)
    } catch is BlockingPoolFull {
      throw LoopConnections.unavailable
    }
  }

  /// The most rows of a page: with notes as long as any policy allows, they still are few megabytes.
  private static let exportedRows = 500

  private func exportedRows(_ query: TimeEntryExportQuery, limit: Int) async throws -> [PostgreSQLRows] {
    if let session = query.session {
      let row = try await row(of: session, in: query.organization)
      let run = TimeEntryExportSelection.Run.session(
        row: row, user: query.user, after: query.cursor?.place)
      return [try await exportedRows(query, run, limit: limit)]
    }
    if let user = query.user {
      return [try await exportedRows(query, .member(user, after: query.cursor?.place), limit: limit)]
    }
    var parts: [PostgreSQLRows] = []
    var room = limit
    if let cursor = query.cursor {
      let rest = try await exportedRows(query, .member(cursor.user, after: cursor.place), limit: limit)
      room -= rest.count
      parts.append(rest)
    }
    if room > 0 {
      parts.append(try await exportedRows(query, .membersAfter(query.cursor?.user), limit: room))
    }
    return parts
  }

  private func exportedRows(
    _ query: TimeEntryExportQuery, _ run: TimeEntryExportSelection.Run, limit: Int
  ) async throws -> PostgreSQLRows {
    let selection = TimeEntryExportSelection(query, run, limit: limit)
    return try await read(selections.statement(selection.sql), selection.values)
  }
}
