import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

@Suite("A call that waits for a connection to PostgreSQL")
struct FairnessTests {
  private static let sleep = PostgreSQLStatement("SELECT pg_sleep(0.1)")

  /// One connection that writes, and always five transactions that want it.
  @Test("gets it in turn, a clock-in too while transactions never cease")
  func writeAmongTransactions() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 2)
      let office = try await TestOffice(in: storage)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            for _ in 0..<10 {
              _ = try? await storage.transaction(in: .accounts) { transaction in
                _ = try await transaction.run(Self.sleep, [])
              }
            }
          }
        }
        group.addTask {
          try? await Task.sleep(for: .milliseconds(300))
          await #expect(throws: Never.self) { try await office.keep(0) }
        }
      }
      await storage.close()
    }
  }

  @Test("in vain is refused, and the log says why, in one line for all of them")
  func expiry() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 2)
      let office = try await TestOffice(in: storage)
      let (ends, end) = AsyncStream<Void>.makeStream()
      try await withThrowingTaskGroup(of: Void.self) { group in
        await withCheckedContinuation { (isTaken: CheckedContinuation<Void, Never>) in
          group.addTask {
            // Has the one connection that writes.
            try await storage.transaction(in: .accounts) { _ in
              isTaken.resume()
              for await _ in ends {}
            }
          }
        }
        await withTaskGroup(of: Void.self) { waiting in
          for minute in 0..<3 {
            waiting.addTask {
              let time = StorageDeadline(.nanoseconds(LoopConnections.answerTime) + .seconds(1))
              await StorageDeadline.$current.withValue(time) {
                await #expect(throws: TimeclockError.unavailable(retryAfterSeconds: 1)) {
                  if minute == 0 { try await office.rename("Other") } else { try await office.keep(minute) }
                }
              }
            }
          }
        }
        end.finish()
        try await group.waitForAll()
      }
      let lines = database.log.withLock { $0.filter { $0.hasPrefix("No connection to PostgreSQL was free") } }
      #expect(lines.count == 1)
      try await office.keep(0)
      await storage.close()
    }
  }

  @Test("that fails in a batch leaves the others of the batch alone")
  func neighbors() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 2)
      let office = try await TestOffice(in: storage)
      let good = PostgreSQLStatement("SELECT $1::bigint")
      let bad = PostgreSQLStatement("SELECT 1 / $1::bigint")
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          group.addTask {
            let isBad = number % 10 == 3
            do {
              let rows = try await storage.write(
                isBad ? bad : good, [.integer(isBad ? 0 : Int64(number))], in: .noOrganization,
                lockOrder: .init(first: Int64(number), second: 0))
              #expect(!isBad)
              #expect(rows.first { $0.integer(0) } == Int64(number))
            } catch {
              #expect(isBad)
              #expect((error as? PostgreSQLError)?.sqlState == "22012")
            }
          }
        }
      }
      try await office.keep(0)
      await storage.close()
    }
  }
}
