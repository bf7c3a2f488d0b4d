import Testing

@testable import TimeclockAPI

@Suite("JSON")
struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONParser.parse(Array(text.utf8))
  }

  @Test(
    "Values are read",
    arguments: [
      ("null", .null), (" true\n", .bool(true)), ("\tfalse\r", .bool(false)), ("0", .integer(0)),
      ("-0", .integer(0)),
      ("12", .integer(12)), ("1.0", .integer(1)), ("1e2", .integer(100)), ("1.5", .number(1.5)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)),
      (#""""#, .string("")), (#""é𝄞""#, .string("é𝄞")),
      (#""\u00e9\uD834\uDD1E\n\/\"\\""#, .string("é𝄞\n/\"\\")),
      (#""a\u0000b""#, .string("a\0b")), ("[]", .array([])),
      ("[1, [2]]", .array([.integer(1), .array([.integer(2)])])),
      ("{}", .object([])),
      (
        #"{"b": 1, "a": {}}"#,
        .object([.init(name: "b", value: .integer(1)), .init(name: "a", value: .object([]))])
      ),
    ] as [(String, JSONValue)])
  func reads(_ text: String, _ value: JSONValue) throws {
    #expect(try parse(text) == value)
  }

  @Test(
    "Text that is not JSON is refused",
    arguments: [
      "", " ", "nul", "nulls", "True", "+1", "01", "1.", ".5", "1e", "1e+", "--1", "0x1", "1e400", "NaN",
      "'a'",
      #"""#, #""a"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\uD834""#, #""\uD834\u0041""#, #""\uDD1E""#,
      "\"a\nb\"", "\"a\u{1}b\"", "[", "[1", "[1,", "[1,]", "[1 2]", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#,
      #"{"a":1,"#,
      #"{"a":1,}"#, "{a:1}", "{1:1}", "1 1", "{}{}", "// c\n1", "\u{FEFF}1", "\u{A0}1", "１",
    ])
  func refuses(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try parse(text) }
  }

  @Test("A member's name twice in one object is refused, and in two objects is not")
  func duplicates() throws {
    #expect(throws: JSONSyntaxError.self) { try parse(#"{"a":1,"b":2,"a":1}"#) }
    #expect(throws: JSONSyntaxError.self) { try parse(#"{"a":1,"\u0061":1}"#) }
    #expect(throws: Never.self) { try parse(#"{"a":{"a":1}}"#) }
  }

  @Test(
    "Bytes that are not UTF-8 are refused",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3]] as [[UInt8]])
  func encoding(_ bytes: [UInt8]) {
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22] + bytes + [0x22]) }
  }

  @Test("Members' names are compared as bytes, up to the greatest length of a name")
  func names() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 60_000)
    #expect(throws: JSONSyntaxError.self) { try parse("{\"a\(marks)\": 1}") }
    let longest = String(repeating: "n", count: JSONParser.nameByteLimit)
    #expect(throws: Never.self) { try parse("{\"\(longest)\": 1}") }
    #expect(throws: JSONSyntaxError.self) { try parse("{\"\(longest)n\": 1}") }
    // Swift's strings treat these two as equal.
    #expect(throws: Never.self) { try parse("{\"\u{E9}\": 1, \"e\u{301}\": 1}") }
  }

  @Test("Nesting is read to its limit and refused beyond")
  func depth() {
    let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(throws: Never.self) { try parse(deepest) }
    #expect(throws: JSONSyntaxError.self) { try parse("[" + deepest + "]") }
    #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: "[", count: 100_000)) }
  }

  @Test("No prefix of a text traps or is taken for the whole text")
  func cuts() {
    let text = Array(#"{"a": [1.5e3, "\uD834\uDD1E é", true, null], "b": {"c": -12}}"#.utf8)
    for count in text.indices {
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text[..<count])) }
    }
  }

  @Test(
    "A written text reads back the same",
    arguments: ["", "é𝄞", "\"\\/\n\r\t\u{8}\u{1}\u{1F}\u{7F}", "</script>"])
  func writes(_ text: String) throws {
    let bytes = JSONWriter.object { writer in
      writer.member("text", text)
      writer.member("number", Int64.min)
      writer.array("list", [1, 2] as [Int64]) { $0.integer($1) }
      writer.member("nothing", nil as String?)
      writer.member("yes", true)
    }
    #expect(
      try JSONParser.parse(bytes)
        == .object([
          .init(name: "text", value: .string(text)), .init(name: "number", value: .integer(.min)),
          .init(name: "list", value: .array([.integer(1), .integer(2)])),
          .init(name: "nothing", value: .null),
          .init(name: "yes", value: .bool(true)),
        ]))
  }
}
