import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("Holidays that an iCalendar file repeats")
struct CalendarRepetitionTests {
  /// The dates of an event that begins on a date and has these properties, from 2026 through 2028.
  private func dates(_ start: String, _ properties: String...) throws -> [String] {
    let lines = ["DTSTART:\(start)", "SUMMARY:x"] + properties
    return try CalendarFileTests.holidays(CalendarFileTests.event(lines.joined(separator: "\n"))).map {
      String($0.dropLast(2))
    }
  }

  @Test(
    "A yearly rule gives the dates that RFC 5545 says",
    arguments: [
      ("20260101", "FREQ=YEARLY", ["2026-01-01", "2027-01-01", "2028-01-01"]),
      ("19000704", "FREQ=YEARLY;INTERVAL=1;WKST=SU", ["2026-07-04", "2027-07-04", "2028-07-04"]),
      ("20250704", "FREQ=YEARLY;INTERVAL=2", ["2027-07-04"]),
      ("20250704T090000Z", "FREQ=YEARLY;COUNT=2", ["2026-07-04"]),
      ("20250704", "FREQ=YEARLY;UNTIL=20270704", ["2026-07-04", "2027-07-04"]),
      ("20250704", "FREQ=YEARLY;UNTIL=20270703T220000Z", ["2026-07-04"]),
      ("20240229", "FREQ=YEARLY", ["2028-02-29"]),
      // Thanksgiving.
      ("20201126", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", ["2026-11-26", "2027-11-25", "2028-11-23"]),
      ("20201126", "freq=yearly;byday=+4th;bymonth=11;", ["2026-11-26", "2027-11-25", "2028-11-23"]),
      // Memorial Day.
      ("20260525", "FREQ=YEARLY;BYDAY=-1MO;BYMONTH=5", ["2026-05-25", "2027-05-31", "2028-05-29"]),
      // Midsummer's Eve of Sweden: the Friday from the 19th to the 25th.
      (
        "20260619", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=19,20,21,22,23,24,25;BYDAY=FR",
        ["2026-06-19", "2027-06-25", "2028-06-23"]
      ),
      (
        "20260131", "FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=-1;COUNT=3",
        ["2026-01-31", "2026-02-28", "2027-01-31"]
      ),
      ("20260415", "FREQ=YEARLY;BYMONTH=4,10;COUNT=3", ["2026-04-15", "2026-10-15", "2027-04-15"]),
      // The 20th Monday of the year, as in the standard's example, which has 1997-05-19, 1998-05-18 and 1999-05-17.
      ("19970519", "FREQ=YEARLY;BYDAY=20MO", ["2026-05-18", "2027-05-17", "2028-05-15"]),
      ("20261228", "FREQ=YEARLY;BYDAY=-1MO", ["2026-12-28", "2027-12-27", "2028-12-25"]),
      ("20260113", "FREQ=YEARLY;BYMONTHDAY=13;COUNT=2", ["2026-01-13", "2026-02-13"]),
    ])
  func rules(_ start: String, _ rule: String, _ expected: [String]) throws {
    #expect(try dates(start, "RRULE:\(rule)") == expected)
  }

  @Test("The standard's examples of yearly rules give its dates")
  func standard() throws {
    func dates(_ start: String, _ rule: String) throws -> [String] {
      let text = CalendarFileTests.event("DTSTART:\(start)", "SUMMARY:x", "RRULE:\(rule)")
      return try CalendarFileTests.holidays(text, from: "1997-01-01", through: "2005-12-31").map {
        String($0.dropLast(2))
      }
    }
    #expect(
      try dates("19970519T090000", "FREQ=YEARLY;COUNT=3;BYDAY=20MO") == [
        "1997-05-19", "1998-05-18", "1999-05-17",
      ])
    #expect(
      try dates("19961105T090000", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8") == [
        "2000-11-07", "2004-11-02",
      ])
    #expect(
      try dates("19970610T090000", "FREQ=YEARLY;COUNT=4;BYMONTH=6,7") == [
        "1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10",
      ])
    #expect(
      try dates("19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=4") == [
        "1997-03-13", "1997-03-20", "1997-03-27", "1998-03-05",
      ])
  }

  @Test("Single dates are added and removed")
  func singleDates() throws {
    #expect(
      try dates(
        "20260101", "RRULE:FREQ=YEARLY", "EXDATE;VALUE=DATE:20270101,20991231", "RDATE;VALUE=DATE:20270102",
        "RDATE;TZID=Europe/Berlin:20260101T000000,20260601T120000", "EXDATE:20280101T000000Z")
        == ["2026-01-01", "2026-06-01", "2027-01-02"])
    #expect(try dates("20260101", "RDATE:20260101,20260105") == ["2026-01-01", "2026-01-05"])
    #expect(try dates("20260101", "EXDATE:20260101").isEmpty)
    #expect(
      try dates("20260101", "DURATION:P2D", "RDATE:20260102") == ["2026-01-01", "2026-01-02", "2026-01-03"])
  }

  @Test(
    "Any other rule is refused, with its line and its text",
    arguments: [
      "FREQ=MONTHLY", "FREQ=WEEKLY;BYDAY=MO", "BYMONTH=1", "FREQ=YEARLY;BYSETPOS=1", "FREQ=YEARLY;BYWEEKNO=1",
      "FREQ=YEARLY;BYYEARDAY=1", "FREQ=YEARLY;RSCALE=HEBREW", "FREQ=YEARLY;COUNT=2;UNTIL=20280101",
      "FREQ=YEARLY;FREQ=YEARLY", "FREQ=YEARLY;INTERVAL=0", "FREQ=YEARLY;COUNT=0", "FREQ=YEARLY;BYMONTH=13",
      "FREQ=YEARLY;BYMONTH=", "FREQ=YEARLY;BYMONTHDAY=0", "FREQ=YEARLY;BYMONTHDAY=32",
      "FREQ=YEARLY;BYDAY=0MO", "FREQ=YEARLY;BYDAY=54MO", "FREQ=YEARLY;BYDAY=XX",
      "FREQ=YEARLY;BYDAY=1TH;BYMONTHDAY=1", "FREQ",
      "FREQ=YEARLY;UNTIL=tomorrow", "FREQ=YEARLY;COUNT=99999999999999999999", "",
    ])
  func otherRules(_ rule: String) throws {
    let text = CalendarFileTests.event("DTSTART:20260101", "SUMMARY:x", "RRULE:\(rule)")
    let error = try #require(CalendarFileTests.error(text))
    #expect(error.line == 5)
    #expect(error.detail.hasPrefix("RRULE says \"\(rule)\". Only FREQ=YEARLY can be read"))
  }

  @Test("A rule that does not give its event's own date is refused")
  func unsynchronized() throws {
    for rule in ["FREQ=YEARLY;BYMONTH=2", "FREQ=YEARLY;BYMONTH=1;BYDAY=1MO", "FREQ=YEARLY;BYMONTHDAY=2"] {
      let text = CalendarFileTests.event("DTSTART:20260101", "SUMMARY:x", "RRULE:\(rule)")
      let error = CalendarFileError(line: 5, "RRULE does not give the date of DTSTART.")
      #expect(CalendarFileTests.error(text) == error)
    }
  }

  @Test("A file that asks for too much work is refused, and a long history is not")
  func effort() throws {
    let rule = "RRULE:FREQ=YEARLY;BYMONTHDAY=1;COUNT=9999"
    let costly = "BEGIN:VEVENT\nDTSTART:19000101\nSUMMARY:x\n\(rule)\nEND:VEVENT\n"
    func calendar(_ count: Int) -> String {
      "BEGIN:VCALENDAR\n" + String(repeating: costly, count: count) + "END:VCALENDAR\n"
    }
    #expect(try CalendarFileTests.holidays(calendar(2)).count == 2 * 36)
    let error = try #require(CalendarFileTests.error(calendar(10)))
    #expect(error.detail == "The events up to here repeat too often to be worked out.")
    let long = CalendarFileTests.event(
      "DTSTART:20260101", "DURATION:P366D", "SUMMARY:x",
      "RDATE:" + Array(repeating: "20260101", count: 1_000).joined(separator: ","))
    #expect(try CalendarFileTests.holidays(long).count == 366)
  }
}
