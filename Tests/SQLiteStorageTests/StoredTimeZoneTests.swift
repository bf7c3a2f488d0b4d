import Procedures
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("A stored time zone that the system no longer has")
struct StoredTimeZoneTests {
  @Test("is the service's fault, and a stated one the client's")
  func missing() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    let timeclock = Timeclock(
      storage: storage, clock: WallClock { TestDatabase.now },
      zones: TimeZoneDatabase(directory: database.folder))
    let missing = MissingTimeZone(name: "Europe/Berlin")
    await #expect(throws: missing) { try await timeclock.clockIn(ClockInRequest(), by: office.member) }
    await #expect(throws: missing) {
      try await timeclock.createTimeEntry(
        ManualEntryRequest(
          clockInTime: TestDatabase.now.adding(milliseconds: -3_600_000), clockOutTime: TestDatabase.now),
        by: office.member)
    }
    await #expect(throws: missing) {
      try await timeclock.timeEntries(
        TimeEntryListRequest(dates: RequestedDates(from: .latest), match: .overlap), for: office.member)
    }
    await #expect(throws: TimeclockError.unknownTimeZone) {
      try await timeclock.clockIn(ClockInRequest(timeZone: "Europe/Berlin"), by: office.member)
    }
    await storage.close()
  }
}
