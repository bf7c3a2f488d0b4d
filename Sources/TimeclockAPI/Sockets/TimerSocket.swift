import Credentials
import HTTPMessages
import SocketIO
import Synchronization
import TimeclockDomain
import WebSocketMessages

/// One connection of a timer app.
final class TimerSocket: Sendable {
  private struct State {
    var engine: EngineSession
    var connection: SocketConnection
    /// The tasks that wait for packets to send.
    var waiters: [UnsafeContinuation<Void, Never>] = []
    var timer: TaskTimer?
    /// Whether the token may only read.
    var isReadOnly = false
    var seat: LiveFeeds.Seat?
    var token: TokenDigest?
    /// Called once, when the client has said who it is or is gone.
    var giveBack: (@Sendable () -> Void)?
    /// The events of the present second.
    var second: Int64 = 0
    var eventCount = 0
  }

  /// The name by which requests find it.
  let id = TimerSocket.makeID()
  let context: APIContext
  private let state: Mutex<State>
  private let authenticationDeadline: Int64

  /// Milliseconds within which a client says who it is.
  private static let authenticationTime: Int64 = 10_000
  private static let eventsPerSecond = 20
  /// The time in which a WebSocket that is tried becomes what carries the connection.
  private static let trialTime = Duration.seconds(10)
  private static let origin = ContinuousClock.now

  /// - Parameter giveBack: Gives back the place of one who has not said who it is.
  init(
    over transport: EngineSession.Transport, in context: APIContext, giveBack: @escaping @Sendable () -> Void
  ) {
    self.context = context
    authenticationDeadline = Self.now + Self.authenticationTime
    var first = State(
      engine: EngineSession(id: id, over: transport, at: Self.now),
      connection: SocketConnection(id: Self.makeID()))
    first.giveBack = giveBack
    state = Mutex(first)
  }

  /// Twenty random characters of base64url: nobody guesses the name of another's connection.
  private static func makeID() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var random = SystemRandomNumberGenerator()
    return String(decoding: (0..<20).map { _ in letters[Int(random.next() & 63)] }, as: UTF8.self)
  }

  /// Milliseconds of a clock that never goes back.
  private static var now: Int64 {
    let elapsed = ContinuousClock.now - origin
    return elapsed.components.seconds * 1_000 + elapsed.components.attoseconds / 1_000_000_000_000_000
  }

  var isClosed: Bool { state.withLock { $0.engine.isClosed } }

  /// The timer of the person whose connection it is; nil before that is known.
  var timer: TaskTimer? { state.withLock { $0.timer } }

  var isReadOnly: Bool { state.withLock { $0.isReadOnly } }

  /// Changes the state, has whoever waits look again, and clears up behind a connection that has ended.
  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, waiters, rest) = state.withLock { state in
      let value = body(&state)
      let waiters = state.waiters
      state.waiters = []
      guard state.engine.isClosed else {
        return (value, waiters, nil as ((@Sendable () -> Void)?, LiveFeeds.Seat?)?)
      }
      defer { (state.giveBack, state.seat, state.timer) = (nil, nil, nil) }
      return (value, waiters, (state.giveBack, state.seat))
    }
    for waiter in waiters { waiter.resume() }
    rest?.0?()
    // The change may come from the feed, which has to let go of its lock before the seat is left.
    if let seat = rest?.1 { Task.detached { withExtendedLifetime(seat) {} } }
    return value
  }

  /// Looks at the deadlines.
  func tick() {
    change { state in
      state.engine.tick(at: Self.now)
      if state.timer == nil, Self.now >= authenticationDeadline { state.engine.close() }
    }
  }

  /// Ends the connection, and tells the client.
  func close() {
    change { state in
      if state.connection.isConnected { state.engine.send(SocketConnection.disconnection) }
      state.engine.close()
    }
  }

  /// Sends an event.
  func emit(_ name: String, _ argument: [UInt8]) {
    change { $0.engine.send(SocketConnection.event(name, argument)) }
  }

  /// Answers an event that asks to be acknowledged.
  func acknowledge(_ id: Int64) {
    change {
      $0.engine.send(SocketPacket(.acknowledgment, acknowledgmentID: id, payload: Array("[]".utf8)).bytes)
    }
  }

  /// Counts an event of the client, and as a request of its token; false where it sends too many.
  func countEvent() -> Bool {
    if let token = state.withLock({ $0.token }),
      context.rateLimiter?.take(token, at: .now).retryAfterSeconds != nil
    {
      return false
    }
    return state.withLock { state in
      let second = Self.now / 1_000
      if state.second != second { (state.second, state.eventCount) = (second, 0) }
      state.eventCount += 1
      return state.eventCount <= Self.eventsPerSecond
    }
  }

  /// Notes whose connection it is.
  ///
  /// - Returns: False where it has ended meanwhile.
  func begin(_ timer: TaskTimer, token: TokenDigest, isReadOnly: Bool, seat: LiveFeeds.Seat) -> Bool {
    let (isOpen, giveBack) = state.withLock { state in
      guard !state.engine.isClosed, state.timer == nil else { return (false, nil as (@Sendable () -> Void)?) }
      (state.timer, state.token, state.isReadOnly, state.seat) = (timer, token, isReadOnly, seat)
      defer { state.giveBack = nil }
      return (true, state.giveBack)
    }
    giveBack?()
    return isOpen
  }

  // MARK: Polling

  /// The answer that opens a connection by polling.
  func handshake() -> HTTPResponse {
    Self.answer(EnginePacket.payload(of: change { $0.engine.takePending(over: .polling) }))
  }

  /// Answers a request that waits for packets.
  func poll() async throws(EngineRequest.Refusal) -> HTTPResponse {
    guard change({ $0.engine.beginPoll() }) else { throw .badRequest }
    defer { change { $0.engine.endPoll() } }
    // A client that ends the connection while its request waits gets that request answered.
    let packets = await nextPackets(over: .polling) ?? [.noop]
    return Self.answer(EnginePacket.payload(of: packets))
  }

  /// Takes the packets of a request.
  func post(_ body: [UInt8]) async throws(EngineRequest.Refusal) -> HTTPResponse {
    guard change({ $0.engine.beginPost() }) else { throw .badRequest }
    defer { change { $0.engine.endPost() } }
    guard body.count <= EngineSession.maximumPayload, let packets = EnginePacket.packets(ofPayload: body)
    else {
      change { $0.engine.close() }
      throw .badRequest
    }
    for packet in packets { _ = await take(packet, over: .polling) }
    return Self.answer(Array("ok".utf8))
  }

  private static func answer(_ text: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status: .ok, fields: StandardFields.fields(contentType: "text/plain; charset=UTF-8"), body: .bytes(text)
    )
  }

  // MARK: WebSocket

  /// Whether a WebSocket may try to carry the connection.
  func beginTrial() -> Bool { change { $0.engine.beginTrial() } }

  /// Carries the connection over a WebSocket, until either ends.
  func serve(_ connection: any HTTPUpgradedConnection) async throws {
    defer {
      change { state in
        if state.engine.transport == .webSocket { state.engine.end() }
        state.engine.endTrial()
      }
    }
    await withTaskGroup { group in
      group.addTask { try? await self.readFrames(connection) }
      group.addTask { try? await self.writeFrames(connection) }
      if self.isOnlyTried {
        group.addTask {
          try? await Task.sleep(for: Self.trialTime)
          // One that has become the transport ends with the others.
          while !Task.isCancelled, !self.isOnlyTried { try? await Task.sleep(for: .seconds(86_400)) }
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Whether a WebSocket of the connection has not become what carries it.
  private var isOnlyTried: Bool { state.withLock { $0.engine.transport == .polling } }

  private func readFrames(_ connection: any HTTPUpgradedConnection) async throws {
    var frames = WebSocketSession(maximumMessageByteCount: EngineSession.maximumPayload)
    while let bytes = try await connection.read() {
      let outcome = frames.receive(bytes.span)
      for event in outcome.events {
        guard case .text(let text) = event else {
          // Binary messages are nobody's here.
          guard case .binary = event else { continue }
          if isOnlyTried { return }
          change { $0.engine.close() }
          continue
        }
        guard let packet = EnginePacket(text[...]) else { return isOnlyTried ? () : close() }
        let (answer, isOver) = await take(packet, over: .webSocket)
        if let answer { try await connection.write(WebSocketFrameWriter.text(answer.bytes)) }
        if isOver, isOnlyTried { return }
      }
      if !outcome.bytes.isEmpty { try await connection.write(outcome.bytes) }
      if outcome.isOver { return }
    }
  }

  private func writeFrames(_ connection: any HTTPUpgradedConnection) async throws {
    while let packets = await nextPackets(over: .webSocket) {
      try await connection.write(packets.flatMap { WebSocketFrameWriter.text($0.bytes) })
    }
    guard !Task.isCancelled else { return }
    try await connection.write(WebSocketFrameWriter.close(code: WebSocketCloseCode.normal, reason: ""))
  }

  // MARK: Both

  /// Waits for packets to send; nil at the connection's end, and where the task is canceled.
  private func nextPackets(over transport: EngineSession.Transport) async -> [EnginePacket]? {
    while !Task.isCancelled {
      let found = state.withLock { state -> [EnginePacket]?? in
        let packets = state.engine.takePending(over: transport)
        if !packets.isEmpty { return packets }
        if state.engine.isClosed { return .some(nil) }
        return state.engine.endsPolls(over: transport) ? [.noop] : nil
      }
      if let found { return found }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          let waits = state.withLock { state in
            guard !state.engine.isReady(over: transport), !Task.isCancelled else { return false }
            state.waiters.append(continuation)
            return true
          }
          if !waits { continuation.resume() }
        }
      } onCancel: {
        change { _ in }
      }
    }
    return nil
  }

  /// Takes a packet.
  ///
  /// - Returns: A packet to answer with over the same transport, and whether that has nothing more to bring.
  private func take(
    _ packet: EnginePacket, over transport: EngineSession.Transport
  ) async -> (answer: EnginePacket?, isOver: Bool) {
    switch change({ $0.engine.receive(packet, over: transport, at: Self.now) }) {
    case .message(let message):
      let event = change { state in
        let (event, answers) = state.connection.receive(message)
        for answer in answers { state.engine.send(answer) }
        if event == .closed { state.engine.close() }
        return event
      }
      await handle(event)
      return (nil, false)
    case .answer(let answer): return (answer, false)
    case .nothing, .upgraded: return (nil, false)
    case .closed: return (nil, true)
    }
  }
}
