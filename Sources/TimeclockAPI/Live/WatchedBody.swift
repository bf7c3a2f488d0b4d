import HTTPMessages

/// A long answer that ends when its caller's right to it does: before each part it is looked up again.
struct WatchedBody: HTTPBodyWriter {
  let body: any HTTPBodyWriter
  let access: LiveAccess

  /// - Throws: `HTTPConnectionClosed` also if the right has ended, so that the client sees that something is missing.
  func write(_ bytes: [UInt8]) async throws {
    guard await access.holds else { throw HTTPConnectionClosed() }
    try await body.write(bytes)
  }

  func waitUntilSent() async throws { try await body.waitUntilSent() }

  func cut() { body.cut() }
}

extension HTTPResponse {
  /// The answer, which, if it is written while it is sent, ends with the caller's right.
  func watched(by access: LiveAccess) -> HTTPResponse {
    guard case .stream(let write) = body else { return self }
    var response = self
    response.body = .stream { try await write(WatchedBody(body: $0, access: access)) }
    return response
  }
}
