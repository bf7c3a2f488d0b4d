import Procedures
import Testing
import TimeclockDomain

@testable import PostgreSQLStorage

/// One queue of commands to a timer that comes to several servers at the same time.
@Suite("Queues of timer commands on PostgreSQL")
struct TimerQueueTests {
  @Test("are all applied and answered alike, though one of them is held up while it has the others' names")
  func simultaneous() async throws {
    try await TestDatabase.run { database in
      let storages = [
        try database.open(connectionsPerLoop: 5), try database.open(connectionsPerLoop: 5),
      ]
      let office = try await TestOffice(in: storages[0])
      let caller = office.member
      // The member's timer, whose row somebody holds until the others have looked more than once.
      _ = try await Self.send(
        [(0, .start(StartTimerRequest(type: .focus, durationSeconds: 600)))], caller, storages[0])
      let other = try database.connectAsAdministrator()
      defer { other.close() }
      try other.execute("BEGIN; SELECT 1 FROM timers FOR UPDATE")
      let queue = (1..<6).map { ($0, TimerCommand.adjust(seconds: 60)) }
      let answers = try await withThrowingTaskGroup(of: [String].self) { group in
        for number in 0..<16 {
          group.addTask { try await Self.send(queue, caller, storages[number % 2]) }
        }
        try await eventually(within: .seconds(20)) {
          let waiting = try database.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
          )
          guard waiting != "0" else { throw Absent() }
        }
        try await Task.sleep(for: .milliseconds(400))
        try other.execute("ROLLBACK")
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: (1..<6).map { "\($0) applied" }, count: 16))
      let timer = try #require(try await storages[1].timer(of: caller.key))
      #expect(timer.active?.adjustedMilliseconds == 300_000)
      for storage in storages { await storage.close() }
    }
  }

  /// Sends commands of these numbers; answers the number of each and its outcome.
  private static func send(
    _ commands: [(number: Int, command: TimerCommand)], _ caller: Membership, _ storage: PostgreSQLStorage
  ) async throws -> [String] {
    let timeclock = Timeclock(storage: storage, clock: WallClock { TestDatabase.now })
    let queue = try commands.map { number, command in
      QueuedTimerCommand(
        id: try #require(TimerCommandID("00000000-0000-0000-0000-00000000000\(number)")),
        time: TestDatabase.now.adding(milliseconds: -1_000), command: command)
    }
    return try await timeclock.applyTimerCommands(queue, by: caller) { queued in
      TimerCommandKey(
        key: IdempotencyKey(digest: Array(queued.id.text.utf8.suffix(32)), user: caller.key.user),
        fingerprint: Array(queued.id.text.utf8.suffix(32)))
    } answer: { result in
      let isApplied = if case .applied = result.outcome { true } else { false }
      return Array("\(result.id.text.suffix(1)) \(isApplied ? "applied" : "\(result.outcome)")".utf8)
    }.map { String(decoding: $0, as: UTF8.self) }
  }
}
