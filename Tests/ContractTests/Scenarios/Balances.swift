@testable import ContractDocument

extension Fixture {
  /// The dates that members' time counts for, their balances and accounts.
  static let balances = Fixture(
    scenarios: Scenario.balances,
    baselines: [
      "reportBalance": { _, call in call.query = [("startDate", "2026-10-01"), ("endDate", "2026-10-31")] },
      "reportEntitlements": { _, call in call.query = [("year", "2026")] },
    ])
}

extension Scenario {
  fileprivate static let balances: [Scenario] = [
    Scenario("with the zone payroll, hours count for the dates of each member's schedule") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeSchedule(
        of: member, ["from": "2026-10-12", "timeZone": "Europe/Berlin", "workdayStart": "06:00"])
      // From 22:00 to 06:00 in Berlin, in the night in which an hour comes twice. In Kathmandu it is 01:45 to 10:45.
      for person in [member, manager] {
        try await world.makeEntry(of: person, from: "2026-10-24T20:00:00Z", to: "2026-10-25T05:00:00Z")
      }
      func hours(_ operation: String, _ query: [(name: String, value: String)]) async throws -> JSONValue {
        let call = world.call(operation, as: manager, query: query + [("timeZone", "payroll")])
        let reply = try await world.client.expect(call, 200)
        return reply.json
      }
      let dates = [(name: "startDate", value: "2026-10-24"), ("endDate", "2026-10-25")]
      for (person, expected) in [(member, ["2026-10-24"]), (manager, ["2026-10-25"])] {
        let report = try await hours(
          "reportHours", dates + [("groupBy", "day"), ("userId", person.userID)])
        let days = report["rows"]?.elements.compactMap { $0["day"]?.string }
        world.check(days == expected && report["totals"]?["seconds"] == 32_400, report.text)
        world.check(report["timeZone"] == "payroll", report.text)
      }
      let one = try await hours("reportHours", [dates[0], ("endDate", "2026-10-24")])
      world.check(one["rows"]?.elements.map { $0["userId"] } == [.string(member.userID)], one.text)
      let sheet = try await hours("getTimesheet", [("period", "weekly"), ("date", "2026-10-24")])
      let days: JSONValue = [0, 0, 0, 0, 0, 32_400, 32_400]
      world.check(sheet["totals"]?["seconds"] == days && sheet["timeZone"] == "payroll", sheet.text)
      for (query, expected) in [
        ([dates[0], ("endDate", "2026-10-24")], ["2026-10-24 \(member.userID)"]),
        (dates, ["2026-10-24 \(member.userID)", "2026-10-25 \(manager.userID)"]),
        (
          [("startDate", "2026-10-25"), ("endDate", "2026-10-25"), ("match", "overlap")],
          ["2026-10-25 \(manager.userID)"]
        ),
        ([("range", "today")], []),
      ] as [([(name: String, value: String)], [String])] {
        let call = world.call(
          "exportTimeEntries", as: manager,
          query: query + [("timeZone", "payroll"), ("format", "ndjson")])
        let body = try await world.client.expect(call, 200).response.body
        let lines = try body.split(separator: UInt8(ascii: "\n")).map { try JSONParser.parse(Array($0)) }
        let shown = lines.map { "\($0["date"]?.string ?? "none") \($0["userId"]?.string ?? "nobody")" }
        world.check(shown.sorted() == expected, "\(query): \(shown)")
      }
      let foreign = world.call("getHistory", as: member, query: [("timeZone", "payroll")])
      try await world.client.expect(foreign, 422, code: "unknown_time_zone")
    },
    Scenario("a month's target is of the schedule of each date, and the account goes on from month to month")
    {
      world in
      let member = world.home.member
      try await world.makeSchedule(of: member, ["from": "2026-10-01"])
      try await world.makeSchedule(
        of: member, ["from": "2026-10-15", "secondsByWeekday": World.week(of: 14_400)])
      try await world.makeEntry(of: member, from: "2026-10-05T03:00:00Z", to: "2026-10-05T11:30:00Z")
      let months = try await world.balance([("groupBy", "user,month"), ("endDate", "2026-11-19")])
      let rows = months["rows"]?.elements ?? []
      world.check(rows.map { $0["month"] } == ["2026-10", "2026-11"], months.text)
      world.check(rows.map { $0["targetSeconds"] } == [460_800, 201_600], months.text)
      world.check(rows.map { $0["balanceSeconds"] } == [-430_200, -201_600], months.text)
      world.check(rows.map { $0["carriedSeconds"] } == [-430_200, -631_800], months.text)
      world.check(months["countedThrough"] == "2026-11-19", months.text)
      world.check(
        months["totals"]?["paidSeconds"] == 30_600 && months["totals"]?["balanceSeconds"] == -631_800,
        months.text)
      let november = try await world.balance([("startDate", "2026-11-01"), ("endDate", "2026-11-30")])
      world.check(november["rows"]?.elements.map { $0["carriedSeconds"] } == [-631_800], november.text)
      let account = try await world.client.expect(
        world.call("getAccount", as: member, path: ["userId": member.userID]), 200
      ).json
      let expected: JSONValue = [
        "countedThrough": "2026-11-19", "balanceSeconds": -631_800, "weekPaidSeconds": 0,
        "weekTargetSeconds": 72_000, "vacation": .null,
      ]
      world.check(account.removing("period") == expected, account.text)
      world.check(
        account["period"]?["userId"] == .string(member.userID) && account["period"]?["version"] == 0,
        account.text)
      let table = try await world.client.expect(
        world.call(
          "reportBalance", as: world.home.manager,
          query: World.october + [("format", "csv"), ("durations", "hh:mm"), ("userId", member.userID)]), 200)
      let text = String(decoding: table.response.body, as: UTF8.self)
      world.check(
        text.hasPrefix(
          "userId,userName,plannedTime,holidayTime,absenceTime,creditedTime,targetTime,paidTime,")
          && text.contains(",128:00,00:00,00:00,00:00,128:00,08:30,00:00,-119:30,-119:30,"), text)
    },
    Scenario("holidays lessen what is owed, and dates to come have their plan alone") { world in
      let member = world.home.member
      let new = world.call("createHolidayCalendar", as: world.home.admin, body: ["name": "Massachusetts"])
      let calendar = try World.text(try await world.client.expect(new, 201).json["id"])
      for (date, percent) in [("2026-11-25", 50), ("2026-11-26", 100)] as [(String, Int64)] {
        try await world.client.expect(
          world.call(
            "putHoliday", as: world.home.admin, path: ["holidayCalendarId": calendar, "date": date],
            body: ["name": "Thanksgiving", "percent": .integer(percent)]), 200)
      }
      try await world.makeSchedule(
        of: member, ["from": "2026-11-19", "holidayCalendarId": .string(calendar)])
      let holidays = [
        (name: "startDate", value: "2026-11-25"), ("endDate", "2026-11-26"), ("groupBy", "user,day"),
      ]
      let future = try await world.balance(holidays + [("future", "true")])
      let rows = future["rows"]?.elements ?? []
      world.check(rows.map { $0["plannedSeconds"] } == [28_800, 28_800], future.text)
      world.check(rows.map { $0["holidaySeconds"] } == [14_400, 28_800], future.text)
      world.check(rows.map { $0["creditedSeconds"] } == [14_400, 28_800], future.text)
      world.check(rows.map { $0["targetSeconds"] } == [14_400, 0], future.text)
      for name in ["paidSeconds", "adjustmentSeconds", "balanceSeconds", "carriedSeconds"] {
        world.check(rows.allSatisfy { $0[name] == .null }, "\(name): \(future.text)")
      }
      for query in [holidays, holidays + [("future", "false")]] {
        let none = try await world.balance(query)
        world.check(none["rows"] == [] && none["totals"]?["plannedSeconds"] == 0, none.text)
      }
      // Four hours on a whole holiday are all above what was owed.
      world.service.clock.advance(seconds: 8 * 86_400)
      try await world.makeEntry(of: member, from: "2026-11-26T04:00:00Z", to: "2026-11-26T08:00:00Z")
      let past = try await world.balance(holidays)
      world.check(
        past["rows"]?.elements.map { $0["balanceSeconds"] } == [-14_400, 14_400], past.text)
    },
    Scenario("entitlements of a year lose what was carried and not used in time") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeSchedule(of: member, ["from": "2026-01-01"])
      let more: JSONValue = ["days": 30, "carriedDays": 2.5, "carriedExpires": "2026-03-31"]
      let less: JSONValue = ["days": 0.25, "carriedDays": -1]
      for (person, days) in [(member, more), (manager, less)] {
        let stated = days.setting("userId", to: .string(person.userID)).setting("year", to: 2026)
        try await world.client.expect(
          world.call("createEntitlement", as: world.home.admin, body: stated), 201)
      }
      let report = world.call("reportEntitlements", as: manager, query: [("year", "2026")])
      let all = try await world.client.expect(report, 200)
      func figures(_ row: JSONValue?) -> [JSONValue?] {
        ["days", "carriedDays", "usedDays", "requestedDays", "expiredDays", "remainingDays"].map { row?[$0] }
      }
      func row(of person: Person) -> JSONValue? {
        all.json["rows"]?.elements.first { $0["userId"] == .string(person.userID) }
      }
      world.check(all.json["kind"] == "vacation" && all.json["rows"]?.elements.count == 2, all.json.text)
      world.check(
        figures(row(of: member)) == [30, 2.5, 0, 0, 2.5, 30], all.json.text)
      world.check(
        figures(row(of: manager)) == [0.25, -1, 0, 0, 0, -0.75], all.json.text)
      world.check(row(of: manager)?["carriedExpires"] == .null, all.json.text)
      for (person, year, count) in [(member, "2026", 1), (member, "2025", 0), (manager, "2027", 0)]
        as [(Person, String, Int)]
      {
        let call = report.with {
          $0.token = person.token
          $0.query = [("year", year), ("kind", "vacation")]
        }
        let own = try await world.client.expect(call, 200)
        world.check(own.json["rows"]?.elements.count == count, own.json.text)
      }
      for query in [[], [("year", "1899")], [("year", "2200")], [("year", "02026")], [("year", "x")]]
        as [[(name: String, value: String)]]
      {
        try await world.client.expect(report.with { $0.query = query }, 400, code: "invalid_parameter")
      }
      let account = try await world.client.expect(
        world.call("getAccount", as: member, path: ["userId": member.userID]), 200)
      let use = account.json["vacation"]
      world.check(
        use?["year"] == 2026 && figures(use) == figures(row(of: member)), account.json.text)
    },
    Scenario("balances keep the rules of reports") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeSchedule(of: member, ["from": "2026-11-18"])
      try await world.makeSchedule(of: manager, ["from": "2026-11-18"])
      for (query, status, code) in [
        ([("startDate", "2026-10-02"), ("endDate", "2026-10-01")], 422, "invalid_date_range"),
        ([("startDate", "2016-10-01"), ("endDate", "2026-10-09")], 422, "report_too_long"),
        (World.october + [("asOf", "2026-11-20T12:02:00.001Z")], 422, "in_future"),
        (World.october + [("groupBy", "user,year")], 400, "invalid_parameter"),
        (World.october + [("userId", World.absentID)], 404, "member_not_found"),
      ] as [([(name: String, value: String)], Int, String)] {
        try await world.client.expect(
          world.call("reportBalance", as: manager, query: query), status, code: code)
      }
      let november = [(name: "startDate", value: "2026-11-01"), ("endDate", "2026-11-30")]
      let own = try await world.client.expect(
        world.call("reportBalance", as: member, query: november), 200)
      world.check(own.json["rows"]?.elements.map { $0["userId"] } == [.string(member.userID)], own.json.text)
      for (asOf, rows, through) in [
        ("2026-11-20T12:00:00Z", 2, "2026-11-19"), ("2026-11-18T18:20:00Z", 2, "2026-11-18"),
        ("2026-11-18T18:19:59.999Z", 0, "2026-11-17"),
      ] as [(String, Int, String)] {
        let report = try await world.balance(november + [("asOf", asOf)])
        world.check(
          report["rows"]?.elements.count == rows && report["countedThrough"] == .string(through), report.text)
      }
      let account = world.call("getAccount", as: manager, path: ["userId": member.userID])
      for (asOf, balance) in [("2026-11-20T12:00:00Z", -57_600), ("2026-11-19T12:00:00Z", -28_800)]
        as [(String, Int64)]
      {
        let found = try await world.client.expect(account.with { $0.query = [("asOf", asOf)] }, 200).json
        world.check(found["balanceSeconds"] == .integer(balance), found.text)
      }
      try await world.client.expect(
        account.with { $0.query = [("asOf", "2026-11-20T12:02:00.001Z")] }, 422, code: "in_future")
    },
  ]
}

extension World {
  fileprivate static let october = [
    (name: "startDate", value: "2026-10-01"), (name: "endDate", value: "2026-10-31"),
  ]

  /// The same seconds from Monday through Friday, and none at weekends.
  fileprivate static func week(of seconds: Int64) -> JSONValue {
    .array((0..<7).map { .integer($0 < 5 ? seconds : 0) })
  }

  /// Makes a schedule of eight hours from Monday through Friday, with other members in its place.
  fileprivate func makeSchedule(of person: Person, _ members: [String: JSONValue]) async throws {
    var body: JSONValue = ["userId": .string(person.userID), "secondsByWeekday": Self.week(of: 28_800)]
    for (name, value) in members { body = body.setting(name, to: value) }
    try await client.expect(call("createWorkSchedule", as: home.admin, body: body), 201)
  }

  /// The balance of October, or of other dates.
  fileprivate func balance(_ query: [(name: String, value: String)]) async throws -> JSONValue {
    let stated = Set(query.map(\.name))
    let dates = Self.october.filter { !stated.contains($0.name) }
    return try await client.expect(call("reportBalance", as: home.manager, query: dates + query), 200).json
  }
}
