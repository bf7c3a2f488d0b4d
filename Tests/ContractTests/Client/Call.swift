@testable import ContractDocument

/// A call of one operation, with every part open to be spoiled.
struct Call: Sendable {
  var operationID: String
  /// The values of the path's parameters.
  var path: [String: String] = [:]
  /// The query's parameters in order, not yet percent-encoded.
  var query: [(name: String, value: String)] = []
  /// Text that is added to the query as it is, for forms that `query` cannot express.
  var rawQuery: String?
  var body: Body = .none
  /// Nil sends no `Content-Type`.
  var contentType: String? = "application/json"
  /// Nil sends no `Authorization`.
  var token: String?
  var ifMatch: String?
  var idempotencyKey: String?
  var headers: [(name: String, value: String)] = []

  /// The content of a call.
  enum Body: Sendable {
    case none
    case json(JSONValue)
    case bytes([UInt8])
  }

  /// The JSON body; an empty object without a body.
  var json: JSONValue {
    get { if case .json(let value) = body { value } else { [:] } }
    set { body = .json(newValue) }
  }

  /// The call with some of it changed.
  func with(_ change: (inout Call) -> Void) -> Call {
    var call = self
    change(&call)
    return call
  }

  /// The request that makes this call.
  func wireRequest(for operation: Operation) -> WireRequest {
    var target = path.reduce(operation.pathTemplate) { target, parameter in
      target.replacing("{\(parameter.key)}", with: Self.percentEncoded(parameter.value))
    }
    let pairs = query.map { "\(Self.percentEncoded($0.name))=\(Self.percentEncoded($0.value))" }
    let wholeQuery = (pairs + (rawQuery.map { [$0] } ?? [])).joined(separator: "&")
    if !wholeQuery.isEmpty { target += "?" + wholeQuery }
    var request = WireRequest(method: operation.method, target: target)
    if let token { request.headers.append(("Authorization", "Bearer \(token)")) }
    if let ifMatch { request.headers.append(("If-Match", ifMatch)) }
    if let idempotencyKey { request.headers.append(("Idempotency-Key", idempotencyKey)) }
    switch body {
    case .none: break
    case .json(let value): request.body = Array(value.text.utf8)
    case .bytes(let bytes): request.body = bytes
    }
    if request.body != nil, let contentType { request.headers.append(("Content-Type", contentType)) }
    request.headers += headers
    return request
  }

  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
