/// The pace at which a peer takes a streamed answer. Only the time in which the answer waited for the peer counts, not
/// the time in which the peer waited for the answer.
struct StreamProgress {
  /// The bytes that the peer had taken when the answer began.
  private let takenBefore: Int
  /// The time that output has waited for the peer, in nanoseconds, without the present wait.
  private var waited: Int64 = 0
  private var waitingSince: Int64?

  init(takenBefore: Int) {
    self.takenBefore = takenBefore
  }

  /// Notes that the system has taken all output, or has begun to take none.
  mutating func setWaiting(_ isWaiting: Bool, at now: Int64) {
    if isWaiting {
      waitingSince = waitingSince ?? now
    } else if let since = waitingSince {
      waited += now - since
      waitingSince = nil
    }
  }

  /// Whether the peer has taken fewer than `bytesPerSecond` for every second that output waited beyond `grace`
  /// nanoseconds. `taken`, the bytes that the peer has taken on this connection, is evaluated only if that is possible.
  func isTooSlow(_ bytesPerSecond: Int64, grace: Int64, now: Int64, taken: @autoclosure () -> Int) -> Bool {
    let counted = waited + (waitingSince.map { now - $0 } ?? 0) - grace
    return counted > 0 && Int64(taken() &- takenBefore) < counted / 1_000_000 * bytesPerSecond / 1_000
  }
}
