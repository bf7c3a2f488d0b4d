import Glibc

/// The source of the time; passed in, so that nothing in the domain asks the system by itself.
package struct WallClock: Sendable {
  private let read: @Sendable () -> Instant

  /// A clock that answers with `now`, which may be called on any thread.
  package init(now: @escaping @Sendable () -> Instant) {
    read = now
  }

  /// The present, by this clock; it may go backwards.
  package var now: Instant { read() }

  /// The operating system's clock (`CLOCK_REALTIME`), cut to milliseconds.
  package static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let milliseconds = Int64(time.tv_nsec) / 1_000_000
    return Instant(millisecondsSince1970: Int64(time.tv_sec) &* 1000 &+ milliseconds)
  }
}
