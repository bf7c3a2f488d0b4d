import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("iCalendar")
struct CalendarWriterTests {
  private func text(_ value: String) -> String {
    var writer = CalendarWriter()
    writer.text("SUMMARY:", value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(
    "Texts are escaped",
    arguments: [
      ("Work", "Work"), ("a,b;c\\d\ne", "a\\,b\\;c\\\\d\\ne"), ("tab\there", "tab\there"),
      ("a:b\"c", "a:b\"c"),
      ("a\rb\u{7F}\u{0}c", "abc"), ("Zoë 🙂", "Zoë 🙂"),
    ])
  func escapes(_ text: String, _ written: String) {
    #expect(self.text(text) == "SUMMARY:\(written)\r\n")
  }

  @Test("Lines are folded at 75 bytes, between characters", arguments: ["x", "é", "€", "🙂", "a\u{301}"])
  func folds(_ character: String) {
    for count in [0, 1, 14, 15, 16, 17, 33, 34, 66, 67, 68, 69, 300] {
      for prefix in ["", "a", "ab", "abc"] {
        let value = prefix + String(repeating: character, count: count)
        let written = text(value)
        let lines = written.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.utf8.first == UInt8(ascii: " ") })
        let bytes = Array(written.utf8)
        var unfolded: [UInt8] = []
        var position = 0
        while position < bytes.count {
          if bytes[position...].starts(with: "\r\n ".utf8) {
            position += 3
            // The next line begins with a whole character.
            #expect(bytes[position] & 0xC0 != 0x80)
          } else {
            unfolded.append(bytes[position])
            position += 1
          }
        }
        #expect(unfolded == Array("SUMMARY:\(value)\r\n".utf8))
      }
    }
  }

  @Test("Instants are in UTC, without punctuation")
  func instants() throws {
    var writer = CalendarWriter()
    writer.time("DTSTART:", try #require(Instant(rfc3339: "2026-10-25T02:30:00.999+01:00")))
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "DTSTART:20261025T013000Z\r\n")
  }
}
