/// The packets that a known client sends in a second, pongs left out.
package struct PacketRate: Sendable {
  /// The consequence of a packet.
  package enum Judgment: Hashable, Sendable {
    case taken
    /// The client sends more than is done for it: the packet has no effect.
    case refused
    /// The client sends without measure, and is let go.
    case over
  }

  /// The packets of a second that have an effect.
  package static let effectiveLimit = 20
  /// The packets of a second after which the connection ends.
  package static let limit = 100

  private var second: Int64 = .min
  private var count = 0

  package init() {}

  /// Counts a packet.
  ///
  /// - Parameter now: Milliseconds of a clock that never goes back.
  package mutating func take(at now: Int64) -> Judgment {
    if second != now / 1_000 { (second, count) = (now / 1_000, 0) }
    count += 1
    if count > Self.limit { return .over }
    return count > Self.effectiveLimit ? .refused : .taken
  }
}
