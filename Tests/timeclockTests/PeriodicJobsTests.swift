import Logging
import Procedures
import Synchronization
import Testing
import TimeclockDomain

@testable import timeclock

@Suite("Periodic jobs")
struct PeriodicJobsTests {
  @Test("Jobs run soon after the start and then every minute, one after the other")
  func order() async {
    let (time, log) = (ManualTime(), LogLines())
    let runs = Mutex<[String]>([])
    let names = ["first", "second"]
    let jobs = PeriodicJobs(
      names.map { name in PeriodicJob.timeless(name) { runs.withLock { $0.append(name) } } },
      watch: .system, logger: log.logger, jitter: { .zero }, sleep: time.sleep)
    #expect(await time.nextPause() == .seconds(2))
    #expect(runs.withLock { $0 } == [])
    for round in 1...3 {
      time.pass()
      #expect(await time.nextPause() == .seconds(60))
      #expect(runs.withLock { $0 } == Array(repeating: names, count: round).flatMap { $0 })
    }
    await jobs.worker.stop()
    #expect(runs.withLock { $0.count } == 6)
    #expect(log.lines == [])
  }

  @Test("A failing job is tried again, stops no other job, and is logged once until it works")
  func failure() async {
    let (time, log) = (ManualTime(), LogLines())
    let runs = Mutex(0)
    let outcomes = Mutex([false, true, true, false, false, true, false])
    let jobs = PeriodicJobs(
      [
        .timeless("tidying") {
          if outcomes.withLock({ $0.removeFirst() }) { throw Fault() }
        },
        .timeless("other") { runs.withLock { $0 += 1 } },
      ], watch: .system, logger: log.logger, jitter: { .zero }, sleep: time.sleep)
    _ = await time.nextPause()
    for round in 1...7 {
      time.pass()
      _ = await time.nextPause()
      #expect(runs.withLock { $0 } == round)
    }
    await jobs.worker.stop()
    let failed = "error tidying: failed, and is tried again every minute: Fault()"
    let works = "notice tidying: works again"
    #expect(log.lines == [failed, works, failed, works])
  }

  @Test("Stopping waits for the running job and begins no other")
  func stop() async {
    let (time, log) = (ManualTime(), LogLines())
    let hasBegun = Mutex(false)
    let hasEnded = Mutex(false)
    let hasBegunNext = Mutex(false)
    let jobs = PeriodicJobs(
      [
        .timeless("long") {
          hasBegun.withLock { $0 = true }
          while !Task.isCancelled { await Task.yield() }
          for _ in 0..<100 { await Task.yield() }
          hasEnded.withLock { $0 = true }
        },
        .timeless("next") { hasBegunNext.withLock { $0 = true } },
      ], watch: .system, logger: log.logger, jitter: { .zero }, sleep: time.sleep)
    _ = await time.nextPause()
    time.pass()
    while !hasBegun.withLock({ $0 }) { await Task.yield() }
    jobs.worker.cancel()
    await jobs.worker.stop()
    #expect(hasEnded.withLock { $0 })
    #expect(!hasBegunNext.withLock { $0 })
    #expect(log.lines == [])
  }
}

extension PeriodicJobsTests {
  @Test("Jobs that go by the time are left out while the clock is in doubt, deletions for an hour more")
  func doubt() async {
    let (time, log) = (ManualTime(), LogLines())
    let hands = Mutex((wall: Instant(millisecondsSince1970: 1_795_165_200_000), elapsed: Duration.zero))
    let watch = ClockWatch(WallClock { hands.withLock(\.wall) }, newest: nil) { hands.withLock(\.elapsed) }
    let runs = Mutex<[String]>([])
    let jobs = PeriodicJobs(
      [
        .byTime("ending") { now in
          #expect(now.instant == hands.withLock(\.wall))
          runs.withLock { $0.append("ending") }
        },
        .deletion("deleting") { now in
          #expect(now.instant == hands.withLock(\.wall))
          runs.withLock { $0.append("deleting") }
        },
        .timeless("any") { runs.withLock { $0.append("any") } },
      ], watch: watch, logger: log.logger, jitter: { .zero }, sleep: time.sleep)
    _ = await time.nextPause()
    let day: Int64 = 86_400
    for (jump, seconds, expected): (Int64, Int64, [String]) in [
      (0, 0, ["ending", "deleting", "any"]), (3 * day, 60, ["any"]),
      (-3 * day, 60, ["ending", "deleting", "any"]),
      (900 * day, 60, ["any"]), (0, 60, ["ending", "any"]), (0, 3_539, ["ending", "any"]),
      (0, 1, ["ending", "deleting", "any"]),
    ] {
      runs.withLock { $0 = [] }
      hands.withLock { hands in
        hands.wall = hands.wall.adding(milliseconds: (jump + seconds) * 1_000)
        hands.elapsed += .seconds(seconds)
      }
      time.pass()
      _ = await time.nextPause()
      #expect(runs.withLock { $0 } == expected, "\(jump) \(seconds)")
    }
    await jobs.worker.stop()
    let wait =
      "warning what the service ends or sends by itself waits until the clock has gone steadily for a minute"
    let again = "notice the clock is believed again: jobs that go by it run"
    #expect(
      log.lines == [
        "\(wait): it has moved by \(3 * day) s while it was not looked at", again,
        "\(wait): it has moved by \(900 * day) s while it was not looked at", again,
      ])
  }
}

extension PeriodicJobsTests {
  @Test("Shared jobs run while the turn is this server's, which is asked for once a run, and others always")
  func turns() async {
    let (time, log) = (ManualTime(), LogLines())
    let runs = Mutex<[String]>([])
    let isOurs = Mutex(true)
    let asked = Mutex<[SharedWork]>([])
    @Sendable func note(_ name: String) { runs.withLock { $0.append(name) } }
    let jobs = PeriodicJobs(
      [
        .byTime("ending") { _ in note("ending") }, .deletion("deleting") { _ in note("deleting") },
        .timeless("own") { note("own") },
        .count("counting", { (count: Int?) in note(count.map { "\($0)" } ?? "none") }, { _ in 7 }),
      ], watch: .system, logger: log.logger, jitter: { .milliseconds(5) },
      takesTurn: { work in
        asked.withLock { $0.append(work) }
        return isOurs.withLock { $0 }
      }, sleep: time.sleep)
    _ = await time.nextPause()
    for (turn, expected) in [
      (true, ["ending", "deleting", "own", "7"]), (false, ["own", "none"]),
      (true, ["ending", "deleting", "own", "7"]),
    ] {
      isOurs.withLock { $0 = turn }
      runs.withLock { $0 = [] }
      asked.withLock { $0 = [] }
      time.pass()
      #expect(await time.nextPause() == .milliseconds(60_005))
      #expect(runs.withLock { $0 } == expected)
      #expect(asked.withLock { $0 } == [.jobs, .counting])
    }
    await jobs.worker.stop()
    #expect(log.lines == [])
  }
}

extension ClockWatch {
  fileprivate static var system: ClockWatch { ClockWatch(.system, newest: nil) { .zero } }
}

private struct Fault: Error {}

/// Time that passes when a test lets it pass.
private final class ManualTime: Sendable {
  private let pauses = AsyncStream.makeStream(of: Duration.self)
  private let ends = AsyncStream.makeStream(of: Void.self)

  /// Sleeps as the jobs do, until the test ends the sleep.
  @Sendable func sleep(_ duration: Duration) async throws {
    pauses.continuation.yield(duration)
    for await _ in ends.stream { return }
    throw CancellationError()
  }

  /// Waits until the jobs sleep, and returns for how long.
  func nextPause() async -> Duration? {
    for await pause in pauses.stream { return pause }
    return nil
  }

  /// Ends the jobs' sleep.
  func pass() {
    ends.continuation.yield()
  }
}
