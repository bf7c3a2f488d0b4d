import PostgreSQLTestCluster
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// The server goes away and comes back. A caller meanwhile gets `.unavailable`, soon, and nothing else.
@Suite("A storage whose PostgreSQL goes away")
struct RecoveryTests {
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  @Test("works again within five seconds of the server's return", arguments: ["fast", "immediate"])
  func restart(_ mode: String) async throws {
    try await TestDatabase.runWithCluster { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(0)
      try database.cluster.stop(mode)
      await Self.expectSoonUnavailable { try await office.keep(1) }
      await Self.expectSoonUnavailable { _ = try await office.list() }
      await Self.expectSoonUnavailable { try await office.rename("Other") }
      await Self.expectSoonUnavailable { try await storage.checkReadiness() }
      try database.cluster.start()
      try await eventually(within: .seconds(20)) { try await storage.checkReadiness() }
      try await office.keep(2)
      #expect(try await office.list().count == 2)
      let log = database.log.withLock { $0 }
      #expect(log.count { $0.hasPrefix("PostgreSQL cannot be reached: ") } == 1)
      #expect(log.count { $0 == "PostgreSQL is back." } == 1)
      await storage.close()
    }
  }

  @Test("is closed at once while the server is away")
  func closing() async throws {
    try await TestDatabase.runWithCluster { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try database.cluster.stop("immediate")
      await Self.expectSoonUnavailable { try await office.keep(1) }
      await storage.close()
      await #expect(throws: Self.unavailable) { try await office.keep(1) }
    }
  }

  private static func expectSoonUnavailable(_ body: () async throws -> Void) async {
    let begin = ContinuousClock.now
    await #expect(throws: unavailable) { try await body() }
    #expect(ContinuousClock.now - begin < .seconds(30))
  }

  @Test("loses no acknowledged write and doubles none while its connections are ended at random")
  func terminatedConnections() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      var members: [Membership] = []
      for number in 0..<8 { members.append(try await office.addMember(number)) }
      let all = members
      let kept = await withTaskGroup(of: [TimeEntryID].self) { group in
        for number in 0..<8 {
          group.addTask {
            var kept: [TimeEntryID] = []
            for minute in 0..<60 {
              let begin = ContinuousClock.now
              do {
                kept.append(try await office.keep(minute, of: all[number]).id)
              } catch {
                #expect(error as? TimeclockError == Self.unavailable)
              }
              #expect(ContinuousClock.now - begin < .seconds(30))
            }
            return kept
          }
        }
        for _ in 0..<15 {
          _ = try? database.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5
            """)
          try? await Task.sleep(for: .milliseconds(30))
        }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(!kept.isEmpty)
      let found = try await eventually(within: .seconds(20)) { try await office.list() }
      #expect(Set(kept).isSubset(of: found.map(\.id)))
      #expect(Set(found.map { [$0.userID.description, "\($0.clockInTime)"] }).count == found.count)
      try await eventually(within: .seconds(20)) { try await storage.checkReadiness() }
      await storage.close()
    }
  }

  @Test("refuses writes while the server is read-only, says so, and takes them again afterwards")
  func readOnly() async throws {
    try await TestDatabase.runWithCluster { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(0)
      try await Self.refuseWrites(true, in: database)
      await Self.expectSoonUnavailable { try await office.keep(1) }
      await Self.expectSoonUnavailable { try await office.rename("Other") }
      await Self.expectSoonUnavailable { try await storage.checkReadiness() }
      try await Self.refuseWrites(false, in: database)
      try await eventually(within: .seconds(20)) { try await storage.checkReadiness() }
      try await office.keep(2)
      #expect(try await office.list().count == 2)
      await storage.close()
    }
  }

  /// Makes the server read-only or not. New connections are served once every earlier process has its signal to read
  /// the setting, so it is in force when a new connection shows it.
  private static func refuseWrites(_ isRefused: Bool, in database: TestDatabase) async throws {
    let value = isRefused ? "on" : "off"
    try database.execute("ALTER SYSTEM SET default_transaction_read_only = \(value)")
    try database.execute("SELECT pg_reload_conf()")
    try await eventually(within: .seconds(20)) {
      guard try database.execute("SHOW default_transaction_read_only") == value else { throw Absent() }
    }
  }

  @Test("refuses in time when nothing comes back, and works again when something does")
  func silence() async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      let storage = try database.open(network.conninfo(database.conninfo))
      let office = try await TestOffice(in: storage)
      network.behave(.silent)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await Self.expectSoonUnavailable { try await office.keep(1) } }
        group.addTask { await Self.expectSoonUnavailable { _ = try await office.list() } }
        group.addTask { await Self.expectSoonUnavailable { try await office.rename("Other") } }
        group.addTask { await Self.expectSoonUnavailable { try await storage.checkReadiness() } }
      }
      // Now with connections that are being made.
      await Self.expectSoonUnavailable { try await office.keep(2) }
      network.behave(.sound)
      try await eventually(within: .seconds(20)) { try await storage.checkReadiness() }
      try await office.keep(3)
      await storage.close()
    }
  }

  @Test("is told so when the database takes no connections")
  func noConnections() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      let name = try database.execute("SELECT current_database()")
      try database.cluster.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS false", in: "postgres")
      try database.cluster.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(name)'", in: "postgres")
      await Self.expectSoonUnavailable { try await office.keep(1) }
      try database.cluster.execute("ALTER DATABASE \(name) ALLOW_CONNECTIONS true", in: "postgres")
      try await eventually(within: .seconds(20)) { try await storage.checkReadiness() }
      await storage.close()
    }
  }
}
