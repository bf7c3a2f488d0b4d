import Credentials
import EventLoops
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
    /// Counts the client's input until its owner is known; nil afterwards.
    var unknown: UnknownClient? = UnknownClient()
    var rate = PacketRate()
    /// Called once, when the client has authenticated or nothing of the connection is left.
    var giveBack: (@Sendable () -> Void)?
    /// The requests that were counted for the client's address.
    var addressRequestCount = 1
    /// The WebSocket that carries or tries to carry the connection.
    var upgraded: (any HTTPUpgradedConnection)?
    /// The milliseconds at which the end was first noticed.
    var endTime: Int64?
    /// The waiting bytes that are counted in the sum of all connections.
    var countedByteCount = 0
  }

  /// The name by which requests find it.
  let id = TimerSocket.makeID()
  let context: APIContext
  private let state: Mutex<State>
  private let waitingBytes: WaitingBytes
  private let address: String?
  private let authenticationDeadline: Int64

  /// Milliseconds within which a client authenticates.
  private static let authenticationTime: Int64 = 10_000
  /// Milliseconds for which a connection that has ended waits for a client that is to hear of it.
  private static let lastWordsTime: Int64 = 5_000
  /// The most bytes that are handed to the client's connection at once.
  private static let portionByteCount = 16 * 1_024
  /// The time in which a tried WebSocket takes over the connection.
  private static let trialTime = Duration.seconds(10)
  private static let origin = ContinuousClock.now

  /// - Parameters:
  ///   - address: The client's, for which the request that opens the connection was counted.
  ///   - waitingBytes: The bytes that wait for clients of all connections.
  ///   - giveBack: Gives back the place of an unauthenticated client.
  init(
    over transport: EngineSession.Transport, from address: String?, in context: APIContext,
    _ waitingBytes: WaitingBytes, giveBack: @escaping @Sendable () -> Void
  ) {
    self.context = context
    self.address = address
    self.waitingBytes = waitingBytes
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
  private static var now: Int64 { (ContinuousClock.now - origin).milliseconds }

  var isClosed: Bool { state.withLock { $0.engine.isClosed } }

  /// Whether it has ended, and its client has heard of it as far as it wanted to.
  var isOver: Bool { state.withLock { $0.engine.isOver && $0.upgraded == nil } }

  /// The token of the person whose connection it is; nil before that is known.
  var token: TokenDigest? { state.withLock { $0.token } }

  /// The timer of the person whose connection it is; nil before that is known.
  var timer: TaskTimer? { state.withLock { $0.timer } }

  var isReadOnly: Bool { state.withLock { $0.isReadOnly } }

  /// Updates the state, wakes waiting tasks, and releases what a closed connection held.
  ///
  /// - Parameter isNews: Whether a waiting task may wait for the change.
  private func change<Value>(isNews: Bool = true, _ body: (inout State) -> Value) -> Value {
    let (value, waiters, giveBack, seat) = state.withLock { state in
      let value = body(&state)
      countWaitingBytes(of: &state)
      var waiters: [UnsafeContinuation<Void, Never>] = []
      if isNews { swap(&waiters, &state.waiters) }
      guard state.engine.isClosed else {
        return (value, waiters, nil as (@Sendable () -> Void)?, nil as LiveFeeds.Seat?)
      }
      defer { (state.seat, state.timer) = (nil, nil) }
      // A stranger's connection keeps its place as long as anything is left of it.
      return (value, waiters, state.engine.isOver ? state.giveBack.take() : nil, state.seat)
    }
    for waiter in waiters { waiter.resume() }
    giveBack?()
    // The change may come from the feed, which has to let go of its lock before the seat is left.
    if let seat { Task.detached { withExtendedLifetime(seat) {} } }
    return value
  }

  /// Counts the output that waits for the client, and ends the connection if too much waits for all, unless little
  /// waits for this one.
  private func countWaitingBytes(of state: inout State) {
    let difference = state.engine.pendingByteCount - state.countedByteCount
    guard difference != 0 else { return }
    let isTooMuch = waitingBytes.change(by: difference)
    if isTooMuch, difference > 0, state.engine.pendingByteCount > Self.portionByteCount { state.engine.end() }
    waitingBytes.change(by: state.engine.pendingByteCount - state.countedByteCount - difference)
    state.countedByteCount = state.engine.pendingByteCount
  }

  /// Looks at the deadlines.
  func tick() {
    let stuck = change { state -> (any HTTPUpgradedConnection)? in
      let now = Self.now
      state.engine.tick(at: now)
      if state.timer == nil, now >= authenticationDeadline { state.engine.close() }
      guard state.engine.isClosed else { return nil }
      guard let endTime = state.endTime else {
        state.endTime = now
        return nil
      }
      if now >= endTime + Self.lastWordsTime { state.engine.end() }
      // Its client has had a second to take waiting output.
      return state.upgraded
    }
    stuck?.cut()
  }

  /// Ends the connection, and notifies the client.
  func close() {
    change { state in
      if state.connection.isConnected { state.engine.send(SocketConnection.disconnection) }
      state.engine.close()
    }
  }

  /// Ends the connection without a word.
  func end() { change { $0.engine.end() } }

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

  /// Notes a request that was counted for the client's address.
  func noteRequest() { state.withLock { $0.addressRequestCount += 1 } }

  /// Counts a packet of the client; of a known one as a request of its token too.
  private func admit(_ packet: EnginePacket) -> PacketRate.Judgment {
    if case .pong = packet { return .taken }
    let (judgment, token) = state.withLock { state -> (PacketRate.Judgment, TokenDigest?) in
      if let isTaken = state.unknown?.takePacket() { return (isTaken ? .taken : .over, nil) }
      return (state.rate.take(at: Self.now), state.token)
    }
    guard judgment == .taken, let token,
      context.rateLimiter?.take(token, at: .now).retryAfterSeconds != nil
    else { return judgment }
    return .refused
  }

  /// Counts an attempt of the client to authenticate; false for a second one.
  func takeAttempt() -> Bool { state.withLock { $0.unknown?.takeAttempt() ?? false } }

  /// Notes whose connection it is.
  ///
  /// - Returns: False if it has ended meanwhile.
  func begin(_ timer: TaskTimer, token: TokenDigest, isReadOnly: Bool, seat: LiveFeeds.Seat) -> Bool {
    let (isOpen, giveBack) = state.withLock { state in
      guard !state.engine.isClosed, state.timer == nil else { return (false, nil as (@Sendable () -> Void)?) }
      (state.timer, state.token, state.isReadOnly, state.seat) = (timer, token, isReadOnly, seat)
      state.unknown = nil
      // The address does not count if there is a token.
      context.rateLimiter?.giveBack(state.addressRequestCount, of: address, at: .now)
      return (true, state.giveBack.take())
    }
    if isOpen { _ = context.rateLimiter?.take(token, at: .now) }
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
    guard !state.withLock({ $0.engine.isOver }) else { throw .unknownSession }
    guard change({ $0.engine.beginPoll() }) else { throw .badRequest }
    defer { change { $0.engine.endPoll() } }
    // A client that ends the connection while its request waits gets that request answered.
    let packets = await nextPackets(over: .polling) ?? [.noop]
    return Self.answer(EnginePacket.payload(of: packets))
  }

  /// Takes the packets of a request.
  func post(_ body: [UInt8]) async throws(EngineRequest.Refusal) -> HTTPResponse {
    guard !isClosed else { throw .unknownSession }
    guard change({ $0.engine.beginPost() }) else { throw .badRequest }
    defer { change { $0.engine.endPost() } }
    guard body.count <= EngineSession.maximumPayload, takeBytes(body.count),
      let packets = EnginePacket.packets(ofPayload: body)
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
    state.withLock { $0.upgraded = connection }
    defer {
      change { state in
        state.upgraded = nil
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

  /// Whether a WebSocket of the connection has not taken over.
  private var isOnlyTried: Bool { state.withLock { $0.engine.transport == .polling } }

  private func readFrames(_ connection: any HTTPUpgradedConnection) async throws {
    var frames = WebSocketSession(maximumMessageByteCount: EngineSession.maximumPayload)
    while let bytes = try await connection.read() {
      guard takeBytes(bytes.count) else { return connection.cut() }
      let outcome = frames.receive(bytes.span)
      for event in outcome.events {
        guard case .text(let text) = event else {
          // Binary messages are not for this app, and questions cost as much as any packet.
          if case .alive = event, admit(.noop) != .over { continue }
          if case .closed = event { continue }
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

  /// Counts bytes of an unidentified client; false if they are too many.
  private func takeBytes(_ count: Int) -> Bool {
    state.withLock { $0.unknown?.take(byteCount: count) ?? true }
  }

  private func writeFrames(_ connection: any HTTPUpgradedConnection) async throws {
    while let packets = await nextPackets(over: .webSocket) {
      try await connection.write(packets.flatMap { WebSocketFrameWriter.text($0.bytes) })
      // Output that a client does not read waits here, where it is counted.
      try await connection.waitUntilSent()
    }
    guard !Task.isCancelled else { return }
    try await connection.write(WebSocketFrameWriter.close(code: WebSocketCloseCode.normal, reason: ""))
  }

  // MARK: Both

  /// Waits for packets to send; nil at the connection's end, and if the task is canceled.
  private func nextPackets(over transport: EngineSession.Transport) async -> [EnginePacket]? {
    while !Task.isCancelled {
      let found = change(isNews: false) { state -> [EnginePacket]?? in
        let packets = state.engine.takePending(over: transport, atMost: Self.portionByteCount)
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
    await EventLoop.giveWay()
    let judgment = admit(packet)
    guard judgment != .over else {
      change { $0.engine.close() }
      return (nil, true)
    }
    switch change({ $0.engine.receive(packet, over: transport, at: Self.now) }) {
    case .message(let message):
      let event = change { state in
        let (event, answers) = state.connection.receive(message)
        for answer in answers { state.engine.send(answer) }
        if event == .closed { state.engine.close() }
        return event
      }
      await handle(event, isRefused: judgment == .refused)
      return (nil, false)
    case .answer(let answer): return (answer, false)
    case .nothing, .upgraded: return (nil, false)
    case .closed: return (nil, true)
    }
  }
}
