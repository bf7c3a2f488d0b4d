import Glibc
import HTTPMessages

/// The wall clock's second, read at most once in each turn of an event loop.
struct DateClock {
  private var turn = Int64.min
  private var date = HTTPDate(secondsSince1970: 0)

  /// The second in the turn that began at `turn`, in the loop's nanoseconds.
  mutating func date(inTurn turn: Int64) -> HTTPDate {
    if turn != self.turn {
      self.turn = turn
      var time = timespec()
      clock_gettime(CLOCK_REALTIME_COARSE, &time)
      date.update(secondsSince1970: Int64(time.tv_sec))
    }
    return date
  }
}
