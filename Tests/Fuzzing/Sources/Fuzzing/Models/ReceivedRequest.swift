@testable import HTTPMessages

/// A request that was taken, to be compared and to be written out again.
struct ReceivedRequest: Equatable {
  struct Field: Equatable {
    var name: [UInt8]
    var value: [UInt8]
  }

  var method: String
  var path: String
  var query: String?
  var fields: [Field]
  var body: [UInt8]
  var version: HTTPVersion
  var keepsConnectionOpen: Bool

  init(_ received: HTTPReceivedRequest) {
    let request = received.request
    method = request.method.name
    path = request.path
    query = request.query
    fields = request.fields.entries.map { entry in
      Field(
        name: Array(request.fields.bytes[Int(entry.nameStart)..<Int(entry.nameEnd)]),
        value: Array(request.fields.bytes[Int(entry.valueStart)..<Int(entry.valueEnd)]))
    }
    body = request.body
    version = received.version
    keepsConnectionOpen = received.keepsConnectionOpen
  }

  /// The request without its framing, on a connection that stays open.
  var plain: ReceivedRequest {
    let framing = ["content-length", "transfer-encoding", "expect", "connection"].map { Array($0.utf8) }
    var plain = self
    plain.fields.removeAll { framing.contains($0.name.map(ASCII.lowercased)) }
    plain.keepsConnectionOpen = true
    if version == .http10 {
      plain.fields.append(Field(name: Array("Connection".utf8), value: Array("keep-alive".utf8)))
    }
    return plain
  }

  /// The request on the wire, its content with a length.
  var bytes: [UInt8] {
    var bytes = Array("\(method) \(path)".utf8)
    if let query { bytes += Array("?\(query)".utf8) }
    bytes += Array(" HTTP/1.\(version == .http10 ? 0 : 1)\r\n".utf8)
    for field in fields { bytes += field.name + Array(": ".utf8) + field.value + Array("\r\n".utf8) }
    return bytes + Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
