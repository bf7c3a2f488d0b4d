@testable import ContractDocument

extension Fixture {
  /// The purposes of a report's hours.
  static let reportedSegments = Fixture(scenarios: Scenario.reportedSegments)
}

extension Scenario {
  fileprivate static let reportedSegments: [Scenario] = [
    Scenario("hours are told apart by project, client, task and kind, and filtered by them") { world in
      let day = try await world.makeDay()
      let minutes = [
        ("project", ["Garden 240", "Office 180", "null 150"]), ("client", ["Weber 240", "null 330"]),
        ("task", ["Mail 60", "null 510"]), ("kind", ["break 30", "none 120", "work 420"]),
        ("kind,project", ["break null 30", "none null 120", "work Garden 240", "work Office 180"]),
      ]
      for (groupBy, expected) in minutes {
        let report = try await world.hours([("groupBy", groupBy)])
        let rows = report["rows"]?.elements ?? []
        let shown = rows.map { row in
          let values = groupBy.split(separator: ",").map { dimension in
            let name = ["project": "projectName", "task": "taskName"][dimension] ?? String(dimension)
            return row[name]?.string ?? "null"
          }
          return (values + ["\((row["seconds"]?.integer ?? 0) / 60)"]).joined(separator: " ")
        }
        world.check(shown == expected, "\(groupBy): \(report.text)")
        world.check(
          rows.allSatisfy { $0["paidSeconds"]?.integer == $0["regularSeconds"]?.integer }, report.text)
        world.check(report["totals"]?["seconds"] == 34_200, report.text)
        world.check(report["totals"]?["breakSeconds"] == 1_800, report.text)
        world.check(report["totals"]?["paidSeconds"] == 32_400, report.text)
      }
      for (filter, value, minutes) in [
        ("projectId", day.garden, 240), ("taskId", day.task, 60), ("client", "Weber", 240),
        ("client", "weber", 0),
        ("tag", "early", 240), ("tag", "late", 0), ("billable", "true", 240), ("billable", "false", 330),
        ("kind", "work", 420), ("kind", "break", 30), ("kind", "none", 120),
      ] as [(String, String, Int64)] {
        for operation in ["reportHours", "getTimesheet"] {
          let report = try await world.hours([(filter, value)], operation)
          let totals = report["totals"]
          let seconds = totals?[operation == "reportHours" ? "seconds" : "totalSeconds"]?.integer
          world.check(seconds == minutes * 60, "\(filter) \(value): \(report.text)")
        }
      }
      let sheet = try await world.hours([("groupBy", "project")], "getTimesheet")
      world.check(
        sheet["rows"]?.elements.map { $0["projectName"]?.string } == ["Garden", "Office", nil]
          && sheet["rows"]?.elements.map { $0["seconds"]?.elements.first?.integer } == [
            14_400, 10_800, 9_000,
          ],
        sheet.text)
      let table = try await world.client.expect(
        world.call(
          "getTimesheet", as: world.home.manager,
          query: World.sheet + [("groupBy", "client"), ("format", "csv"), ("rounding", "part:900:up")]), 200)
      let text = String(decoding: table.response.body, as: UTF8.self)
      world.check(text.hasPrefix("userId,userName,client,2026-11-16,"), text)
      world.check(text.contains(",paidSeconds,roundedSeconds,regularSeconds,"), text)
    },
    Scenario("what long days lack of breaks is deducted and listed, and nothing is written") { world in
      let day = try await world.makeDay()
      let rules: JSONValue = [
        ["afterSeconds": 21_600, "breakSeconds": 1_800], ["afterSeconds": 32_000, "breakSeconds": 2_700],
      ]
      let policy = try await world.changePolicy(["breakRules": rules])
      world.check(policy.json["policy"]?["breakRules"] == rules, policy.json.text)
      let report = try await world.hours([("groupBy", "kind")])
      // Nine hours of work, 400 seconds above the second rule; half an hour of break was taken, a quarter is missing.
      world.check(report["totals"]?["deductedBreakSeconds"] == 400, report.text)
      world.check(report["totals"]?["paidSeconds"] == 32_000, report.text)
      world.check(
        report["rows"]?.elements.map { $0["deductedBreakSeconds"]?.integer } == [0, 400, 0], report.text)
      func codes(_ report: JSONValue) -> [[String]] {
        report["anomalies"]?.elements.map { $0["codes"]?.elements.compactMap(\.string) ?? [] } ?? []
      }
      world.check(codes(report) == [["break_missing", "break_too_long"]], report.text)
      world.check(report["anomalies"]?.elements.first?["timeEntryId"]?.string == day.entry, report.text)
      let history = try await world.client.expect(
        world.call(
          "getHistory", as: world.home.member, query: [("date", "2026-11-16"), ("timeZone", "UTC")]), 200
      ).json
      world.check(history["deductedBreakSeconds"] == 400 && history["paidSeconds"] == 32_000, history.text)
      // The rules ask for unpaid breaks of a certain length.
      try await world.changePolicy(["breakMinimumSeconds": 1_801])
      world.check(try await world.hours([])["totals"]?["deductedBreakSeconds"] == 1_800, "another deduction")
      try await world.changePolicy(["breakRules": [["afterSeconds": 3_600, "breakSeconds": 1_800]]])
      world.check(try await world.hours([])["totals"]?["deductedBreakSeconds"] == 1_800, "another deduction")
      try await world.changePolicy(["breakMinimumSeconds": 1_800])
      world.check(codes(try await world.hours([])) == [["break_too_long"]], "a taken break is missing")
      world.check(codes(try await world.hours([("client", "Nobody")])) == [], "an anomaly of nothing")
      try await world.changePolicy(["breakRules": [], "breakMinimumSeconds": 900])
      world.check(try await world.hours([])["totals"]?["deductedBreakSeconds"] == 0, "rules that are off")
      for bad in [
        [["afterSeconds": 1, "breakSeconds": 1], ["afterSeconds": 1, "breakSeconds": 2]],
        [["afterSeconds": 2, "breakSeconds": 1], ["afterSeconds": 1, "breakSeconds": 2]],
      ] as [JSONValue] {
        let call = world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["breakRules": bad]], ifMatch: "*")
        try await world.client.expect(call, 422, code: "invalid_policy")
      }
    },
    Scenario("who clocks out for lunch has had it, and a night is one shift whichever date it counts for") {
      world in
      let member = world.home.member
      try await world.changePolicy([
        "breakRules": [
          ["afterSeconds": 21_600, "breakSeconds": 1_800], ["afterSeconds": 32_400, "breakSeconds": 2_700],
        ]
      ])
      for (start, end) in [
        ("16T06:00", "16T12:00"), ("16T13:00", "16T15:00"), ("17T06:00", "17T12:00"),
        ("17T12:10", "17T14:10"),
        ("18T18:00", "19T06:00"),
      ] {
        try await world.makeEntry(of: member, from: "2026-11-\(start):00Z", to: "2026-11-\(end):00Z")
      }
      func deducted(_ query: [(name: String, value: String)], _ operation: String) async throws -> Int64? {
        let reply = try await world.client.expect(
          world.call(operation, as: world.home.manager, query: query + [("timeZone", "UTC")]), 200)
        let answer = reply.json
        return (answer["totals"] ?? answer)["deductedBreakSeconds"]?.integer
      }
      for (first, last, split, start, end) in [
        ("16", "16", 0, 0, 0), ("17", "17", 1_800, 1_800, 1_800), ("18", "18", 0, 2_700, 0),
        ("19", "19", 2_700, 0, 2_700), ("16", "22", 4_500, 4_500, 4_500),
      ] as [(String, String, Int64, Int64, Int64)] {
        for (attribution, expected) in [("split", split), ("start", start), ("end", end)] {
          let dates = [(name: "startDate", value: "2026-11-\(first)"), ("endDate", "2026-11-\(last)")]
          let found = try await deducted(dates + [("attribution", attribution)], "reportHours")
          world.check(found == expected, "\(first) to \(last), \(attribution): \(found ?? -1)")
          guard attribution != "end" else { continue }
          let history = try await deducted(
            [
              ("period", first == last ? "day" : "week"), ("date", "2026-11-\(first)"),
              ("attribution", attribution),
            ],
            "getHistory")
          world.check(history == expected, "the history of \(first), \(attribution): \(history ?? -1)")
        }
      }
      let sheet = try await deducted([("period", "weekly"), ("date", "2026-11-19")], "getTimesheet")
      world.check(sheet == 4_500, "the timesheet: \(sheet ?? -1)")
    },
    Scenario("rounded hours stand beside the exact ones") { world in
      _ = try await world.makeDay()
      for (rounding, total) in [
        ("part:900:nearest", 32_400), ("part:3600:up", 32_400), ("part:7000:nearest", 35_000),
        ("part:7000:down", 28_000), ("part:86400:up", 86_400), ("part:86400:down", 0),
      ] as [(String, Int64)] {
        for operation in ["reportHours", "getTimesheet"] {
          let report = try await world.hours([("rounding", rounding), ("groupBy", "project")], operation)
          world.check(report["rounding"]?.string == rounding, report.text)
          world.check(report["totals"]?["roundedSeconds"]?.integer == total, report.text)
          let rows = report["rows"]?.elements.compactMap { $0["roundedSeconds"]?.integer } ?? []
          world.check(rows.reduce(0, +) == total, report.text)
          world.check(report["totals"]?["paidSeconds"] == 32_400, report.text)
        }
      }
      let exact = try await world.hours([])
      world.check(exact["rounding"] == nil && exact["totals"]?["roundedSeconds"] == nil, exact.text)
    },
  ]
}

/// The ids of a day with segments.
private struct ReportedDay {
  var entry: String
  var garden: String
  var task: String
}

extension World {
  fileprivate static let sheet = [
    (name: "period", value: "weekly"), ("date", "2026-11-16"), ("timeZone", "UTC"),
  ]

  /// The member's 2026-11-16, from 06:00 to 15:30: four hours of Garden, half an hour of lunch, two hours of Office and one of
  /// its task.
  fileprivate func makeDay() async throws -> ReportedDay {
    let (member, manager) = (home.member, home.manager)
    let garden = try Self.text(
      try await makeProject(["name": "Garden", "client": "Weber", "billable": true], by: manager).json["id"])
    let office = try Self.text(try await makeProject(["name": "Office"], by: manager).json["id"])
    let task = try Self.text(
      try await client.expect(
        call("createTask", as: manager, body: ["name": "Mail", "projectId": .string(office)]), 201
      ).json["id"])
    let lunch = try await client.expect(
      call(
        "createBreakType", as: home.admin, body: ["name": "Lunch", "isPaid": false, "expectedSeconds": 1_799]),
      201)
    try await makeEntry(of: member, from: "2026-11-16T06:00:00Z", to: "2026-11-16T15:30:00Z")
    let spans: [(JSONValue, String, String)] = [
      (["projectId": .string(garden), "tags": ["early"]], "06:00", "10:00"),
      (["breakTypeId": lunch.json["id"] ?? .null], "10:00", "10:30"),
      (["projectId": .string(office)], "10:30", "12:30"), (["taskId": .string(task)], "13:00", "14:00"),
    ]
    var entry = ""
    for (body, start, end) in spans {
      let segment = try await client.expect(
        create(body, as: member, from: "2026-11-16T\(start):00Z", to: "2026-11-16T\(end):00Z"), 201)
      entry = try Self.text(segment.json["timeEntryId"])
    }
    return ReportedDay(entry: entry, garden: garden, task: task)
  }

  /// A manager's report of that day, or the timesheet of its week.
  fileprivate func hours(
    _ query: [(name: String, value: String)], _ operation: String = "reportHours"
  ) async throws -> JSONValue {
    let base =
      operation == "getTimesheet"
      ? Self.sheet : [("startDate", "2026-11-16"), ("endDate", "2026-11-16"), ("timeZone", "UTC")]
    return try await client.expect(call(operation, as: home.manager, query: base + query), 200).json
  }
}
