import EventLoops
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// The shares of several organizations' writes in connections that are all wanted.
@Suite("The writes of one organization on PostgreSQL")
struct WriteShareTests {
  /// Ends work that goes on for as long as a test wants.
  private final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream<Void>.makeStream() }

    func give() { continuation.finish() }

    func wait() async { for await _ in stream {} }
  }

  /// Calls the storage as a request does that has little time left, and so waits for a connection for a second and a half.
  private static func inAHurry<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    let time = StorageDeadline(.nanoseconds(LoopConnections.answerTime) + .milliseconds(1_500))
    return try await StorageDeadline.$current.withValue(time, operation: body)
  }

  private static func keyed(_ number: UInt8, _ new: NewTimeEntry) -> AnswerRecording<TimeEntry> {
    AnswerRecording(
      key: IdempotencyKey(digest: Array(repeating: number, count: 32), user: new.member.user),
      time: TestDatabase.now
    ) { _ in
      RecordedAnswer(
        fingerprint: Array(repeating: 0, count: 32), salt: nil, status: 201, entityTag: nil, location: nil,
        body: [])
    }
  }

  /// One member's bulks, clock-ins with a key and clock-ins all wait for a lock of that member that does not come free.
  @Test("wait for its own lock, and keep no other organization from writing")
  func lockedMember() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 4)
      let office = try await TestOffice(in: storage)
      let other = try await TestOffice(in: storage, number: 2)
      let holder = try database.connectAsAdministrator()
      defer { holder.close() }
      try holder.execute("SET idle_in_transaction_session_timeout = 0; BEGIN")
      try holder.execute(
        "SELECT 1 FROM members WHERE organization_id = \(office.member.key.organization.value) FOR UPDATE")
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<12 {
          group.addTask {
            _ = try? await storage.createTimeEntries([office.entry(number)], keeping: .allOrNone)
          }
          group.addTask {
            let new = office.entry(number)
            _ = try? await storage.createTimeEntry(new, recording: Self.keyed(UInt8(number), new))
          }
          group.addTask { _ = try? await office.keep(number) }
        }
        for number in 0..<8 {
          await #expect(throws: Never.self) { try await Self.inAHurry { try await other.keep(3 * number) } }
          await #expect(throws: Never.self) {
            try await Self.inAHurry {
              let new = other.entry(3 * number + 1)
              return try await storage.createTimeEntry(
                new, recording: Self.keyed(UInt8(100 + number), new))
            }
          }
          await #expect(throws: Never.self) {
            try await Self.inAHurry {
              try await storage.createTimeEntries([other.entry(3 * number + 2)], keeping: .allOrNone)
            }
          }
        }
        group.cancelAll()
      }
      #expect(try await other.list().count == 24)
      #expect(try await office.list().isEmpty)
      // No refused work stays behind and keeps others waiting.
      try holder.execute("ROLLBACK")
      try await office.keep(0)
      let outcomes = try await storage.createTimeEntries([office.entry(1)], keeping: .allOrNone)
      #expect(outcomes.count == 1)
      await storage.close()
    }
  }

  @Test("leave a connection to clock-ins and one to short transactions, however long they last")
  func longTransactions() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 4)
      let offices = try await [TestOffice(in: storage), TestOffice(in: storage, number: 2)]
      let third = try await TestOffice(in: storage, number: 3)
      let signal = Signal()
      let (begun, begin) = AsyncStream<Int>.makeStream()
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          let organization = offices[number % 2].member.key.organization
          group.addTask {
            try? await storage.onLoop { connections in
              try await connections.transaction(
                in: .organization(organization), .long(of: organization)
              ) { transaction in
                try await transaction.run(Self.nothing, [])
                begin.yield(number)
                await signal.wait()
              }
            }
          }
        }
        for await _ in begun { break }
        for minute in 0..<5 {
          await #expect(throws: Never.self) { try await Self.inAHurry { try await third.keep(minute) } }
          await #expect(throws: Never.self) {
            try await Self.inAHurry { try await third.rename("Name \(minute)") }
          }
        }
        signal.give()
      }
      await storage.close()
    }
  }

  @Test("leave a connection to clock-ins, however many transactions there are")
  func shortTransactions() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 4)
      let office = try await TestOffice(in: storage)
      let signal = Signal()
      let (begun, begin) = AsyncStream<Void>.makeStream()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try? await storage.transaction(in: .accounts) { transaction in
              try await transaction.run(Self.nothing, [])
              begin.yield()
              await signal.wait()
            }
          }
        }
        var count = 0
        for await _ in begun {
          count += 1
          if count == 2 { break }
        }
        for minute in 0..<5 {
          await #expect(throws: Never.self) { try await Self.inAHurry { try await office.keep(minute) } }
        }
        signal.give()
      }
      await storage.close()
    }
  }

  @Test("about a member whom a transaction has claimed wait without a connection, and go on when it ends")
  func claimedMember() async throws {
    try await TestDatabase.run { database in
      let storage = try database.open(connectionsPerLoop: 4)
      let office = try await TestOffice(in: storage)
      let other = try await office.addMember(1)
      let signal = Signal()
      let (begun, begin) = AsyncStream<Void>.makeStream()
      let organization = office.member.key.organization
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await storage.onLoop { connections in
            try await connections.transaction(
              in: .organization(organization), .long(of: organization)
            ) { transaction in
              try await transaction.lockMembers(of: [office.entry(0)])
              begin.finish()
              await signal.wait()
            }
          }
        }
        for await _ in begun {}
        for minute in 0..<4 {
          group.addTask {
            let new = office.entry(minute)
            // However long other tests hold the processors.
            try await StorageDeadline.$current.withValue(StorageDeadline(.seconds(60))) {
              if minute % 2 == 0 {
                _ = try await storage.createTimeEntry(new, recording: Self.keyed(UInt8(minute), new))
              } else {
                try await office.keep(minute)
              }
            }
          }
        }
        for minute in 0..<20 { try await office.keep(minute, of: other) }
        let waiting = try database.execute(
          """
          SELECT count(*) FROM pg_stat_activity \
          WHERE datname = current_database() AND wait_event_type = 'Lock'
          """)
        #expect(waiting == "0")
        signal.give()
        try await group.waitForAll()
      }
      #expect(try await office.list().count == 24)
      await storage.close()
    }
  }

  private static let nothing = PostgreSQLStatement("SELECT 1")

  /// Waiting work, in the numbers of its organization and its deadline.
  private struct Work: WaitingWork {
    let deadline: Int64
    func refuse() {}
  }

  @Test("wait in the order of their deadlines, each organization in turn, and are refused at their own")
  func order() {
    var waiting = WaitingInTurn<Work>()
    #expect(waiting.nextDeadline == .max)
    for (organization, deadline) in [(1, 10), (1, 30), (1, 20), (2, 40), (nil, 15)] as [(Int64?, Int64)] {
      waiting.insert(
        Work(deadline: deadline), of: organization.map { RowScope.Setting.organization($0) })
    }
    #expect(waiting.nextDeadline == 10)
    #expect(waiting.takeFirst()?.deadline == 10)
    #expect(waiting.takeExpired(at: 9).isEmpty)
    #expect(waiting.takeExpired(at: 15).map(\.deadline) == [15])
    #expect(waiting.nextDeadline == 20)
    #expect(waiting.takeFirst { $0.deadline < 40 }?.deadline == 20)
    #expect(waiting.takeFirst()?.deadline == 40)
    #expect(waiting.takeExpired(at: .max).map(\.deadline) == [30])
    #expect(waiting.isEmpty)
    #expect(waiting.nextDeadline == .max)
  }

  @Test("claim a lock for as long as somebody has the claim")
  func claims() throws {
    let loop = try EventLoop()
    let claims = LockClaims()
    let lock = WaitingQuery.LockOrder(first: 1, second: 2)
    let otherLock = WaitingQuery.LockOrder(first: 1, second: 3)
    #expect(claims.isEmpty)
    var first = claims.claim(ifFree: lock, for: loop)
    #expect(first != nil)
    #expect(claims.claim(ifFree: lock, for: loop) == nil)
    #expect(claims.isClaimed(lock, for: loop))
    #expect(!claims.isClaimed(otherLock, for: loop))
    var second: LockClaim? = claims.claim(lock)
    #expect(second != nil)
    first = nil
    #expect(claims.isClaimed(lock, for: loop))
    second = nil
    #expect(!claims.isClaimed(lock, for: loop))
    #expect(claims.isEmpty)
  }
}
