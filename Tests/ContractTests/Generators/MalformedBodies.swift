@testable import ContractDocument

/// Bodies that are wrong before any schema is asked.
enum MalformedBodies {
  /// Bytes that are no JSON text, or one that no schema of the contract allows, from a body that is accepted.
  static func all(from valid: JSONValue) -> [(name: String, bytes: [UInt8])] {
    let text = valid.text
    let deep = String(repeating: "[", count: 100_000)
    let closed = deep + String(repeating: "]", count: 100_000)
    let texts = [
      ("cut off", String(text.dropLast())), ("followed by more", text + "x"), ("twice", text + text),
      ("with a trailing comma", String(text.dropLast()) + ",}"), ("in single quotes", "{'a': 1}"),
      ("white space only", "  "), ("a comment", text + "/* */"), ("not a number", #"{"notes": NaN}"#),
      ("deep and open", deep), ("deep", closed), ("deep in a member", #"{"notes":"# + closed + "}"),
      ("a byte order mark", "\u{FEFF}" + text), ("a raw NUL", "\0" + text),
      ("a lone surrogate", #"{"notes":"\ud800"}"#), ("a raw new line in a string", "{\"notes\":\"a\nb\"}"),
      ("a form", "notes=a"),
    ]
    let bytes: [(String, [UInt8])] = [
      ("invalid UTF-8", Array(#"{"notes":""#.utf8) + [0xFF] + Array(#""}"#.utf8)),
      ("an overlong NUL", Array(#"{"notes":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8)),
      ("a surrogate in UTF-8", Array(#"{"notes":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8)),
      ("UTF-16", Array(text.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
    ]
    return texts.map { ($0.0, Array($0.1.utf8)) } + bytes
  }

  /// Content types that are not `application/json`.
  static let otherContentTypes: [String?] = [
    nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/problem+json",
    "application/json; charset=utf-16", "application", "",
  ]

  /// More than the server takes, yet valid JSON.
  static func tooLarge(_ valid: JSONValue) -> [UInt8] { padded(valid, to: 300 * 1024) }

  /// A valid body with white space after it.
  static func padded(_ valid: JSONValue, to count: Int) -> [UInt8] {
    let bytes = Array(valid.text.utf8)
    return bytes + Array(repeating: 0x20, count: count - bytes.count)
  }
}
