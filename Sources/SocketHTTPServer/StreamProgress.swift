/// How quickly a peer takes an answer that is streamed, measured over the time in which the answer waited for the peer
/// and not the peer for it.
struct StreamProgress {
  /// The bytes that the peer had taken when the answer began.
  private let takenBefore: Int
  /// How long output has waited for the peer, in nanoseconds, apart from the present wait.
  private var waited: Int64 = 0
  private var waitingSince: Int64?

  init(takenBefore: Int) {
    self.takenBefore = takenBefore
  }

  /// The system has taken all output, or begun to take none.
  mutating func setWaiting(_ isWaiting: Bool, at now: Int64) {
    if isWaiting {
      waitingSince = waitingSince ?? now
    } else if let since = waitingSince {
      waited += now - since
      waitingSince = nil
    }
  }

  /// Whether the peer has taken less than `bytesPerSecond` for every second that output waited beyond `grace`
  /// nanoseconds. `taken`, what it has taken on this connection, is asked for only where that can be.
  func isTooSlow(_ bytesPerSecond: Int64, grace: Int64, now: Int64, taken: @autoclosure () -> Int) -> Bool {
    let counted = waited + (waitingSince.map { now - $0 } ?? 0) - grace
    return counted > 0 && Int64(taken() &- takenBefore) < counted / 1_000_000 * bytesPerSecond / 1_000
  }
}
