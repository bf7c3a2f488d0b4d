import SocketIO
import Testing

@Suite("Packets of Engine.IO and Socket.IO")
struct PacketTests {
  @Test(
    "of an engine are read and written alike",
    arguments: [
      ("0{}", .open(Array("{}".utf8))), ("1", .close), ("2", .ping([])),
      ("2probe", .ping(Array("probe".utf8))),
      ("3", .pong([])), ("4", .message([])), ("4é", .message(Array("é".utf8))), ("5", .upgrade), ("6", .noop),
      ("1x", nil), ("5x", nil), ("6x", nil), ("7", nil), ("", nil), ("x", nil), ("é", nil),
    ] as [(String, EnginePacket?)])
  func engine(_ text: String, _ packet: EnginePacket?) {
    #expect(EnginePacket(ArraySlice(text.utf8)) == packet)
    if let packet { #expect(packet.bytes == Array(text.utf8)) }
  }

  @Test("come together, separated by U+001E")
  func payloads() {
    let packets: [EnginePacket] = [.message([0x61]), .ping([]), .message([])]
    let payload = EnginePacket.payload(of: packets)
    #expect(payload == Array("4a\u{1E}2\u{1E}4".utf8))
    #expect(EnginePacket.packets(ofPayload: payload) == packets)
    #expect(EnginePacket.packets(ofPayload: Array("bAAEC".utf8)) == [.binary])
    for wrong in ["", "4a\u{1E}", "\u{1E}4a", "4a\u{1E}\u{1E}4b", "4a\u{1E}9"] {
      #expect(EnginePacket.packets(ofPayload: Array(wrong.utf8)) == nil, "\(wrong.debugDescription)")
    }
    let most = Array(repeating: EnginePacket.noop, count: EnginePacket.payloadLimit)
    #expect(EnginePacket.packets(ofPayload: EnginePacket.payload(of: most)) == most)
    #expect(EnginePacket.packets(ofPayload: EnginePacket.payload(of: most + [.noop])) == nil)
  }

  @Test(
    "of a socket are read and written alike",
    arguments: [
      ("0", SocketPacket(.connect)), ("0{\"t\":1}", SocketPacket(.connect, payload: Array("{\"t\":1}".utf8))),
      ("0/a,", SocketPacket(.connect, namespace: "/a")),
      ("0/a,{}", SocketPacket(.connect, namespace: "/a", payload: Array("{}".utf8))),
      ("1", SocketPacket(.disconnect)), ("2[\"e\"]", SocketPacket(.event, payload: Array("[\"e\"]".utf8))),
      ("212[\"e\"]", SocketPacket(.event, acknowledgmentID: 12, payload: Array("[\"e\"]".utf8))),
      (
        "2/a,0[\"e\"]",
        SocketPacket(.event, namespace: "/a", acknowledgmentID: 0, payload: Array("[\"e\"]".utf8))
      ),
      ("37[]", SocketPacket(.acknowledgment, acknowledgmentID: 7, payload: Array("[]".utf8))),
      ("4/a,{}", SocketPacket(.connectError, namespace: "/a", payload: Array("{}".utf8))),
    ])
  func socket(_ text: String, _ packet: SocketPacket) {
    #expect(SocketPacket(Array(text.utf8)) == packet)
    #expect(packet.bytes == Array(text.utf8))
  }

  @Test("of a socket that are none, and those that come in another form than they are written")
  func otherForms() {
    for wrong in ["", "7", "x", "é", "299999999999999999999[]", "2x", "0/,/a", "2-1[]"] {
      #expect(SocketPacket(Array(wrong.utf8)) == nil, "\(wrong)")
    }
    #expect(SocketPacket([0x30, 0x2F, 0xFF]) == nil)
    #expect(SocketPacket(Array("0/a?token=1,{}".utf8))?.namespace == "/a")
    // The library of Trackify's own client names the main namespace.
    #expect(SocketPacket(Array("0/,".utf8)) == SocketPacket(.connect))
    #expect(SocketPacket(Array("0/a".utf8)) == SocketPacket(.connect, namespace: "/a"))
    #expect(SocketPacket(Array("51-[\"e\"]".utf8))?.kind == .binaryEvent)
  }
}
