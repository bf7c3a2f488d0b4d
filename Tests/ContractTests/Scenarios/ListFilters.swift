@testable import ContractDocument

extension Fixture {
  /// Filters of lists, exports and reports.
  static let listFilters = Fixture(scenarios: Scenario.listFilters)
}

extension Scenario {
  fileprivate static let listFilters: [Scenario] = [
    Scenario("entries are found by flags, sources, several members and the time of their last change") {
      world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      try await world.makeEntry(of: member)
      try await world.makeEntry(of: manager, from: "2026-11-18T08:00:00Z", to: "2026-11-18T10:00:00Z")
      try await world.makeEntry(of: admin, from: "2026-11-17T08:00:00Z", to: "2026-11-17T10:00:00Z")
      for (person, seconds) in [(member, 10), (manager, 600)] as [(Person, Int64)] {
        let body: JSONValue = ["userId": .string(member.userID)]
        try await world.client.expect(world.call("clockIn", as: person, body: body), 201)
        world.service.clock.advance(seconds: seconds)
        try await world.client.expect(world.call("clockOut", as: person, body: body), 200)
      }
      let all = try await world.pages("listTimeEntries", "timeEntries", as: manager, limit: 100)
      world.check(all.count == 5, "\(all)")
      func has(_ entry: JSONValue, _ flags: String...) -> Bool {
        entry["flags"]?.elements.contains { flag in flags.contains { flag == .string($0) } } == true
      }
      func isOf(_ entry: JSONValue, _ people: Person...) -> Bool {
        people.contains { entry["userId"] == .string($0.userID) }
      }
      let changed = try World.text(all.first?["updatedAt"])
      let queries: [([(name: String, value: String)], Int, (JSONValue) -> Bool)] = [
        ([("flags", "under_minimum")], 1, { has($0, "under_minimum") }),
        ([("flags", "auto_closed,under_minimum")], 1, { has($0, "auto_closed", "under_minimum") }),
        ([("flags", "auto_closed")], 0, { has($0, "auto_closed") }),
        ([("source", "admin")], 1, { $0["source"] == "admin" }),
        ([("source", "import,api")], 4, { $0["source"] == "api" }),
        ([("userId", "\(member.userID),\(admin.userID)")], 4, { isOf($0, member, admin) }),
        (
          [("userId", "\(admin.userID),\(member.userID)"), ("source", "admin"), ("flags", "under_minimum")],
          0,
          { _ in false }
        ),
        ([("updatedSince", changed)], 1, { $0["updatedAt"] == .string(changed) }),
        ([("updatedSince", "2026-11-20T12:00:00Z")], 5, { _ in true }),
        (
          [("updatedSince", "2026-11-20T12:00:00.001Z")], 2,
          { $0["date"] == "2026-11-20" }
        ),
        ([("source", "api"), ("range", "lastWeek")], 0, { _ in false }),
      ]
      for (query, count, isShown) in queries {
        let expected = all.filter(isShown)
        world.check(expected.count == count, "\(query) proves nothing: \(expected)")
        for limit in [1, 2, 100] {
          let listed = try await world.pages(
            "listTimeEntries", "timeEntries", as: manager, limit: limit, query: query)
          world.check(listed == expected, "\(query): \(listed), not \(expected)")
        }
        let export = world.call("exportTimeEntries", as: manager, query: query + [("format", "ndjson")])
        let lines = try await world.client.expect(export, 200).response.body.split(
          separator: UInt8(ascii: "\n"))
        let exported = lines.compactMap {
          try? JSONParser.parse(Array($0)).removing("periodState").removing("objected")
        }
        world.check(
          exported.count == expected.count && expected.allSatisfy(exported.contains), "\(query): \(exported)")
      }
      let own = try await world.pages(
        "listTimeEntries", "timeEntries", as: member, limit: 100, query: [("source", "admin,api")])
      world.check(own.allSatisfy { isOf($0, member) } && own.count == 3, "a member sees others': \(own)")
    },
    Scenario("several members are asked for as one is") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let foreign = try await world.makeTenant("other").member.userID
      let many = (0..<21).map { "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a\($0 + 10)" }.joined(separator: ",")
      for operation in ["listTimeEntries", "exportTimeEntries"] {
        for (person, ids, status, code) in [
          (member, [member.userID, manager.userID], 403, "forbidden"),
          (manager, [member.userID, World.absentID], 404, "member_not_found"),
          (manager, [foreign, member.userID], 404, "member_not_found"),
          (member, [World.absentID, manager.userID], 404, "member_not_found"),
          (manager, [member.userID, member.userID], 400, "invalid_parameter"),
          (manager, [many], 400, "invalid_parameter"),
        ] as [(Person, [String], Int, String)] {
          let call = world.call(operation, as: person, query: [("userId", ids.joined(separator: ","))])
          try await world.client.expect(call, status, code: code, comment: "\(operation) \(ids)")
        }
      }
    },
    Scenario("a range by today is the one of the calendar on the wall, in lists, exports and reports") {
      world in
      let manager = world.home.manager
      // Today is Friday, 20 November 2026, in Kathmandu.
      let days = ["2026-11-19", "2026-11-16", "2026-11-12", "2026-10-31"]
      for day in days {
        try await world.client.expect(
          world.call(
            "createTimeEntry", as: manager,
            body: [
              "clockInTime": .string("\(day)T08:00:00Z"), "clockOutTime": .string("\(day)T09:00:00Z"),
            ]), 201)
        _ = try await world.makeSession(date: day, assignees: [manager])
      }
      for (range, expected, first, last) in [
        ("today", [], "2026-11-20", "2026-11-20"), ("yesterday", [0], "2026-11-19", "2026-11-19"),
        ("week", [0, 1], "2026-11-16", "2026-11-22"), ("thisWeek", [0, 1], "2026-11-16", "2026-11-22"),
        ("lastWeek", [2], "2026-11-09", "2026-11-15"), ("month", [0, 1, 2], "2026-11-01", "2026-11-30"),
        ("thisMonth", [0, 1, 2], "2026-11-01", "2026-11-30"), ("lastMonth", [3], "2026-10-01", "2026-10-31"),
      ] as [(String, [Int], String, String)] {
        let query = [(name: "range", value: range)]
        let listed = try await world.pages(
          "listTimeEntries", "timeEntries", as: manager, limit: 2, query: query)
        world.check(
          listed.compactMap { $0["date"]?.string } == expected.map { days[$0] }, "\(range): \(listed)")
        let sessions = try await world.pages("listSessions", "sessions", as: manager, limit: 2, query: query)
        world.check(
          sessions.compactMap { $0["date"]?.string } == expected.reversed().map { days[$0] },
          "\(range): \(sessions)")
        let export = world.call("exportTimeEntries", as: manager, query: query)
        let table = CSVReader.records(of: try await world.client.expect(export, 200).response.body) ?? []
        world.check(
          table.dropFirst().map { $0[4] } == expected.reversed().map { days[$0] }, "\(range): \(table)")
        let calendar = try await world.client.expect(
          world.call("getCalendar", as: manager, query: query), 200)
        let events = String(decoding: calendar.response.body, as: UTF8.self).ranges(of: "BEGIN:VEVENT").count
        world.check(events == expected.count, "\(range): \(events) events")
        let report = try await world.client.expect(world.call("reportHours", as: manager, query: query), 200)
          .json
        world.check(
          report["startDate"] == .string(first) && report["endDate"] == .string(last)
            && report["totals"]?["seconds"] == .integer(Int64(expected.count * 3_600)),
          "\(range): \(report.text)")
        let history = try await world.client.expect(world.call("getHistory", as: manager, query: query), 200)
          .json
        world.check(
          history["startDate"] == .string(first) && history["endDate"] == .string(last),
          "\(range): \(history.text)")
      }
    },
    Scenario("a report takes a range or its dates, and not both or neither") { world in
      func report(_ query: [(name: String, value: String)], _ status: Int) async throws -> JSONValue {
        let reply = try await world.client.expect(
          world.call("reportHours", as: world.home.manager, query: query), anyOf: [status],
          codes: status == 400 ? ["invalid_parameter"] : [], comment: "\(query)"
        )
        return reply.json
      }
      let (start, end) = ((name: "startDate", value: "2026-11-01"), (name: "endDate", value: "2026-11-02"))
      _ = try await report([start, end], 200)
      for other in [start, end] {
        let refused = try await report([("range", "lastMonth"), other], 400)
        world.check(refused["errors"]?.elements.first?["code"] == "conflict", refused.text)
      }
      let refused = try await report([], 400)
      world.check(
        refused["errors"]?.elements.map { $0["code"] } == ["missing", "missing"], refused.text)
      // Today is that of the report's zone: in Kiritimati the 21st has begun.
      for (zone, today) in [("Pacific/Kiritimati", "2026-11-21"), ("UTC", "2026-11-20")] {
        let found = try await report([("range", "today"), ("timeZone", zone)], 200)
        world.check(found["startDate"] == .string(today), found.text)
      }
      for (other, value) in [("date", "2026-11-20"), ("startDate", "2026-11-20")] {
        let call = world.call(
          "listSessions", as: world.home.manager, query: [("range", "lastWeek"), (other, value)])
        try await world.client.expect(call, 400, code: "invalid_parameter")
      }
    },
    Scenario("members are found by their role") { world in
      let all = try await world.pages("listMembers", "members", as: world.home.manager, limit: 1)
      var found = 0
      for role in ["member", "manager", "admin"] {
        let listed = try await world.pages(
          "listMembers", "members", as: world.home.manager, limit: 1, query: [("role", role)])
        world.check(listed == all.filter { $0["role"] == .string(role) }, "\(role): \(listed)")
        found += listed.count
      }
      world.check(found == all.count && all.count >= 3, "\(found) of \(all)")
    },
    Scenario("the log is asked for what there is, and refuses anything else") { world in
      try await world.client.expect(world.call("clockIn", as: world.home.member), 201)
      let changes = try await world.pages("listAuditLog", "changes", as: world.home.admin, limit: 100)
      let operations = Set(changes.compactMap { $0["operation"]?.string })
      world.check(operations.contains("clockIn") && operations.count > 2, "\(operations)")
      for operation in operations {
        let listed = try await world.pages(
          "listAuditLog", "changes", as: world.home.admin, limit: 100, query: [("operation", operation)])
        world.check(listed == changes.filter { $0["operation"] == .string(operation) }, operation)
      }
      for (name, nearest) in [("clockin", "clockOut"), ("getMe", nil), ("foo", nil), ("", nil)]
        as [(String, String?)]
      {
        let refused = try await world.client.expect(
          world.call("listAuditLog", as: world.home.admin, query: [("operation", name)]), 400,
          code: "invalid_parameter", comment: name)
        let detail = refused.json["errors"]?.elements.first?["detail"]?.string ?? ""
        world.check(detail.contains("an operation such as"), detail)
        if nearest != nil { world.check(detail.contains("clockIn"), detail) }
      }
    },
  ]
}
