import Testing
import TimeclockDomain

@Suite("TZ strings after the last transition")
struct POSIXTimeZoneTests {
  private func readZone(_ footer: String) -> Zone? {
    TimeZoneIdentifier("Test/Zone").flatMap {
      Zone(identifier: $0, tzif: TZifBuilder(version: "3", footer: "\n\(footer)\n").bytes)
    }
  }

  private func offset(_ footer: String, at text: String) -> Int32? {
    guard let instant = Instant(rfc3339: text) else { return nil }
    return readZone(footer)?.offsetSeconds(at: instant)
  }

  @Test(
    "fixed offsets",
    arguments: [
      ("UTC0", 0), ("CET-1", 3600), ("EST5", -18_000), ("<+0545>-5:45", 20_700), ("<-0330>+3:30", -12_600),
      ("XXX-0:44:30", 2670), ("XXX24:59:59", -89_999), ("<A-1>-01", 3600),
    ] as [(String, Int32)])
  func readsFixedOffsets(_ footer: String, _ expected: Int32) {
    #expect(offset(footer, at: "2026-01-01T00:00:00Z") == expected)
    #expect(offset(footer, at: "9999-12-31T23:59:59Z") == expected)
    #expect(offset(footer, at: "1900-01-01T00:00:00Z") == expected)
  }

  /// Each case: the string, the last second before a change, and the offsets then and one second later.
  @Test(
    "changes happen in their second",
    arguments: [
      // Both hemispheres.
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-03-27T00:59:59Z", 3600, 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-10-30T00:59:59Z", 7200, 3600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2050-10-01T15:59:59Z", 36_000, 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2050-04-02T15:59:59Z", 39_600, 36_000),
      // Half an hour; daylight saving time that is less than standard time.
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2050-10-01T15:29:59Z", 37_800, 39_600),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-03-27T00:59:59Z", 0, 3600),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2050-10-30T00:59:59Z", 3600, 0),
      // Times beyond the day, and before it.
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2050-03-25T23:59:59Z", 7200, 10_800),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-03-27T00:59:59Z", -7200, -3600),
      // A change that a stated hour moves to the year before, and to the year after.
      ("XXX0YYY,0/-167,J100", "2049-12-25T00:59:59Z", 0, 3600),
      ("XXX0YYY,J100,J365/167", "2051-01-06T21:59:59Z", 3600, 0),
      // One year's end behind the next one's start: an hour of daylight saving time a year, and no change at new year.
      ("CET21CES,0/0,J365/26", "2050-01-01T20:59:59Z", -75_600, -72_000),
      ("CET21CES,0/0,J365/26", "2050-01-01T21:59:59Z", -72_000, -75_600),
      ("CET21CES,0/0,J365/26", "2049-12-31T23:59:59Z", -75_600, -75_600),
      // Day numbers with and without February 29.
      ("XXX0YYY,J60/0,J300", "2048-02-29T23:59:59Z", 0, 3600),
      ("XXX0YYY,J60/0,J300", "2049-02-28T23:59:59Z", 0, 3600),
      ("XXX0YYY,59/0,J300", "2048-02-28T23:59:59Z", 0, 3600),
      ("XXX0YYY,59/0,J300", "2049-02-28T23:59:59Z", 0, 3600),
      // The last weekday of a month that has only four of it, and the first of one that starts on it.
      ("XXX0YYY,M2.5.0/0,M11.1.0", "2050-02-26T23:59:59Z", 0, 3600),
      ("XXX0YYY,M5.1.0/0,M11.1.0", "2050-04-30T23:59:59Z", 0, 3600),
    ] as [(String, String, Int32, Int32)])
  func changesInItsSecond(_ footer: String, _ before: String, _ offset: Int32, _ next: Int32) throws {
    let instant = try #require(Instant(rfc3339: before))
    let zone = try #require(readZone(footer))
    #expect(zone.offsetSeconds(at: instant) == offset)
    #expect(zone.offsetSeconds(at: instant.adding(milliseconds: 1000)) == next)
  }

  @Test("daylight saving time that ends as it begins again lasts all year (RFC 9636, section 3.3.1)")
  func keepsDaylightSavingAllYear() {
    for date in ["2049-12-31T23:59:59Z", "2050-01-01T04:59:59Z", "2050-01-01T05:00:00Z"] {
      #expect(offset("EST5EDT,0/0,J365/25", at: date) == -14_400)
    }
  }

  @Test(
    "other strings make the file unsound",
    arguments: [
      "C", "CE-1", "CET", "CET-", "CET-25", "CET-1:60", "CET-1:5", "CET-1:00:60", "CET--1", "CET-+1", "-1",
      "<+03-3", "<+0>-3", "<>-3", "<+03>", "C3T-3", "CET-1 ", " CET-1", "CET-1CEST", "CET-1CEST,M3.5.0",
      "CET-1CEST,M3.5.0,", "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,M0.5.0,M10.5.0",
      "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.0.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
      "CET-1CEST,M3.5,M10.5.0", "CET-1CEST,J0,J100", "CET-1CEST,J366,J100", "CET-1CEST,366,J100",
      "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0/-168,M10.5.0", "CET-1CEST,M3.5.0/,M10.5.0",
      "CET-1CEST,99999999999999999999,J100", "CET-99999999999999999999", "CET-1CE,M3.5.0,M10.5.0",
      "CET-1CEST;M3.5.0;M10.5.0", "CET-1CEST,m3.5.0,M10.5.0", ":Europe/Berlin",
    ])
  func refuses(_ footer: String) {
    #expect(readZone(footer) == nil)
  }
}
