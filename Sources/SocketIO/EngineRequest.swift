/// The purpose of a request at the path of Engine.IO, judged as the reference server does.
package enum EngineRequest: Hashable, Sendable {
  case open(EngineSession.Transport)
  /// A request of a connection that is open; polling or another transport for it.
  case resume(String, EngineSession.Transport)

  /// The refusals of the reference server.
  package enum Refusal: Int, Error, Sendable {
    case unknownTransport
    case unknownSession
    case badMethod
    case badRequest
    case forbidden
    case unsupportedVersion

    /// The content of the answer, which is 400, or 403 if it is forbidden.
    package var body: [UInt8] {
      let message =
        switch self {
        case .unknownTransport: "Transport unknown"
        case .unknownSession: "Session ID unknown"
        case .badMethod: "Bad handshake method"
        case .badRequest: "Bad request"
        case .forbidden: "Forbidden"
        case .unsupportedVersion: "Unsupported protocol version"
        }
      return Array("{\"code\":\(rawValue),\"message\":\"\(message)\"}".utf8)
    }
  }

  /// Judges a request.
  ///
  /// - Parameters:
  ///   - parameters: Those of the query; unknown ones are ignored.
  ///   - isUpgrade: Whether it asks for a WebSocket.
  ///   - isPost: Whether it brings packets; otherwise it is a GET.
  package init(_ parameters: [String: String], isUpgrade: Bool, isPost: Bool) throws(Refusal) {
    guard parameters["EIO"] == "4" else { throw .unsupportedVersion }
    let transport: EngineSession.Transport
    switch parameters["transport"] {
    case "polling": transport = .polling
    case "websocket": transport = .webSocket
    default: throw .unknownTransport
    }
    guard isUpgrade == (transport == .webSocket) else { throw .badRequest }
    if let id = parameters["sid"] {
      self = .resume(id, transport)
    } else {
      guard !isPost else { throw .badMethod }
      self = .open(transport)
    }
  }
}
