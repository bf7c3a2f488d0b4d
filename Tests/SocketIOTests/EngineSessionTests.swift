import SocketIO
import Testing

@Suite("A connection of Engine.IO")
struct EngineSessionTests {
  /// Expects an answer of a session that it changes.
  private func expect<Value: Equatable>(
    _ found: Value, _ wanted: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found == wanted, sourceLocation: sourceLocation)
  }

  private static func opened(over transport: EngineSession.Transport) -> EngineSession {
    var session = EngineSession(id: "abc", over: transport, at: 0)
    _ = session.takePending(over: transport)
    return session
  }

  @Test("begins with a handshake that says what it can")
  func handshake() {
    for (transport, upgrades) in [(EngineSession.Transport.polling, "\"websocket\""), (.webSocket, "")] {
      var session = EngineSession(id: "abc", over: transport, at: 0)
      let expected = """
        {"sid":"abc","upgrades":[\(upgrades)],"pingInterval":25000,"pingTimeout":20000,"maxPayload":100000}
        """
      expect(session.takePending(over: transport), [.open(Array(expected.utf8))])
      expect(session.takePending(over: transport).isEmpty, true)
      #expect(!session.isClosed)
    }
  }

  @Test("asks whether its client lives, and ends if it does not answer")
  func heartbeat() {
    var session = Self.opened(over: .webSocket)
    session.tick(at: 24_999)
    #expect(!session.isReady(over: .webSocket))
    session.tick(at: 25_000)
    expect(session.takePending(over: .webSocket), [.ping([])])
    expect(session.receive(.pong([]), over: .webSocket, at: 30_000), .nothing)
    session.tick(at: 49_999)
    #expect(!session.isReady(over: .webSocket))
    session.tick(at: 50_000)
    expect(session.takePending(over: .webSocket), [.ping([])])
    session.tick(at: 69_999)
    #expect(!session.isClosed)
    session.tick(at: 70_000)
    #expect(session.isClosed)
    expect(session.takePending(over: .webSocket).isEmpty, true)
    expect(session.receive(.message([]), over: .webSocket, at: 70_001), .closed)
  }

  @Test("hands messages on, and sends in order")
  func messages() {
    var session = Self.opened(over: .polling)
    expect(session.receive(.message([1]), over: .polling, at: 1), .message([1]))
    expect(session.receive(.noop, over: .polling, at: 1), .nothing)
    session.send([2])
    session.send([3])
    expect(session.takePending(over: .webSocket).isEmpty, true)
    expect(session.takePending(over: .polling), [.message([2]), .message([3])])
  }

  @Test(
    "ends at what the protocol does not know",
    arguments: [.open([]), .ping([]), .upgrade, .binary] as [EnginePacket])
  func wrongPackets(_ packet: EnginePacket) {
    var session = Self.opened(over: .webSocket)
    expect(session.receive(packet, over: .webSocket, at: 1), .closed)
    #expect(session.isClosed)
    expect(session.takePending(over: .webSocket), [.close])
  }

  @Test("ends with its client's word, without another")
  func closing() {
    var session = Self.opened(over: .webSocket)
    session.send([1])
    expect(session.receive(.close, over: .webSocket, at: 1), .closed)
    #expect(session.isClosed)
    expect(session.takePending(over: .webSocket).isEmpty, true)
  }

  @Test("has one request that waits and one that brings; a second one ends it")
  func doubleRequests() {
    var session = Self.opened(over: .polling)
    expect(session.beginPoll(), true)
    session.endPoll()
    expect(session.beginPoll(), true)
    expect(session.beginPoll(), false)
    #expect(session.isClosed)
    expect(session.takePending(over: .polling), [.close])
    session = Self.opened(over: .polling)
    expect(session.beginPost(), true)
    session.endPost()
    expect(session.beginPost(), true)
    expect(session.beginPost(), false)
    #expect(session.isClosed)
    session = Self.opened(over: .webSocket)
    expect(session.beginPoll(), false)
    expect(session.beginPost(), false)
    #expect(!session.isClosed)
  }

  @Test("moves from polling to a WebSocket, and loses nothing on the way")
  func upgrade() {
    var session = Self.opened(over: .polling)
    expect(session.beginTrial(), true)
    expect(session.beginTrial(), false)
    expect(session.beginPoll(), true)
    #expect(!session.isReady(over: .polling))
    #expect(
      session.receive(.ping(Array("probe".utf8)), over: .webSocket, at: 1)
        == .answer(.pong(Array("probe".utf8))))
    #expect(session.isReady(over: .polling) && session.endsPolls(over: .polling))
    session.send([7])
    session.endPoll()
    expect(session.receive(.message([5]), over: .polling, at: 1), .message([5]))
    expect(session.receive(.upgrade, over: .webSocket, at: 2), .upgraded)
    #expect(session.transport == .webSocket)
    expect(session.takePending(over: .polling).isEmpty, true)
    expect(session.takePending(over: .webSocket), [.message([7])])
    expect(session.beginPoll(), false)
    #expect(session.endsPolls(over: .polling))
    #expect(!session.isClosed)
    expect(session.receive(.message([6]), over: .webSocket, at: 3), .message([6]))
    expect(session.receive(.message([6]), over: .polling, at: 3), .closed)
  }

  @Test("stays with polling if the other transport comes to nothing")
  func failedTrial() {
    var session = Self.opened(over: .polling)
    expect(session.beginTrial(), true)
    expect(session.receive(.message([1]), over: .webSocket, at: 1), .closed)
    session.endTrial()
    #expect(!session.isClosed)
    expect(session.beginTrial(), true)
    expect(session.beginPoll(), true)
    #expect(!session.endsPolls(over: .polling))
    var other = Self.opened(over: .webSocket)
    expect(other.beginTrial(), false)
  }

  @Test("ends if its client does not take what it is sent")
  func overflow() {
    var session = Self.opened(over: .polling)
    let message = [UInt8](repeating: 0x61, count: 64 * 1_024 - 1)
    for _ in 0..<4 { session.send(message) }
    #expect(!session.isClosed)
    session.send([1])
    #expect(session.isClosed)
    expect(session.takePending(over: .polling).isEmpty, true)
    session.send([1])
    expect(session.takePending(over: .polling).isEmpty, true)
  }

  @Test(
    "is asked for by requests as the reference server judges them",
    arguments: [
      (["EIO": "4", "transport": "polling"], false, false, .success(.open(.polling))),
      (["EIO": "4", "transport": "polling", "t": "x"], false, false, .success(.open(.polling))),
      (["EIO": "4", "transport": "websocket"], true, false, .success(.open(.webSocket))),
      (["EIO": "4", "transport": "polling", "sid": "a"], false, true, .success(.resume("a", .polling))),
      (["EIO": "4", "transport": "websocket", "sid": "a"], true, false, .success(.resume("a", .webSocket))),
      (["transport": "polling"], false, false, .failure(.unsupportedVersion)),
      (["EIO": "3", "transport": "polling"], false, false, .failure(.unsupportedVersion)),
      (["EIO": "4"], false, false, .failure(.unknownTransport)),
      (["EIO": "4", "transport": "flash"], false, false, .failure(.unknownTransport)),
      (["EIO": "4", "transport": "polling"], false, true, .failure(.badMethod)),
      (["EIO": "4", "transport": "websocket"], false, false, .failure(.badRequest)),
      (["EIO": "4", "transport": "polling"], true, false, .failure(.badRequest)),
    ] as [([String: String], Bool, Bool, Result<EngineRequest, EngineRequest.Refusal>)])
  func requests(
    _ parameters: [String: String], _ isUpgrade: Bool, _ isPost: Bool,
    _ expected: Result<EngineRequest, EngineRequest.Refusal>
  ) {
    let found = Result { () throws(EngineRequest.Refusal) in
      try EngineRequest(parameters, isUpgrade: isUpgrade, isPost: isPost)
    }
    #expect(found == expected)
  }

  @Test("refuses with the reference server's words")
  func refusals() {
    #expect(
      EngineRequest.Refusal.unknownSession.body
        == Array("{\"code\":1,\"message\":\"Session ID unknown\"}".utf8))
  }

  @Test("hands out as much as is asked for, and is over when its client has had the last of it")
  func portions() {
    var session = Self.opened(over: .polling)
    for text in [[1, 2], [3, 4], [5]] as [[UInt8]] { session.send(text) }
    expect(session.pendingByteCount, 8)
    expect(session.takePending(over: .polling, atMost: 6), [.message([1, 2]), .message([3, 4])])
    session.close()
    #expect(session.isClosed && !session.isOver)
    // One packet comes in any case.
    expect(session.takePending(over: .polling, atMost: 1), [.message([5])])
    expect(session.takePending(over: .polling), [.close])
    #expect(session.isOver && session.pendingByteCount == 0)
  }
}
