import Testing

/// A request as it goes over the wire.
struct WireRequest: Sendable {
  var method: String
  /// The request target: a path and, after `?`, a query.
  var target: String
  var headers: [(name: String, value: String)] = []
  /// Nil sends no content at all.
  var body: [UInt8]?
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

/// How requests reach the service.
protocol Transport: Sendable {
  /// Sends one request and waits for the whole response.
  func send(_ request: WireRequest) async throws -> WireResponse
}

/// The two ways in which every case runs.
enum TransportKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case inProcess = "in process"
  case socket = "over a socket"

  var testDescription: String { rawValue }
}
