import HTTPMessages
import SocketHTTPServer
import Synchronization

/// A handler made of a closure. It counts its requests.
final class TestHandler: HTTPHandler {
  private let body: @Sendable (HTTPRequest) async -> HTTPResponse
  private let count = Atomic<Int>(0)
  private let seenCauses = Mutex<[String]>([])

  /// The causes of the refusals that have one.
  var causes: [String] { seenCauses.withLock(\.self) }

  var requestCount: Int { count.load(ordering: .acquiring) }

  init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
    self.body = body
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    return await body(request)
  }

  func respond(to rejection: HTTPRequestRejection, from remoteAddress: String?) -> HTTPResponse {
    if let cause = rejection.cause { seenCauses.withLock { $0.append(cause) } }
    var response = HTTPResponse(status: rejection.status, body: .bytes(Array(rejection.code.utf8)))
    if let remoteAddress { response.fields.append("Peer", remoteAddress) }
    if let seconds = rejection.retryAfterSeconds { response.fields.append("Retry-After", String(seconds)) }
    return response
  }
}

/// Answers with the method, the target and the content of the request.
@Sendable func echo(_ request: HTTPRequest) async -> HTTPResponse {
  let content = String(decoding: request.body, as: UTF8.self)
  return text("\(request.method.name) \(request.path) \(content)")
}

/// Makes a 200 with text.
func text(_ text: String) -> HTTPResponse {
  HTTPResponse(status: .ok, body: .bytes(Array(text.utf8)))
}

/// Runs `body` against a server on a separate port, and then stops the server.
func withServer(
  configure: (inout HTTPServerConfiguration) -> Void = { _ in },
  handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = echo,
  _ body: (_ port: UInt16, _ handler: TestHandler, _ server: HTTPServer) async throws -> Void
) async throws {
  var configuration = HTTPServerConfiguration()
  configuration.port = 0
  // Tests that are not about a time-out must not meet one, however long other tests hold the processor.
  configuration.timeouts = patientTimeouts
  configure(&configuration)
  let handler = TestHandler(handler)
  let server = HTTPServer(configuration: configuration, handler: handler)
  try server.start()
  do {
    try await body(server.port ?? 0, handler, server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

private var patientTimeouts: HTTPServerTimeouts {
  var timeouts = HTTPServerTimeouts()
  timeouts.head = .seconds(120)
  timeouts.body = .seconds(120)
  timeouts.write = .seconds(120)
  timeouts.streamGrace = .seconds(120)
  timeouts.idle = .seconds(120)
  timeouts.shutdown = .seconds(120)
  return timeouts
}

/// A gate that tasks wait for until it is opened, once and for all.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Waits until a condition is true, for two minutes at most; false if it stays false.
func eventually(_ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<24_000 {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return false
}
