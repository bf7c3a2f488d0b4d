import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("CSV")
struct CSVWriterTests {
  private func cell(_ text: String) -> String {
    var writer = CSVWriter()
    writer.text(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("Lines end with CR LF, and commas separate cells")
  func lines() throws {
    var writer = CSVWriter()
    writer.header(["id", "name"])
    writer.text("Anna")
    writer.number(-12)
    writer.number(.min)
    writer.endLine()
    writer.empty()
    writer.text(nil)
    writer.number(nil)
    writer.number(0)
    writer.endLine()
    writer.instant(try #require(Instant(rfc3339: "2026-10-25T00:30:00Z")))
    writer.date(try #require(LocalDate(iso8601: "2026-10-25")))
    writer.endLine()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "id,name\r\nAnna,-12,-9223372036854775808\r\n,,,0\r\n2026-10-25T00:30:00.000Z,2026-10-25\r\n")
  }

  private func table(_ change: (inout TableDialect) -> Void = { _ in }, of name: TableDialect.Name) -> String
  {
    var dialect = TableDialect(name)
    change(&dialect)
    var writer = CSVWriter(dialect)
    writer.header(["id", "hours"])
    writer.text("0001")
    writer.duration(875, as: .decimal)
    writer.text("=1;2")
    writer.number(8)
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("A dialect says what is between cells, in numbers and at the beginning, and keeps text")
  func dialects() {
    #expect(table(of: .rfc4180) == "id,hours\r\n0001,8.75,\"'=1;2\",8\r\n")
    #expect(table(of: .excel) == "\u{FEFF}id;hours\r\n\"=\"\"0001\"\"\";8,75;\"'=1;2\";8\r\n")
    #expect(table({ $0.separator = .tab }, of: .rfc4180) == "id\thours\r\n0001\t8.75\t\"'=1;2\"\t8\r\n")
    // A decimal sign that is the separator too stands in quotes.
    #expect(table({ $0.decimalSign = .comma }, of: .rfc4180) == "id,hours\r\n0001,\"8,75\",\"'=1;2\",8\r\n")
    #expect(table({ $0.hasByteOrderMark = true }, of: .rfc4180).hasPrefix("\u{FEFF}id,hours"))
    #expect(table({ $0.keepsText = false }, of: .excel).contains("\r\n0001;8,75;"))
  }

  @Test(
    "Text stays text in a spreadsheet, where it would be read as a number",
    arguments: [
      ("0001", true), ("1", true), ("1,5", true), ("1E5", true), ("1-2", true), ("08:15", true),
      ("50 %", true),
      ("1.000,5", true), ("", false), ("-", false), ("e", false), ("1a", false), ("Room 12", false),
      ("-5", false), ("+49 30", false), ("1\"", false), ("١", false),
      (String(repeating: "1", count: 256), false),
    ])
  func keptText(_ text: String, _ isKept: Bool) {
    var writer = CSVWriter(TableDialect(.excel))
    writer.text(text)
    let written = String(decoding: writer.bytes, as: UTF8.self)
    #expect(written == (isKept ? "\"=\"\"\(text)\"\"\"" : cell(text)))
    if isKept { #expect(SpreadsheetNumber.unwrapped("=\"\(text)\"") == text) }
  }

  @Test(
    "A cell that was not written so is no kept text",
    arguments: ["0001", "=\"\"", "=\"A1\"", "=\"1\"&A1&\"2\"", "=1", "\"1\"", "=\"1"])
  func otherCells(_ cell: String) {
    #expect(SpreadsheetNumber.unwrapped(cell) == cell)
  }

  @Test("Bytes that were taken away are not written again")
  func parts() {
    var writer = CSVWriter()
    writer.text("a")
    let first = writer.takeBytes()
    writer.text("b")
    writer.endLine()
    #expect(String(decoding: first + writer.bytes, as: UTF8.self) == "a,b\r\n")
  }

  @Test(
    "A cell has quotes if it needs them",
    arguments: [
      ("", ""), ("Zoë Ångström", "Zoë Ångström"), ("a'b", "a'b"), ("a,b", "\"a,b\""), ("a;b", "\"a;b\""),
      ("\"", "\"\"\"\""), ("say \"yes\" \"now\"", "\"say \"\"yes\"\" \"\"now\"\"\""), ("a\nb", "\"a\nb\""),
      ("a\r\nb", "\"a\r\nb\""), ("a\tb", "\"a\tb\""), (" a", "\" a\""), ("a ", "\"a \""), ("a=b", "a=b"),
    ])
  func quotes(_ text: String, _ written: String) {
    #expect(cell(text) == written)
  }

  @Test(
    "An apostrophe precedes text that a spreadsheet would calculate",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "\"'\tx\""),
      ("\rx", "\"'\rx\""), ("\nx", "\"'\nx\""), ("=\"a\",b", "\"'=\"\"a\"\",b\""), (" =1", "\"' =1\""),
      ("\u{A0}=1", "'\u{A0}=1"), ("\u{3000} \u{FF1D}1", "'\u{3000} \u{FF1D}1"), ("\u{FEFF}=1", "'\u{FEFF}=1"),
      ("\u{200B}@x", "'\u{200B}@x"), ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"),
      ("﹦1", "'﹦1"), ("=", "'="),
    ])
  func formulas(_ text: String, _ written: String) {
    #expect(cell(text) == written)
  }

  @Test(
    "No apostrophe precedes any other text",
    arguments: ["'", "'=1", "1-1", "x", "\u{200B}", "\u{A0}", "Ω=1", "–1", "%", "|x", "🙂=1", "\u{301}=1"])
  func texts(_ text: String) {
    #expect(cell(text) == text)
  }
}
