import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("Holidays of an iCalendar file")
struct CalendarFileTests {
  /// The holidays of 2026 to 2028 as lines of date and name.
  static func holidays(_ text: String, from: String = "2026-01-01", through: String = "2028-12-31") throws
    -> [String]
  {
    let range = try #require(LocalDate(iso8601: from))...#require(LocalDate(iso8601: through))
    return try CalendarFile.holidays(in: Array(text.utf8), within: range).map {
      "\($0.date.iso8601) \($0.name)"
    }
  }

  /// The error of a text; nil if it has none.
  static func error(_ text: String) -> CalendarFileError? {
    do {
      _ = try holidays(text)
      return nil
    } catch {
      return error as? CalendarFileError
    }
  }

  /// A calendar of one event with these properties, the first of which stands in line 3.
  static func event(_ properties: String...) -> String {
    """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    \(properties.joined(separator: "\n"))
    END:VEVENT
    END:VCALENDAR
    """
  }

  @Test("An event is a holiday on its date, with lines that end in CR LF or LF", arguments: ["\r\n", "\n"])
  func plain(_ lineEnd: String) throws {
    let lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20261225", "SUMMARY:Christmas"]
    let text = (lines + ["END:VEVENT", "END:VCALENDAR"]).joined(separator: lineEnd)
    for end in ["", lineEnd, lineEnd + lineEnd] {
      #expect(try Self.holidays(text + end) == ["2026-12-25 Christmas"])
      #expect(try Self.holidays("\u{FEFF}" + text + end) == ["2026-12-25 Christmas"])
    }
  }

  @Test("Folded lines are joined, also within a character, a name or a value")
  func folded() throws {
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEV\r\n ENT\r\nDTST\r\n\tART:2026\r\n 0101\r\nSUMMARY:Neujahr f"
    let bytes = Array(text.utf8) + [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("r\r\n \r\n  alle\r\n".utf8)
    let end = Array("END:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    let date = try #require(LocalDate(iso8601: "2026-01-01"))
    let expected = [CalendarFile.Holiday(date: date, name: "Neujahr für alle")]
    #expect(try CalendarFile.holidays(in: bytes + end, within: date...date) == expected)
  }

  @Test("An empty line is no line, between the parts of a folded one too")
  func emptyLines() throws {
    let text = Self.event("", "DTSTART:2026", "", " 0101", "SUMMARY:x")
    #expect(try Self.holidays(text) == ["2026-01-01 x"])
    let error = Self.error(Self.event("", "DTSTART:2026", "", " 0101x", "SUMMARY:x"))
    #expect(error?.line == 4)
  }

  @Test(
    "The name is unescaped, trimmed, and one line without control characters",
    arguments: [
      ("SUMMARY;LANGUAGE=de:Neujahr", "Neujahr"), ("summary;language=\"de:at;x\":Neujahr", "Neujahr"),
      (#"SUMMARY:a\, b\; c\\n"#, #"a, b; c\n"#), (#"SUMMARY:two\nlines\Nof it"#, "two lines of it"),
      ("SUMMARY:  St.\tPatrick  ", "St. Patrick"), ("SUMMARY:a\u{7}b\u{0}c\rd", "abcd"),
      (#"SUMMARY:C:\x\"#, #"C:\x\"#), ("SUMMARY:12: noon", "12: noon"),
    ])
  func names(_ line: String, _ name: String) throws {
    #expect(try Self.holidays(Self.event("DTSTART:20260101", line)) == ["2026-01-01 \(name)"])
  }

  @Test(
    "An event has each date before its end",
    arguments: [
      (["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261225"], 24...24),
      (["DTSTART:20261224", "DTEND:20261227"], 24...26), (["DTSTART:20261224", "DTEND:20261224"], 24...24),
      (["DTSTART:20261224", "DURATION:P3D"], 24...26), (["DTSTART:20261224", "DURATION:P1W"], 24...30),
      (["DTSTART:20261224", "DURATION:PT0S"], 24...24),
      (["DTSTART:20261224T220000", "DURATION:PT2H"], 24...24),
      (["DTSTART:20261224T220000", "DURATION:P1DT2H1S"], 24...26),
      (["DTSTART;TZID=Asia/Tokyo:20261224T000000", "DTEND;TZID=Asia/Tokyo:20261225T000000"], 24...24),
      (["DTSTART:20261224T233000Z", "DTEND:20261225T000100Z"], 24...25),
      (["DTSTART:20261224T233000Z"], 24...24),
    ])
  func spans(_ properties: [String], _ days: ClosedRange<Int>) throws {
    let text = Self.event((properties + ["SUMMARY:x"]).joined(separator: "\n"))
    #expect(try Self.holidays(text) == days.map { "2026-12-\($0) x" })
  }

  @Test("Only dates of the range are given, of a long event too")
  func range() throws {
    let text = Self.event("DTSTART:20251224", "DTEND:20260107", "SUMMARY:Winter", "RRULE:FREQ=YEARLY")
    #expect(
      try Self.holidays(text, from: "2027-01-05", through: "2027-12-25") == [
        "2027-01-05 Winter", "2027-01-06 Winter", "2027-12-24 Winter", "2027-12-25 Winter",
      ])
    #expect(try Self.holidays(text, from: "2025-01-01", through: "2025-12-23").isEmpty)
  }

  @Test("Events of one date keep their order, and canceled ones are left out")
  func order() throws {
    let events = [
      ("20261226", "b", ""), ("20261225", "z", ""), ("20261226", "a", ""), ("20261226", "c", "CANCELLED"),
      ("20261226", "b", "CONFIRMED"),
    ].map { date, name, status in
      "BEGIN:VEVENT\nDTSTART:\(date)\nSUMMARY:\(name)\n"
        + (status.isEmpty ? "" : "STATUS:\(status)\n") + "END:VEVENT\n"
    }
    #expect(
      try Self.holidays("BEGIN:VCALENDAR\n" + events.joined() + "END:VCALENDAR\n") == [
        "2026-12-25 z", "2026-12-26 b", "2026-12-26 a", "2026-12-26 b",
      ])
  }

  @Test("What is in no event is stepped over: zones, alarms, tasks, and lines that are none")
  func others() throws {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VTODO
      SUMMARY:task
      DTSTART:nonsense
      END:VTODO
      BEGIN:VEVENT
      BEGIN:VALARM
      SUMMARY:alarm
      DURATION:alarm
      END:VALARM
      this line is none
      X-ALT-DESC;FMTTYPE="text/html:<b>
      DTSTART:20261225
      SUMMARY:Christmas
      END:VEVENT
      END:VCALENDAR
      BEGIN:VCALENDAR
      begin:vevent
      dtstart:20261226
      summary:Boxing Day
      end:vevent
      end:vcalendar
      """
    #expect(try Self.holidays(text) == ["2026-12-25 Christmas", "2026-12-26 Boxing Day"])
  }
}
