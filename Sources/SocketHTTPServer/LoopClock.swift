import Glibc
import HTTPMessages

/// The time as an event loop sees it: read once in each turn.
struct LoopClock {
  /// Nanoseconds of a clock that never goes back.
  private(set) var now: Int64 = 0
  /// The wall clock's second, for `Date`.
  private(set) var date = HTTPDate(secondsSince1970: 0)

  init() {
    update()
  }

  mutating func update() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    date.update(secondsSince1970: Int64(time.tv_sec))
  }
}

extension Duration {
  /// Whole nanoseconds, at least 0 and at most a year.
  var nanoseconds: Int64 {
    let year: Int64 = 365 * 86_400
    let seconds = components.seconds
    guard seconds >= 0 else { return 0 }
    guard seconds < year else { return year * 1_000_000_000 }
    return seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
