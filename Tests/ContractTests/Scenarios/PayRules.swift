import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Pay rules from a date on.
  static let payRules = Fixture(
    scenarios: Scenario.payRules,
    baselines: [
      "getPayRules": { world, call in try await world.preparePayRules(&call) },
      "updatePayRules": { world, call in try await world.preparePayRules(&call) },
      "deletePayRules": { world, call in try await world.preparePayRules(&call) },
    ],
    foreignIDs: { world, away in
      try await world.makePayRules(["from": "2027-01-11"], in: away)
      return ["payRulesId": try World.text(try await world.makePayRules(in: away).json["id"])]
    })
}

extension Scenario {
  fileprivate static let payRules: [Scenario] = [
    Scenario(
      "pay rules are where Location says, for managers, with what was left out as new policies have it"
    ) {
      world in
      try await world.changePolicy(["dailyOvertimeAfter": 1, "breakMinimumSeconds": 2, "weekStart": "sunday"])
      let made = try await world.makePayRules(["from": "2026-11-16"])
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/payRules/\(id)",
        "Location is \(made.location ?? "none")")
      for (name, value) in [
        ("from", "2026-11-16"), ("breakRules", []), ("breakMinimumSeconds", 900),
        ("dailyOvertimeAfter", .null),
        ("weeklyOvertimeAfter", .null), ("weekStart", "monday"), ("version", 1),
      ] as [(String, JSONValue)] { world.check(made.json[name] == value, "\(name): \(made.json.text)") }
      for person in [world.home.manager, world.home.admin] {
        let read = try await world.client.expect(
          world.call("getPayRules", as: person, path: ["payRulesId": id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, read.json.text)
        let list = try await world.client.expect(world.call("listPayRules", as: person), 200)
        world.check(list.json["payRules"]?.elements == [made.json], list.json.text)
      }
      for call in [
        world.call("getPayRules", as: world.home.member, path: ["payRulesId": id]),
        world.call("listPayRules", as: world.home.member),
      ] { try await world.client.expect(call, 403, code: "forbidden") }
      let feed = try await world.client.expect(world.call("listChanges", as: world.home.member), 200)
      world.check(
        feed.json["changes"]?.elements.allSatisfy { $0["resource"] != "payRules" } == true,
        "a member sees pay rules")
    },
    Scenario("pay rules change, and are deleted, in the version that is meant") { world in
      let made = try await world.makePayRules()
      let changed = try await world.client.expect(
        world.update(made, ["weeklyOvertimeAfter": 144_000, "dailyOvertimeAfter": .null]), 200)
      world.check(
        changed.json["weeklyOvertimeAfter"] == 144_000 && changed.json["dailyOvertimeAfter"] == .null
          && changed.json["breakRules"] == made.json["breakRules"], changed.json.text)
      let stale = try await world.client.expect(
        world.update(made, ["breakRules": []]), 412, code: "precondition_failed")
      world.check(stale.json["current"] == changed.json, "another present state")
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [(name: "resource", value: "payRules")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["updatePayRules", "createPayRules"], audit.json.text)
      world.check(
        changes.first?["before"] == made.json && changes.first?["after"] == changed.json, audit.json.text)
      let call = world.call(
        "deletePayRules", as: world.home.admin, path: ["payRulesId": try World.text(made.json["id"])],
        ifMatch: changed.etag)
      try await world.client.expect(call.with { $0.ifMatch = nil }, 428, code: "precondition_required")
      try await world.client.expect(call, 204)
      try await world.client.expect(call, 404, code: "pay_rules_not_found")
    },
    Scenario("pay rules begin with a week, once from a date, and keep to the bounds of policies") { world in
      let made = try await world.makePayRules(["from": "2026-11-16"])
      let other = try await world.makePayRules(["from": "2026-11-19", "weekStart": "thursday"])
      for (body, status, code) in [
        (["from": "2026-11-17"], 422, "invalid_policy"),
        (["from": "2026-11-16", "weekStart": "sunday"], 422, "invalid_policy"),
        (["from": "2026-11-23", "breakMinimumSeconds": 86_401], 422, "invalid_policy"),
        (["from": "2026-11-23", "dailyOvertimeAfter": -1], 422, "invalid_policy"),
        (["from": "2026-11-23", "weeklyOvertimeAfter": 604_801], 422, "invalid_policy"),
        (
          [
            "from": "2026-11-23",
            "breakRules": [
              ["afterSeconds": 2, "breakSeconds": 1], ["afterSeconds": 2, "breakSeconds": 2],
            ],
          ], 422, "invalid_policy"
        ),
        (["from": "2026-11-23", "weekStart": "weekday"], 400, "invalid_body"),
        (["from": "2026-11-23", "weekStart": "thursday", "name": "Harvest"], 400, "invalid_body"),
        (["from": "2026-11-16", "weekStart": "monday"], 409, "pay_rules_exist"),
      ] as [(JSONValue, Int, String)] {
        try await world.refuses(
          world.call("createPayRules", as: world.home.admin, body: body), status, [code], body.text)
        try await world.refuses(world.update(other, body), status, [code], body.text)
      }
      // The first date goes with the day.
      try await world.refuses(
        world.update(other, ["weekStart": "friday"]), 422, ["invalid_policy"], "another day")
      let list = try await world.client.expect(world.call("listPayRules", as: world.home.admin), 200)
      world.check(list.json["payRules"]?.elements == [made.json, other.json], "something was kept")
      try await world.client.expect(world.update(other, ["weekStart": "friday", "from": "2026-11-20"]), 200)
    },
    Scenario("each date is paid by its rules, and approved time keeps its figures") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      // Nine hours in Kathmandu's daytime, from Tuesday to Thursday.
      for day in 17...19 {
        _ = try await world.makeEntry(
          of: member, from: "2026-11-\(day)T03:00:00Z", to: "2026-11-\(day)T12:00:00Z")
      }
      try await world.changePolicy(["weeklyOvertimeAfter": 61_200])
      try await world.approve("2026-11-17")
      let rules: JSONValue = [["afterSeconds": 21_600, "breakSeconds": 1_800]]
      let made = try await world.makePayRules([
        "from": "2026-11-18", "breakRules": rules, "dailyOvertimeAfter": 28_800,
        "weeklyOvertimeAfter": 36_000, "weekStart": "wednesday",
      ])
      let dates = [(name: "startDate", value: "2026-11-17"), ("endDate", "2026-11-19")]
      func days(_ query: [(name: String, value: String)]) async throws -> [[Int64?]] {
        let report = try await world.client.expect(
          world.call("reportHours", as: manager, query: dates + [("groupBy", "day")] + query), 200)
        return report.json["rows"]?.elements.map { row in
          ["paidSeconds", "dailyOvertimeSeconds", "weeklyOvertimeSeconds"].map { row[$0]?.integer }
        } ?? []
      }
      for query in [[], [(name: "timeZone", value: "payroll")]] {
        let found = try await days(query)
        world.check(
          found == [[32_400, 0, 0], [30_600, 1_800, 0], [30_600, 1_800, 21_600]], "\(found)")
      }
      let balance = try await world.client.expect(
        world.call("getAccount", as: member, path: ["userId": member.userID]), 200)
      // The week began on Wednesday.
      world.check(balance.json["weekPaidSeconds"] == 61_200, balance.json.text)
      let history = try await world.client.expect(
        world.call(
          "getHistory", as: member, query: [("period", "week"), ("date", "2026-11-17")]), 200)
      world.check(
        history.json["startDate"] == "2026-11-16" && history.json["endDate"] == "2026-11-17"
          && history.json["paidSeconds"] == 32_400, history.json.text)
      let sheet = try await world.client.expect(
        world.call("getTimesheet", as: manager, query: [("period", "weekly"), ("date", "2026-11-20")]), 200)
      world.check(
        sheet.json["startDate"] == "2026-11-18" && sheet.json["endDate"] == "2026-11-24"
          && sheet.json["totals"]?["paidSeconds"] == 61_200, sheet.json.text)
      let entries = try await world.client.expect(
        world.call("listTimeEntries", as: member, query: [("range", "thisWeek")]), 200)
      world.check(entries.json["timeEntries"]?.elements.count == 2, entries.json.text)
      let differences = try await world.client.expect(
        world.call(
          "reportHours", as: manager, query: dates + [("anomalies", "differs_from_approved")]), 200)
      world.check(differences.json["anomalies"] == [], "what was approved has other figures")
      // Another approval has the new rules, and these stay as they are from then on.
      try await world.approve("2026-11-19")
      let approvals = try await world.client.expect(world.call("listApprovals", as: member), 200)
      world.check(
        approvals.json["approvals"]?.elements.map { $0["paidSeconds"] } == [32_400, 61_200],
        approvals.json.text)
      try await world.refuses(
        world.update(made, ["breakRules": []]), 409, ["period_locked"], "rules of approved dates")
    },
    Scenario("neither pay rules nor the policy change the rules of approved dates") { world in
      let made = try await world.makePayRules(["from": "2026-11-09", "dailyOvertimeAfter": 28_800])
      let path = ["payRulesId": try World.text(made.json["id"])]
      try await world.approve("2026-11-17")
      let create = world.call("createPayRules", as: world.home.admin)
      for (call, comment) in [
        (create.with { $0.json = ["from": "2026-11-16"] }, "new rules"),
        (world.update(made, ["dailyOvertimeAfter": .null]), "other rules"),
        (world.update(made, ["from": "2026-11-23"]), "from a later date on"),
        (
          world.call("deletePayRules", as: world.home.admin, path: path, ifMatch: made.etag), "none any more"
        ),
        (world.policyCall(["weekStart": "sunday"]), "other weeks before them"),
        (world.policyCall(["breakRules": [["afterSeconds": 1, "breakSeconds": 1]]]), "breaks before them"),
        (world.policyCall(["dailyOvertimeAfter": 1]), "overtime before them"),
      ] {
        try await world.refuses(call, 409, ["period_locked"], comment)
        let refused = try await world.client.expect(call, 409)
        world.check(refused.json["mark"] == ["kind": "approved", "through": "2026-11-17"], refused.json.text)
      }
      // These change no rule of theirs.
      try await world.changePolicy(["maximumSeconds": 50_000, "weekStart": "monday"])
      try await world.client.expect(
        create.with { $0.json = ["from": "2026-11-16", "dailyOvertimeAfter": 28_800] }, 201)
      try await world.client.expect(
        create.with { $0.json = ["from": "2026-11-18", "weekStart": "wednesday"] }, 201)
      try await world.lock("2026-11-10")
      let locked = try await world.client.expect(
        world.update(made, ["dailyOvertimeAfter": .null]), 409, code: "period_locked")
      world.check(locked.json["mark"] == ["kind": "locked", "through": "2026-11-10"], locked.json.text)
    },
    Scenario("an organization has at most 100 pay rules") { world in
      // Mondays from 1990 on.
      for week in 0..<100 as Range<Int32> {
        let monday = LocalDate(daysSince1970: 7_305 + 7 * week)
        try await world.makePayRules(["from": .string(monday.iso8601)])
      }
      let more = world.call("createPayRules", as: world.home.admin, body: ["from": "2026-11-16"])
      try await world.refuses(more, 409, ["too_many_pay_rules"], "one more")
      try await world.makePayRules(in: try await world.makeTenant("away"))
    },
  ]
}

extension World {
  /// Makes pay rules, if nothing is stated from a date in the future on, with breaks and overtime.
  @discardableResult
  fileprivate func makePayRules(
    _ body: JSONValue? = nil, in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    let standard: JSONValue = [
      "from": "2027-01-04", "breakRules": [["afterSeconds": 21_600, "breakSeconds": 1_800]],
      "dailyOvertimeAfter": 28_800,
    ]
    return try await client.expect(
      call("createPayRules", as: tenant.admin, in: tenant, body: body ?? standard), 201)
  }

  /// Makes the pay rules that a call is about.
  fileprivate func preparePayRules(_ call: inout Call) async throws {
    let made = try await makePayRules()
    call.path["payRulesId"] = try World.text(made.json["id"])
    if call.operationID != "getPayRules" { call.ifMatch = made.etag }
  }

  fileprivate func update(_ made: ContractClient.Reply, _ body: JSONValue) -> Call {
    call(
      "updatePayRules", as: home.admin, path: ["payRulesId": made.json["id"]?.string ?? ""], body: body,
      ifMatch: made.etag)
  }
}
