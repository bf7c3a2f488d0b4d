import Testing
import TimeclockDomain

@Suite("Time zone identifiers")
struct TimeZoneIdentifierTests {
  @Test(
    "names with the shape of a zone's are taken",
    arguments: [
      "UTC", "Etc/UTC", "GMT", "GMT+0", "Etc/GMT-14", "Europe/Berlin", "US/Eastern", "EST5EDT", "W-SU",
      "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "A", "Mars/Olympus_Mons",
      String(repeating: "a", count: 64),
    ])
  func accepts(_ name: String) {
    #expect(TimeZoneIdentifier(name)?.name == name)
  }

  @Test(
    "names that could leave the directory, and other text, are refused",
    arguments: [
      "", "/", "//", "/etc/passwd", "/Europe/Berlin", "Europe/", "Europe//Berlin", "..", "../etc/passwd",
      "Europe/../Berlin", "Europe/..", "./UTC", ".", "Europe/.", "tzdata.zi", "zone.tab", "Europe\\Berlin",
      "Europe/Berlin\0", "\0", "Europe/Berlin\n", " UTC", "UTC ", "Europe/Ber lin", "Europe/Ber\u{A0}lin",
      "%2e%2e/passwd", "Europe%2FBerlin", "~", "~root", "$HOME", "UTC;", "<+03>-3",
      "CET-1CEST,M3.5.0,M10.5.0",
      ":Europe/Berlin", "Europe/Z\u{FC}rich", "\u{FF35}TC", "Europe\u{2215}Berlin", "Europe/Berlin\u{301}",
      "UTC\u{200B}",
      "K\u{212A}", String(repeating: "a", count: 65), String(repeating: "a", count: 1_000_000),
      String(repeating: "/", count: 64),
    ])
  func refuses(_ name: String) {
    #expect(TimeZoneIdentifier(name) == nil)
  }

  @Test("names differ by case")
  func distinguishesCase() {
    #expect(TimeZoneIdentifier("europe/berlin") != TimeZoneIdentifier("Europe/Berlin"))
    #expect(TimeZoneIdentifier("Europe/Berlin") == TimeZoneIdentifier("Europe/Berlin"))
  }
}
