import Procedures
import TimeclockDomain

@testable import PostgreSQLStorage

extension PostgreSQLStorage {
  /// Runs a transaction as methods on records do.
  func transaction(
    in scope: RecordScope,
    _ body: nonisolated(nonsending) @escaping @Sendable (PostgreSQLTransaction) async throws -> Void
  ) async throws {
    try await write(RecordWrite(scope, changesAccess: true), recording: nil) {
      try await body($0.transaction)
    }
  }
}
