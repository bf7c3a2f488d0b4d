import Testing

@testable import TimeclockDomain

@Suite("What clocks showed")
struct LocalTimeTests {
  @Test(
    "is one instant, none if clocks skip it, or two if they show it twice",
    arguments: [
      ("UTC", "2026-11-20", "09:00", ["2026-11-20T09:00:00.000Z"]),
      ("Europe/Berlin", "2026-11-20", "09:00", ["2026-11-20T08:00:00.000Z"]),
      ("Europe/Berlin", "2026-03-29", "01:59", ["2026-03-29T00:59:00.000Z"]),
      ("Europe/Berlin", "2026-03-29", "02:00", []), ("Europe/Berlin", "2026-03-29", "02:59", []),
      ("Europe/Berlin", "2026-03-29", "03:00", ["2026-03-29T01:00:00.000Z"]),
      ("Europe/Berlin", "2026-10-25", "01:59", ["2026-10-24T23:59:00.000Z"]),
      (
        "Europe/Berlin", "2026-10-25", "02:00", ["2026-10-25T00:00:00.000Z", "2026-10-25T01:00:00.000Z"]
      ),
      ("Europe/Berlin", "2026-10-25", "03:00", ["2026-10-25T02:00:00.000Z"]),
      // Half an hour.
      (
        "Australia/Lord_Howe", "2026-04-05", "01:45",
        ["2026-04-04T14:45:00.000Z", "2026-04-04T15:15:00.000Z"]
      ),
      ("Australia/Lord_Howe", "2026-10-04", "02:15", []),
      // A date that is skipped, and beside it.
      ("Pacific/Apia", "2011-12-30", "12:00", []),
      ("Pacific/Apia", "2011-12-29", "12:00", ["2011-12-29T22:00:00.000Z"]),
      ("Pacific/Apia", "2011-12-31", "12:00", ["2011-12-30T22:00:00.000Z"]),
      // A date that was shown twice.
      ("Pacific/Kwajalein", "1969-09-30", "12:00", ["1969-09-30T01:00:00.000Z", "1969-10-01T00:00:00.000Z"]),
    ])
  func instants(_ zone: String, _ date: String, _ time: String, _ instants: [String]) throws {
    let zone = try #require(SystemZones.zone(zone))
    let parts = time.split(separator: ":").compactMap { Int64($0) }
    let local = LocalTime(
      date: try #require(LocalDate(iso8601: date)), millisecondOfDay: (parts[0] * 60 + parts[1]) * 60_000)
    #expect(zone.instants(showing: local).map(\.rfc3339) == instants)
  }

  @Test("is what the instant shows, in every zone and around every change of this century's first half")
  func everyZone() {
    for zone in SystemZones.distinctZones {
      var seconds: Int64 = 946_684_800
      for _ in 0..<120 {
        let instant = Instant(millisecondsSince1970: seconds * 1_000)
        let shown = (seconds + Int64(zone.offsetSeconds(at: instant)))
        let day = shown.flooredQuotient(by: 86_400)
        let local = LocalTime(
          date: LocalDate(daysSince1970: Int32(day)), millisecondOfDay: (shown - day * 86_400) * 1_000)
        #expect(zone.instants(showing: local).contains(instant), "\(zone.identifier.name) \(instant.rfc3339)")
        seconds += 86_400 * 153 + 4_321
      }
    }
  }
}
