import Procedures
import Testing
import TimeclockDomain

@testable import SQLiteStorage

@Suite("A clock that stands still")
struct FrozenClockTests {
  @Test("lets a member clock in and out again and again, without gaps or overlaps")
  func again() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    let timeclock = Timeclock(storage: storage, clock: WallClock { TestDatabase.now })
    var entries: [TimeEntry] = []
    for _ in 0..<50 {
      _ = try await timeclock.clockIn(ClockInRequest(), by: office.member)
      entries.append(try await timeclock.clockOut(ClockOutRequest(), by: office.member))
    }
    #expect(entries.first?.clockInTime == TestDatabase.now)
    for (entry, next) in zip(entries, entries.dropFirst()) {
      #expect(entry.clockOutTime == next.clockInTime)
    }
    await storage.close()
  }

  @Test("still refuses what lies further ahead than a press too many")
  func farAhead() async throws {
    let database = try TestDatabase()
    let storage = try database.open()
    let office = try await TestOffice(in: storage)
    let timeclock = Timeclock(storage: storage, clock: WallClock { TestDatabase.now })
    let end = TestDatabase.now.adding(milliseconds: 1_001)
    // It was entered before the clock was set back.
    _ = try await Timeclock(storage: storage, clock: WallClock { end }).createTimeEntry(
      ManualEntryRequest(clockInTime: TestDatabase.now.adding(milliseconds: -3_600_000), clockOutTime: end),
      by: office.member)
    await #expect(throws: TimeclockError.self) {
      try await timeclock.clockIn(ClockInRequest(), by: office.member)
    }
    await storage.close()
  }
}
