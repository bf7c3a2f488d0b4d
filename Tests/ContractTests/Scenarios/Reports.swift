@testable import ContractDocument

extension Fixture {
  /// Hours and timesheets.
  static let reports = Fixture(
    scenarios: Scenario.reports,
    baselines: [
      "reportHours": { _, call in call.query = [("startDate", "2026-11-01"), ("endDate", "2026-11-30")] },
      "getTimesheet": { _, call in call.query = [("period", "weekly")] },
    ])
}

extension Scenario {
  fileprivate static let reports: [Scenario] = [
    Scenario("a night shift through the autumn clock change is reported to the second, in every grouping") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeEntry(of: member, from: "2026-10-24T20:00:00Z", to: "2026-10-25T05:00:00Z")
      try await world.makeEntry(of: manager, from: "2026-10-25T08:00:00.400Z", to: "2026-10-25T09:00:00Z")
      let session = try World.text(try await world.makeSession(assignees: [member]).json["id"])
      try await world.client.expect(
        world.call(
          "createTimeEntry", as: member,
          body: [
            "clockInTime": "2026-10-26T08:00:00Z", "clockOutTime": "2026-10-26T09:00:00Z",
            "sessionId": .string(session),
          ]), 201)
      let berlin = [("startDate", "2026-10-24"), ("endDate", "2026-10-26"), ("timeZone", "Europe/Berlin")]
      let (nina, boss) = (member.userID, manager.userID)
      // Both have the same name, so their ids decide.
      let people = [nina, boss].sorted()
      for (groupBy, expected) in [
        ("user", people.map { "\($0) \($0 == nina ? 36_000 : 3_599)" }),
        ("day", ["2026-10-24 7200", "2026-10-25 28799", "2026-10-26 3600"]),
        ("week", ["2026-W43 35999", "2026-W44 3600"]), ("month", ["2026-10 39599"]),
        ("session", ["\(session) 3600", "none 35999"]), ("status", ["clocked-out 39599"]),
        ("source", ["api 39599"]),
        (
          "day,user,session",
          [
            "2026-10-24 \(nina) none 7200",
            "2026-10-25 \(people[0]) none \(people[0] == nina ? 25_200 : 3_599)",
            "2026-10-25 \(people[1]) none \(people[1] == nina ? 25_200 : 3_599)",
            "2026-10-26 \(nina) \(session) 3600",
          ]
        ),
      ] as [(String, [String])] {
        let shown = try await world.rows(by: groupBy, berlin)
        world.check(shown == expected, "\(groupBy): \(shown)")
      }
      let whole = try await world.rows(by: "day", berlin + [("attribution", "start")])
      world.check(whole == ["2026-10-24 32400", "2026-10-25 3599", "2026-10-26 3600"], "\(whole)")
      let ends = try await world.rows(by: "day", berlin + [("attribution", "end")])
      world.check(ends == ["2026-10-25 35999", "2026-10-26 3600"], "\(ends)")
      let ofSession = try await world.rows(by: "user", berlin + [("sessionId", session)])
      world.check(ofSession == ["\(nina) 3600"], "\(ofSession)")
      let own = try await world.client.expect(
        world.call("reportHours", as: member, query: berlin), 200)
      world.check(own.json["totals"]?["seconds"] == 36_000, "a member's own: \(own.json.text)")
      let sheet = try await world.client.expect(
        world.call(
          "getTimesheet", as: manager,
          query: [("period", "weekly"), ("date", "2026-10-25"), ("timeZone", "Europe/Berlin")]), 200)
      world.check(
        sheet.json["startDate"] == "2026-10-19" && sheet.json["endDate"] == "2026-10-25", "another week")
      world.check(
        sheet.json["totals"]?["seconds"] == [0, 0, 0, 0, 0, 7_200, 28_799]
          && sheet.json["totals"]?["totalSeconds"] == 35_999, sheet.json.text)
      world.check(sheet.json["rows"]?.elements.compactMap { $0["userId"]?.string } == people, "another order")
    },
    Scenario("what is open for too long, or flagged, is listed, and counts to the report's time") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let active = try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-19T08:00:00Z"]), 201)
      let brief = try await world.client.expect(world.call("clockIn", as: manager), 201)
      world.service.clock.advance(seconds: 2)
      try await world.client.expect(world.call("clockOut", as: manager), 200)
      let range = [("startDate", "2026-11-01"), ("endDate", "2026-11-30"), ("timeZone", "UTC")]
      let report = try await world.client.expect(world.call("reportHours", as: manager, query: range), 200)
        .json
      let expected: [JSONValue] = [
        [
          "timeEntryId": active.json["id"] ?? .null, "userId": .string(member.userID), "userName": "A Person",
          "clockInTime": "2026-11-19T08:00:00.000Z", "clockOutTime": .null, "from": .null, "through": .null,
          "seconds": 100_802,
          "codes": ["open_too_long"],
        ],
        [
          "timeEntryId": brief.json["id"] ?? .null, "userId": .string(manager.userID), "userName": "A Person",
          "clockInTime": "2026-11-20T12:00:00.000Z", "clockOutTime": "2026-11-20T12:00:02.000Z",
          "from": .null, "through": .null, "seconds": 2,
          "codes": ["under_minimum"],
        ],
      ]
      world.check(report["anomalies"]?.elements == expected, report["anomalies"]?.text ?? "")
      let counts: JSONValue = [
        ["code": "open_too_long", "entries": 1], ["code": "under_minimum", "entries": 1],
      ]
      world.check(report["anomalyCounts"] == counts, report["anomalyCounts"]?.text ?? "")
      for (codes, listed) in [
        ("open_too_long", [expected[0]]), ("over_maximum,under_minimum", [expected[1]]),
        ("break_missing", []),
      ] {
        let sheet = [(name: "period", value: "monthly"), ("timeZone", "UTC")]
        for (operation, query) in [("reportHours", range), ("getTimesheet", sheet)] {
          let call = world.call(operation, as: manager, query: query + [("anomalies", codes)])
          let some = try await world.client.expect(call, 200).json
          world.check(some["anomalies"]?.elements == listed, "\(codes): \(some.text)")
          world.check(some["anomalyCounts"] == counts, "\(codes): \(some.text)")
        }
      }
      let unknown = world.call("reportHours", as: manager, query: range + [("anomalies", "late")])
      try await world.client.expect(unknown, 400, code: "invalid_parameter")
      world.check(report["totals"]?["seconds"] == 100_804, "active entries do not count to now")
      world.check(report["totals"]?["lastOut"] == .null, "an active entry has an end")
      world.check(report["asOf"] == "2026-11-20T12:00:02.000Z", "another time")
      // Exactly the maximum is not too long.
      for (asOf, seconds, isListed) in [
        ("2026-11-20T00:00:00Z", 57_600, false), ("2026-11-20T00:00:00.001Z", 57_600, true),
        ("2026-11-19T08:00:00Z", nil, false), ("2026-11-01T00:00:00Z", nil, false),
      ] as [(String, Int64?, Bool)] {
        let call = world.call(
          "reportHours", as: member, query: range + [("asOf", asOf), ("groupBy", "status")])
        let then = try await world.client.expect(call, 200).json
        world.check(then["rows"]?.elements.first?["seconds"]?.integer == seconds, "\(asOf): \(then.text)")
        world.check(then["anomalies"]?.elements.isEmpty == !isListed, "\(asOf): \(then.text)")
      }
    },
    Scenario("overtime follows the policy, and what is regular and what is not adds up") { world in
      try await world.changePolicy([
        "dailyOvertimeAfter": 28_800, "weeklyOvertimeAfter": 36_000, "weekStart": "sunday",
      ])
      for day in 15...17 {
        try await world.makeEntry(
          of: world.home.member, from: "2026-11-\(day)T06:00:00Z", to: "2026-11-\(day)T16:00:00Z")
      }
      // The week began on the day before.
      let call = world.call(
        "reportHours", as: world.home.member,
        query: [
          ("startDate", "2026-11-16"), ("endDate", "2026-11-17"), ("timeZone", "UTC"), ("groupBy", "day"),
        ])
      let report = try await world.client.expect(call, 200).json
      let names = ["seconds", "regularSeconds", "dailyOvertimeSeconds", "weeklyOvertimeSeconds"]
      func numbers(_ figures: JSONValue) -> [Int64?] { names.map { figures[$0]?.integer } }
      world.check(
        report["rows"]?.elements.map(numbers) == [
          [36_000, 7_200, 7_200, 21_600], [36_000, 0, 7_200, 28_800],
        ],
        report.text)
      world.check(numbers(report["totals"] ?? .null) == [72_000, 7_200, 14_400, 50_400], report.text)
    },
    Scenario("hours and timesheets are tables for who wants them, in which no name is a formula") { world in
      let member = world.home.member
      try await world.makeEntry(of: member, from: "2026-11-17T08:00:00Z", to: "2026-11-17T09:00:00Z")
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID],
        body: ["name": "=1+1, \"x\"", "personnelNumber": "-7"], ifMatch: "*")
      try await world.client.expect(update, 200)
      let hours = world.call(
        "reportHours", as: world.home.manager,
        query: [
          ("startDate", "2026-11-01"), ("endDate", "2026-11-30"), ("groupBy", "user,week,session"),
          ("timeZone", "Europe/Berlin"), ("format", "csv"),
        ])
      let table = try await world.client.expect(hours, 200)
      world.check(
        table.text == """
          userId,userName,week,sessionId,sessionTitle,seconds,breakSeconds,unpaidBreakSeconds,\
          deductedBreakSeconds,paidSeconds,regularSeconds,dailyOvertimeSeconds,weeklyOvertimeSeconds,\
          entries,daysWorked,firstIn,lastOut,firstInWallTime,lastOutWallTime,userEmail,personnelNumber\r
          \(member.userID),"'=1+1, ""x\""",2026-W47,,,3600,0,0,0,3600,3600,0,0,1,1,2026-11-17T08:00:00.000Z,\
          2026-11-17T09:00:00.000Z,2026-11-17 09:00:00,2026-11-17 10:00:00,\(member.email),'-7\r

          """, table.text)
      let sheet = try await world.client.expect(
        world.call(
          "getTimesheet", as: member,
          query: [("period", "weekly"), ("date", "2026-11-17"), ("format", "csv")]), 200)
      world.check(
        sheet.text.hasSuffix(",0,3600,0,0,0,0,0,3600,0,0,0,3600,3600,0,0,\(member.email),'-7\r\n")
          && sheet.text.hasPrefix(
            "userId,userName,2026-11-16,2026-11-17,"),
        sheet.text)
      for (accept, type) in [
        ("text/csv", "text/csv; charset=utf-8"), ("*/*", "application/json"),
        ("image/png", "application/json"),
        ("application/json;q=0.5, text/csv", "text/csv; charset=utf-8"),
      ] {
        let call = hours.with {
          $0.query.removeLast()
          $0.headers = [("Accept", accept)]
        }
        let reply = try await world.client.expect(call, 200, comment: accept)
        world.check(reply.response.values(of: "content-type") == [type], accept)
      }
    },
    Scenario("durations of a table are seconds, decimal hours or hours and minutes, and add up") { world in
      try await world.changePolicy(["dailyOvertimeAfter": 3_600])
      let member = world.home.member
      // Twenty minutes of overtime on each of three days are an hour, and a third of it is no number of hundredths.
      for day in 16...18 {
        try await world.makeEntry(
          of: member, from: "2026-11-\(day)T08:00:00Z", to: "2026-11-\(day)T09:20:00Z")
      }
      func table(_ operationID: String, _ query: [(name: String, value: String)]) async throws -> [[String]] {
        let call = world.call(
          operationID, as: member, query: query + [("format", "csv"), ("timeZone", "UTC")])
        return CSVReader.records(of: Array(try await world.client.expect(call, 200).text.utf8)) ?? []
      }
      let range = [(name: "startDate", value: "2026-11-16"), (name: "endDate", value: "2026-11-18")]
      for (form, noun, days, whole) in [
        ("seconds", "seconds", [["4800", "3600", "1200"]], ["14400", "10800", "3600"]),
        (
          "decimal", "hours",
          [["1.33", "1.00", "0.33"], ["1.34", "1.00", "0.34"], ["1.33", "1.00", "0.33"]],
          ["4.00", "3.00", "1.00"]
        ),
        ("hh:mm", "time", [["01:20", "01:00", "00:20"]], ["04:00", "03:00", "01:00"]),
        ("hh:mm:ss", "time", [["01:20:00", "01:00:00", "00:20:00"]], ["04:00:00", "03:00:00", "01:00:00"]),
      ] as [(String, String, [[String]], [String])] {
        let stated = range + [("durations", form)]
        let byDay = try await table("reportHours", stated + [("groupBy", "user,day")])
        let noun1 = noun.prefix(1).uppercased() + noun.dropFirst()
        world.check(
          byDay.first.map { Array($0[3...10]) }
            == [noun]
            + ["break", "unpaidBreak", "deductedBreak", "paid", "regular", "dailyOvertime", "weeklyOvertime"]
            .map { $0 + noun1 },
          "\(form): \(byDay)")
        let expected = days.count == 1 ? Array(repeating: days[0], count: 3) : days
        world.check(byDay.dropFirst().map { [$0[3], $0[8], $0[9]] } == expected, "\(form): \(byDay)")
        let byUser = try await table("reportHours", stated)
        world.check(byUser.last.map { [$0[2], $0[7], $0[8]] } == whole, "\(form): \(byUser)")
        let sheet = try await table(
          "getTimesheet", [("period", "weekly"), ("date", "2026-11-16"), ("durations", form)])
        world.check(sheet.first?[9] == "total\(noun1)", "\(form): \(sheet)")
        world.check(sheet.last.map { Array($0[2...4]) } == expected.map { $0[0] }, "\(form): \(sheet)")
        world.check(sheet.last.map { [$0[9], $0[14], $0[15]] } == whole, "\(form): \(sheet)")
        let export = world.call("exportTimeEntries", as: member, query: [("durations", form)])
        let entries = CSVReader.records(of: Array(try await world.client.expect(export, 200).text.utf8)) ?? []
        world.check(entries.first?[10] == "duration\(noun1)", "\(form): \(entries)")
        world.check(entries.dropFirst().map { $0[10] } == expected.map { $0[0] }, "\(form): \(entries)")
      }
      let bad = world.call("reportHours", as: member, query: range + [("durations", "minutes")])
      try await world.client.expect(bad, 400, code: "invalid_parameter")
    },
    Scenario("a report of nothing has no rows and no first start") { world in
      let call = world.call(
        "reportHours", as: world.home.manager,
        query: [("startDate", "2011-12-30"), ("endDate", "2011-12-30"), ("timeZone", "Pacific/Apia")])
      let report = try await world.client.expect(call, 200).json
      world.check(report["rows"] == [] && report["anomalies"] == [], report.text)
      world.check(report["totals"]?["firstIn"] == .null && report["totals"]?["entries"] == 0, report.text)
    },
    Scenario("a report that cannot be made says why") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let range = [(name: "startDate", value: "2026-11-01"), (name: "endDate", value: "2026-11-30")]
      for (operationID, base) in [("reportHours", range), ("getTimesheet", [("period", "monthly")])] {
        let call = world.call(operationID, as: member, query: base)
        func refuses(_ query: [(name: String, value: String)], _ status: Int, _ code: String) async throws {
          try await world.client.expect(call.with { $0.query += query }, status, code: code)
        }
        try await refuses([("userId", manager.userID)], 403, "forbidden")
        try await refuses([("userId", World.absentID)], 404, "member_not_found")
        try await refuses([("timeZone", "Mars/Base")], 422, "unknown_time_zone")
        try await refuses([("asOf", "2026-11-20T12:02:00.001Z")], 422, "in_future")
        let ahead = try await world.client.expect(
          call.with { $0.query += [("asOf", "2026-11-20T12:02:00Z")] }, 200)
        world.check(ahead.json["asOf"] == "2026-11-20T12:00:00.000Z", "\(ahead.json)")
      }
      let hours = world.call("reportHours", as: manager, query: range)
      try await world.client.expect(
        hours.with { $0.query += [("sessionId", World.absentID)] }, 404, code: "session_not_found")
      let other = try await world.makeProject(
        ["name": "Own", "ownerId": .string(manager.userID)], by: manager)
      let (theirs, task) = (other.json["id"]?.string ?? "", World.absentID)
      for call in [hours, world.call("getTimesheet", as: manager, query: [("period", "monthly")])] {
        for project in [World.absentID, theirs] {
          let refused = call.with {
            $0.query += [("projectId", project)]
            $0.token = member.token
          }
          try await world.client.expect(refused, 404, code: "project_not_found")
        }
        try await world.client.expect(call.with { $0.query += [("projectId", theirs)] }, 200)
        try await world.client.expect(
          call.with { $0.query += [("taskId", task)] }, 404, code: "task_not_found")
      }
      try await world.client.expect(
        hours.with { $0.query = [("startDate", "2026-11-02"), ("endDate", "2026-11-01")] }, 422,
        code: "invalid_date_range")
      // 3,660 dates are the most.
      try await world.client.expect(
        hours.with { $0.query = [("startDate", "2010-01-01"), ("endDate", "2020-01-08")] }, 200)
      try await world.client.expect(
        hours.with { $0.query = [("startDate", "2010-01-01"), ("endDate", "2020-01-09")] }, 422,
        code: "report_too_long")
      for missing in ["startDate", "endDate"] {
        let refused = try await world.client.expect(
          hours.with { $0.query = range.filter { $0.name != missing } }, 400, code: "invalid_parameter")
        world.check(refused.json["errors"]?.elements.first?["code"] == "missing", refused.json.text)
      }
      try await world.client.expect(
        world.call("getTimesheet", as: member), 400, code: "invalid_parameter")
    },
  ]
}

extension ContractClient.Reply {
  fileprivate var text: String { String(decoding: response.body, as: UTF8.self) }
}

extension World {
  /// A manager's report in short: of each row its dimensions and its seconds. Adds a finding unless they add up.
  fileprivate func rows(by groupBy: String, _ query: [(String, String)]) async throws -> [String] {
    let call = call("reportHours", as: home.manager, query: query + [("groupBy", groupBy)])
    let report = try await client.expect(call, 200).json
    let rows = report["rows"]?.elements ?? []
    let sum = rows.reduce(0) { $0 + ($1["seconds"]?.integer ?? 0) }
    check(report["totals"]?["seconds"]?.integer == sum, "\(groupBy): another total")
    let names = groupBy.split(separator: ",").map {
      ["user": "userId", "session": "sessionId"][$0] ?? String($0)
    }
    return rows.map { row in
      (names.map { row[$0]?.string ?? "none" } + [row["seconds"]?.text ?? ""]).joined(separator: " ")
    }
  }
}
