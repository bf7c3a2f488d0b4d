import Synchronization
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// Other sessions' locks that a write meets, and their end.
@Suite("A write that meets locks in PostgreSQL")
struct LockTests {
  private static let unavailable = TimeclockError.unavailable(retryAfterSeconds: 1)

  @Test("succeeds after a deadlock, whichever of the two was chosen to give way")
  func deadlock() async throws {
    try await TestDatabase.run { database in
      // The server looks for deadlocks soon, so that the time that a write has is no question here.
      let name = try database.execute("SELECT current_database()")
      try database.execute("ALTER DATABASE \(name) SET deadlock_timeout = '50ms'")
      // Two of which transactions may have at once.
      let storage = try database.open(connectionsPerLoop: 4)
      let office = try await TestOffice(in: storage)
      let members = [office.member.key, try await office.addMember(1).key]
      // Each locks one member and then, once both have done so, the other.
      let attempts = Counter()
      let lockedCount = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<2 {
          group.addTask {
            try await storage.transaction(in: .organization(members[number].organization)) { transaction in
              attempts.add()
              try await Self.rename(members[number], in: transaction)
              lockedCount.add()
              while lockedCount.value < 2 { try await Task.sleep(for: .milliseconds(5)) }
              try await Self.rename(members[1 - number], in: transaction)
            }
          }
        }
        try await group.waitForAll()
      }
      // One of them had to begin again, on a busy machine more than once.
      #expect(attempts.value >= 3)
      #expect(try database.execute("SELECT DISTINCT name || version FROM members") == "Twice3")
      await storage.close()
    }
  }

  private nonisolated(nonsending) static func rename(
    _ member: MemberKey, in transaction: PostgreSQLTransaction
  ) async throws {
    try await transaction.run(
      renameStatement, [.integer(member.organization.value), .integer(member.user.value)])
  }

  private static let renameStatement = PostgreSQLStatement(
    "UPDATE members SET name = 'Twice', version = version + 1 WHERE organization_id = $1 AND user_id = $2")

  @Test("locks the members of all its entries in one order, whatever the order of the entries")
  func orderOfMembers() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      let second = try await office.addMember(1)
      let other = try database.connectAsAdministrator()
      defer { other.close() }
      func lock(_ member: Membership, _ wait: String = "") throws {
        try other.execute("SELECT 1 FROM members WHERE user_id = \(member.key.user.value) FOR UPDATE \(wait)")
      }
      try other.execute("BEGIN")
      try lock(office.member)
      async let outcomes = storage.createTimeEntries(
        [office.entry(0, of: second), office.entry(1)], keeping: .allOrNone)
      try await Self.waitForLock(in: database)
      // It waits for the first member, and has not locked the second one.
      try lock(second, "NOWAIT")
      try other.execute("ROLLBACK")
      #expect(try await outcomes.count { (try? $0.get()) != nil } == 2)
      await storage.close()
    }
  }

  /// Until one session of the database waits for a lock.
  private static func waitForLock(in database: TestDatabase) async throws {
    try await eventually(within: .seconds(20)) {
      let waiting = try database.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      )
      guard waiting == "1" else { throw Absent() }
    }
  }

  @Test("clocks out behind an edit that is under way, and logs and answers what the edit has left")
  func clockOutBehindEdit() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      try await office.keep(0, isActive: true)
      let other = try database.connectAsAdministrator()
      defer { other.close() }
      try other.execute("BEGIN; SELECT 1 FROM members FOR UPDATE")
      try other.execute("UPDATE time_entries SET notes = 'Edited', version = version + 1")
      async let closed = storage.clockOut(
        ClockOut(
          member: office.member.key, time: TestDatabase.now.adding(milliseconds: 60_000), isStated: true,
          notes: nil, policy: .standard, context: .test()))
      try await Self.waitForLock(in: database)
      try other.execute("COMMIT")
      let entry = try await closed
      #expect(entry.notes?.text == "Edited")
      #expect(entry.version == 3)
      let logged = try database.execute(
        """
        SELECT (before::json ->> 'notes') || ' ' || (before::json ->> 'version') || ' ' || (after::json ->> 'version')
        FROM changes WHERE resource = 'timeEntry' AND kind = 'updated'
        """)
      #expect(logged == "Edited 2 3")
      await storage.close()
    }
  }

  @Test("is refused when the lock does not come free, and takes none of its neighbors with it")
  func lockTimeout() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let office = try await TestOffice(in: storage)
      var members: [Membership] = []
      for number in 0..<12 { members.append(try await office.addMember(number)) }
      let all = members
      let other = try database.connectAsAdministrator()
      defer { other.close() }
      // However long the others take.
      try other.execute("SET idle_in_transaction_session_timeout = 0")
      try other.execute("BEGIN; SELECT 1 FROM members WHERE user_id = \(all[5].key.user.value) FOR UPDATE")
      let begin = ContinuousClock.now
      await withTaskGroup(of: Void.self) { group in
        for number in all.indices {
          group.addTask {
            if number == 5 {
              await #expect(throws: Self.unavailable) { try await office.keep(0, of: all[number]) }
            } else {
              await #expect(throws: Never.self) { try await office.keep(0, of: all[number]) }
            }
          }
        }
      }
      #expect(ContinuousClock.now - begin < .seconds(30))
      #expect(try await office.list().count == 11)
      try other.execute("ROLLBACK")
      try await office.keep(0, of: all[5])
      await storage.close()
    }
  }

  @Test("is refused when it takes too long")
  func statementTimeout() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open()
      let begin = ContinuousClock.now
      await #expect(throws: Self.unavailable) {
        _ = try await storage.write(
          Self.sleep, [], in: .noOrganization, lockOrder: .init(first: 0, second: 0))
      }
      await #expect(throws: Self.unavailable) {
        _ = try await storage.read(Self.sleep, [], in: .noOrganization)
      }
      await #expect(throws: Self.unavailable) {
        try await storage.transaction(in: .accounts) { transaction in
          _ = try await transaction.run(Self.sleep, [])
        }
      }
      // Three of them would sleep for ninety.
      #expect(ContinuousClock.now - begin < .seconds(80))
      // The connections were not at fault, and stay.
      #expect(database.log.withLock { $0.filter { $0.contains("ended") } } == [])
      try await storage.checkReadiness()
      await storage.close()
    }
  }

  private static let sleep = PostgreSQLStatement("SELECT pg_sleep(30)")
}

/// Counts across tasks.
private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
