/// The limits of one connection's client until it is identified: it has to authenticate and nothing more, and anything
/// else it sends costs the service no more than this.
package struct UnknownClient: Sendable {
  /// The most bytes that it brings, frames and all.
  package static let byteLimit = 4_096
  /// The most packets, pongs left out: a client may have put some events before the one that authenticates it.
  package static let packetLimit = 20

  private var byteCount = 0
  private var packetCount = 0
  private var hasTried = false

  package init() {}

  /// Counts bytes of the client; false if they are too many.
  package mutating func take(byteCount count: Int) -> Bool {
    byteCount += count
    return byteCount <= Self.byteLimit
  }

  /// Counts a packet of the client; false if it is one too many.
  package mutating func takePacket() -> Bool {
    packetCount += 1
    return packetCount <= Self.packetLimit
  }

  /// Counts an attempt to authenticate; false for a second one.
  package mutating func takeAttempt() -> Bool {
    defer { hasTried = true }
    return !hasTried
  }
}
