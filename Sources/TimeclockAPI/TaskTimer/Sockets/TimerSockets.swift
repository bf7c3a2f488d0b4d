import Cryptography
import HTTPMessages
import SocketIO
import Synchronization
import TimeclockDomain
import WebSocketMessages

/// The connections of timer apps: Engine.IO 4 with Socket.IO 5 at `/socket.io`.
///
/// A connection is one process's: with several instances, a proxy has to send the polling requests of one connection to
/// one of them. Events reach all of them.
final class TimerSockets: Sendable {
  private struct State {
    var sockets: [String: TimerSocket] = [:]
    var isTicking = false
    var isOver = false
  }

  private let context: APIContext
  private let state = Mutex(State())
  /// The places of unauthenticated clients, by network.
  private let places = Places<ClientNetwork>()
  /// Output that waits for the clients of all connections.
  private let waitingBytes = WaitingBytes(limit: 16 * 1_024 * 1_024)

  private static let tick = Duration.seconds(1)
  /// The most connections from one network that have not said whose they are.
  private static let limitOfNetwork = 20
  private static let paths: Set = ["/socket.io", "/socket.io/"]

  init(_ context: APIContext) {
    self.context = context
  }

  /// Whether requests for the path belong here.
  static func has(_ path: String) -> Bool { paths.contains(path) }

  /// The connection that a request belongs to; nil for one that opens a connection, and for a name that is none's.
  func socket(of request: HTTPRequest) -> TimerSocket? {
    guard let id = Self.parameters(request.query)["sid"] else { return nil }
    return state.withLock { $0.sockets[id] }
  }

  /// Answers a request for one of the paths, which was counted for its token or its address.
  func respond(to request: HTTPRequest) async -> HTTPResponse {
    do throws(EngineRequest.Refusal) {
      guard request.method == .get || request.method == .post else { throw .badMethod }
      guard isAllowed(request) else { throw .forbidden }
      let isUpgrade = request.fields.count(of: "Upgrade") > 0
      let parameters = Self.parameters(request.query)
      switch try EngineRequest(parameters, isUpgrade: isUpgrade, isPost: request.method == .post) {
      case .open(let transport): return try open(transport, request)
      case .resume(let id, let transport):
        guard let socket = state.withLock({ $0.sockets[id] }) else { throw .unknownSession }
        if transport == .webSocket {
          guard !socket.isClosed else { throw .unknownSession }
          return try upgrade(request, socket)
        }
        return request.method == .post ? try await socket.post(request.body) : try await socket.poll()
      }
    } catch {
      return Self.refusal(error)
    }
  }

  /// Ends every connection, and begins none any more.
  func end() {
    let sockets = state.withLock { state in
      state.isOver = true
      return Array(state.sockets.values)
    }
    for socket in sockets { socket.close() }
  }

  private func open(
    _ transport: EngineSession.Transport, _ request: HTTPRequest
  ) throws(EngineRequest.Refusal) -> HTTPResponse {
    var response: HTTPResponse?
    if transport == .webSocket {
      // Before anything is taken for it.
      response = Self.handshake(request)
      if let response, response.status.code != 101 { return response }
    }
    let network = ClientNetwork(address: request.remoteAddress)
    guard places.take([(network, Self.limitOfNetwork)]) == nil else { throw .forbidden }
    let socket = TimerSocket(
      over: transport, from: request.remoteAddress, in: context, waitingBytes
    ) { [places] in places.giveBack([network]) }
    let isTaken = state.withLock { state in
      guard !state.isOver else { return false }
      state.sockets[socket.id] = socket
      return true
    }
    guard isTaken else {
      socket.end()
      throw .badRequest
    }
    startTicking()
    guard var response else { return socket.handshake() }
    response.body = .upgrade { try await socket.serve($0) }
    return response
  }

  /// Lets a WebSocket try to carry a connection.
  private func upgrade(
    _ request: HTTPRequest, _ socket: TimerSocket
  ) throws(EngineRequest.Refusal) -> HTTPResponse {
    var response = Self.handshake(request)
    guard response.status.code == 101 else { return response }
    guard socket.beginTrial() else { throw .badRequest }
    response.body = .upgrade { try await socket.serve($0) }
    return response
  }

  /// The answer that opens a WebSocket, without its protocol, or one that refuses it.
  private static func handshake(_ request: HTTPRequest) -> HTTPResponse {
    do throws(WebSocketHandshake.Refusal) {
      return try WebSocketHandshake.response(to: request) { SHA1.hash($0) }
    } catch {
      return Self.refusal(error)
    }
  }

  /// Whether the page of the request may have a socket: one of our own, or one that is listed. A program that is no browser
  /// names none, or the address that it connects to, with the scheme of WebSocket.
  private func isAllowed(_ request: HTTPRequest) -> Bool {
    guard let origin = request.fields["Origin"] else { return true }
    if context.edge.crossOrigin?.origin(of: request) != nil { return true }
    guard let host = request.fields["Host"] else { return false }
    return [("http", ":80"), ("ws", ":80"), ("https", ":443"), ("wss", ":443")].contains { scheme, port in
      func withoutPort(_ text: String) -> Substring {
        text.hasSuffix(port) ? text.dropLast(port.count) : text[...]
      }
      return withoutPort(origin) == "\(scheme)://\(withoutPort(host))"
    }
  }

  private static func refusal(_ refusal: EngineRequest.Refusal) -> HTTPResponse {
    let status: HTTPStatus = refusal == .forbidden ? .forbidden : .badRequest
    return HTTPResponse(status: status, fields: StandardFields.json, body: .bytes(refusal.body))
  }

  private static func refusal(_ refusal: WebSocketHandshake.Refusal) -> HTTPResponse {
    switch refusal {
    case .invalidKey: return Self.refusal(.badRequest)
    case .noUpgrade, .otherVersion:
      var response = HTTPResponse(status: HTTPStatus(426), fields: StandardFields.noContent)
      response.fields.append("Upgrade", "websocket")
      if refusal == .otherVersion { response.fields.append("Sec-WebSocket-Version", "13") }
      return response
    }
  }

  /// The parameters of a query; of one that stands there several times the first.
  private static func parameters(_ query: String?) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(parts[0]) else { continue }
      parameters[name] = parameters[name] ?? (parts.count == 2 ? PercentEncoding.decode(parts[1]) : "")
    }
    return parameters
  }

  private func startTicking() {
    let begins = state.withLock { state in
      defer { state.isTicking = true }
      return !state.isTicking
    }
    // Detached from the request that has begun it, and from its deadline.
    if begins { Task.detached { await self.runTicks() } }
  }

  /// Has every connection look at its deadlines, as long as there are some.
  private func runTicks() async {
    while true {
      try? await Task.sleep(for: Self.tick)
      let sockets = state.withLock { state in
        for (id, socket) in state.sockets where socket.isOver { state.sockets[id] = nil }
        if state.sockets.isEmpty { state.isTicking = false }
        return Array(state.sockets.values)
      }
      guard !sockets.isEmpty else { return }
      for socket in sockets { socket.tick() }
    }
  }
}
