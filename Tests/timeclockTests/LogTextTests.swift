import Logging
import Testing

@testable import timeclock

@Suite("A line of the log")
struct LogTextTests {
  @Test(
    "A line holds no character that begins a line, commands a terminal or turns the direction of text",
    arguments: [
      ("a\nb", #"a\u{A}b"#), ("a\r\nb", #"a\u{D}\u{A}b"#), ("\u{1B}[2J", #"\u{1B}[2J"#),
      ("\0\t\u{7F}", #"\u{0}\u{9}\u{7F}"#),
      ("\u{9B}31m\u{85}", #"\u{9B}31m\u{85}"#), ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#),
      ("\u{202E}gpj.exe", #"\u{202E}gpj.exe"#),
      ("\u{2066}\u{2069}\u{200F}\u{61C}", #"\u{2066}\u{2069}\u{200F}\u{61C}"#),
      // A grapheme of two scalars is checked scalar by scalar.
      ("e\u{301}\u{1B}", "e\u{301}\\u{1B}"),
    ])
  func escaped(_ text: String, _ expected: String) {
    #expect(LogText.escaped(text) == expected)
    #expect(written(text) == expected)
  }

  @Test("Any other text stays as it is", arguments: ["", "plain ASCII ~ \\ \"'", "Café 東京 🕰️", "a\u{FFFD}b"])
  func plain(_ text: String) {
    #expect(LogText.escaped(text) == text)
    #expect(written(text) == text)
  }

  @Test("Bytes that are not UTF-8 appear as the replacement character")
  func invalid() {
    #expect(
      written(String(decoding: [0x61, 0xFF, 0xC3, 0x0A] as [UInt8], as: UTF8.self))
        == "a\u{FFFD}\u{FFFD}\\u{A}")
  }

  /// Returns the part of a written line after its time and level.
  private func written(_ line: String) -> String {
    var lines = PendingLines()
    _ = lines.append(line, level: .info)
    let text = String(decoding: lines.takeAll(), as: UTF8.self)
    #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
    return String(text.dropLast().drop { $0 != " " }.dropFirst(" info ".count))
  }
}
