@testable import ContractDocument

extension Fixture {
  /// The dates that members' time counts for, and their balances.
  static let balances = Fixture(
    scenarios: Scenario.balances)
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
    }
  ]
}

extension World {
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
}
