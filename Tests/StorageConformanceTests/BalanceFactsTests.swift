import Procedures
import StorageCalls
import Testing
import TimeclockDomain

@Suite("Facts of balances in a storage")
struct BalanceFactsTests {
  @Test(
    "are everybody's, one member's or a group's, and no other organization's", arguments: StorageFactory.all)
  func facts(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let away = try await world.organization()
      let members = [
        try await world.member(of: organization), try await world.member(of: organization), away.admin,
      ]
      for (member, tenant) in zip(members, [organization, organization, away]) {
        try await fill(world, member, in: tenant)
      }
      // Nobody's schedule names it.
      let unused = try await world.keep(
        HolidayCalendar(filled: world.head(in: organization)), in: organization)
      try await put("2026-05-01", 100, of: unused.id, world, in: organization)
      let (key, storage) = (organization.key, world.storage)
      let group = try await world.group("Crew", of: [members[1], organization.admin], in: organization) {
        $0.managerIDs = [members[0].id]
      }
      let groupKey = try #require(try await storage.groupKey(of: group.id, in: key))
      for (selection, expected) in [
        (MemberSelection.everybody, Array(members.prefix(2))), (.member(members[0].key.user), [members[0]]),
        (.group(groupKey), [members[1]]), (.managed(by: members[0].key.user), Array(members.prefix(2))),
      ] {
        let users = Set(expected.map(\.key.user))
        let rows = try await storage.scheduleRows(of: selection, in: key)
        #expect(Set(rows.map(\.user)) == users && Set(rows.map(\.userID)) == Set(expected.map(\.id)))
        #expect(rows.count == 2 * users.count)
        for row in rows.sorted(by: { $0.row.from < $1.row.from }).suffix(users.count) {
          #expect(row.row.plan.secondsByWeekday == [1, 2, 3, 4, 5, 6, 86_400])
          #expect(row.row.worksOnHolidays && row.row.calendar != nil && row.row.zone == nil)
          #expect(row.zone?.name == "Asia/Kathmandu" && row.row.workdayStart == TimeOfDay("06:30"))
        }
        let holidays = try await storage.holidays(ofSchedulesOf: selection, in: key)
        #expect(Set(holidays.keys) == Set(rows.compactMap(\.row.calendar)))
        let holiday = Holidays.Holiday(date: day("2026-12-24"), percent: 50)
        #expect(holidays.values.allSatisfy { $0.all == [holiday] } && holidays.count == users.count)
        let adjustments = try await storage.adjustments(of: selection, in: key)
        #expect(Set(adjustments.keys) == users)
        let days = Set([-60, 7_200].map { DatedSeconds(date: day("2026-10-01"), seconds: $0) })
        #expect(adjustments.values.allSatisfy { $0.count == 2 && Set($0) == days })
        let entitlements = try await storage.entitlementRows(of: selection, .vacation, in: 2026, of: key)
        #expect(Set(entitlements.keys) == users)
        let entitlement = EntitlementRow(
          year: 2026, days: 300_000, carriedDays: -5_000, carriedExpires: day("2026-03-31"))
        #expect(entitlements.values.allSatisfy { $0 == entitlement })
        #expect(try await storage.entitlementRows(of: selection, .vacation, in: 2027, of: key).isEmpty)
      }
      let nobody = MemberSelection.member(organization.admin.key.user)
      #expect(try await storage.scheduleRows(of: nobody, in: key).isEmpty)
      #expect(try await storage.holidays(ofSchedulesOf: nobody, in: key).isEmpty)
      #expect(try await storage.adjustments(of: nobody, in: key).isEmpty)
    }
  }

  /// Gives a member two schedules, one of them with a calendar of its own, two adjustments and an entitlement.
  private func fill(_ world: World, _ member: TestMember, in organization: TestOrganization) async throws {
    let calendar = try await world.keep(
      HolidayCalendar(filled: world.head(in: organization)), in: organization)
    try await put("2026-12-24", 50, of: calendar.id, world, in: organization)
    var schedule = WorkSchedule(bare: world.head(in: organization), of: member.id)
    (schedule.from, schedule.secondsByWeekday) = (day("2026-01-01"), Array(repeating: 28_800, count: 7))
    _ = try await world.keep(schedule, in: organization)
    var later = WorkSchedule(bare: world.head(in: organization), of: member.id)
    (later.from, later.secondsByWeekday) = (day("2026-10-01"), [1, 2, 3, 4, 5, 6, 86_400])
    (later.holidayCalendarID, later.worksOnHolidays) = (calendar.id, true)
    (later.timeZone, later.workdayStart) = ("Asia/Kathmandu", "06:30")
    _ = try await world.keep(later, in: organization)
    for seconds in [-60, 7_200] as [Int64] {
      var adjustment = Adjustment(bare: world.head(in: organization), of: member.id)
      (adjustment.date, adjustment.seconds) = (day("2026-10-01"), seconds)
      _ = try await world.keep(adjustment, in: organization)
    }
    var entitlement = Entitlement(bare: world.head(in: organization), of: member.id)
    (entitlement.year, entitlement.days, entitlement.carriedDays) = (2026, 300_000, -5_000)
    entitlement.carriedExpires = day("2026-03-31")
    _ = try await world.keep(entitlement, in: organization)
  }

  private func put(
    _ date: String, _ percent: Int64, of calendar: HolidayCalendarID, _ world: World,
    in organization: TestOrganization
  ) async throws {
    _ = try await world.storage.putHolidays(
      [StatedHoliday(date: day(date), name: "Eve", percent: percent)], of: calendar, in: organization.id,
      organization.key, context: .test()
    ) { world.id() }
  }

  private func day(_ text: String) -> LocalDate { LocalDate(iso8601: text) ?? .latest }
}
