import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// The work that one of several processes on a database does for all.
@Suite("Shared turns on PostgreSQL")
struct SharedTurnTests {
  /// Opens storages that listen already, so that each has a session to ask in.
  private static func open(
    _ count: Int, sealingDelay: Duration? = nil, in database: TestDatabase
  ) async throws -> [PostgreSQLStorage] {
    var storages: [PostgreSQLStorage] = []
    for _ in 0..<count {
      let storage = try PostgreSQLStorage.open(
        PostgreSQLLocation(database.conninfo), connectionsPerLoop: 3, now: TestDatabase.now,
        sealingDelay: sealingDelay, log: { _ in })
      try await eventually(within: .seconds(10)) {
        let count = await storage.onOwnLoop { _ in storage.listener?.sessionCount }
        guard count == 1 else { throw Absent() }
      }
      storages.append(storage)
    }
    return storages
  }

  @Test("are one process's until it leaves them, or ends")
  func turns() async throws {
    try await TestDatabase.run { database in
      let storages = try await Self.open(2, in: database)
      let (one, other) = (storages[0], storages[1])
      // Longer than the test, wherever its stretches begin.
      let turn = SharedTurn(key: 1, length: 100_000_000_000)
      #expect(await one.takesTurn(at: turn))
      #expect(await !other.takesTurn(at: turn))
      #expect(await one.takesTurn(at: turn))
      #expect(await other.takesTurn(at: SharedTurn(key: 2, length: turn.length)))
      await one.endTurn(at: turn)
      #expect(await other.takesTurn(at: turn))
      #expect(await !one.takesTurn(at: turn))
      // It has none to end.
      await one.endTurn(at: turn)
      #expect(await !one.takesTurn(at: turn))
      await other.close()
      #expect(await !other.takesTurn(at: turn))
      try await eventually(within: .seconds(10)) {
        guard await one.takesTurn(at: turn) else { throw Absent() }
      }
      #expect(try Self.lockCount(in: database) == 1)
      await one.close()
    }
  }

  @Test("pass from a process that hangs to another, and leave one lock each")
  func stretches() async throws {
    try await TestDatabase.run { database in
      let storages = try await Self.open(2, in: database)
      let turn = SharedTurn(key: 1, length: 200)
      #expect(await storages[0].takesTurn(at: turn))
      for storage in storages.reversed() {
        try await eventually(within: .seconds(10)) {
          guard await storage.takesTurn(at: turn) else { throw Absent() }
        }
      }
      for _ in 0..<30 {
        for storage in storages { _ = await storage.takesTurn(at: turn) }
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(try Self.lockCount(in: database) <= 2)
      for storage in storages { await storage.close() }
    }
  }

  @Test("go on when the listening session has ended, which held them")
  func lostSession() async throws {
    try await TestDatabase.run { database in
      let storages = try await Self.open(2, in: database)
      let turn = SharedTurn(key: 1, length: 100_000_000_000)
      #expect(await storages[0].takesTurn(at: turn))
      try database.execute(
        """
        SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (
        SELECT oid FROM pg_database WHERE datname = current_database())
        """)
      try await eventually(within: .seconds(10)) {
        let count = await storages[0].onOwnLoop { _ in storages[0].listener?.sessionCount }
        guard count == 2 else { throw Absent() }
      }
      #expect(await storages[1].takesTurn(at: turn))
      #expect(await !storages[0].takesTurn(at: turn))
      for storage in storages { await storage.close() }
    }
  }

  private static func lockCount(in database: TestDatabase) throws -> Int {
    let count = try database.execute(
      """
      SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (
      SELECT oid FROM pg_database WHERE datname = current_database())
      """)
    return try #require(Int(count))
  }

  /// Takes a turn when another storage that looks now and then has left it.
  private static func take(_ turn: SharedTurn, by storage: PostgreSQLStorage) async throws {
    try await eventually(within: .seconds(10)) {
      guard await storage.takesTurn(at: turn) else { throw Absent() }
    }
  }

  private static func unsealedCount(in database: TestDatabase) throws -> Int? {
    Int(try database.execute("SELECT count(*) FROM unsealed_changes"))
  }

  @Test("leave changes to the process that is sealing, and seal them when that one has gone or hangs")
  func sealing() async throws {
    try await TestDatabase.run { database in
      let sealer = try await Self.open(1, in: database)[0]
      let writer = try await Self.open(1, sealingDelay: .milliseconds(20), in: database)[0]
      let office = try await TestOffice(in: sealer)
      try await sealer.sealAll()
      try await Self.take(.sealing, by: sealer)
      try await office.keep(0, in: writer)
      // Nobody waits for the sealer, a reader neither. Its stretch may end meanwhile.
      #expect(try await writer.lookForUnsealed() == .left || Self.unsealedCount(in: database) == 0)
      #expect(
        try await writer.changes(
          of: office.member.key.organization, after: 0, resources: [.timeEntry], limit: 9
        ).count == 1)
      #expect(try Self.unsealedCount(in: database) == 0)
      // It seals what it finds.
      try await Self.take(.sealing, by: sealer)
      try await office.keep(2, in: writer)
      _ = try await sealer.lookForUnsealed()
      try await eventually(within: .seconds(15)) {
        guard try Self.unsealedCount(in: database) == 0 else { throw Absent() }
      }
      // The writer's own changes are sealed soon, whether the turn is left or its stretch is over.
      for isLeft in [true, false] {
        try await Self.take(.sealing, by: sealer)
        try await office.keep(isLeft ? 4 : 6, in: writer)
        if isLeft { await sealer.endTurn(at: .sealing) }
        try await eventually(within: .seconds(15)) {
          guard try Self.unsealedCount(in: database) == 0 else { throw Absent() }
        }
      }
      await writer.close()
      await sealer.close()
    }
  }

  @Test("leave nothing unsealed behind a storage that is closed while another process is sealing")
  func closing() async throws {
    try await TestDatabase.run { database in
      let sealer = try await Self.open(1, in: database)[0]
      let office = try await TestOffice(in: sealer)
      for minute in 0..<4 {
        let writer = try await Self.open(1, sealingDelay: .milliseconds(20), in: database)[0]
        _ = await sealer.takesTurn(at: .sealing)
        try await office.keep(minute * 2, in: writer)
        if minute > 1 { try await Task.sleep(for: .milliseconds(60)) }
        await writer.close()
        #expect(try Self.unsealedCount(in: database) == 0)
      }
      await sealer.close()
    }
  }

  @Test("seal each change once, in one chain, while many write, read and close")
  func crowd() async throws {
    try await TestDatabase.run { database in
      let storages = try await Self.open(4, sealingDelay: .milliseconds(5), in: database)
      let office = try await TestOffice(in: storages[0])
      var members: [Membership] = []
      for number in 0..<4 { members.append(try await office.addMember(number)) }
      let organization = office.member.key.organization
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (storage, member) in zip(storages, members) {
          group.addTask {
            for minute in 0..<40 {
              try await office.keep(minute * 2, of: member, in: storage)
              if minute % 10 == 0 {
                _ = try await storage.changes(
                  of: organization, after: 0, resources: [.timeEntry], limit: 1_000)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      try await eventually(within: .seconds(10)) {
        guard try Self.unsealedCount(in: database) == 0 else { throw Absent() }
      }
      let log = try await storages[1].storedChanges(of: organization, after: 0, limit: 1_000)
      #expect(log.map(\.sequence) == Array(1...Int64(log.count)))
      #expect(log.count { $0.resource == .timeEntry } == 160)
      for storage in storages { await storage.close() }
    }
  }
}
