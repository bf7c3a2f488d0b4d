/// The server's side of one Engine.IO connection, over all its transports (github.com/socketio/engine.io-protocol,
/// version 4). It does no input or output, and gets the time from its caller.
package struct EngineSession: Sendable {
  package enum Transport: Sendable {
    case polling
    case webSocket
  }

  /// The consequence of a packet of the client.
  package enum Outcome: Hashable, Sendable {
    case nothing
    /// The content of a message, for the layer above.
    case message([UInt8])
    /// A packet to send over the transport that has carried this one, which is only being tried.
    case answer(EnginePacket)
    /// The connection goes on over this transport.
    case upgraded
    /// The connection is over.
    case closed
  }

  /// Milliseconds from one ping to the next, and for which a pong may take.
  package static let pingInterval: Int64 = 25_000
  package static let pingTimeout: Int64 = 20_000
  /// The most bytes of a payload that a client sends.
  package static let maximumPayload = 100_000
  /// The most bytes that wait for the client; a connection with more is closed.
  package static let pendingLimit = 256 * 1_024

  package private(set) var transport: Transport
  package private(set) var isClosed = false
  /// Whether a request waits for packets.
  package private(set) var isPolled = false
  /// Whether a request brings packets.
  package private(set) var isPosting = false
  private var isTrying = false
  /// Whether the client is about to go on over another transport, so that no request is to wait any more.
  private var isProbed = false
  private var pending: [EnginePacket] = []
  /// The bytes that wait for the client.
  package private(set) var pendingByteCount = 0
  private var nextPing: Int64
  private var pongDeadline: Int64?

  /// Begins a connection; the handshake waits to be sent.
  ///
  /// - Parameters:
  ///   - id: The name by which requests find the connection.
  ///   - now: Milliseconds of a clock that never goes back.
  package init(id: String, over transport: Transport, at now: Int64) {
    self.transport = transport
    nextPing = now + Self.pingInterval
    let upgrades = transport == .polling ? "[\"websocket\"]" : "[]"
    let handshake = """
      {"sid":"\(id)","upgrades":\(upgrades),"pingInterval":\(Self.pingInterval),"pingTimeout":\(Self.pingTimeout),\
      "maxPayload":\(Self.maximumPayload)}
      """
    enqueue(.open(Array(handshake.utf8)))
  }

  /// Adds a message for the client; closes if too much waits.
  package mutating func send(_ message: [UInt8]) {
    guard !isClosed else { return }
    enqueue(.message(message))
    if pendingByteCount > Self.pendingLimit { end() }
  }

  /// Takes output for the client, as long as the connection is open or something is left.
  ///
  /// - Parameters:
  ///   - transport: The transport that is to carry it.
  ///   - byteCount: The most bytes; one packet comes in any case.
  package mutating func takePending(
    over transport: Transport, atMost byteCount: Int = pendingLimit
  ) -> [EnginePacket] {
    guard transport == self.transport else { return [] }
    var (taken, rest) = (0, byteCount)
    while taken < pending.count, taken == 0 || pending[taken].byteCount <= rest {
      rest -= pending[taken].byteCount
      taken += 1
    }
    defer {
      pendingByteCount -= pending[..<taken].reduce(0) { $0 + $1.byteCount }
      pending.removeFirst(taken)
    }
    return Array(pending[..<taken])
  }

  /// Whether it has ended and nothing waits for the client any more.
  package var isOver: Bool { isClosed && pending.isEmpty }

  /// Whether the sender over the transport has something to do: to send, or to end.
  package func isReady(over transport: Transport) -> Bool {
    isClosed || transport == self.transport && !pending.isEmpty || endsPolls(over: transport)
  }

  /// Whether a request that waits is to end with nothing, because the connection goes on elsewhere.
  package func endsPolls(over transport: Transport) -> Bool {
    transport == .polling && (self.transport != .polling || isProbed)
  }

  /// Notes a request that waits for packets. Two at once are against the protocol, and end the connection.
  ///
  /// - Returns: Whether it may wait.
  package mutating func beginPoll() -> Bool {
    guard transport == .polling, !isPolled else {
      if isPolled { close() }
      return false
    }
    isPolled = true
    return true
  }

  package mutating func endPoll() { isPolled = false }

  /// Notes a request that brings packets. Two at once end the connection.
  ///
  /// - Returns: Whether it may.
  package mutating func beginPost() -> Bool {
    guard transport == .polling, !isPosting else {
      if isPosting { close() }
      return false
    }
    isPosting = true
    return true
  }

  package mutating func endPost() { isPosting = false }

  /// Whether a second transport may be tried: one at a time, beside polling.
  package mutating func beginTrial() -> Bool {
    guard transport == .polling, !isTrying, !isClosed else { return false }
    isTrying = true
    return true
  }

  /// Takes a packet of the client.
  package mutating func receive(_ packet: EnginePacket, over carrier: Transport, at now: Int64) -> Outcome {
    guard !isClosed else { return .closed }
    if carrier == .webSocket, transport == .polling { return tried(packet) }
    guard carrier == transport else { return refuse() }
    switch packet {
    case .message(let content): return .message(content)
    case .pong:
      pongDeadline = nil
      return .nothing
    case .noop: return .nothing
    case .close:
      end()
      return .closed
    case .open, .ping, .upgrade, .binary: return refuse()
    }
  }

  /// The connection that tries another transport has ended, perhaps before it became the one.
  package mutating func endTrial() {
    isTrying = false
    isProbed = false
  }

  /// Asks whether the client lives, and gives up on one that has not answered.
  package mutating func tick(at now: Int64) {
    guard !isClosed else { return }
    if let pongDeadline, now >= pongDeadline { return end() }
    guard pongDeadline == nil, now >= nextPing else { return }
    nextPing = now + Self.pingInterval
    pongDeadline = now + Self.pingTimeout
    enqueue(.ping([]))
  }

  /// Ends the connection, and notifies the client.
  package mutating func close() {
    guard !isClosed else { return }
    enqueue(.close)
    isClosed = true
  }

  /// Ends the connection, and drops its pending packets.
  package mutating func end() {
    isClosed = true
    pending = []
    pendingByteCount = 0
  }

  private mutating func tried(_ packet: EnginePacket) -> Outcome {
    switch packet {
    case .ping(let content) where content == Array("probe".utf8):
      isProbed = true
      return .answer(.pong(content))
    case .upgrade:
      transport = .webSocket
      isTrying = false
      isProbed = false
      return .upgraded
    default: return .closed
    }
  }

  private mutating func refuse() -> Outcome {
    close()
    return .closed
  }

  private mutating func enqueue(_ packet: EnginePacket) {
    pending.append(packet)
    pendingByteCount += packet.byteCount
  }
}
