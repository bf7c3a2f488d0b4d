/// A JSON text as it was sent (RFC 8259). Objects keep their order and never have two members of one name.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without a fractional part that fits, however it was written: `1`, `1.0`, `1e2`.
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

/// Why bytes are no JSON text this service takes.
struct JSONSyntaxError: Error, Equatable {
  /// What is wrong, for a person; holds nothing of what was sent but a position.
  var detail: String
  /// Where the trouble begins, in bytes from the start.
  var offset: Int
}
