import SocketHTTPServer

/// The address of the listener for metrics: `127.0.0.1:9464`, or `[::1]:9464`.
struct MetricsAddress {
  let host: String
  let port: UInt16

  /// - Throws: `CommandError` for text that is no address with a port.
  init(_ text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst()) else {
      throw Self.fault(text)
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      throw Self.fault(text)
    }
    guard !host.isEmpty else { throw Self.fault(text) }
    self.host = String(host)
    self.port = port
  }

  /// A server for a few clients, beside the one of the service.
  func server(_ text: @escaping @Sendable () -> String) -> HTTPServer {
    var configuration = HTTPServerConfiguration()
    configuration.host = host
    configuration.port = port
    configuration.eventLoopCount = 1
    configuration.connectionLimit = 32
    configuration.threadName = "metrics"
    return HTTPServer(configuration: configuration, handler: MetricsHandler(text: text))
  }

  private static func fault(_ text: String) -> CommandError {
    CommandError(
      usage:
        "The value \(text) of --metrics-listen is not valid: it is an address and a port, such as 127.0.0.1:9464."
    )
  }
}
