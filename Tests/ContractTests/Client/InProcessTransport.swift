import HTTPMessages

/// Hands requests to a handler without any socket.
struct InProcessTransport: Transport {
  let handler: any HTTPHandler

  /// The longest body the server lets through to a handler.
  static let bodyByteLimit = 256 * 1024

  func send(_ request: WireRequest) async throws -> WireResponse {
    let response = await respond(to: request)
    var headers = response.fields.lines
    let body: [UInt8]
    switch response.body {
    case .none: body = []
    case .bytes(let bytes): body = bytes
    case .stream(let write):
      let collector = BodyCollector()
      try await write(collector)
      body = await collector.bytes
    }
    headers.append(("Content-Length", String(body.count)))
    return WireResponse(
      status: response.status.code, headers: headers, body: request.method == "HEAD" ? [] : body)
  }

  private func respond(to request: WireRequest) async -> HTTPResponse {
    if let body = request.body, body.count > Self.bodyByteLimit {
      return handler.respond(
        to: HTTPRequestRejection(
          status: .contentTooLarge, code: "body_too_large", detail: "The content is longer than 256 KiB."))
    }
    var fields = HTTPFields()
    fields.append("Host", "in.process")
    for header in request.headers { fields.append(header.name, header.value) }
    if let body = request.body { fields.append("Content-Length", String(body.count)) }
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return await handler.respond(
      to: HTTPRequest(
        method: HTTPMethod(name: request.method), path: String(parts[0]),
        query: parts.count > 1 ? String(parts[1]) : nil, fields: fields, body: request.body ?? []))
  }
}

/// Keeps what a handler streams.
private actor BodyCollector: HTTPBodyWriter {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) async throws {
    self.bytes += bytes
  }
}
