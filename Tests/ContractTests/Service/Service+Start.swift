import Credentials
import HTTPMessages
import Logging
import Procedures
import SocketHTTPServer
import TimeclockAPI
import TimeclockDomain

@testable import ContractDocument

extension Service {
  /// Shared by all services of the tests; hashes with next to no work.
  private static let passwords = Result {
    try PasswordHasher(
      cost: .minimal, threadCount: 2, queueLimit: 10_000, placesOfPerson: 10_000, placesOfGroup: 10_000)
  }

  /// Starts a service on an empty storage of the stated kind, reached in the stated way.
  ///
  /// - Parameter passwords: The hasher of passwords; nil for the one that all services share.
  static func start(_ kind: ServiceKind, passwords: PasswordHasher? = nil) async throws -> Service {
    let clock = ManualClock()
    let (base, removeData) = try await kind.storage.open(now: clock.wallClock.now)
    let faults = Faults()
    let storage = base.with(faults)
    let operatorToken = BearerToken()
    let passwords = try passwords ?? Self.passwords.get()
    let makeAPI: @Sendable (EdgeConfiguration) -> TimeclockAPI = { edge in
      TimeclockAPI(
        timeclock: Timeclock(
          storage: storage, clock: clock.wallClock, ownedLimits: OwnedLimits(tasks: 40, projects: 30)),
        passwords: passwords,
        operatorToken: operatorToken.digest, version: "1.2.3", edge: edge, pings: StubWebhooks(),
        logger: Logger(label: "contract") { _ in SwiftLogNoOpLogHandler() })
    }
    let (transport, stopServer) = try await readyTransport(to: makeAPI(EdgeConfiguration()), kind.transport)
    return Service(
      transport: transport, storage: storage, faults: faults, clock: clock, operatorToken: operatorToken.text,
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
    let (transport, stopServer) = try await Self.readyTransport(to: makeAPI(edge), kind.transport)
    do {
      try await body(transport)
    } catch {
      await stopServer()
      throw error
    }
    await stopServer()
  }

  /// A way to the service whose connections to the storage stand: on a busy machine they may take longer than a
  /// request waits for one.
  private static func readyTransport(
    to handler: any HTTPHandler, _ kind: TransportKind
  ) async throws -> (any Transport, stop: @Sendable () async -> Void) {
    let (transport, stop) = try transport(to: handler, kind)
    let question = WireRequest(method: "GET", target: "/health/ready")
    for _ in 0..<10 {
      guard let answer = try? await transport.send(question), answer.status != 200 else { break }
      print("A service is not ready from its start: \(String(decoding: answer.body, as: UTF8.self))")
    }
    return (transport, stop)
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
      configuration.limits = .ofContractTests
      configuration.eventLoopCount = 1
      let server = HTTPServer(configuration: configuration, handler: handler)
      try server.start()
      guard let port = server.port else { throw DocumentError("the server has no port") }
      return (SocketTransport(port: port), { await server.stop() })
    }
  }
}

extension HTTPRequestLimits {
  /// The default limits, with files that are longer than other bodies, but soon sent and read.
  static var ofContractTests: HTTPRequestLimits {
    var limits = HTTPRequestLimits()
    limits.longBodies = TimeclockAPI.longBodies
    limits.longBodyByteCount = 512 * 1024
    return limits
  }
}
