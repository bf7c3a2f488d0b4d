import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// A request that has waited for the storage before does not begin work that could last too long.
@Suite("The time that a request has for PostgreSQL")
struct DeadlineTests {
  @Test("a call that might not be answered in time is refused at once, and any other is served")
  func deadlines() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await storage.activeTimeEntry(of: office.member.key) },
        { try await office.keep(0) },
        { try await storage.deleteToken(0, context: .test()) },
      ]
      for call in calls {
        try await StorageDeadline.$current.withValue(
          StorageDeadline(StorageDeadline.ofRequest), operation: call)
        for left in [Duration.seconds(-1), .zero, .nanoseconds(LoopConnections.answerTime)] {
          await StorageDeadline.$current.withValue(StorageDeadline(left)) {
            await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) { try await call() }
          }
        }
      }
      #expect(try await office.list().count == 1)
      await storage.close()
    }
  }
}
