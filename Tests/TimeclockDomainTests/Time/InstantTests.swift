import Testing
import TimeclockDomain

@Suite("Instants")
struct InstantTests {
  @Test(
    "RFC 3339 text is read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("1969-12-31T23:59:59.999Z", -1),
      ("2026-11-20T09:00:00Z", 1_795_165_200_000),
      ("2026-11-20T09:00:00.000Z", 1_795_165_200_000),
      ("2026-11-20t09:00:00z", 1_795_165_200_000),
      ("2026-11-20T14:45:00+05:45", 1_795_165_200_000),
      ("2026-11-20T05:30:00-03:30", 1_795_165_200_000),
      ("2026-11-21T08:59:00+23:59", 1_795_165_200_000),
      ("2026-11-19T09:01:00-23:59", 1_795_165_200_000),
      ("2026-11-20T09:00:00-00:00", 1_795_165_200_000),
      ("2026-11-20T09:00:00.1Z", 1_795_165_200_100),
      ("2026-11-20T09:00:00.12Z", 1_795_165_200_120),
      ("2026-11-20T09:00:00.9999Z", 1_795_165_200_999),
      ("2026-11-20T09:00:00.123456789+00:00", 1_795_165_200_123),
      ("1969-12-31T23:59:59.0009Z", -1000),
      ("2000-02-29T00:00:00Z", 951_782_400_000),
      ("2024-02-29T23:59:59Z", 1_709_251_199_000),
      ("1900-01-01T00:00:00Z", -2_208_988_800_000),
      ("1900-01-01T05:45:00+05:45", -2_208_988_800_000),
      ("9999-12-31T23:59:59.999999999Z", 253_402_300_799_999),
    ] as [(String, Int64)])
  func readsRFC3339(_ text: String, _ milliseconds: Int64) {
    #expect(Instant(rfc3339: text)?.millisecondsSince1970 == milliseconds)
    #expect(Instant(rfc3339: Array(text.utf8))?.millisecondsSince1970 == milliseconds)
    #expect(Instant(rfc3339: Array("x\(text)".utf8).dropFirst())?.millisecondsSince1970 == milliseconds)
  }

  @Test(
    "other text is refused",
    arguments: [
      "", " ", "Z", "2026", "2026-11-20", "09:00:00Z",
      // An offset is needed, and needs all its parts.
      "2026-11-20T09:00:00", "2026-11-20T09:00:00.000", "2026-11-20T09:00:00+05",
      "2026-11-20T09:00:00+0545", "2026-11-20T09:00:00+5:45", "2026-11-20T09:00:00+05:4",
      "2026-11-20T09:00:00+05:450", "2026-11-20T09:00:00+24:00", "2026-11-20T09:00:00+05:60",
      "2026-11-20T09:00:00-24:00", "2026-11-20T09:00:00+-5:00",
      "2026-11-20T09:00:00Z+00:00", "2026-11-20T09:00:00UTC", "2026-11-20T09:00:00+05:45[Asia/Kathmandu]",
      // The separators are fixed.
      "2026-11-20 09:00:00Z", "2026-11-20_09:00:00Z", "2026/11/20T09:00:00Z", "20261120T090000Z",
      "2026-11-20T09.00.00Z", "2026-11-20T09:00Z", "2026-11-20T09Z", "2026-W47-5T09:00:00Z",
      // Every field has its width and its limits.
      "2026-11-20T24:00:00Z", "2026-11-20T23:60:00Z", "2026-11-20T23:59:60Z", "2016-12-31T23:59:60Z",
      "2026-11-20T9:00:00Z", "2026-11-20T009:00:00Z", "2026-11-20T-9:00:00Z", "2026-11-20T+9:00:00Z",
      "2026-11-20T 9:00:00Z", "2026-1-20T09:00:00Z", "2026-11-2T09:00:00Z", "+2026-11-20T09:00:00Z",
      "-2026-11-20T09:00:00Z", "02026-11-20T09:00:00Z", "026-11-20T09:00:00Z", "12026-11-20T09:00:00Z",
      // The calendar has no such day.
      "2026-00-20T09:00:00Z", "2026-13-20T09:00:00Z", "2026-11-00T09:00:00Z", "2026-11-31T09:00:00Z",
      "2026-12-32T09:00:00Z", "2025-02-29T09:00:00Z", "1900-02-29T09:00:00Z", "2100-02-29T09:00:00Z",
      "2000-02-30T09:00:00Z",
      // A fraction has one to nine digits.
      "2026-11-20T09:00:00.Z", "2026-11-20T09:00:00.1234567890Z", "2026-11-20T09:00:00,5Z",
      "2026-11-20T09:00:00.1.2Z", "2026-11-20T09:00:00.-1Z", "2026-11-20T09:00:00. 1Z", "2026-11-20T09:00.5Z",
      // Nothing stands before or after.
      " 2026-11-20T09:00:00Z", "2026-11-20T09:00:00Z ", "2026-11-20T09:00:00Z\n", "2026-11-20T09:00:00Z\0",
      "2026-11-20T09:00:00ZZ", "2026-11-20T09:00:00Zjunk", "\u{FEFF}2026-11-20T09:00:00Z",
      // Only ASCII digits are digits, and only ASCII letters letters.
      "202\u{FF16}-11-20T09:00:00Z", "2026-11-20T09:00:0\u{FF10}Z", "\u{FF12}026-11-20T09:00:00Z",
      "\u{662}\u{660}\u{662}\u{666}-11-20T09:00:00Z", "2026-11-20T09:00:0\u{1D7CE}Z",
      "2026-11-20\u{A0}09:00:00Z", "2026-11-20T09:00:00\u{A0}Z", "2026-11-20\u{FF34}09:00:00Z",
      "2026-11-20T09:00:00\u{FF3A}", "2026-11-20T09:00:00Z\u{301}", "2026-11-20T09:00:00.\u{B2}Z",
      "2026-11-20T09\u{FF1A}00:00Z", "2026-11-20T09:00:00\u{2212}05:00", "2026-11-20T09:00:00\u{FF0B}05:00",
      // Outside 1900 to 9999, in UTC too.
      "0000-01-01T00:00:00Z", "1899-12-31T23:59:59Z", "1900-01-01T00:00:00+00:01",
      "9999-12-31T23:59:59-00:01",
      "10000-01-01T00:00:00Z", "9999-12-31T24:00:00Z",
    ])
  func refusesOtherText(_ text: String) {
    #expect(Instant(rfc3339: text) == nil)
    #expect(Instant(rfc3339: Array(text.utf8)) == nil)
  }

  @Test("any byte in a wrong place is refused, UTF-8 or not")
  func refusesWrongBytes() {
    for position in 0..<24 {
      for byte: UInt8 in [0x00, 0x2F, 0x3A, 0x80, 0xB0, 0xFF] {
        var bytes = Array("2026-11-20T09:00:00.000Z".utf8)
        if bytes[position] == byte { continue }
        bytes[position] = byte
        #expect(Instant(rfc3339: bytes) == nil)
      }
    }
  }

  @Test("text cut short anywhere is refused, and so is a very long one")
  func refusesOtherLengths() {
    let text = "2026-11-20T09:00:00.123456789+05:45"
    for length in 0..<text.utf8.count { #expect(Instant(rfc3339: String(text.prefix(length))) == nil) }
    #expect(Instant(rfc3339: String(repeating: "2", count: 1_000_000)) == nil)
  }

  @Test(
    "text is written in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1969-12-31T23:59:59.999Z"),
      (1_795_165_200_007, "2026-11-20T09:00:00.007Z"),
      (1_709_251_199_990, "2024-02-29T23:59:59.990Z"),
      (-2_208_988_800_000, "1900-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (-2_208_988_800_001, "1900-01-01T00:00:00.000Z"),
      (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
      (.min, "1900-01-01T00:00:00.000Z"),
      (.max, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func writesRFC3339(_ milliseconds: Int64, _ text: String) {
    #expect(Instant(millisecondsSince1970: milliseconds).rfc3339 == text)
    var bytes = Array("at ".utf8)
    Instant(millisecondsSince1970: milliseconds).appendRFC3339(to: &bytes)
    #expect(bytes == Array("at \(text)".utf8))
  }

  @Test("what is written is read back")
  func roundTrips() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<20_000 {
      let milliseconds = Int64.random(in: -2_208_988_800_000...253_402_300_799_999, using: &random)
      let instant = Instant(millisecondsSince1970: milliseconds)
      let text = instant.rfc3339
      let isReadBack = text.utf8.count == 24 && Instant(rfc3339: text) == instant
      if !isReadBack { Issue.record("\(milliseconds): \(text)") }
    }
  }

  @Test("random bytes are read or refused, never a trap")
  func survivesRandomBytes() {
    var random = SeededRandom(seed: 2)
    let alphabet = Array("0123456789-:.TtZz+ \u{FF10}".utf8)
    for _ in 0..<20_000 {
      var bytes = Array("2026-11-20T09:00:00.123+05:45".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = alphabet.randomElement(using: &random) ?? 0
      }
      let instant = Instant(rfc3339: bytes)
      if let instant, instant < .earliest || instant > .latest { Issue.record("\(bytes)") }
    }
  }

  @Test("sums and differences stop at the ends of their range")
  func saturates() {
    let first = Instant(millisecondsSince1970: .min)
    let last = Instant(millisecondsSince1970: .max)
    let epoch = Instant(millisecondsSince1970: 0)
    #expect(epoch.adding(milliseconds: 5).adding(milliseconds: -7).millisecondsSince1970 == -2)
    #expect(last.adding(milliseconds: 1) == last)
    #expect(first.adding(milliseconds: -1) == first)
    #expect(first.adding(milliseconds: .min) == first)
    #expect(epoch.adding(milliseconds: .min) == first)
    #expect(last.milliseconds(since: first) == .max)
    #expect(first.milliseconds(since: last) == .min)
    #expect(epoch.milliseconds(since: first) == .max)
    #expect(Instant(millisecondsSince1970: 9).milliseconds(since: epoch) == 9)
    #expect(epoch.milliseconds(since: Instant(millisecondsSince1970: 9)) == -9)
  }

  @Test("the earlier instant is the lesser")
  func orders() {
    #expect(Instant(millisecondsSince1970: -1) < Instant(millisecondsSince1970: 0))
    #expect(!(Instant(millisecondsSince1970: 0) < Instant(millisecondsSince1970: 0)))
    #expect(Instant.earliest.rfc3339 == "1900-01-01T00:00:00.000Z")
    #expect(Instant.latest.rfc3339 == "9999-12-31T23:59:59.999Z")
  }
}
