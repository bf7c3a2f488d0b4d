import SocketIO
import Testing

@Suite("A connection of Socket.IO")
struct SocketConnectionTests {
  private typealias Event = SocketConnection.Event

  private static func receive(_ texts: String...) -> [(event: Event, answers: [String])] {
    var connection = SocketConnection(id: "xyz")
    return texts.map { text in
      let (event, answers) = connection.receive(Array(text.utf8))
      return (event, answers.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  @Test("has the main namespace and no other")
  func namespaces() {
    let received = Self.receive("0/admin,{}", "0{\"token\":\"t\"}", "2[\"e\"]")
    #expect(
      received[0].event == .nothing && received[0].answers == ["4/admin,{\"message\":\"Invalid namespace\"}"])
    #expect(received[1].event == .connected(Array("{\"token\":\"t\"}".utf8)))
    #expect(received[1].answers == ["0{\"sid\":\"xyz\"}"])
    #expect(received[2].event == .event(Array("[\"e\"]".utf8), acknowledgmentID: nil))
  }

  @Test("hands events on with the number of their acknowledgment")
  func acknowledgments() {
    let received = Self.receive("0", "25[\"e\",{}]", "31[]")
    #expect(received[1].event == .event(Array("[\"e\",{}]".utf8), acknowledgmentID: 5))
    #expect(received[2].event == .nothing)
  }

  @Test(
    "ends at what is against the protocol",
    arguments: [
      ["2[\"e\"]"], ["31[]"], ["0", "0"], ["0", "1"], ["0", "2/a,[\"e\"]"], ["0", "51-[]"], ["0", "4{}"],
      ["x"],
    ])
  func endings(_ texts: [String]) {
    var connection = SocketConnection(id: "xyz")
    let events = texts.map { connection.receive(Array($0.utf8)).event }
    #expect(events.last == .closed && !events.dropLast().contains(.closed))
  }

  @Test("writes events")
  func writing() {
    #expect(
      SocketConnection.event("task:deleted", Array("\"1\"".utf8)) == Array("2[\"task:deleted\",\"1\"]".utf8))
    #expect(SocketConnection.disconnection == Array("1".utf8))
  }
}
