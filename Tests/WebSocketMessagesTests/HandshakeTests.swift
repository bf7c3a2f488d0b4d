import Cryptography
import HTTPMessages
import Testing
import WebSocketMessages

@Suite("The opening of a WebSocket")
struct HandshakeTests {
  private static let fields = [
    ("Host", "server.example.com"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
  ]

  @Test("is answered as the RFC's example is")
  func example() throws {
    let response = try open(Self.fields)
    #expect(response.status.code == 101 && response.fields["Upgrade"] == "websocket")
    #expect(response.fields["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(response.fields["Sec-WebSocket-Extensions"] == nil)
  }

  @Test("takes lists, any case, and offers that it does not accept")
  func lists() throws {
    for (name, value) in [
      ("Upgrade", "h2c, WebSocket"), ("Upgrade", "WEBSOCKET"), ("Connection", "keep-alive,\tUpgrade "),
    ] {
      #expect(try open(Self.with(name, value)).status.code == 101)
    }
    let offer = Self.fields + [("Sec-WebSocket-Extensions", "permessage-deflate")]
    #expect(try open(offer).fields["Sec-WebSocket-Extensions"] == nil)
  }

  @Test(
    "is refused without each of its parts",
    arguments: [
      ("Upgrade", nil, .noUpgrade), ("Upgrade", "h2c", .noUpgrade), ("Upgrade", "websockets", .noUpgrade),
      ("Upgrade", "web\u{13}ocket", .noUpgrade), ("Connection", nil, .noUpgrade),
      ("Connection", "close", .noUpgrade), ("Sec-WebSocket-Version", nil, .otherVersion),
      ("Sec-WebSocket-Version", "8", .otherVersion), ("Sec-WebSocket-Version", "13, 8", .otherVersion),
      ("Sec-WebSocket-Key", nil, .invalidKey), ("Sec-WebSocket-Key", "", .invalidKey),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=", .invalidKey),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==", .invalidKey),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j!Q==", .invalidKey),
      ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZSEhISEh", .invalidKey),
    ] as [(String, String?, WebSocketHandshake.Refusal)])
  func refusals(_ name: String, _ value: String?, _ refusal: WebSocketHandshake.Refusal) {
    #expect(throws: refusal) { try open(Self.with(name, value)) }
  }

  @Test("is refused for other methods, content, and fields that stand twice")
  func others() {
    #expect(throws: WebSocketHandshake.Refusal.noUpgrade) { try open(Self.fields, method: .post) }
    #expect(throws: WebSocketHandshake.Refusal.noUpgrade) { try open(Self.fields, body: [1]) }
    for (index, refusal) in [(3, .invalidKey), (4, .otherVersion)] as [(Int, WebSocketHandshake.Refusal)] {
      #expect(throws: refusal) { try open(Self.fields + [Self.fields[index]]) }
    }
  }

  private static func with(_ name: String, _ value: String?) -> [(String, String)] {
    fields.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? [])
  }

  private func open(
    _ lines: [(String, String)], method: HTTPMethod = .get, body: [UInt8] = []
  ) throws -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in lines { fields.append(name, value) }
    return try WebSocketHandshake.response(
      to: HTTPRequest(method: method, path: "/socket.io/", fields: fields, body: body)
    ) { SHA1.hash($0) }
  }
}
