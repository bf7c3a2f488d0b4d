import Credentials
import HTTPMessages
import Logging
import SocketHTTPServer
import TimeclockAPI
import TimeclockDomain

extension Service {
  /// Shared by all services of the tests; hashes with next to no work.
  private static let passwords = Result {
    try PasswordHasher(cost: .minimal, threadCount: 2, queueLimit: 10_000)
  }

  /// Starts a service on an empty storage of the stated kind, reached in the stated way.
  ///
  /// - Parameter passwords: What hashes passwords; nil for the one that all services share.
  static func start(_ kind: ServiceKind, passwords: PasswordHasher? = nil) async throws -> Service {
    let clock = ManualClock()
    let (base, removeData) = try kind.storage.open(now: clock.wallClock.now)
    let storage = FaultyStorage(base)
    let operatorToken = BearerToken()
    let passwords = try passwords ?? Self.passwords.get()
    let makeAPI: @Sendable (EdgeConfiguration) -> TimeclockAPI = { edge in
      TimeclockAPI(
        timeclock: Timeclock(storage: storage, clock: clock.wallClock), passwords: passwords,
        operatorToken: operatorToken.digest, edge: edge,
        logger: Logger(label: "contract") { _ in SwiftLogNoOpLogHandler() })
    }
    let (transport, stopServer) = try transport(to: makeAPI(EdgeConfiguration()), kind.transport)
    // On a busy machine the storage's connections may take longer than a request waits for one.
    let question = WireRequest(method: "GET", target: "/health/ready")
    for _ in 0..<10 where try await transport.send(question).status != 200 {}
    return Service(
      transport: transport, storage: storage, clock: clock, operatorToken: operatorToken.text,
      kind: kind, makeAPI: makeAPI,
      stop: {
        await stopServer()
        await storage.close()
        removeData()
      })
  }

  /// Calls the service through another edge, in the same way, while `body` runs.
  func withEdge(
    _ change: (inout EdgeConfiguration) -> Void, _ body: (any Transport) async throws -> Void
  ) async throws {
    var edge = EdgeConfiguration()
    change(&edge)
    let (transport, stopServer) = try Self.transport(to: makeAPI(edge), kind.transport)
    do {
      try await body(transport)
    } catch {
      await stopServer()
      throw error
    }
    await stopServer()
  }

  private static func transport(
    to handler: any HTTPHandler, _ kind: TransportKind
  ) throws -> (any Transport, stop: @Sendable () async -> Void) {
    switch kind {
    case .inProcess:
      let transport = try InProcessTransport(handler: handler)
      return (transport, { transport.stop() })
    case .socket:
      var configuration = HTTPServerConfiguration()
      configuration.port = 0
      configuration.eventLoopCount = 1
      let server = HTTPServer(configuration: configuration, handler: handler)
      try server.start()
      guard let port = server.port else { throw DocumentError("the server has no port") }
      return (SocketTransport(port: port), { await server.stop() })
    }
  }
}
