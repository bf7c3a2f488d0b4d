import Procedures
import Testing
import TimeclockDomain

@Suite("Holidays in a storage")
struct HolidayStorageTests {
  @Test("come back as they were kept, by date, in pages of any size", arguments: StorageFactory.all)
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (calendar, other) = (
        try await world.calendar(in: organization), try await world.calendar(in: organization)
      )
      let stated = [
        StatedHoliday(date: day("2026-12-25"), name: "Weihnachten 🎄", percent: 100),
        StatedHoliday(date: day("1969-12-31"), name: "\u{65}\u{301}", percent: 1),
        StatedHoliday(date: day("2026-12-24"), name: "Heiligabend", percent: 50),
      ]
      let kept = try await world.put(stated, of: calendar, in: organization)
      #expect(kept.counts == HolidayCounts(created: 3))
      #expect(kept.holidays.map(\.date) == stated.map(\.date))
      for holiday in kept.holidays { #expect(emptyFields(of: holiday) == []) }
      try await world.put([stated[0]], of: other, in: organization)
      let expected = [1, 2, 0].map { kept.holidays[$0] }
      for size in [1, 2, 3, 100] {
        #expect(try await world.holidays(of: calendar, in: organization, pageSize: size) == expected)
      }
      for (start, end, count) in [
        ("2026-12-24", "2026-12-25", 2), ("2026-12-25", "2026-12-25", 1), ("1970-01-01", "2026-12-23", 0),
        ("1900-01-01", "1969-12-31", 1),
      ] {
        let some = try await world.holidays(of: calendar, from: start, through: end, in: organization)
        #expect(some == expected.filter { (day(start)...day(end)).contains($0.date) } && some.count == count)
      }
      let changes = try await world.changes(organization).suffix(4)
      #expect(Array(changes.compactMap(\.after).prefix(3)) == kept.holidays.map(\.snapshot))
      await #expect(throws: TimeclockError.notFound(.holidayCalendar)) {
        _ = try await world.holidays(of: world.id(), in: organization)
      }
    }
  }

  @Test("take the place of the one on their date, and say what became of each", arguments: StorageFactory.all)
  func put(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let calendar = try await world.calendar(in: organization)
      let eve = StatedHoliday(date: day("2026-12-24"), name: "Eve", percent: 50)
      let first = try await world.put([eve], of: calendar, in: organization).holidays
      let count = try await world.changes(organization).count
      let again = try await world.put([eve], of: calendar, in: organization)
      #expect(again.holidays == first && again.counts == HolidayCounts(unchanged: 1))
      #expect(try await world.changes(organization).count == count)
      var whole = eve
      (whole.name, whole.percent) = ("Christmas Eve", 100)
      let day25 = StatedHoliday(date: day("2026-12-25"), name: "Christmas", percent: 100)
      let more = try await world.put([day25, whole], of: calendar, in: organization)
      #expect(more.counts == HolidayCounts(created: 1, updated: 1))
      var expected = first[0]
      (expected.name, expected.percent, expected.version) = ("Christmas Eve", 100, 2)
      expected.updatedAt = more.holidays[1].updatedAt
      #expect(more.holidays[1] == expected)
      let last = try await world.changes(organization).last
      #expect(last?.before == first[0].snapshot && last?.after == expected.snapshot)
      await #expect(throws: TimeclockError.notFound(.holidayCalendar)) {
        try await world.put([eve], of: world.id(), in: organization)
      }
    }
  }

  @Test("go one by one, and with their calendar, each a change of its own", arguments: StorageFactory.all)
  func deletion(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let calendar = try await world.calendar(in: organization)
      let kept = try await world.put(
        (1...3).map { StatedHoliday(date: day("2026-05-0\($0)"), name: "May", percent: 100) }, of: calendar,
        in: organization
      ).holidays
      func delete(_ date: String, of calendar: HolidayCalendarID? = nil) async throws {
        try await world.storage.deleteHoliday(
          on: day(date), of: calendar ?? kept[0].calendarID ?? world.id(), in: organization.key,
          context: .test())
      }
      try await delete("2026-05-02")
      #expect(try await world.holidays(of: calendar, in: organization) == [kept[0], kept[2]])
      #expect(try await world.changes(organization).last?.before == kept[1].snapshot)
      await #expect(throws: TimeclockError.notFound(.holiday)) { try await delete("2026-05-02") }
      await #expect(throws: TimeclockError.notFound(.holidayCalendar)) {
        try await delete("2026-05-01", of: world.id())
      }
      try await world.storage.deleteRecord(
        ResourceUpdate<HolidayCalendar>(
          id: calendar, organization: organization.key, expectedVersion: nil, context: .test()))
      let changes = try await world.changes(organization).suffix(3)
      #expect(changes.prefix(2).map(\.before) == [kept[0].snapshot, kept[2].snapshot])
      #expect(changes.last?.before?.kind == .holidayCalendar && changes.allSatisfy { $0.after == nil })
    }
  }

  @Test(
    "are one on a date, and at most the limit, however many are put at once", arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let calendar = try await world.calendar(in: organization)
      let first = day("2001-01-01")
      let many = (0..<Int(Holiday.maximumCount) - 2).map {
        StatedHoliday(date: first.adding(days: $0), name: "H", percent: 100)
      }
      try await world.put(many, of: calendar, in: organization)
      let outcomes = await concurrently(8) { number in
        // Two at a time on the same date.
        let date = first.adding(days: -1 - number / 2)
        return try await world.put(
          [StatedHoliday(date: date, name: "\(number)", percent: 100)], of: calendar, in: organization
        ).counts
      }
      let counts = outcomes.compactMap { try? $0.get() }
      #expect(counts.filter { $0.created == 1 }.count == 2)
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .tooManyHolidays)
      }
      let all = try await world.holidays(of: calendar, in: organization, pageSize: 1_000)
      #expect(all.count == Int(Holiday.maximumCount) && Set(all.map(\.date)).count == all.count)
    }
  }
}

private func day(_ text: String) -> LocalDate { LocalDate(iso8601: text) ?? .latest }

extension World {
  fileprivate func calendar(in organization: TestOrganization) async throws -> HolidayCalendarID {
    try await keep(HolidayCalendar(head: head(in: organization)) { $0.name = "Bavaria" }, in: organization).id
  }

  @discardableResult
  fileprivate func put(
    _ holidays: [StatedHoliday], of calendar: HolidayCalendarID, in organization: TestOrganization
  ) async throws -> KeptHolidays {
    try await storage.putHolidays(
      holidays, of: calendar, in: organization.id, organization.key, context: .test()
    ) { [self] in id() }
  }

  fileprivate func holidays(
    of calendar: HolidayCalendarID, from start: String = "1900-01-01", through end: String = "9999-12-31",
    in organization: TestOrganization, pageSize: Int = 100
  ) async throws -> [Holiday] {
    try await all(of: pageSize) { cursor in
      try await storage.holidays(
        of: calendar, from: day(start), through: day(end), after: cursor, limit: pageSize,
        in: organization.key)
    }
  }
}
