/// The server's side of Socket.IO over one connection, with the main namespace alone. It does no input or output.
package struct SocketConnection: Sendable {
  package enum Event: Hashable, Sendable {
    case nothing
    /// The client is in the namespace; its payload is its credentials, as JSON, or empty.
    case connected([UInt8])
    /// An event as JSON: an array of its name and its arguments.
    case event([UInt8], acknowledgmentID: Int64?)
    /// The client has left, or has broken the protocol.
    case closed
  }

  /// Whether the client is in the namespace.
  package private(set) var isConnected = false
  private let id: String

  /// - Parameter id: The name that the client gets for its place in the namespace; another one than the connection's.
  package init(id: String) {
    self.id = id
  }

  /// Takes a message.
  ///
  /// - Returns: The event, and the messages to answer with at once.
  package mutating func receive(_ message: [UInt8]) -> (event: Event, answers: [[UInt8]]) {
    guard let packet = SocketPacket(message) else { return (.closed, []) }
    switch packet.kind {
    case .connect where packet.namespace == "/":
      guard !isConnected else { return (.closed, []) }
      isConnected = true
      let answer = SocketPacket(.connect, payload: Array("{\"sid\":\"\(id)\"}".utf8))
      return (.connected(packet.payload), [answer.bytes])
    case .connect:
      let refusal = SocketPacket(
        .connectError, namespace: packet.namespace, payload: Array("{\"message\":\"Invalid namespace\"}".utf8)
      )
      return (.nothing, [refusal.bytes])
    case .event where isConnected && packet.namespace == "/":
      return (.event(packet.payload, acknowledgmentID: packet.acknowledgmentID), [])
    // Nothing asks for acknowledgments.
    case .acknowledgment where isConnected: return (.nothing, [])
    case .disconnect, .event, .acknowledgment, .connectError, .binaryEvent, .binaryAcknowledgment:
      return (.closed, [])
    }
  }

  /// An event for the client.
  ///
  /// - Parameter argument: The event's only argument as JSON.
  package static func event(_ name: String, _ argument: [UInt8]) -> [UInt8] {
    SocketPacket(.event, payload: Array("[\"\(name)\",".utf8) + argument + Array("]".utf8)).bytes
  }

  /// The message that ends the client's place in the namespace.
  package static var disconnection: [UInt8] { SocketPacket(.disconnect).bytes }
}
