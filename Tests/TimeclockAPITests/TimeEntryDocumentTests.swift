import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Documents of time entries")
struct TimeEntryDocumentTests {
  private func entry(
    from clockIn: String, to clockOut: String?, in zone: String = "Europe/Berlin", offset: Int32 = 7_200
  ) throws -> ExportedTimeEntry {
    let clockIn = try #require(Instant(rfc3339: clockIn))
    let entry = TimeEntry(
      id: TimeEntryID(high: 0x019a_a0f2_3c00_7a10, low: 0x8b20_0000_0000_0001),
      userID: UserID(high: 0x019a_a0f2_3c00_7a10, low: 0x8b20_0000_0000_0002),
      organizationID: OrganizationID(high: 1, low: 1), clockInTime: clockIn,
      clockOutTime: clockOut.flatMap { Instant(rfc3339: $0) },
      date: try #require(LocalDate(iso8601: "2026-10-24")), timeZone: try #require(TimeZoneIdentifier(zone)),
      offsetSeconds: offset, sessionID: nil, notes: Notes(stored: "-5"), source: .api,
      flags: [.overMaximum, .autoClosed], version: 3, createdAt: clockIn, updatedAt: clockIn)
    return ExportedTimeEntry(
      entry: entry, userName: "Ana", userEmail: "ana@example.com", personnelNumber: "=7",
      sessionTitle: nil, periodState: .approved)
  }

  private func csv(_ exported: ExportedTimeEntry) throws -> [String] {
    let now = try #require(Instant(rfc3339: "2026-10-25T12:00:00Z"))
    var document = TimeEntryCSV(zones: TimeZoneDatabase(), at: now)
    document.append(exported)
    document.end()
    return String(decoding: document.takeBytes(), as: UTF8.self).split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
  }

  @Test("A night shift through the clock change has the offset of each end")
  func clockChange() throws {
    let cells = try csv(entry(from: "2026-10-24T20:00:00Z", to: "2026-10-25T05:00:00Z"))
    #expect(
      cells[7...10] == ["2026-10-24 22:00:00+02:00", "2026-10-25 06:00:00+01:00", "Europe/Berlin", "32400"])
    #expect(cells[15...16] == ["over_maximum auto_closed", "'-5"])
    #expect(cells[19...] == ["'=7", "2026-10-24 22:00:00", "2026-10-25 06:00:00", "approved", "false\r\n"])
  }

  @Test("An active entry has no end, and a duration until now")
  func active() throws {
    let cells = try csv(entry(from: "2026-10-25T11:00:00Z", to: nil))
    #expect(cells[6] == "" && cells[8] == "")
    #expect(cells[10...11] == ["3600", "clocked-in"])
    #expect(cells[20...] == ["2026-10-25 13:00:00", "", "approved", "false\r\n"])
  }

  @Test("A zone that the system no longer has gets the offset of the clock-in")
  func missingZone() throws {
    let cells = try csv(
      entry(from: "2026-10-25T00:00:00Z", to: "2026-10-25T02:00:00Z", in: "Mars/Base", offset: 1_800))
    #expect(cells[7...9] == ["2026-10-25 00:30:00+00:30", "2026-10-25 02:30:00+00:30", "Mars/Base"])
  }

  @Test("An event of less than a second ends a second after it begins")
  func shortEvent() throws {
    var document = TimeEntryCalendar(at: try #require(Instant(rfc3339: "2026-10-25T12:00:00Z")))
    document.begin()
    document.append(try entry(from: "2026-10-25T11:00:00.500Z", to: "2026-10-25T11:00:00.501Z"))
    document.end()
    let lines = String(decoding: document.takeBytes(), as: UTF8.self).split(separator: "\r\n")
    #expect(lines.contains("DTSTART:20261025T110000Z") && lines.contains("DTEND:20261025T110001Z"))
    #expect(lines.contains("SEQUENCE:2") && lines.contains("UID:019aa0f2-3c00-7a10-8b20-000000000001"))
    #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
  }
}
