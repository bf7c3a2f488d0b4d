import Synchronization
import TimeclockDomain

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
  private let milliseconds: Mutex<Int64>

  /// 2026-11-20T12:00:00Z, a Friday.
  static let start: Int64 = 1_795_176_000_000

  init(millisecondsSince1970: Int64 = start) {
    milliseconds = Mutex(millisecondsSince1970)
  }

  /// The clock as the service takes it.
  var wallClock: WallClock {
    WallClock { Instant(millisecondsSince1970: self.milliseconds.withLock { $0 }) }
  }

  /// Lets time pass.
  func advance(seconds: Int64) {
    advance(milliseconds: seconds * 1_000)
  }

  /// Lets time pass.
  func advance(milliseconds passed: Int64) {
    milliseconds.withLock { $0 += passed }
  }

  /// Lets time pass until an instant.
  func advance(to instant: Instant) {
    milliseconds.withLock { $0 = instant.millisecondsSince1970 }
  }
}
