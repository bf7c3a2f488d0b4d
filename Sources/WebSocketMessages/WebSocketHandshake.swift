import HTTPMessages

/// The server's side of the opening handshake (RFC 6455, section 4.2). No extension and no subprotocol is accepted.
package enum WebSocketHandshake {
  /// The reason for which a request opens no WebSocket.
  package enum Refusal: Error, Hashable, Sendable {
    /// No GET that asks for an upgrade to `websocket`: 426 with `Upgrade: websocket` (RFC 9110, section 15.5.22).
    case noUpgrade
    /// Another version than 13: 426 with `Sec-WebSocket-Version: 13` (section 4.4).
    case otherVersion
    /// No key, several, or one that is not base64 of 16 bytes: 400.
    case invalidKey
  }

  /// The text that makes an answer the one of a WebSocket server (section 1.3).
  private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The answer that opens the connection, 101 with `Sec-WebSocket-Accept` and, as yet, without the messages that
  /// follow.
  ///
  /// - Parameter sha1: The SHA-1 of bytes, 20 bytes.
  package static func response(
    to request: HTTPRequest, sha1: ([UInt8]) -> [UInt8]
  ) throws(Refusal) -> HTTPResponse {
    guard request.method == .get, request.version == .http11, request.body.isEmpty,
      names("websocket", in: "Upgrade", of: request),
      names("upgrade", in: "Connection", of: request)
    else { throw .noUpgrade }
    guard request.fields.values(of: "Sec-WebSocket-Version") == ["13"] else { throw .otherVersion }
    let keys = request.fields.values(of: "Sec-WebSocket-Key")
    guard keys.count == 1, let key = keys.first, isKey(key) else { throw .invalidKey }
    var fields = HTTPFields()
    fields.append("Upgrade", "websocket")
    fields.append("Sec-WebSocket-Accept", base64(sha1(Array((key + suffix).utf8))))
    return HTTPResponse(status: HTTPStatus(101), fields: fields)
  }

  /// Whether a list has an element, in any case.
  private static func names(_ name: String, in field: StaticString, of request: HTTPRequest) -> Bool {
    request.fields.values(of: field).contains { value in
      value.utf8.split(separator: UInt8(ascii: ",")).contains { element in
        let element = element.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        return element.count == name.utf8.count
          && zip(element, name.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && isCapital($0) }
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  /// Whether the text is base64 of 16 bytes: 22 characters, of which the last one ends with four zero bits, and `==`.
  private static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 24, bytes[22...].elementsEqual("==".utf8) else { return false }
    let values = bytes[..<22].map { alphabet.firstIndex(of: $0) }
    return values.allSatisfy { $0 != nil } && (values[21] ?? 1) & 0x0F == 0
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Base64 with padding (RFC 4648, section 4).
  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(
          index <= group.count ? alphabet[bits >> (18 - 6 * index) & 0x3F] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
