import Foundation
import Procedures
import SQLiteStorage
import Synchronization
import Testing
import TimeclockDomain

@testable import timeclock

@Suite("The scheduler of timers")
struct TimerSchedulerTests {
  /// A clock that is set by hand, and knows how often it was looked at.
  private final class Hands: Sendable {
    private let state = Mutex((time: 1_795_165_200_000 as Int64, elapsed: Duration.zero, looks: 0))

    var clock: WallClock {
      WallClock { [self] in
        state.withLock { state in
          state.looks += 1
          return Instant(millisecondsSince1970: state.time)
        }
      }
    }

    var looks: Int { state.withLock { $0.looks } }

    /// A watch over the clock, which time passes for that moves.
    var watch: ClockWatch { ClockWatch(clock, newest: nil) { [self] in state.withLock(\.elapsed) } }

    func move(by seconds: Int64) {
      state.withLock { state in
        state.time += seconds * 1_000
        state.elapsed += .seconds(seconds)
      }
    }

    /// Sets the clock, and no time passes.
    func jump(by seconds: Int64) {
      state.withLock { $0.time += seconds * 1_000 }
    }
  }

  /// A service on a file of its own, with a member.
  private struct Office {
    let hands = Hands()
    let storage: SQLiteStorage
    let timeclock: Timeclock
    let member: Membership

    init(in folder: String) async throws {
      storage = try SQLiteStorage.open(path: "\(folder)/timeclock.db") {}
      timeclock = Timeclock(storage: storage, clock: hands.clock)
      let now = hands.clock.now
      let organization = Organization(
        id: timeclock.identifiers.next(at: now), name: "Acme",
        timeZone: try #require(TimeZoneIdentifier("Europe/Berlin")), createdAt: now, updatedAt: now)
      let digest = TokenDigest(bytes: Array(repeating: 1, count: 32))
      _ = try await storage.createOrganization(
        organization,
        admin: NewAccount(
          userID: timeclock.identifiers.next(at: now), email: try EmailAddress("a@example.com"), name: "Ana",
          passwordHash: PasswordHash(text: "x")),
        token: NewToken(digest: digest, createdAt: now, expiresAt: .latest, client: nil),
        context: ChangeContext(author: .service, operation: "test", time: now))
      let authentication = try await storage.authenticate(digest, organizationID: organization.id, at: now)
      member = try #require(authentication?.membership)
    }

    func start() async throws {
      _ = try await timeclock.command(
        .start(StartTimerRequest(type: .focus, durationSeconds: 60)), by: member)
    }

    func stored() async throws -> MemberTimer? { try await storage.timer(of: member.key) }

    /// Waits until the stored timer is as it should be, for at most ten seconds.
    func wait(for condition: (MemberTimer?) -> Bool) async throws {
      for _ in 0..<1_000 {
        if condition(try await stored()) { return }
        try await Task.sleep(for: .milliseconds(10))
      }
      Issue.record("nothing has changed: \(String(describing: try await stored()))")
    }
  }

  /// - Parameter closes: Whether the storage is still open in the end.
  private static func run(closes: Bool = true, _ test: (Office) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "timeclock-timers-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let office = try await Office(in: folder)
    try await test(office)
    if closes { await office.storage.close() }
  }

  @Test("stores what time has done, announces it, and sleeps as soon as nothing is due")
  func life() async throws {
    try await Self.run { office in
      let told = Mutex<[ChangedTimer]>([])
      let log = LogLines()
      let scheduler = TimerScheduler(of: office.timeclock, watch: office.hands.watch, logger: log.logger) {
        changed in
        told.withLock { $0 += changed }
      }
      // On a busy machine it may begin late.
      for _ in 0..<1_000 where office.hands.looks == 0 { try await Task.sleep(for: .milliseconds(10)) }
      // The looks of the start may come late, too.
      var idle = 0
      for _ in 0..<10 where office.hands.looks != idle {
        idle = office.hands.looks
        try await Task.sleep(for: .milliseconds(1_500))
      }
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(office.hands.looks == idle, "it wakes though no timer runs")
      try await office.start()
      office.hands.move(by: 59)
      try await Task.sleep(for: .milliseconds(300))
      #expect(try await office.stored()?.state == .running)
      office.hands.move(by: 1)
      try await office.wait { $0?.state == .finished }
      let sessions = try await office.storage.timerSessions(
        TimerSessionQuery(member: office.member.key, limit: 9))
      #expect(sessions.elements.map(\.durationMinutes) == [1])
      for _ in 0..<1_000 where told.withLock(\.isEmpty) { try await Task.sleep(for: .milliseconds(10)) }
      #expect(told.withLock { $0.map(\.sessions) } == [sessions.elements])
      // Half an hour later it is dismissed, and then nothing is due.
      office.hands.move(by: 1_801)
      try await office.wait { $0?.state == .reset }
      try await Task.sleep(for: .milliseconds(500))
      let last = office.hands.looks
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(office.hands.looks == last, "it wakes though nothing is due")
      await scheduler.worker.stop()
      #expect(log.lines == [])
    }
  }

  @Test("looks after timers that ran before it started, and after none once it is stopped")
  func restart() async throws {
    try await Self.run { office in
      try await office.start()
      office.hands.move(by: 61)
      let first = TimerScheduler(of: office.timeclock, watch: office.hands.watch, logger: LogLines().logger)
      try await office.wait { $0?.state == .finished }
      await first.worker.stop()
      try await office.start()
      office.hands.move(by: 61)
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(try await office.stored()?.state == .running)
      let second = TimerScheduler(of: office.timeclock, watch: office.hands.watch, logger: LogLines().logger)
      try await office.wait { $0?.state == .finished }
      await second.worker.stop()
    }
  }

  @Test("ends nothing by a clock that jumped, until it has gone on like that for a minute")
  func jump() async throws {
    try await Self.run { office in
      let watch = office.hands.watch
      // While the clock is right.
      _ = watch.trusted()
      let scheduler = TimerScheduler(of: office.timeclock, watch: watch, logger: LogLines().logger)
      try await office.start()
      for days: Int64 in [900, -3] {
        office.hands.jump(by: days * 86_400)
        try await Task.sleep(for: .milliseconds(1_500))
        #expect(try await office.stored()?.state == .running, "\(days)")
        office.hands.jump(by: -days * 86_400)
      }
      // As long as it may be a minute in advance, it is believed.
      office.hands.move(by: 60)
      try await office.wait { $0?.state == .finished }
      try await office.start()
      office.hands.jump(by: 3 * 86_400)
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(try await office.stored()?.state == .running)
      // A clock that goes steadily is believed, right or wrong.
      office.hands.move(by: 60)
      try await office.wait { $0?.state == .reset }
      await scheduler.worker.stop()
    }
  }

  @Test("tries again if the storage fails, and logs that once")
  func failure() async throws {
    try await Self.run(closes: false) { office in
      let log = LogLines()
      let scheduler = TimerScheduler(of: office.timeclock, watch: office.hands.watch, logger: log.logger)
      try await office.start()
      await office.storage.close()
      office.hands.move(by: 61)
      for _ in 0..<1_000 where log.lines.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      try await Task.sleep(for: .milliseconds(1_500))
      #expect(log.lines.count == 1 && log.lines[0].hasPrefix("error finishing timers: failed"))
      await scheduler.worker.stop()
    }
  }
}
