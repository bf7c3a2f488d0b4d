import Testing

/// A request as it goes over the wire.
struct WireRequest: Sendable {
  var method: String
  /// The request target: a path and, after `?`, a query.
  var target: String
  var headers: [(name: String, value: String)] = []
  /// Nil sends no content at all.
  var body: [UInt8]?

  /// The request in HTTP/1.1, the only one on its connection.
  var bytes: [UInt8] {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: timeclock.example\r\nConnection: close\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    return Array((head + "\r\n").utf8) + (body ?? [])
  }
}

/// A response as it came over the wire.
struct WireResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  /// The values of all fields with this name, which is in lower case.
  func values(of name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name }.map(\.value)
  }
}

/// The way of requests to the service.
protocol Transport: Sendable {
  /// Sends bytes, which need not be a request, and waits for the whole answer to them.
  func send(bytes: [UInt8], isHead: Bool) async throws -> WireResponse
}

extension Transport {
  /// Sends one request and waits for the whole response.
  func send(_ request: WireRequest) async throws -> WireResponse {
    try await send(bytes: request.bytes, isHead: request.method == "HEAD")
  }
}

/// The two ways in which every case runs.
enum TransportKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inProcess = "in process"
  case socket = "over a socket"

  var testDescription: String { rawValue }
}
