import Synchronization
import Testing
import TimeclockDomain

@Suite("A watch over the wall clock")
struct ClockWatchTests {
  private static let start = Instant(millisecondsSince1970: 1_795_165_200_000)
  private static let day: Int64 = 86_400_000

  /// Judges a first round, with the newest change so many milliseconds before it, then others: of each, how many
  /// milliseconds the wall clock and the time have gone on by since the round before.
  private static func doubts(
    newest age: Int64?, then rounds: [(wall: Int64, elapsed: Int64)] = []
  ) async throws -> [ClockWatch.Doubt?] {
    let elapsed = Mutex(Duration.zero)
    let watch = ClockWatch { elapsed.withLock { $0 } }
    var now = start
    var doubts = [
      try await watch.doubt(at: now) { age.map { start.adding(milliseconds: -$0) } }
    ]
    for round in rounds {
      now = now.adding(milliseconds: round.wall)
      elapsed.withLock { $0 += .milliseconds(round.elapsed) }
      doubts.append(
        try await watch.doubt(at: now) {
          Issue.record("asked again")
          return nil
        })
    }
    return doubts
  }

  @Test("doubts a first round more than a day after the newest change, and no other")
  func start() async throws {
    for (age, isDoubted): (Int64?, Bool) in [
      (nil, false), (-Self.day * 9, false), (0, false), (Self.day, false), (Self.day + 1, true),
    ] {
      let expected = isDoubted ? ClockWatch.Doubt.ahead(milliseconds: Self.day + 1) : nil
      #expect(try await Self.doubts(newest: age, then: [(60_000, 60_000)]) == [expected, nil])
    }
  }

  @Test("doubts a round in which the clock moved by more than a minute against the time, either way")
  func moved() async throws {
    for (wall, doubted): (Int64, Int64?) in [
      (60_000, nil), (120_000, nil), (120_001, 60_001), (0, nil), (-1, -60_001),
      (3 * Self.day, 3 * Self.day - 60_000),
    ] {
      let doubts = try await Self.doubts(
        newest: 0, then: [(wall, 60_000), (60_000, 60_000), (3_600_000, 3_600_000)])
      #expect(doubts == [nil, doubted.map { .moved(milliseconds: $0) }, nil, nil], "\(wall)")
    }
  }

  @Test("judges a first round by the newest change from before the service wrote any")
  func busyStart() async throws {
    let watch = ClockWatch { .zero }
    try await watch.begin { Self.start.adding(milliseconds: -2 * Self.day) }
    let doubt = try await watch.doubt(at: Self.start) {
      Issue.record("asked again")
      return Self.start
    }
    #expect(doubt == .ahead(milliseconds: 2 * Self.day))
  }

  @Test("begins anew where the newest change cannot be read")
  func failure() async throws {
    struct Mishap: Error {}
    let watch = ClockWatch { .zero }
    await #expect(throws: Mishap.self) { try await watch.doubt(at: Self.start) { throw Mishap() } }
    let doubt = try await watch.doubt(at: Self.start) { Self.start.adding(milliseconds: -2 * Self.day) }
    #expect(doubt == .ahead(milliseconds: 2 * Self.day))
  }
}
