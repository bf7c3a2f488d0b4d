import Testing

@testable import ImportFiles

@Suite("Comma-separated values")
struct DelimitedTextReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var records: [[String]]
    var lines: [Int]?
    var testDescription: String { text.debugDescription }
  }

  static let wellFormed = [
    Case(text: "a,b\nc,d\n", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Case(text: "a,b\r\nc,d", records: [["a", "b"], ["c", "d"]], lines: [1, 2]),
    Case(text: "\u{FEFF}a,b\n", records: [["a", "b"]]),
    Case(text: "\u{FEFF}\"a\",b\n", records: [["a", "b"]]),
    Case(text: "\"a,b\",\"c \"\"d\"\"\"\n", records: [["a,b", "c \"d\""]]),
    Case(
      text: "\"two\nlines\",x\n\"three\r\n\r\nlines\",y\nz,z\n",
      records: [
        ["two\nlines", "x"], ["three\r\n\r\nlines", "y"], ["z", "z"],
      ], lines: [1, 3, 6]),
    Case(text: ",\n,,\n", records: [["", ""], ["", "", ""]]),
    Case(text: "\n\na\n\nb\n\n", records: [["a"], ["b"]], lines: [3, 5]),
    Case(text: "\"\"\n\"\",\"\"", records: [[""], ["", ""]]),
    Case(text: "größe,李雷\u{2028}\n", records: [["größe", "李雷\u{2028}"]]),
    Case(text: " a , b \n", records: [[" a ", " b "]]),
  ]

  @Test("Values are read as RFC 4180 says, in pieces of any length", arguments: wellFormed)
  func reads(_ example: Case) {
    let bytes = Array(example.text.utf8)
    for size in [bytes.count, 1, 2, 3, 5] {
      let records = read(bytes, in: size)
      #expect(records.map { try? $0.fields.get() } == example.records, "in pieces of \(size)")
      if let lines = example.lines { #expect(records.map(\.line) == lines) }
    }
  }

  @Test("Empty text has no records", arguments: ["", "\u{FEFF}", "\n\n", "\r\n"])
  func nothing(_ text: String) {
    #expect(read(Array(text.utf8), in: 1).isEmpty)
  }

  @Test(
    "Text that breaks the rules is a fault of one record",
    arguments: [
      ("a,b\"c\nd\n", DelimitedTextFault.strayQuote), ("\"a\"b,c\nd\n", .textAfterQuote),
      ("a\rb\nd\n", .strayCarriageReturn), ("\"a\" ,b\nd\n", .textAfterQuote),
    ])
  func faults(_ text: String, _ fault: DelimitedTextFault) {
    for size in [text.utf8.count, 1] {
      let records = read(Array(text.utf8), in: size)
      #expect(records.map(\.fields) == [.failure(fault), .success(["d"])])
      #expect(records.map(\.line) == [1, 2])
    }
  }

  @Test("A quote that is never closed is a fault of the rest of the text")
  func unterminated() {
    let records = read(Array("a\n\"b,c\nd\n".utf8), in: 2)
    #expect(records.map(\.fields) == [.success(["a"]), .failure(.unterminatedQuote)])
    #expect(records.last?.line == 2)
  }

  @Test("Bytes that are not UTF-8 are a fault of one record")
  func notUTF8() {
    let records = read([0x61, 0xE4, 0x0A, 0x62, 0x0A], in: 1)
    #expect(records.map(\.fields) == [.failure(.notUTF8), .success(["b"])])
    // This is only the beginning of a byte order mark.
    #expect(read([0xEF, 0xBB, 0x0A], in: 1).map(\.fields) == [.failure(.notUTF8)])
    #expect(read([0xEF], in: 1).map(\.fields) == [.failure(.notUTF8)])
  }

  @Test("A record may be as long as the limit and no longer")
  func limit() {
    for (length, isTaken) in [(10, true), (11, false)] {
      for text in [
        String(repeating: "x", count: length), String(repeating: ",", count: length),
        "\"" + String(repeating: "\n", count: length) + "\"",
      ] {
        var reader = DelimitedTextReader(delimiter: UInt8(ascii: ","), recordByteLimit: 10)
        var records: [DelimitedRecord] = []
        reader.read(Array((text + "\nb\n").utf8), into: &records)
        reader.finish(into: &records)
        #expect(records.count == 2)
        #expect((try? records.first?.fields.get() != nil) == (isTaken ? true : nil))
        #expect(records.last?.fields == .success(["b"]))
      }
    }
  }

  @Test("Quotes are text if the delimiter is a tab")
  func tabs() {
    var reader = DelimitedTextReader(delimiter: UInt8(ascii: "\t"))
    var records: [DelimitedRecord] = []
    reader.read(Array("a\t\"b\" c\t\"\r\nd\te\tf".utf8), into: &records)
    reader.finish(into: &records)
    #expect(records.map(\.fields) == [.success(["a", "\"b\" c", "\""]), .success(["d", "e", "f"])])
  }

  @Test(
    "The first line determines the delimiter",
    arguments: [
      ("a,b;c,d\n;;;;", ","), ("a;b;c\n", ";"), ("a\tb,c\td", "\t"), ("\"a;b;c\",d", ","), ("a", ","),
      ("", ","),
    ])
  func delimiter(_ text: String, _ delimiter: String) {
    #expect(DelimitedTextReader.delimiter(in: text.utf8) == delimiter.utf8.first)
  }

  @Test("Any bytes are read the same in pieces of any length")
  func anyBytes() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("ab,;\t\"\"\n\r é".utf8) + [0xEF, 0xBB, 0xBF, 0xFF, 0]
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      let whole = read(bytes, in: max(1, bytes.count))
      let size = Int.random(in: 1...5, using: &random)
      #expect(read(bytes, in: size) == whole, "\(bytes) in pieces of \(size)")
      #expect(whole.map(\.line) == whole.map(\.line).sorted())
    }
  }

  private func read(_ bytes: [UInt8], in size: Int) -> [DelimitedRecord] {
    var reader = DelimitedTextReader(delimiter: UInt8(ascii: ","))
    var records: [DelimitedRecord] = []
    for begin in stride(from: 0, to: bytes.count, by: max(1, size)) {
      reader.read(bytes[begin..<min(begin + max(1, size), bytes.count)], into: &records)
    }
    reader.finish(into: &records)
    return records
  }
}
