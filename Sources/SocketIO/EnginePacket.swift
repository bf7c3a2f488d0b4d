/// A packet of Engine.IO 4 (github.com/socketio/engine.io-protocol), as text: a digit and its content.
package enum EnginePacket: Hashable, Sendable {
  /// The handshake, as JSON.
  case open([UInt8])
  case close
  /// The other side is asked whether it lives; with `probe` by a client that is about to change its transport.
  case ping([UInt8])
  case pong([UInt8])
  case message([UInt8])
  /// The client goes on over the transport that carries this packet.
  case upgrade
  /// Nothing, so that a waiting request ends.
  case noop
  /// A binary message, which nothing here uses.
  case binary

  /// The most packets of one payload; a client of the protocol sends a handful.
  package static let payloadLimit = 1_000
  private static let separator: UInt8 = 0x1E

  /// Reads a packet; nil for any other text.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard let type = bytes.first else { return nil }
    let content = Array(bytes.dropFirst())
    switch type {
    case UInt8(ascii: "0"): self = .open(content)
    case UInt8(ascii: "1") where content.isEmpty: self = .close
    case UInt8(ascii: "2"): self = .ping(content)
    case UInt8(ascii: "3"): self = .pong(content)
    case UInt8(ascii: "4"): self = .message(content)
    case UInt8(ascii: "5") where content.isEmpty: self = .upgrade
    case UInt8(ascii: "6") where content.isEmpty: self = .noop
    // Base64 in polling's text.
    case UInt8(ascii: "b"): self = .binary
    default: return nil
    }
  }

  /// Reads the packets of a request's content; nil if one of them is none, or they are too many.
  package static func packets(ofPayload bytes: [UInt8]) -> [EnginePacket]? {
    let parts = bytes.split(separator: separator, maxSplits: payloadLimit, omittingEmptySubsequences: false)
    guard parts.count <= payloadLimit else { return nil }
    let packets = parts.compactMap { EnginePacket($0) }
    return packets.count == parts.count ? packets : nil
  }

  /// The packets as the content of an answer.
  package static func payload(of packets: [EnginePacket]) -> [UInt8] {
    Array(packets.map(\.bytes).joined(separator: [separator]))
  }

  /// The length of the packet as text.
  var byteCount: Int {
    switch self {
    case .open(let content), .ping(let content), .pong(let content), .message(let content): content.count + 1
    case .close, .upgrade, .noop, .binary: 1
    }
  }

  /// The packet as text.
  package var bytes: [UInt8] {
    switch self {
    case .open(let content): [UInt8(ascii: "0")] + content
    case .close: [UInt8(ascii: "1")]
    case .ping(let content): [UInt8(ascii: "2")] + content
    case .pong(let content): [UInt8(ascii: "3")] + content
    case .message(let content): [UInt8(ascii: "4")] + content
    case .upgrade: [UInt8(ascii: "5")]
    case .noop: [UInt8(ascii: "6")]
    case .binary: [UInt8(ascii: "b")]
    }
  }
}
