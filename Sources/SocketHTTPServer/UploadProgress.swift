/// The pace at which a peer sends long content.
///
/// Everything it sends earns it time, up to a limit. When its time is over it is slow, and its place may go to another
/// peer.
struct UploadProgress {
  /// The time at which the peer becomes slow unless it sends more, in the loop's nanoseconds.
  private(set) var end: Int64
  private let patience: Int64

  /// The bytes that a peer has to send in a second, on average, not to become slow.
  static let leastBytesPerSecond: Int64 = 65_536

  /// - Parameter patience: The nanoseconds for which a peer may send nothing.
  init(at now: Int64, patience: Int64) {
    self.patience = patience
    end = now + patience
  }

  /// Notes that bytes have come.
  mutating func note(byteCount: Int, at now: Int64) {
    let earned = Int64(byteCount) * (1_000_000_000 / Self.leastBytesPerSecond)
    end = min(max(end, now) + earned, now + patience)
  }
}
