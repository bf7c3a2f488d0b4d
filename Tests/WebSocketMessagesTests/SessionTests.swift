import Testing
import WebSocketMessages

@Suite("A WebSocket of the server")
struct SessionTests {
  @Test("answers the last Ping of some bytes, and gives messages in their order")
  func pings() {
    var session = WebSocketSession()
    let outcome = session.receive(
      (frame(0x89, [1]) + frame(0x81, [0x41]) + frame(0x89, [2]) + frame(0x82, [9])).span)
    #expect(outcome.events == [.alive, .text([0x41]), .alive, .binary([9])])
    #expect(outcome.bytes == [0x8A, 1, 2] && !outcome.isOver)
  }

  @Test("answers a Close with its code, once")
  func closing() {
    for (content, code) in [([], nil), ([0x03, 0xE8], 1000)] as [([UInt8], UInt16?)] {
      var session = WebSocketSession()
      let outcome = session.receive((frame(0x88, content) + frame(0x81, [0x41])).span)
      #expect(outcome.events == [.closed(code: code)] && outcome.isOver)
      #expect(outcome.bytes == [0x88, UInt8(content.count)] + content)
      #expect(session.close(code: 1001).isEmpty)
      #expect(session.receive(frame(0x89).span).bytes.isEmpty)
    }
  }

  @Test("drops what comes after its own Close, answers nothing, and waits for the peer's")
  func ownClose() {
    var session = WebSocketSession()
    #expect(session.close(code: 1001, reason: "stop") == [0x88, 6, 0x03, 0xE9] + Array("stop".utf8))
    let late = session.receive((frame(0x81, [0x41]) + frame(0x89)).span)
    #expect(late == WebSocketSession.Outcome(events: [.alive], bytes: [], isOver: false))
    let end = session.receive(frame(0x88, [0x03, 0xE9]).span)
    #expect(end == WebSocketSession.Outcome(events: [.closed(code: 1001)], bytes: [], isOver: true))
  }

  @Test(
    "fails a wrong peer with the reason's code",
    arguments: [
      (frame(0x83), 1002), (frame(0x81, [0xFF]), 1007), (frame(0x82, [], statedLength: 70_000), 1009),
    ] as [([UInt8], UInt16)])
  func failures(_ bytes: [UInt8], _ code: UInt16) {
    var session = WebSocketSession()
    let outcome = session.receive(bytes.span)
    #expect(outcome.events == [.closed(code: code)] && outcome.isOver)
    #expect(outcome.bytes == [0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
  }

  @Test("writes lengths in their shortest form", arguments: [0, 1, 125, 126, 65_535, 65_536])
  func writing(_ count: Int) {
    let content = [UInt8](repeating: 0x61, count: count)
    let header: [UInt8] =
      switch count {
      case ...125: [UInt8(count)]
      case ...65_535: [126, UInt8(count >> 8), UInt8(count & 0xFF)]
      default: [127, 0, 0, 0, 0, 0, 1, 0, 0]
      }
    #expect(WebSocketFrameWriter.text(content) == [0x81] + header + content)
    #expect(WebSocketFrameWriter.binary(content) == [0x82] + header + content)
  }

  @Test("cuts a long reason between characters")
  func reasons() {
    let written = WebSocketFrameWriter.close(code: 1008, reason: String(repeating: "é", count: 100))
    #expect(written[1] == 124 && written.count == 126)
    #expect(String(validating: written[4...], as: UTF8.self) == String(repeating: "é", count: 61))
  }
}
