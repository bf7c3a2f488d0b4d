import Threads
import TimeclockDomain

extension SQLiteStorage {
  package func exportTimeEntries<Output: Sendable>(
    _ query: TimeEntryExportQuery, into output: Output,
    _ append: @escaping @Sendable (inout Output, ExportedTimeEntry) -> Bool
  ) async throws -> TimeEntryExportPage<Output> {
    try await readLong(of: query.organization) { [identifiers] connection in
      var output = output
      var walk = try TimeEntryExportWalk(query, on: connection, identifiers: identifiers)
      let next = try walk.run { append(&output, $0) }
      return TimeEntryExportPage(output: output, next: next)
    }
  }

  /// Runs a read that takes long away from the event loops, on one of a few threads for that, which organizations get in
  /// turn.
  ///
  /// - Throws: As `read` does; `.tooManyAtOnce` if too many of the organization wait, `.unavailable` if too many of
  ///   all do.
  func readLong<Value: Sendable>(
    of organization: OrganizationKey, _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await longReads.run(for: organization) { try self.read(length: .long, body) }
    } catch is FairShareFull {
      throw TimeclockError.tooManyAtOnce(retryAfterSeconds: 1)
    } catch is BlockingPoolFull {
      throw TimeclockError.unavailable(retryAfterSeconds: 1)
    }
  }

  /// Runs a read of one page of a list: in place if it is short, else as a long one.
  ///
  /// - Parameter limit: The most rows that were asked for.
  func readPage<Value: Sendable>(
    of organization: OrganizationKey, limit: Int,
    _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
  ) async throws -> Value {
    limit > Self.shortPage ? try await readLong(of: organization, body) : try read(body)
  }

  /// A page of this many rows takes an event loop no longer than a dozen other requests.
  static let shortPage = 100
}
