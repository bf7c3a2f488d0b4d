/// A packet of Socket.IO 5 (github.com/socketio/socket.io-protocol), which a message of Engine.IO carries.
package struct SocketPacket: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    case connect = 0x30
    case disconnect
    case event
    case acknowledgment
    case connectError
    case binaryEvent
    case binaryAcknowledgment
  }

  package var kind: Kind
  /// `/` for the main one.
  package var namespace: String
  /// The number under which the sender waits for an acknowledgment; nil if it waits for none.
  package var acknowledgmentID: Int64?
  /// JSON, not judged yet; empty for none.
  package var payload: [UInt8]

  package init(_ kind: Kind, namespace: String = "/", acknowledgmentID: Int64? = nil, payload: [UInt8] = []) {
    self.kind = kind
    self.namespace = namespace
    self.acknowledgmentID = acknowledgmentID
    self.payload = payload
  }

  /// Reads a packet; nil for any other bytes. Of binary packets only the kind is read.
  package init?(_ bytes: [UInt8]) {
    guard let first = bytes.first, let kind = Kind(rawValue: first) else { return nil }
    self.init(kind)
    guard kind != .binaryEvent, kind != .binaryAcknowledgment else { return }
    var rest = bytes.dropFirst()
    if rest.first == UInt8(ascii: "/") {
      let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      // A query behind the name is nobody's business.
      let name = rest[..<end].prefix { $0 != UInt8(ascii: "?") }
      guard let namespace = String(validating: name, as: UTF8.self) else { return nil }
      self.namespace = namespace
      rest = rest[end...].dropFirst()
    }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    if !digits.isEmpty {
      guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
      acknowledgmentID = number
      rest = rest.dropFirst(digits.count)
    }
    // Anything else would be taken for a namespace or a number where it is written.
    guard rest.isEmpty || rest.first.map("[{\"".utf8.contains) == true else { return nil }
    payload = Array(rest)
  }

  /// The packet as text.
  package var bytes: [UInt8] {
    var bytes = [kind.rawValue]
    if namespace != "/" { bytes += Array(namespace.utf8) + [UInt8(ascii: ",")] }
    if let acknowledgmentID { bytes += Array(String(acknowledgmentID).utf8) }
    return bytes + payload
  }
}
