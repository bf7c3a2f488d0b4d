import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("Why an iCalendar file is refused")
struct CalendarRefusalTests {
  @Test(
    "An event that cannot be read refuses the file with its line",
    arguments: [
      (["SUMMARY:x"], 2, "The event has no DTSTART."),
      (["DTSTART:20260101"], 2, "The event has no SUMMARY."),
      (["DTSTART:20260101", "SUMMARY:a", "SUMMARY:b"], 5, "SUMMARY stands twice in one event."),
      (["DTSTART:20260101,20260102", "SUMMARY:x"], 3, "DTSTART has more than one date."),
      (["DTSTART", "SUMMARY:x"], 3, "DTSTART has no colon before a value."),
      (["DTSTART;TZID=\"a:20260101", "SUMMARY:x"], 3, "DTSTART has no colon before a value."),
      (["SUMMARY:x", "DTSTART:20260102", "DTEND:20260101"], 5, "DTEND is before DTSTART."),
      (
        ["SUMMARY:x", "DTSTART:20260101", "DTEND:20270103"], 5,
        "DTEND makes the event longer than 366 days."
      ),
      (["SUMMARY:x", "DTSTART:20260101", "DURATION:-P1D"], 5, "DURATION is no length of time such as P1D."),
      (["SUMMARY:x", "DTSTART:20260101", "DURATION:P"], 5, "DURATION is no length of time such as P1D."),
      (["SUMMARY:x", "DTSTART:20260101", "DURATION:P1DT"], 5, "DURATION is no length of time such as P1D."),
      (["SUMMARY:x", "DTSTART:20260101", "DURATION:PT1D"], 5, "DURATION is no length of time such as P1D."),
      (
        ["SUMMARY:x", "DTSTART:20260101", "DURATION:P1D", "DTEND:20260102"], 5,
        "DURATION stands beside DTEND."
      ),
      (
        ["SUMMARY:x", "DTSTART:20260101", "RECURRENCE-ID:20260101", "STATUS:CANCELLED"], 5,
        "RECURRENCE-ID cannot be read: give each date an event of its own."
      ),
      (
        ["SUMMARY:x", "DTSTART:20260101", "EXRULE:FREQ=YEARLY"], 5,
        "EXRULE cannot be read: give each date an event of its own."
      ),
    ])
  func events(_ properties: [String], _ line: Int, _ detail: String) {
    let text = CalendarFileTests.event(properties.joined(separator: "\n"))
    #expect(CalendarFileTests.error(text) == CalendarFileError(line: line, detail))
  }

  @Test(
    "A text that is no date is quoted",
    arguments: [
      "20260230", "2026-01-01", "18991231", "00000101", "20260101T", "20260101T2400", "20260101T240000",
      "20260101T090000ZZ", "20260101T090000/20260101T100000", "20260101,", "",
    ])
  func dates(_ text: String) throws {
    for property in ["DTSTART", "RDATE", "EXDATE"] {
      let lines = property == "DTSTART" ? [] : ["DTSTART:20260101"]
      let file = CalendarFileTests.event(
        (lines + ["SUMMARY:x", "\(property):\(text)"]).joined(separator: "\n"))
      let error = try #require(CalendarFileTests.error(file))
      #expect(error.line == (lines.isEmpty ? 4 : 5))
      let quoted = text.hasSuffix(",") ? "" : text
      #expect(error.detail.hasPrefix("\(property) says \"\(quoted)\", which is no date such as 20261225"))
    }
  }

  @Test("A name that is none, too long, or turns the direction of text is refused")
  func names() throws {
    let limit = Name.maximumCharacters
    #expect(
      CalendarFileTests.error(
        CalendarFileTests.event("DTSTART:20260101", "SUMMARY:" + String(repeating: "ü", count: limit))) == nil
    )
    for name in ["", " \\n ", "\u{7}", "a\u{202E}b", String(repeating: "ü", count: limit + 1)] {
      let error = try #require(
        CalendarFileTests.error(CalendarFileTests.event("DTSTART:20260101", "SUMMARY:\(name)")))
      #expect(error.line == 4)
      #expect(error.detail.hasPrefix("SUMMARY is no name of 1 to \(limit) characters"))
    }
  }

  @Test(
    "A file that is no whole calendar is refused",
    arguments: [
      ("", nil, "The file is empty."), ("\r\n\n", nil, "The file is empty."),
      ("date,name\n", 1, "The file is no iCalendar file: it does not begin with BEGIN:VCALENDAR."),
      ("\n\nBEGIN:VEVENT\n", 3, "The file is no iCalendar file: it does not begin with BEGIN:VCALENDAR."),
      ("BEGIN:VCALENDAR\n", 1, "VCALENDAR begins here, and the file ends without END:VCALENDAR."),
      ("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", 2, "VEVENT begins here, and the file ends without END:VEVENT."),
      ("BEGIN:VCALENDAR\nEND:VEVENT\n", 2, "END:VEVENT ends no component that began before it."),
      (
        "BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\n", 3,
        "END:VCALENDAR ends no component that began before it."
      ),
      ("BEGIN:VCALENDAR\nVERSION:1.0\n", 2, "VERSION says \"1.0\", and only 2.0 can be read."),
      ("BEGIN:VCALENDAR\nCALSCALE:X\n", 2, "CALSCALE says \"X\", and only GREGORIAN can be read."),
    ])
  func files(_ text: String, _ line: Int?, _ detail: String) {
    #expect(CalendarFileTests.error(text) == CalendarFileError(line: line, detail))
  }

  @Test("A folded line is named by its beginning")
  func foldedLine() {
    let text = "BEGIN:VCALENDAR\r\nX-A:1\r\n 2\r\n 3\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\n y\r\nDTSTART:\r\n x\r\n"
    let error = CalendarFileTests.error(text + "END:VEVENT\r\nEND:VCALENDAR\r\n")
    #expect(error?.line == 8)
  }

  @Test("Bytes that are not UTF-8 refuse a name, and nothing that is stepped over")
  func notUTF8() throws {
    let head = Array("BEGIN:VCALENDAR\nX-NAME:\u{20}".utf8) + [0xE4, 0x0A]
    let event = Array("BEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:M".utf8)
    let tail = Array("rz\nEND:VEVENT\nEND:VCALENDAR\n".utf8)
    let date = try #require(LocalDate(iso8601: "2026-01-01"))
    #expect(
      try CalendarFile.holidays(in: head + event + Array("ä".utf8) + tail, within: date...date).map(\.name)
        == [
          "März"
        ])
    let error = #expect(throws: CalendarFileError.self) {
      try CalendarFile.holidays(in: head + event + [0xE4] + tail, within: date...date)
    }
    #expect(error == CalendarFileError(line: 5, "SUMMARY has bytes that are not UTF-8."))
  }

  @Test("A file may be as long as its limits and no longer")
  func limits() throws {
    let bytes = Array(CalendarFileTests.event("DTSTART:20260101", "DURATION:P3D", "SUMMARY:x").utf8)
    let date = try #require(LocalDate(iso8601: "2026-01-01"))
    let range = date...date.adding(days: 9)
    #expect(
      try CalendarFile.holidays(in: bytes, within: range, byteLimit: bytes.count, holidayLimit: 3).count == 3)
    let long = #expect(throws: CalendarFileError.self) {
      try CalendarFile.holidays(in: bytes, within: range, byteLimit: bytes.count - 1)
    }
    #expect(long == CalendarFileError(line: nil, "The file is longer than \(bytes.count - 1) bytes."))
    let many = #expect(throws: CalendarFileError.self) {
      try CalendarFile.holidays(in: bytes, within: range, holidayLimit: 2)
    }
    #expect(many == CalendarFileError(line: 2, "The file has more than 2 holidays."))
  }
}
