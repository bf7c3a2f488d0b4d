import EventLoops
import HTTPMessages
import Threads

@testable import ContractDocument

/// Hands requests, parsed by the service's parser, to a handler, without any socket, on an event loop as the server
/// does: there no request waits behind other tests.
struct InProcessTransport: Transport {
  private let handler: any HTTPHandler
  private let loop: EventLoop
  private let thread: NamedThread

  init(handler: any HTTPHandler) throws {
    self.handler = handler
    let loop = try EventLoop()
    self.loop = loop
    thread = try NamedThread(name: "in-process") { loop.run() }
  }

  /// Call it once, when every request is answered.
  func stop() {
    loop.perform { [loop] in loop.end() }
    thread.join()
  }

  func send(bytes: [UInt8], isHead: Bool) async throws -> WireResponse {
    try await withTaskExecutorPreference(loop) { try await respond(to: bytes, isHead: isHead) }
  }

  private func respond(to bytes: [UInt8], isHead: Bool) async throws -> WireResponse {
    let response =
      switch try Self.parsed(bytes) {
      case .success(let request): await handler.respond(to: request)
      case .failure(let rejection): handler.respond(to: rejection, from: nil)
      }
    let body: [UInt8]
    switch response.body {
    case .none: body = []
    case .bytes(let bytes): body = bytes
    case .stream(let write):
      let collector = BodyCollector()
      try await write(collector)
      body = await collector.bytes
    case .upgrade: throw DocumentError("an operation changes the protocol")
    }
    return WireResponse(
      status: response.status.code,
      headers: response.fields.lines + [("Content-Length", String(body.count))], body: isHead ? [] : body)
  }

  private static func parsed(_ bytes: [UInt8]) throws -> Result<HTTPRequest, HTTPRequestRejection> {
    var parser = HTTPRequestParser(limits: .ofContractTests)
    var position = 0
    while true {
      switch parser.next(in: bytes.span, at: &position) {
      case .request(let received): return .success(received.request)
      case .rejected(let rejection): return .failure(rejection)
      case .expectsContinue: continue
      case .needsMore: throw DocumentError("the bytes are less than a request")
      }
    }
  }
}

/// Keeps the bytes that a handler streams.
private actor BodyCollector: HTTPBodyWriter {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) async throws {
    self.bytes += bytes
  }
}
