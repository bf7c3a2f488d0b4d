import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// The rules of work schedules, entitlements and adjustments.
  static let workSchedules = Fixture(scenarios: Scenario.workSchedules)
}

extension Scenario {
  fileprivate static let workSchedules: [Scenario] = [
    Scenario("weekly seconds are shared among work days to the second") { world in
      for (from, seconds, days, expected) in [
        (
          "2026-10-01", 138_600, ["monday", "tuesday", "wednesday", "thursday", "friday"],
          [27_720, 27_720, 27_720, 27_720, 27_720, 0, 0]
        ),
        ("2026-11-01", 100_001, ["friday", "monday", "wednesday"], [33_334, 0, 33_334, 0, 33_333, 0, 0]),
      ] as [(String, Int64, [String], [Int64])] {
        let made = try await world.client.expect(
          world.schedule(
            from, ["weeklySeconds": .integer(seconds), "workDays": .array(days.map { .string($0) })]), 201)
        world.check(
          made.json["secondsByWeekday"] == .array(expected.map { .integer($0) }), made.json.text)
        world.check(made.json["weeklySeconds"] == nil && made.json["workdayStart"] == "00:00", made.json.text)
      }
      for (body, status, code) in [
        (["weeklySeconds": 172_801, "workDays": ["monday", "tuesday"]], 422, "invalid_schedule"),
        (["weeklySeconds": 3_600], 400, "invalid_body"),
        (["weeklySeconds": 1, "workDays": ["monday"], "secondsByWeekday": world.week], 400, "invalid_body"),
        ([:], 400, "invalid_body"),
        (["secondsByWeekday": [1, 2, 3]], 422, "invalid_schedule"),
        (["secondsByWeekday": world.week, "timeZone": "Europe/Atlantis"], 422, "unknown_time_zone"),
        (["secondsByWeekday": world.week, "workdayStart": "24:00"], 422, "invalid_schedule"),
        (
          ["secondsByWeekday": world.week, "holidayCalendarId": .string(World.absentID)], 422,
          "holiday_calendar_not_found"
        ),
      ] as [(JSONValue, Int, String)] {
        try await world.client.expect(
          world.schedule("2027-01-01", body), status, code: code, comment: body.text)
      }
    },
    Scenario("a member has one schedule from a date, and dates follow one another") { world in
      let plan: JSONValue = ["secondsByWeekday": world.week]
      let first = try await world.client.expect(world.schedule("2026-10-01", plan), 201)
      try await world.refuses(world.schedule("2026-10-01", plan), 409, ["schedule_exists"], "another one")
      let late = plan.setting("workdayStart", to: "23:00").setting("timeZone", to: "Pacific/Honolulu")
      let second = try await world.client.expect(world.schedule("2026-11-01", late), 201)
      // The date before would end a day after it has begun in Apia.
      let early = plan.setting("timeZone", to: "Pacific/Apia")
      try await world.refuses(world.schedule("2026-12-01", early), 422, ["invalid_schedule"], "back in time")
      let move = world.call(
        "updateWorkSchedule", as: world.home.admin,
        path: ["workScheduleId": try World.text(second.json["id"])], body: ["from": "2026-10-01"],
        ifMatch: second.etag)
      try await world.refuses(move, 409, ["schedule_exists"], "moved onto another one")
      // From 23:00 in Honolulu to midnight in Apia a date would be lost, with midnight in Honolulu between them none.
      let between = plan.setting("timeZone", to: "Pacific/Honolulu")
      let third = try await world.client.expect(world.schedule("2026-12-01", between), 201)
      try await world.client.expect(world.schedule("2027-01-01", early), 201)
      let deletion = world.call(
        "deleteWorkSchedule", as: world.home.admin,
        path: ["workScheduleId": try World.text(third.json["id"])], ifMatch: third.etag)
      try await world.refuses(deletion, 422, ["invalid_schedule"], "without the one between")
      let moved = try await world.client.expect(move.with { $0.json = ["from": "2026-10-31"] }, 200)
      world.check(moved.json["from"] == "2026-10-31" && first.json["from"] == "2026-10-01", moved.json.text)
    },
    Scenario("a holiday calendar that a schedule names stays") { world in
      let made = try await world.client.expect(
        world.call("createHolidayCalendar", as: world.home.admin, body: ["name": "Bavaria"]), 201)
      let calendar = try World.text(made.json["id"])
      let body: JSONValue = ["secondsByWeekday": world.week, "holidayCalendarId": .string(calendar)]
      let schedule = try await world.client.expect(world.schedule("2026-10-01", body), 201)
      world.check(schedule.json["holidayCalendarId"]?.string == calendar, schedule.json.text)
      let deletion = world.call(
        "deleteHolidayCalendar", as: world.home.admin, path: ["holidayCalendarId": calendar],
        ifMatch: made.etag)
      try await world.refuses(deletion, 409, ["holiday_calendar_in_use"], "in use")
      let update = world.call(
        "updateWorkSchedule", as: world.home.admin,
        path: ["workScheduleId": try World.text(schedule.json["id"])], body: ["holidayCalendarId": .null],
        ifMatch: schedule.etag)
      let without = try await world.client.expect(update, 200)
      world.check(without.json["holidayCalendarId"] == .null, without.json.text)
      try await world.client.expect(deletion, 204)
    },
    Scenario("a member has one entitlement of a kind in a year, in steps of a ten-thousandth") { world in
      func entitlement(_ body: JSONValue) -> Call {
        world.call(
          "createEntitlement", as: world.home.admin,
          body: body.setting("userId", to: .string(world.home.member.userID)))
      }
      let made = try await world.client.expect(entitlement(["year": 2026, "days": 28.75]), 201)
      world.check(
        made.json["days"] == 28.75 && made.json["carriedDays"] == 0 && made.json["kind"] == "vacation",
        made.json.text)
      try await world.refuses(
        entitlement(["year": 2026, "days": 1]), 409, ["entitlement_exists"], "another one")
      let next = try await world.client.expect(
        entitlement(["year": 2027, "days": 1, "carriedDays": -0.5]), 201)
      let move = world.call(
        "updateEntitlement", as: world.home.admin,
        path: ["entitlementId": try World.text(next.json["id"])], body: ["year": 2026], ifMatch: next.etag)
      try await world.refuses(move, 409, ["entitlement_exists"], "moved onto another one")
      for body in [["year": 2028, "days": 367], ["year": 1899, "days": 1]] as [JSONValue] {
        try await world.refuses(entitlement(body), 422, ["invalid_entitlement"], body.text)
      }
      try await world.client.expect(entitlement(["year": 2028, "days": 0.00001]), 400, code: "invalid_body")
    },
    Scenario("a member has a limited number of schedules, entitlements and adjustments") { world in
      let userID = JSONValue.string(world.home.member.userID)
      func makeMany(_ operation: String, _ count: Int, _ row: (Int) -> JSONValue) async throws {
        for first in stride(from: 0, to: count, by: 100) {
          let rows = (first..<min(count, first + 100)).map { row($0).setting("userId", to: userID) }
          let call = world.call(
            operation, as: world.home.admin, body: ["mode": "atomic", "rows": .array(rows)])
          try await world.client.expect(call, 200)
        }
      }
      let start = LocalDate(year: 2026, month: 1, day: 1) ?? .latest
      func date(_ number: Int) -> JSONValue { .string(start.adding(days: number).iso8601) }
      func schedule(_ number: Int) -> JSONValue {
        ["from": date(number), "secondsByWeekday": [1, 2, 3, 4, 5, 6, 7]]
      }
      func entitlement(_ number: Int) -> JSONValue { ["year": .integer(1_950 + Int64(number)), "days": 1] }
      func adjustment(_ number: Int) -> JSONValue {
        ["date": date(number), "seconds": 1, "kind": "opening", "reason": "Old clock"]
      }
      try await makeMany("createWorkSchedules", 100, schedule)
      try await makeMany("createEntitlements", 200, entitlement)
      try await makeMany("createAdjustments", 2_000, adjustment)
      for (operation, body, code) in [
        ("createWorkSchedule", schedule(100), "too_many_work_schedules"),
        ("createEntitlement", entitlement(200), "too_many_entitlements"),
        ("createAdjustment", adjustment(0), "too_many_adjustments"),
      ] {
        let call = world.call(operation, as: world.home.admin, body: body.setting("userId", to: userID))
        try await world.refuses(call, 409, [code], "one more")
      }
    },
    Scenario("an adjustment is of a date with a schedule, and has a reason") { world in
      func adjustment(_ body: JSONValue) -> Call {
        let stated: JSONValue = [
          "userId": .string(world.home.member.userID), "date": "2026-10-01", "seconds": 60,
          "kind": "opening", "reason": "From the old clock",
        ]
        return world.call(
          "createAdjustment", as: world.home.admin,
          body: body.members.reduce(stated) { $0.setting($1.name, to: $1.value) })
      }
      try await world.refuses(adjustment([:]), 422, ["no_schedule"], "without a schedule")
      try await world.client.expect(world.schedule("2026-10-01", ["secondsByWeekday": world.week]), 201)
      try await world.refuses(adjustment(["date": "2026-09-30"]), 422, ["no_schedule"], "before the schedule")
      let made = try await world.client.expect(adjustment([:]), 201)
      world.check(made.json["reason"] == "From the old clock" && made.json["seconds"] == 60, made.json.text)
      for (body, code) in [
        (["seconds": 0], "invalid_adjustment"), (["seconds": 36_000_001], "invalid_adjustment"),
        (["reason": " "], "reason_required"), (["reason": "a\u{1}"], "reason_invalid"),
      ] as [(JSONValue, String)] {
        try await world.refuses(adjustment(body), 422, [code], body.text)
      }
    },
  ]
}

extension World {
  /// Five days of eight hours.
  fileprivate var week: JSONValue { [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0] }

  /// Makes a schedule of the member.
  fileprivate func schedule(_ from: String, _ body: JSONValue) -> Call {
    call(
      "createWorkSchedule", as: home.admin,
      body: body.setting("userId", to: .string(home.member.userID)).setting("from", to: .string(from)))
  }
}
