import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// A commit whose answer nobody has is neither done nor undone.
@Suite("A commit in PostgreSQL")
struct CommitTests {
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  @Test("is never reported as done when its answer is lost, and never done twice")
  func lostAnswer() async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      let office = try await TestOffice(in: database.open())
      let storage = try database.open(network.conninfo(database.conninfo))
      for minute in 0..<5 {
        network.behave(.losesCommit)
        await #expect(throws: Self.unavailable) { try await office.keep(minute, in: storage) }
        network.behave(.losesCommit)
        await #expect(throws: Self.unavailable) { try await office.rename("Name \(minute)", in: storage) }
        #expect(network.cutCount == 2 * (minute + 1))
        // Each was done, once, although no answer came.
        #expect(try await office.list().count == minute + 1)
        let organization = try await office.storage.organization(office.member.key.organization)
        #expect(organization.name == "Name \(minute)")
        #expect(organization.version == Int64(minute) + 2)
      }
      await storage.close()
      await office.storage.close()
    }
  }

  /// The connection is cut before each of the server's messages in turn, so at every stage that a connection and
  /// a write go through.
  @Test("is done once or not at all, wherever the connection is cut")
  func everyStage() async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      let office = try await TestOffice(in: database.open())
      var number = 0
      while number < 600 {
        // A storage that has no connection yet.
        let storage = try database.open(network.conninfo(database.conninfo), connectionsPerLoop: 2)
        network.behave(.cuts(atMessage: number))
        do {
          try await office.keep(number, in: storage)
          #expect(try await office.list().contains { $0.clockInTime == Self.minute(number) })
        } catch {
          #expect(error as? TimeclockError == Self.unavailable)
        }
        let isReached = network.isSound
        await storage.close()
        guard isReached else { break }
        number += 1
      }
      // It was cut at many places, and in the end at none.
      #expect((20..<600).contains(number))
      await office.storage.close()
    }
  }

  private static func expectUnavailable<Value>(_ body: @Sendable () async throws -> Value) async {
    await #expect(throws: unavailable) { try await body() }
  }

  private static func minute(_ number: Int) -> Instant {
    TestDatabase.now.adding(milliseconds: Int64(number) * 60_000)
  }

  /// The wait for a standby that is not there is canceled: PostgreSQL then answers COMMIT with success and a
  /// warning (postgresql.org/docs/current/warm-standby.html#SYNCHRONOUS-REPLICATION-HA).
  @Test("that may not be on its standby is not reported as done")
  func standby() async throws {
    try await TestDatabase.runWithCluster { database in
      let office = try await TestOffice(in: database.open())
      try database.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
      try database.execute("SELECT pg_reload_conf()")
      let canceling = Task {
        while !Task.isCancelled {
          _ = try? database.execute(
            "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
          try? await Task.sleep(for: .milliseconds(10))
        }
      }
      defer { canceling.cancel() }
      // The server's checkpointer announces the setting to the others; commits wait from then on.
      try await eventually(within: .seconds(20)) {
        do {
          try await office.rename("Early")
        } catch let error as TimeclockError where error == Self.unavailable {
          return
        }
        throw Absent()
      }
      async let entry: Void = Self.expectUnavailable { try await office.keep(0) }
      async let name: Void = Self.expectUnavailable { try await office.rename("Other") }
      _ = await (entry, name)
      let isDone = try database.execute(
        "SELECT name = 'Other' AND EXISTS (SELECT 1 FROM time_entries) FROM organizations")
      #expect(isDone == "t")
      await office.storage.close()
    }
  }

  @Test("that was answered is not undone by an error after it")
  func errorAfterCommit() {
    let fatal = PostgreSQLError(sqlState: "57P01", endsConnection: true, message: "terminating connection")
    for succeededCount in 0...3 {
      let outcome = CommitOutcome(.failed(fatal, succeededCount: succeededCount), statementCount: 3)
      switch outcome {
      case .undone: #expect(succeededCount < 2)
      case .unknown: #expect(succeededCount >= 2)
      case .committed: Issue.record("nothing was committed for certain")
      }
    }
  }

  /// A server that cannot write its log ends itself with this, and may find the commit when it starts again.
  @Test("that ended the server is unknown, whatever the reason was")
  func panic() {
    let panic = PostgreSQLError(sqlState: "58030", endsConnection: true, message: "could not fdatasync")
    guard case .unknown = CommitOutcome(.failed(panic, succeededCount: 2), statementCount: 3) else {
      Issue.record("it may have been committed")
      return
    }
    let refused = PostgreSQLError(sqlState: "53100", message: "could not extend file")
    guard case .undone = CommitOutcome(.failed(refused, succeededCount: 2), statementCount: 3) else {
      Issue.record("the server went on without it")
      return
    }
  }
}
