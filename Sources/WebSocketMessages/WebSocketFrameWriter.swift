/// The frames of a server: whole messages without a mask (RFC 6455, sections 5.1 and 5.2).
package enum WebSocketFrameWriter {
  /// The most bytes of a control frame's content (section 5.5).
  private static let maximumControlByteCount = 125

  /// A text message.
  ///
  /// - Parameter text: Its UTF-8.
  package static func text(_ text: [UInt8]) -> [UInt8] { frame(.text, text) }

  package static func binary(_ bytes: [UInt8]) -> [UInt8] { frame(.binary, bytes) }

  /// A Ping without content.
  package static func ping() -> [UInt8] { frame(.ping, []) }

  /// The answer to a Ping with this content, which is at most 125 bytes long.
  package static func pong(_ content: [UInt8]) -> [UInt8] { frame(.pong, content) }

  /// A Close frame. A reason that is longer than 123 bytes is cut between two characters.
  ///
  /// - Parameter code: nil for a frame without a code, which answers one without.
  package static func close(code: UInt16?, reason: String = "") -> [UInt8] {
    guard let code else { return frame(.close, []) }
    var content = [UInt8(code >> 8), UInt8(code & 0xFF)]
    for character in reason.unicodeScalars {
      let bytes = UTF8.encode(character).map(Array.init) ?? []
      guard content.count + bytes.count <= maximumControlByteCount else { break }
      content += bytes
    }
    return frame(.close, content)
  }

  private static func frame(_ opcode: WebSocketOpcode, _ content: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(content.count + 10)
    frame.append(0x80 | opcode.rawValue)
    switch content.count {
    case ...125: frame.append(UInt8(content.count))
    case ...0xFFFF:
      frame.append(126)
      append(content.count, byteCount: 2, to: &frame)
    default:
      frame.append(127)
      append(content.count, byteCount: 8, to: &frame)
    }
    return frame + content
  }

  /// Writes a length, its highest byte first.
  private static func append(_ length: Int, byteCount: Int, to frame: inout [UInt8]) {
    for index in (0..<byteCount).reversed() {
      frame.append(UInt8(truncatingIfNeeded: length >> (8 * index)))
    }
  }
}
