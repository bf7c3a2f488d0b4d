import SocketIO

/// Packets of Engine.IO and Socket.IO, and a connection that gets them in any order over either transport.
enum SocketsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let steps = (0..<input.choose(below: 32)).map { _ in input.choose(below: 256) }
    let bytes = input.rest
    checkPackets(bytes, isFaulty: isFaulty)
    checkConnection(bytes, steps)
  }

  /// A packet read is written unchanged, and a payload is split as it was joined.
  private static func checkPackets(_ bytes: [UInt8], isFaulty: Bool) {
    if let packets = EnginePacket.packets(ofPayload: bytes), !packets.contains(.binary) {
      let written = EnginePacket.payload(of: packets) + (isFaulty && packets.count > 1 ? [0x1E] : [])
      require(written == bytes, "\(packets) is written as \(written), not \(bytes)")
    }
    guard let packet = SocketPacket(bytes), packet.kind != .binaryEvent, packet.kind != .binaryAcknowledgment
    else { return }
    // A namespace may come with a query, and a number with zeros in front.
    require(SocketPacket(packet.bytes) == packet, "\(packet) is not read as it is written")
  }

  /// A connection never has two requests that wait, takes nothing after its end, and ends once.
  private static func checkConnection(_ bytes: [UInt8], _ steps: [Int]) {
    let packets = EnginePacket.packets(ofPayload: bytes) ?? []
    var session = EngineSession(id: "id", over: .polling, at: 0)
    var socket = SocketConnection(id: "other")
    var (now, next, closeCount): (Int64, Int, Int) = (0, 0, 0)
    for step in steps {
      let wasClosed = session.isClosed
      let transport: EngineSession.Transport = step & 8 == 0 ? .polling : .webSocket
      switch step % 7 {
      case 0 where next < packets.count:
        let outcome = session.receive(packets[next], over: transport, at: now)
        next += 1
        require(!wasClosed || outcome == .closed, "\(outcome) after the end")
        if case .message(let message) = outcome {
          let (event, answers) = socket.receive(message)
          for answer in answers { session.send(answer) }
          if event == .closed { session.close() }
        }
      case 1:
        for packet in session.takePending(over: transport) where packet == .close { closeCount += 1 }
      case 2:
        let wasPolled = session.isPolled
        if session.beginPoll() {
          require(!wasPolled, "two requests wait")
          if step & 16 == 0 { session.endPoll() }
        }
      case 3: _ = session.beginTrial()
      case 4:
        now += Int64(step) * 500
        session.tick(at: now)
      case 5: session.send(Array(bytes.prefix(step)))
      default: if session.beginPost() { session.endPost() }
      }
      require(!wasClosed || session.isClosed, "goes on after its end")
      require(closeCount <= 1, "ends twice")
    }
  }
}
