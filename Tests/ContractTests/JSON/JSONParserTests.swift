import Testing

@testable import ContractDocument

/// The parser that answers are read with.
struct JSONParserTests {
  @Test("reads what it writes")
  func roundTrip() throws {
    let value: JSONValue = [
      "a": [nil, true, -12, .double(1.5), "x\"\\\n\u{1}😀"], "b": [:], "c": [],
    ]
    #expect(try JSONParser.parse(Array(value.text.utf8)) == value)
    let escaped = #" { "\u0041\ud83d\ude00" : "\/\b\f\r\t" } "#
    #expect(try JSONParser.parse(Array(escaped.utf8)) == ["A😀": "/\u{8}\u{C}\r\t"])
  }

  @Test("keeps repeated members")
  func repeatedMembers() throws {
    #expect(try JSONParser.parse(Array(#"{"a":1,"a":2}"#.utf8)).members.count == 2)
  }

  @Test(
    "refuses what is not JSON",
    arguments: [
      "", "{", "[1,]", "{\"a\":1,}", "01", "+1", "1.", ".5", "1e", "nul", "'a'", "\"a", "\"\u{1}\"", "{}x",
      #""\x""#, #""\ud800""#, #""\u12""#, "{a:1}", "NaN", "[1 2]", "\u{FEFF}{}",
    ])
  func refuses(_ text: String) {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test("refuses bytes that are not UTF-8")
  func refusesOtherEncodings() {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.parse([0x22, 0xC3, 0x22]) }
  }
}
