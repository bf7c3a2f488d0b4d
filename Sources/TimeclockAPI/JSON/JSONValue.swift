/// A JSON text as it was sent (RFC 8259). Objects keep their order and never have two members of one name.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without a fractional part that fits, in any notation: `1`, `1.0`, `1e2`.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable, Sendable {
    var name: String
    var value: JSONValue
  }
}

/// The reason why the service does not take bytes as JSON text.
struct JSONSyntaxError: Error, Equatable {
  /// The fault in words for a person, without any part of the text that was sent.
  var detail: String
  /// The place of the fault, in bytes from the start.
  var offset: Int
}
