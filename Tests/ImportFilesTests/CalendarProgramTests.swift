import Testing
import TimeclockDomain

@testable import ImportFiles

@Suite("iCalendar files as programs write them")
struct CalendarProgramTests {
  /// A calendar as Google writes one: dates as DATE, transparent events, long descriptions folded.
  private static let google = #"""
    BEGIN:VCALENDAR
    PRODID:-//Google Inc//Google Calendar 70.9054//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:PUBLISH
    X-WR-CALNAME:Feiertage im Betrieb
    X-WR-TIMEZONE:UTC
    X-WR-CALDESC:Was unser Haus feiert\, und was nicht
    BEGIN:VEVENT
    DTSTART;VALUE=DATE:20270527
    DTEND;VALUE=DATE:20270528
    DTSTAMP:20261101T080000Z
    UID:fronleichnam-2027@betrieb.example
    CLASS:PUBLIC
    CREATED:20261001T080000Z
    DESCRIPTION:Gesetzlicher Feiertag in Baden-Württemberg\, Bayern\, Hessen\, N
     ordrhein-Westfalen\, Rheinland-Pfalz\, Saarland
    LAST-MODIFIED:20261001T080000Z
    SEQUENCE:0
    STATUS:CONFIRMED
    SUMMARY:Fronleichnam
    TRANSP:TRANSPARENT
    END:VEVENT
    BEGIN:VEVENT
    DTSTART;VALUE=DATE:20261224
    DTEND;VALUE=DATE:20261225
    DTSTAMP:20261101T080000Z
    UID:heiligabend@betrieb.example
    STATUS:CONFIRMED
    SUMMARY:Heiligabend (Betriebsvereinbarung vom 3. Mai 2019\, Nr. 12\; gilt für
      alle Häuser)
    TRANSP:TRANSPARENT
    END:VEVENT
    END:VCALENDAR
    """#

  /// A calendar as Apple's writes one: languages, repetition, alarms, zones with rules of their own.
  private static let apple = #"""
    BEGIN:VCALENDAR
    METHOD:PUBLISH
    VERSION:2.0
    X-WR-CALNAME:Company holidays
    PRODID:-//Apple Inc.//macOS 26.1//EN
    X-APPLE-CALENDAR-COLOR:#1D9BF6
    X-WR-TIMEZONE:America/New_York
    CALSCALE:GREGORIAN
    BEGIN:VTIMEZONE
    TZID:America/New_York
    BEGIN:DAYLIGHT
    TZOFFSETFROM:-0500
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
    DTSTART:20070311T020000
    TZNAME:EDT
    TZOFFSETTO:-0400
    END:DAYLIGHT
    BEGIN:STANDARD
    TZOFFSETFROM:-0400
    RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
    DTSTART:20071104T020000
    TZNAME:EST
    TZOFFSETTO:-0500
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    TRANSP:TRANSPARENT
    DTEND;VALUE=DATE:20221126
    UID:6D0F4F0E-0001-4B0D-9A51-3E0A6C1B2D10
    DTSTAMP:20261101T080000Z
    SEQUENCE:1
    X-APPLE-UNIVERSAL-ID:0b5a1b6e
    SUMMARY;LANGUAGE=en:Thanksgiving and the day after
    DTSTART;VALUE=DATE:20221124
    X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
    RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH
    BEGIN:VALARM
    X-WR-ALARMUID:5D1B
    UID:5D1B
    TRIGGER:-PT15H
    ATTACH;VALUE=URI:Chord
    ACTION:AUDIO
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:6D0F4F0E-0002-4B0D-9A51-3E0A6C1B2D10
    DTSTART;TZID=America/New_York:20261231T120000
    DTEND;TZID=America/New_York:20261231T170000
    SUMMARY;LANGUAGE=en:New Year’s Eve from noon
    END:VEVENT
    END:VCALENDAR
    """#

  /// A calendar as Outlook writes one: quoted zones, a description in HTML, its own properties.
  private static let outlook = #"""
    BEGIN:VCALENDAR
    PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
    VERSION:2.0
    METHOD:PUBLISH
    X-CALSTART:20260101T000000Z
    X-CALEND:20281231T000000Z
    X-CLIPSTART:20260101T000000Z
    X-WR-RELCALID:{0000002E-5C1B-7C68-2D3E-5B1F0A9E7B11}
    X-WR-CALNAME:Jours fériés
    X-PRIMARY-CALENDAR:TRUE
    X-OWNER;CN="Anne: paie":mailto:anne@maison.example
    X-MS-OLK-WKHRSTART;TZID="Romance Standard Time":080000
    BEGIN:VTIMEZONE
    TZID:Romance Standard Time
    BEGIN:STANDARD
    DTSTART:16011028T030000
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    CATEGORIES:Congé
    CLASS:PUBLIC
    CREATED:20261101T080000Z
    DESCRIPTION: \n
    DTEND;VALUE=DATE:20270507
    DTSTAMP:20261101T080000Z
    DTSTART;VALUE=DATE:20270506
    LAST-MODIFIED:20261101T080000Z
    PRIORITY:5
    SEQUENCE:0
    SUMMARY;LANGUAGE=fr:Ascension
    TRANSP:TRANSPARENT
    UID:040000008200E00074C5B7101A82E00800000000D0
    X-ALT-DESC;FMTTYPE=text/html:<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//E
    	N">\n<HTML>\n<BODY>\n</BODY>\n</HTML>
    X-MICROSOFT-CDO-BUSYSTATUS:FREE
    X-MICROSOFT-CDO-ALLDAYEVENT:TRUE
    END:VEVENT
    BEGIN:VEVENT
    DTSTART;TZID="Romance Standard Time":20270714T000000
    DTEND;TZID="Romance Standard Time":20270715T000000
    SUMMARY;LANGUAGE=fr:Fête nationale
    END:VEVENT
    END:VCALENDAR
    """#

  @Test("Google's, Apple's and Outlook's give their holidays, with both ends of lines")
  func programs() throws {
    for end in ["\r\n", "\n"] {
      func holidays(_ text: String) throws -> [String] {
        try CalendarFileTests.holidays(
          text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end) + end)
      }
      #expect(
        try holidays(Self.google) == [
          "2026-12-24 Heiligabend (Betriebsvereinbarung vom 3. Mai 2019, Nr. 12; gilt für alle Häuser)",
          "2027-05-27 Fronleichnam",
        ])
      let thanksgiving = "Thanksgiving and the day after"
      #expect(
        try holidays(Self.apple) == [
          "2026-11-26 \(thanksgiving)", "2026-11-27 \(thanksgiving)", "2026-12-31 New Year’s Eve from noon",
          "2027-11-25 \(thanksgiving)", "2027-11-26 \(thanksgiving)", "2028-11-23 \(thanksgiving)",
          "2028-11-24 \(thanksgiving)",
        ])
      #expect(try holidays(Self.outlook) == ["2027-05-06 Ascension", "2027-07-14 Fête nationale"])
    }
  }

  @Test("Any bytes are holidays within the range, by date, or a refusal")
  func anyBytes() throws {
    var random = SeededGenerator(state: 20_261_127)
    let range = try #require(LocalDate(iso8601: "2026-01-01"))...#require(LocalDate(iso8601: "2028-12-31"))
    let samples = [Self.google, Self.apple, Self.outlook].map { Array($0.utf8) }
    let words = [
      "\r\n ", "\n", "\"", ":", ";", ",", "\\", "=", "BEGIN:VEVENT\n", "END:VEVENT\n",
      "RRULE:FREQ=YEARLY;COUNT=9\n",
      "DTSTART:20261231\n", "DURATION:P9W\n", "RDATE:20270101\n", "EXDATE:20270101\n", "-1MO", "99991231",
      "\u{FEFF}", "\u{202E}",
    ].map { Array($0.utf8) }
    var outcomes = (read: 0, refused: 0)
    for round in 0..<1_500 {
      var bytes = samples[round % samples.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...4, using: &random))
        let word = words.randomElement(using: &random) ?? []
        let byte = [UInt8.random(in: .min ... .max, using: &random)]
        bytes.replaceSubrange(place..<end, with: Bool.random(using: &random) ? word : byte)
      }
      do {
        let holidays = try CalendarFile.holidays(in: bytes, within: range)
        #expect(holidays.allSatisfy { range.contains($0.date) && (try? Name.validated($0.name)) == $0.name })
        #expect(holidays.map(\.date) == holidays.map(\.date).sorted())
        outcomes.read += 1
      } catch {
        #expect(!error.detail.isEmpty)
        outcomes.refused += 1
      }
    }
    // Else the changes were all too small, or all too great.
    #expect(outcomes.read > 100 && outcomes.refused > 100)
  }
}

/// The same numbers in each run: SplitMix64 (Steele, Lea and Flood, 2014).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
