import Synchronization
import Testing
import TimeclockDomain

@Suite("A watch over the wall clock")
struct ClockWatchTests {
  private static let day: Int64 = 86_400_000
  private static let hour: Int64 = 3_600_000

  /// A wall clock, the time that passes, and a watch over both.
  private final class Hands: Sendable {
    private let state: Mutex<(wall: Instant, elapsed: Duration)>
    private let makeWatch: @Sendable (Hands) -> ClockWatch

    /// - Parameter age: The milliseconds since the newest change; nil if there is none.
    init(newest age: Int64?) {
      let start = Instant(millisecondsSince1970: 1_795_165_200_000)
      state = Mutex((start, .zero))
      makeWatch = { hands in
        ClockWatch(
          WallClock { hands.state.withLock(\.wall) }, newest: age.map { start.adding(milliseconds: -$0) },
          elapsed: { hands.state.withLock(\.elapsed) })
      }
    }

    var watch: ClockWatch { makeWatch(self) }

    func pass(_ milliseconds: Int64) { pass(wall: milliseconds, milliseconds) }

    func pass(wall: Int64, _ elapsed: Int64) {
      state.withLock { state in
        state.wall = state.wall.adding(milliseconds: wall)
        state.elapsed += .milliseconds(elapsed)
      }
    }
  }

  /// The doubt at a first look, and at others: before each the wall clock and the time advance by these milliseconds.
  private static func doubts(
    newest age: Int64?, then looks: [(Int64, Int64)] = []
  ) -> [ClockWatch.Doubt?] {
    let hands = Hands(newest: age)
    let watch = hands.watch
    return [watch.trusted().doubt]
      + looks.map { look in
        hands.pass(wall: look.0, look.1)
        return watch.trusted().doubt
      }
  }

  @Test("doubts a start more than a day after the newest change, for a minute")
  func start() {
    for (age, isDoubted): (Int64?, Bool) in [
      (nil, false), (-Self.day * 9, false), (0, false), (Self.day, false), (Self.day + 1, true),
    ] {
      let expected = isDoubted ? ClockWatch.Doubt.ahead(milliseconds: Self.day + 1) : nil
      let doubts = Self.doubts(newest: age, then: [(1, 1), (59_998, 59_998), (1, 1), (60_000, 60_000)])
      #expect(doubts == [expected, expected, expected, nil, nil], "\(age ?? 0)")
    }
  }

  @Test("doubts a start at which the newest change could not be asked for")
  func unknown() {
    let watch = ClockWatch(WallClock { Instant(millisecondsSince1970: 0) }, newest: .earliest) { .zero }
    #expect(watch.trusted().doubt == .unknown)
  }

  @Test("doubts a clock that moved by more than a minute against the time, either way, for a minute")
  func moved() {
    for (wall, doubted): (Int64, Int64?) in [
      (60_000, nil), (120_000, nil), (120_001, 60_001), (0, nil), (-1, -60_001),
      (3 * Self.day, 3 * Self.day - 60_000), (-900 * Self.day, -900 * Self.day - 60_000),
    ] {
      let doubt = doubted.map { ClockWatch.Doubt.moved(milliseconds: $0) }
      let looks = [(wall, 60_000), (59_999, 59_999), (1, 1), (Self.hour, Self.hour)]
      #expect(Self.doubts(newest: 0, then: looks) == [nil, doubt, doubt, nil, nil], "\(wall)")
    }
  }

  @Test("believes at once a clock that has come back, and minds another jump for another minute")
  func back() {
    let ahead = 3 * Self.day
    let doubt = ClockWatch.Doubt.moved(milliseconds: ahead)
    let comesBack: [(Int64, Int64)] = [
      (ahead + 1_000, 1_000), (2_500, 2_500), (1_000 - ahead, 1_000), (1_000, 1_000),
    ]
    #expect(Self.doubts(newest: 0, then: comesBack) == [nil, doubt, doubt, nil, nil])
    let jumpsOn: [(Int64, Int64)] = [
      (ahead, 0), (50_000, 50_000), (ahead, 0), (59_000, 59_000), (1_000, 1_000),
    ]
    #expect(Self.doubts(newest: 0, then: jumpsOn) == [nil, doubt, doubt, doubt, doubt, nil])
    // From its start on.
    let startsAhead: [(Int64, Int64)] = [(2_500, 2_500), (-ahead, 0), (1_000, 1_000)]
    let found = Self.doubts(newest: ahead, then: startsAhead)
    #expect(found == [.ahead(milliseconds: ahead), .ahead(milliseconds: ahead), nil, nil])
  }

  @Test("lets nothing be deleted for an hour after a doubt, and after none that was a mistake")
  func deletion() {
    let hands = Hands(newest: 2 * Self.day)
    let watch = hands.watch
    #expect(watch.settled() == nil)
    hands.pass(60_000)
    #expect(watch.trusted().doubt == nil && watch.settled() == nil)
    hands.pass(Self.hour - 60_001)
    #expect(watch.settled() == nil)
    hands.pass(1)
    #expect(
      watch.settled()?.instant.milliseconds(since: Instant(millisecondsSince1970: 1_795_165_200_000))
        == Self.hour)
    hands.pass(wall: 900 * Self.day, 1_000)
    #expect(watch.settled() == nil)
    hands.pass(wall: -900 * Self.day, 1_000)
    #expect(watch.settled() != nil)
    hands.pass(wall: 900 * Self.day, 1_000)
    #expect(watch.settled() == nil)
    for _ in 0..<60 {
      hands.pass(59_000)
      #expect(watch.settled() == nil)
    }
    hands.pass(60_000)
    #expect(watch.settled() != nil)
  }

  @Test("gives the instant that it has judged")
  func instant() throws {
    let hands = Hands(newest: nil)
    let watch = hands.watch
    let first = try watch.trusted().get().instant
    hands.pass(1_234)
    #expect(try watch.trusted().get().instant.milliseconds(since: first) == 1_234)
    #expect(watch.settled()?.instant.milliseconds(since: first) == 1_234)
  }
}

extension Result where Failure == ClockWatch.Doubt {
  fileprivate var doubt: ClockWatch.Doubt? {
    if case .failure(let doubt) = self { doubt } else { nil }
  }
}
