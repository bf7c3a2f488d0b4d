@testable import ContractDocument

extension Fixture {
  /// Members' time, submitted, approved and locked.
  static let periods = Fixture(
    scenarios: Scenario.periods,
    baselines: [
      "withdrawTimesheet": { world, _ in
        try await world.client.expect(world.submit("2026-11-10", as: world.home.member), 200)
      },
      "rejectTimesheet": { world, call in
        try await world.client.expect(world.submit("2026-11-10", as: world.home.member), 200)
        call.json = call.json.setting("userId", to: .string(world.home.member.userID))
      },
      "approveTimesheets": { world, call in world.nameMembers(in: &call) },
      "reopenTimesheet": { world, call in
        try await world.approve("2026-11-10")
        call.json = call.json.setting("userId", to: .string(world.home.member.userID))
      },
      "lockPeriod": { world, call in world.nameMembers(in: &call) },
      "unlockPeriod": { world, call in
        try await world.lock("2026-11-10")
        world.nameMembers(in: &call)
      },
    ],
    foreignIDs: { world, away in
      for date in ["2026-08-30", "2026-08-31"] { try await world.approve(date, of: [away.member], in: away) }
      return ["userIds": away.member.userID]
    })
}

extension Scenario {
  fileprivate static let periods: [Scenario] = [
    Scenario("a month is submitted, approved and locked, and each mark binds more people") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let entry = try await world.makeEntry(of: member)
      func change(_ notes: String, as person: Person) -> Call {
        let body: JSONValue = ["notes": .string(notes), "reason": "Asked to"]
        return world.call(
          "updateTimeEntry", as: person, path: ["timeEntryId": entry], body: body, ifMatch: "*")
      }
      let submitted = try await world.client.expect(world.submit("2026-11-19", as: member), 200)
      // In Kathmandu the 19th is over at 18:15.
      let expected: JSONValue = [
        "userId": .string(member.userID), "userName": "A Person", "submittedThrough": "2026-11-19",
        "submittedUntil": "2026-11-19T18:15:00.000Z", "approvedThrough": .null, "approvedUntil": .null,
        "lockedThrough": .null, "lockedUntil": .null, "version": 1, "openPoints": [],
        "approvedTotals": .null,
      ]
      world.check(submitted.json == expected, submitted.json.text)
      let again = try await world.client.expect(world.submit("2026-11-18", as: member), 200)
      world.check(again.json == submitted.json, again.json.text)
      try await world.isRefused(change("Late", as: member), by: "submitted", through: "2026-11-19")
      try await world.client.expect(change("By a manager", as: manager), 200)
      let read = try await world.client.expect(world.period(of: member, as: member), 200)
      world.check(read.json == submitted.json && read.etag != nil, read.json.text)
      let approved = try await world.client.expect(
        world.call(
          "approveTimesheets", as: manager,
          body: ["userIds": [.string(member.userID)], "through": "2026-11-19", "note": "Thanks"]), 200)
      world.check(approved.json == ["moved": 1, "unchanged": 0, "refused": []], approved.json.text)
      try await world.isRefused(change("Later", as: manager), by: "approved", through: "2026-11-19")
      try await world.isRefused(change("Later", as: member), by: "approved", through: "2026-11-19")
      let all: JSONValue = ["through": "2026-11-19", "all": true]
      let locked = try await world.client.expect(world.call("lockPeriod", as: admin, body: all), 200)
      world.check(locked.json["moved"] == 1 && locked.json["unchanged"] == 0, locked.json.text)
      let refused = locked.json["refused"]?.elements ?? []
      world.check(
        Set(refused.map { $0["userId"]?.string }) == [manager.userID, admin.userID]
          && refused.allSatisfy { $0["problem"]?["code"] == "not_approved" }, locked.json.text)
      try await world.isRefused(change("Later", as: admin), by: "locked", through: "2026-11-19")
      let state = try await world.client.expect(world.period(of: member, as: manager), 200)
      world.check(
        state.json["lockedThrough"] == "2026-11-19" && state.json["version"] == 3, state.json.text)
      // And back again.
      let reopen = world.call(
        "reopenTimesheet", as: manager,
        body: ["userId": .string(member.userID), "through": .null, "reason": "A mistake"])
      try await world.isRefused(reopen, by: "locked", through: "2026-11-19")
      let unlock = world.call(
        "unlockPeriod", as: admin, body: ["through": .null, "all": true, "reason": "The auditor"])
      let unlocked = try await world.client.expect(unlock, 200)
      world.check(unlocked.json == ["moved": 1, "unchanged": 2, "refused": []], unlocked.json.text)
      let reopened = try await world.client.expect(reopen, 200)
      world.check(
        reopened.json["submittedThrough"] == .null && reopened.json["version"] == 5, reopened.json.text)
      try await world.client.expect(change("Free", as: member), 200)
      let feed = try await world.client.expect(world.call("listChanges", as: member), 200)
      let kinds = feed.json["changes"]?.elements.compactMap { $0["resource"]?.string } ?? []
      world.check(
        kinds.filter { $0 == "period" }.count == 5 && kinds.filter { $0 == "approval" }.count == 1,
        feed.json.text)
    },
    Scenario("a mark moves up only over dates that are over, and over no active entry") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      for date in ["2026-11-20", "2027-01-01"] {
        try await world.refuses(world.submit(date, as: member), 422, ["period_not_over"], date)
      }
      let clockIn = world.call("clockIn", as: member, body: ["clockInTime": "2026-11-19T17:00:00Z"])
      try await world.client.expect(clockIn, 201)
      try await world.refuses(
        world.submit("2026-11-19", as: member), 409, ["entry_active"], "an active entry")
      let approve = world.call(
        "approveTimesheets", as: manager,
        body: [
          "userIds": [.string(member.userID), .string(manager.userID)], "through": "2026-11-19",
          "includeUnsubmitted": true,
        ])
      let outcome = try await world.client.expect(approve, 200)
      let refusals = outcome.json["refused"]?.elements ?? []
      world.check(outcome.json["moved"] == 1 && refusals.count == 1, outcome.json.text)
      world.check(
        refusals.first?["userId"] == .string(member.userID)
          && refusals.first?["problem"]?["code"] == "entry_active", outcome.json.text)
      try await world.client.expect(world.call("clockOut", as: member), 200)
      // The shift goes over the end of the 19th: it began before, and stays as it is.
      try await world.client.expect(world.submit("2026-11-19", as: member), 200)
      let unsubmitted = try await world.client.expect(
        approve.with {
          $0.json = ["userIds": [.string(world.home.admin.userID)], "through": "2026-11-19"]
        }, 200)
      world.check(
        unsubmitted.json["refused"]?.elements.map { $0["problem"]?["code"] } == ["not_submitted"],
        unsubmitted.json.text)
    },
    Scenario("what is submitted is withdrawn or rejected, as long as nobody has approved it") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let withdraw = world.call("withdrawTimesheet", as: member)
      func reject(_ reason: String) -> Call {
        world.call(
          "rejectTimesheet", as: manager,
          body: ["userId": .string(member.userID), "reason": .string(reason)])
      }
      try await world.refuses(withdraw, 409, ["not_submitted"], "nothing is submitted")
      try await world.refuses(reject("No"), 409, ["not_submitted"], "nothing is submitted")
      for call in [withdraw, reject("The fair is missing")] {
        try await world.client.expect(world.submit("2026-11-19", as: member), 200)
        let state = try await world.client.expect(call, 200)
        world.check(state.json["submittedThrough"] == .null, state.json.text)
      }
      try await world.client.expect(world.submit("2026-11-19", as: member), 200)
      try await world.refuses(reject(" "), 422, ["reason_required"], "no reason")
      try await world.approve("2026-11-10")
      let back = try await world.client.expect(withdraw, 200)
      world.check(
        back.json["submittedThrough"] == "2026-11-10" && back.json["approvedThrough"] == "2026-11-10",
        back.json.text)
      try await world.refuses(withdraw, 409, ["not_submitted"], "all is approved")
      func reopen(_ through: JSONValue, _ reason: String) -> Call {
        world.call(
          "reopenTimesheet", as: manager,
          body: ["userId": .string(member.userID), "through": through, "reason": .string(reason)])
      }
      try await world.refuses(reopen("2026-11-10", "Why"), 409, ["not_approved"], "as far as it is approved")
      try await world.refuses(reopen(.null, "\t"), 422, ["reason_required"], "no reason")
      let unlock = world.call(
        "unlockPeriod", as: world.home.admin, body: ["through": .null, "all": true, "reason": " "])
      try await world.refuses(unlock, 422, ["reason_required"], "no reason")
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "rejectTimesheet")]), 200)
      world.check(
        audit.json["changes"]?.elements.map { $0["reason"] } == ["The fair is missing"], audit.json.text)
    },
    Scenario("open points are days without work, missing breaks, and requests, until they are approved") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.changePolicy(["breakRules": [["afterSeconds": 21_600, "breakSeconds": 1_800]]])
      let schedule: JSONValue = [
        "userId": .string(member.userID), "from": "2026-11-16",
        "secondsByWeekday": [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0],
      ]
      try await world.client.expect(
        world.call("createWorkSchedule", as: world.home.admin, body: schedule), 201)
      let request: JSONValue = [
        "kind": "vacation", "startDate": "2026-11-15", "endDate": "2026-11-17", "portion": "day",
      ]
      try await world.client.expect(world.call("requestAbsence", as: member, body: request), 201)
      let entry = try await world.makeEntry(
        of: member, from: "2026-11-18T03:00:00Z", to: "2026-11-18T11:00:00Z")
      func point(_ code: String, _ date: String, _ entry: JSONValue = .null) -> JSONValue {
        ["code": .string(code), "date": .string(date), "timeEntryId": entry]
      }
      let all = [
        point("requested_absence", "2026-11-15"), point("missing_day", "2026-11-16"),
        point("missing_day", "2026-11-17"), point("break_missing", "2026-11-18", .string(entry)),
        point("missing_day", "2026-11-19"),
      ]
      let before = try await world.client.expect(world.period(of: member, as: member), 200)
      world.check(before.json["openPoints"]?.elements == all, before.json.text)
      let submitted = try await world.client.expect(world.submit("2026-11-18", as: member), 200)
      world.check(submitted.json["openPoints"]?.elements == Array(all.prefix(4)), submitted.json.text)
      try await world.approve("2026-11-17")
      let rest = try await world.client.expect(world.period(of: member, as: manager), 200)
      world.check(rest.json["openPoints"]?.elements == [all[3]], rest.json.text)
      let reopen: JSONValue = ["userId": .string(member.userID), "through": .null, "reason": "Late"]
      let open = try await world.client.expect(
        world.call("reopenTimesheet", as: manager, body: reopen), 200)
      world.check(open.json["openPoints"]?.elements == all, open.json.text)
      let account = try await world.client.expect(
        world.call("getAccount", as: member, path: ["userId": member.userID]), 200)
      let marks = open.json.removing("openPoints").removing("approvedTotals")
      world.check(account.json["period"] == marks, account.json.text)
    },
    Scenario("a key is good for what is withdrawn in one organization") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      try await world.client.expect(world.submit("2026-11-10", as: person), 200)
      try await world.client.expect(
        world.call("withdrawTimesheet", as: person).with { $0.idempotencyKey = "once" }, 200)
      try await world.refuses(
        world.call("withdrawTimesheet", as: person, in: away).with { $0.idempotencyKey = "once" }, 422,
        ["idempotency_key_reused"], "another organization")
    },
    Scenario("members are named or all, and complete is true") { world in
      let id = JSONValue.string(world.home.member.userID)
      for (operation, body) in [
        ("lockPeriod", ["through": "2026-11-10"]), ("lockPeriod", ["through": "2026-11-10", "all": false]),
        ("lockPeriod", ["through": "2026-11-10", "all": true, "userIds": [id]]),
        ("lockPeriod", ["through": "2026-11-10", "userIds": [id, id]]),
        ("unlockPeriod", ["through": .null, "reason": "x"]),
        ("unlockPeriod", ["reason": "x", "all": true]),
        ("approveTimesheets", ["through": "2026-11-10", "userIds": [id, id]]),
        ("submitTimesheet", ["through": "2026-11-10", "complete": false]),
      ] as [(String, JSONValue)] {
        try await world.refuses(
          world.call(operation, as: world.home.admin, body: body), 400, ["invalid_body"], body.text)
      }
      let absent: JSONValue = ["through": "2026-11-10", "userIds": [id, .string(World.absentID)]]
      for operation in ["approveTimesheets", "lockPeriod"] {
        try await world.refuses(
          world.call(operation, as: world.home.admin, body: absent), 404, ["member_not_found"], operation)
      }
    },
    Scenario("marks are listed by the state of the time through a date") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      try await world.client.expect(world.submit("2026-11-10", as: member), 200)
      try await world.approve("2026-11-05", of: [member, manager])
      try await world.lock("2026-11-02", of: [manager])
      func listed(_ state: String, _ through: String) async throws -> [String] {
        let pages = try await world.pages(
          "listPeriods", "periods", as: admin, limit: 1, query: [("state", state), ("through", through)])
        return pages.compactMap { $0["userId"]?.string }
      }
      for (state, through, people) in [
        ("submitted", "2026-11-10", [member]), ("unsubmitted", "2026-11-10", [admin, manager]),
        ("approved", "2026-11-05", [manager, member]), ("locked", "2026-11-02", [manager]),
        ("unsubmitted", "2026-11-11", [admin, manager, member]), ("locked", "2026-11-03", []),
      ] as [(String, String, [Person])] {
        let found = try await listed(state, through)
        world.check(found == people.map(\.userID), "\(state) through \(through): \(found)")
      }
      let own = try await world.client.expect(world.call("listPeriods", as: member), 200)
      world.check(
        own.json["periods"]?.elements.map { $0["userId"] } == [.string(member.userID)], own.json.text)
      for query in [[("state", "locked")], [("through", "2026-11-10")]] as [[(name: String, value: String)]] {
        try await world.client.expect(
          world.call("listPeriods", as: admin, query: query), 400, code: "invalid_parameter")
      }
      let other = world.call("listPeriods", as: member, query: [("userId", manager.userID)])
      try await world.client.expect(other, 403, code: "forbidden")
    },
    Scenario("an approval keeps the totals of its dates, whatever comes later") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let schedule: JSONValue = [
        "userId": .string(member.userID), "from": "2026-11-16",
        "secondsByWeekday": [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0],
      ]
      try await world.client.expect(
        world.call("createWorkSchedule", as: world.home.admin, body: schedule), 201)
      try await world.changePolicy(["dailyOvertimeAfter": 6_000, "weeklyOvertimeAfter": 5_000])
      let entry = try await world.makeEntry(of: member)
      func approvedTotals() async throws -> JSONValue {
        try await world.client.expect(world.period(of: member, as: member), 200).json["approvedTotals"]
          ?? .null
      }
      world.check(try await approvedTotals() == .null, "totals of nothing")
      try await world.approve("2026-11-19")
      let feed = try await world.client.expect(world.call("listChanges", as: manager), 200)
      let list = try await world.client.expect(world.call("listApprovals", as: member), 200)
      let approval = list.json["approvals"]?.elements.first ?? .null
      for (name, value) in [
        ("userId", .string(member.userID)), ("from", "2026-11-16"), ("through", "2026-11-19"),
        ("approvedBy", .string(manager.userID)), ("plannedSeconds", 115_200), ("targetSeconds", 115_200),
        ("paidSeconds", 7_200), ("balanceSeconds", -108_000), ("holidaySeconds", 0), ("creditedSeconds", 0),
        ("absenceSeconds", 0), ("adjustmentSeconds", 0), ("dailyOvertimeSeconds", 1_200),
        ("weeklyOvertimeSeconds", 1_000),
      ] as [(String, JSONValue)] {
        world.check(approval[name] == value, "\(name): \(approval.text)")
      }
      let change = feed.json["changes"]?.elements.first { $0["resource"] == "approval" }
      world.check(
        change?["sequence"] == approval["sequence"] && change?["data"] == approval.removing("sequence"),
        "\(approval.text) \(change?.text ?? "none")")
      world.check(try await approvedTotals() == approval.removing("sequence"), "other totals")
      let reopen: JSONValue = ["userId": .string(member.userID), "through": "2026-11-18", "reason": "Late"]
      let reopened = try await world.client.expect(
        world.call("reopenTimesheet", as: manager, body: reopen), 200)
      world.check(reopened.json["approvedTotals"] == .null, "a part of an approval: \(reopened.json.text)")
      try await world.client.expect(
        world.call("deleteTimeEntry", as: member, path: ["timeEntryId": entry], ifMatch: "*"), 204)
      try await world.approve("2026-11-19")
      let both = try await world.client.expect(world.call("listApprovals", as: manager), 200)
      let all = both.json["approvals"]?.elements ?? []
      world.check(all.first == approval && all.count == 2, both.json.text)
      world.check(
        all.last?["from"] == "2026-11-19" && all.last?["paidSeconds"] == 0, both.json.text)
      world.check(try await approvedTotals() == all.last?.removing("sequence"), "other totals")
    },
    Scenario("hours are grouped by the marks on them, in both forms") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      // An hour in Kathmandu's daytime on each date, and two of somebody without marks.
      for date in ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19"] {
        _ = try await world.makeEntry(of: member, from: "\(date)T05:00:00Z", to: "\(date)T06:00:00Z")
      }
      _ = try await world.makeEntry(of: manager, from: "2026-11-17T05:00:00Z", to: "2026-11-17T07:00:00Z")
      _ = try await world.client.expect(world.submit("2026-11-18", as: member), 200)
      try await world.approve("2026-11-17")
      try await world.lock("2026-11-16", of: [member])
      let query = [
        (name: "startDate", value: "2026-11-01"), ("endDate", "2026-11-30"), ("groupBy", "approval,user"),
      ]
      for (person, expected) in [
        (
          manager,
          [
            ("unsubmitted", manager, 7_200), ("unsubmitted", member, 3_600), ("submitted", member, 3_600),
            ("approved", member, 3_600), ("locked", member, 3_600),
          ]
        ),
        (
          member,
          [
            ("unsubmitted", member, 3_600), ("submitted", member, 3_600), ("approved", member, 3_600),
            ("locked", member, 3_600),
          ]
        ),
      ] as [(Person, [(String, Person, Int64)])] {
        let report = try await world.client.expect(world.call("reportHours", as: person, query: query), 200)
        let rows = report.json["rows"]?.elements.map { row in
          [row["periodState"] ?? .null, row["userId"] ?? .null, row["seconds"] ?? .null]
        }
        let wanted = expected.map { [.string($0), .string($1.userID), .integer($2)] as [JSONValue] }
        world.check(Set(rows ?? []) == Set(wanted), report.json.text)
        world.check(rows?.map { $0[0] } == wanted.map { $0[0] }, "another order: \(report.json.text)")
      }
      let table = try await world.client.expect(
        world.call("reportHours", as: member, query: query + [("format", "csv")]), 200)
      let lines = String(decoding: table.response.body, as: UTF8.self).split(separator: "\r\n")
      world.check(
        lines.first?.hasPrefix("periodState,userId,userName,") == true
          && lines.dropFirst().map { $0.prefix { $0 != "," } }
            == ["unsubmitted", "submitted", "approved", "locked"],
        String(decoding: table.response.body, as: UTF8.self))
    },
    Scenario("reports list approvals whose dates have other hours now, until they are approved again") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      // Nine hours in Kathmandu's daytime.
      let entry = try await world.makeEntry(
        of: member, from: "2026-11-18T03:00:00Z", to: "2026-11-18T12:00:00Z")
      _ = try await world.makeEntry(of: manager, from: "2026-11-18T03:00:00Z", to: "2026-11-18T04:00:00Z")
      for date in ["2026-11-17", "2026-11-19"] {
        try await world.approve(date, of: [member, manager])
      }
      let november = [(name: "startDate", value: "2026-11-01"), ("endDate", "2026-11-30")]
      // Half an hour less, and as it was.
      let (half, whole) = ("2026-11-18T11:30:00Z", "2026-11-18T12:00:00Z")
      func anomaly(_ seconds: Int64) -> JSONValue {
        [
          "timeEntryId": .null, "userId": .string(member.userID), "userName": "A Person",
          "clockInTime": .null, "clockOutTime": .null, "from": "2026-11-18", "through": "2026-11-19",
          "seconds": .integer(seconds), "codes": ["differs_from_approved"],
        ]
      }
      world.check(
        try await world.anomalies(november, as: manager).listed.isEmpty, "something differs at once")
      try await world.correct(entry, clockOutTime: half)
      let counts: JSONValue = [["code": "differs_from_approved", "entries": 1]]
      for (operation, query) in [
        ("reportHours", november), ("reportHours", november + [("timeZone", "payroll")]),
        ("getTimesheet", [(name: "period", value: "monthly"), ("date", "2026-11-20")]),
      ] {
        for person in [member, manager] {
          let (anomalies, found) = try await world.anomalies(query, as: person, in: operation)
          world.check(anomalies == [anomaly(-1_800)], "\(anomalies)")
          world.check(found == counts, "\(operation): \(found?.text ?? "none")")
        }
      }
      for query in [
        [(name: "startDate", value: "2026-11-18"), ("endDate", "2026-11-19")], november,
        november + [("userId", member.userID)], november + [("attribution", "end"), ("timeZone", "UTC")],
      ] {
        world.check(try await world.differences(query) == [anomaly(-1_800)], "\(query)")
      }
      for query in [
        [(name: "startDate", value: "2026-11-19"), ("endDate", "2026-11-30")],
        [(name: "startDate", value: "2026-11-01"), ("endDate", "2026-11-18")],
        november + [("userId", manager.userID)], november + [("kind", "none")],
      ] {
        world.check(try await world.differences(query) == [], "\(query)")
      }
      try await world.correct(entry, clockOutTime: whole)
      world.check(try await world.differences(november) == [], "it is as it was approved")
      try await world.correct(entry, clockOutTime: half)
      let reopen: JSONValue = ["userId": .string(member.userID), "through": "2026-11-18", "reason": "Late"]
      try await world.client.expect(world.call("reopenTimesheet", as: manager, body: reopen), 200)
      world.check(try await world.differences(november) == [], "a part of it was reopened")
      let all = reopen.setting("through", to: "2026-11-17")
      try await world.client.expect(world.call("reopenTimesheet", as: manager, body: all), 200)
      try await world.approve("2026-11-19")
      world.check(try await world.differences(november) == [], "it was approved as it is")
      try await world.correct(entry, clockOutTime: whole)
      world.check(try await world.differences(november) == [anomaly(1_800)], "more is paid than was approved")
    },
    Scenario("locking cuts an account to the policy's caps, and unlocking takes that back") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let schedule: JSONValue = [
        "userId": .string(member.userID), "from": "2026-11-16",
        "secondsByWeekday": [3_600, 3_600, 3_600, 3_600, 3_600, 0, 0],
      ]
      try await world.client.expect(world.call("createWorkSchedule", as: admin, body: schedule), 201)
      // Five hours, of which three are owed through the 18th.
      _ = try await world.makeEntry(of: member, from: "2026-11-18T03:00:00Z", to: "2026-11-18T08:00:00Z")
      try await world.changePolicy(["balanceCapAbove": 3_600])
      func adjustments() async throws -> [JSONValue] {
        try await world.client.expect(world.call("listAdjustments", as: member), 200)
          .json["adjustments"]?.elements ?? []
      }
      world.check(try await world.carried() == 7_200, "another account before the cap")
      for round in 1...2 {
        try await world.lock("2026-11-18")
        let caps = try await adjustments()
        let expected =
          [
            ("kind", "cap"), ("seconds", -3_600), ("date", "2026-11-18"), ("reason", .null),
            ("userId", .string(member.userID)),
          ] as [(String, JSONValue)]
        world.check(caps.count == 1, "round \(round): \(caps)")
        for (name, value) in expected { world.check(caps.first?[name] == value, "\(name): \(caps)") }
        world.check(try await world.carried() == 3_600, "the account does not stand at the cap")
      }
      let id = try World.text(try await adjustments().first?["id"])
      try await world.refuses(
        world.call("deleteAdjustment", as: admin, path: ["adjustmentId": id], ifMatch: "*"), 422,
        ["cap_not_by_hand"], "a cap is deleted")
      let stated: JSONValue = [
        "userId": .string(member.userID), "date": "2026-11-19", "seconds": 60, "kind": "cap",
        "reason": "Late",
      ]
      try await world.refuses(
        world.call("createAdjustment", as: admin, body: stated), 422, ["cap_not_by_hand"], "a cap by hand")
      let many = try await world.client.expect(
        world.call("createAdjustments", as: admin, body: ["mode": "partial", "rows": [stated]]), 200)
      world.check(
        many.json["results"]?.elements.map { $0["problem"]?["code"] } == ["cap_not_by_hand"], many.json.text)
      let unlock: JSONValue = [
        "userIds": [.string(member.userID)], "through": .null, "reason": "A night is missing",
      ]
      try await world.client.expect(world.call("unlockPeriod", as: admin, body: unlock), 200)
      world.check(try await adjustments().isEmpty, "the cap was not taken back")
      world.check(try await world.carried() == 7_200, "another account after the cap")
    },
    Scenario("everything that counts for locked dates is refused, with the mark, and stays as it is") {
      world in
      let calls = try await world.lockedCalls()
      try await world.lock("2026-11-19", of: [world.home.member, world.home.manager, world.home.admin])
      for call in calls {
        try await world.isRefused(call, by: "locked", through: "2026-11-19")
      }
      world.check(calls.count == 26, "\(calls.count) calls")
    },
    Scenario("of many rows and punches, and of files, those on locked dates are refused by themselves") {
      world in
      let member = world.home.member
      let schedule: JSONValue = [
        "userId": .string(member.userID), "from": "2026-11-01", "secondsByWeekday": [1, 1, 1, 1, 1, 1, 1],
      ]
      try await world.client.expect(
        world.call("createWorkSchedule", as: world.home.admin, body: schedule), 201)
      try await world.lock("2026-11-18")
      func entry(_ date: String) -> JSONValue {
        ["clockInTime": .string("\(date)T04:00:00Z"), "clockOutTime": .string("\(date)T05:00:00Z")]
      }
      let many = try await world.client.expect(
        world.call(
          "createTimeEntries", as: member,
          body: ["mode": "partial", "timeEntries": [entry("2026-11-18"), entry("2026-11-19")]]), 200)
      let results = many.json["results"]?.elements ?? []
      world.check(results.map { $0["status"] } == [409, 201], many.json.text)
      world.check(
        results.first?["problem"]?["mark"] == ["kind": "locked", "through": "2026-11-18"], many.json.text)
      let punches = try await world.punch(
        [
          World.punch(1, "clockIn", "2026-11-18T08:00:00Z"),
          World.punch(2, "clockOut", "2026-11-18T09:00:00Z"),
          World.punch(3, "clockIn", "2026-11-20T09:00:00Z"),
        ], as: member)
      world.check(
        punches.map { $0["status"] } == ["proposed", "proposed", "applied"], "\(punches.map(\.text))")
      let file = """
        email,clockInTime,clockOutTime
        \(member.email),2026-11-17T09:00:00Z,2026-11-17T10:00:00Z
        \(member.email),2026-11-19T09:00:00Z,2026-11-19T10:00:00Z
        """
      let call = world.call("importTimeEntries", as: world.home.admin, query: [("format", "generic")]).with {
        $0.body = .bytes(Array(file.utf8))
        $0.contentType = "text/csv"
      }
      let report = try await world.client.expect(call, 200)
      world.check(
        report.json["taken"] == 1 && report.json["rows"]?.elements.map { $0["code"] } == ["period_locked"],
        report.json.text)
      let adjustments: [JSONValue] = ["2026-11-18", "2026-11-19"].map {
        [
          "userId": .string(member.userID), "date": .string($0), "seconds": 60, "kind": "correction",
          "reason": "Late",
        ]
      }
      let made = try await world.client.expect(
        world.call(
          "createAdjustments", as: world.home.admin,
          body: ["mode": "partial", "rows": .array(adjustments)]), 200)
      world.check(
        made.json["results"]?.elements.map { $0["status"] } == [409, 201], made.json.text)
    },
    Scenario("a reset leaves what is approved, and says how much") { world in
      let member = world.home.member
      _ = try await world.makeSegment(of: member)
      try await world.approve("2026-11-19")
      let reset = try await world.client.expect(
        world.call(
          "resetHistory", as: member, path: ["userId": member.userID],
          body: ["scope": ["segments", "projects"]]), 200)
      world.check(
        reset.json == ["segments": 0, "projects": 0, "tasks": 0, "timerSessions": 0, "kept": 1],
        reset.json.text)
      let left = try await world.client.expect(world.call("listSegments", as: member), 200)
      world.check(left.json["segments"]?.elements.count == 1, left.json.text)
    },
    Scenario("a punch is not taken back once its time is approved") { world in
      let member = world.home.member
      // From 23:45 of the 19th, in Kathmandu, into the 20th.
      let punches = [
        World.punch(1, "clockIn", "2026-11-19T18:00:00Z"), World.punch(2, "clockOut", "2026-11-19T18:30:00Z"),
      ]
      let applied = try await world.punch(punches, as: member)
      world.check(applied.allSatisfy { $0["status"] == "applied" }, "\(applied.map(\.text))")
      try await world.client.expect(world.submit("2026-11-19", as: member), 200)
      let id = World.punch(2, "clockOut", "2026-11-19T18:30:00Z")["id"]?.string ?? ""
      try await world.refuses(
        world.call("undoPunch", as: member, path: ["punchId": id]), 409, ["punch_superseded"], "a clock-out")
    },
    Scenario("clocking in and out as it happens is never refused") { world in
      let member = world.home.member
      try await world.lock("2026-11-19")
      try await world.client.expect(world.call("clockIn", as: member), 201)
      let start = world.call(
        "startSegment", as: member, body: ["projectId": try await world.projectID()])
      try await world.client.expect(start, 201)
      world.service.clock.advance(seconds: 3_600)
      try await world.client.expect(world.call("clockOut", as: member), 200)
      // The date is over five minutes after its end, and not before.
      world.service.clock.advance(seconds: 5 * 3_600 + 15 * 60 + 299)
      try await world.refuses(
        world.submit("2026-11-20", as: member), 422, ["period_not_over"], "a second too early")
      world.service.clock.advance(seconds: 1)
      try await world.client.expect(world.submit("2026-11-20", as: member), 200)
    },
  ]
}

extension World {
  /// Submits a person's own time.
  fileprivate func submit(_ through: String, as person: Person) -> Call {
    call("submitTimesheet", as: person, body: ["through": .string(through), "complete": true])
  }

  /// The anomalies that a report lists, and the counts of all.
  fileprivate func anomalies(
    _ query: [(name: String, value: String)], as person: Person, in operation: String = "reportHours"
  ) async throws -> (listed: [JSONValue], counts: JSONValue?) {
    let report = try await client.expect(call(operation, as: person, query: query), 200).json
    return (report["anomalies"]?.elements ?? [], report["anomalyCounts"])
  }

  /// The approvals that a report of hours lists.
  fileprivate func differences(_ query: [(name: String, value: String)]) async throws -> [JSONValue] {
    try await anomalies(query + [("anomalies", "differs_from_approved")], as: home.manager).listed
  }

  /// Gives an entry of the member another end, approved or not.
  fileprivate func correct(_ entry: String, clockOutTime: String) async throws {
    let made = try await client.expect(
      requestHour(
        [
          "timeEntryId": .string(entry), "proposal": ["clockOutTime": .string(clockOutTime)],
          "reason": "As it was",
        ], as: home.member), 201)
    try await client.expect(
      settleCorrection(made, "decideCorrection", ["decision": "agree"], as: home.admin), 200)
  }

  /// The member's account after 18 November.
  fileprivate func carried() async throws -> JSONValue? {
    let query = [(name: "startDate", value: "2026-11-16"), ("endDate", "2026-11-18")]
    let reply = try await client.expect(call("reportBalance", as: home.member, query: query), 200)
    return reply.json["rows"]?.elements.first?["carriedSeconds"]
  }

  fileprivate func period(of member: Person, as person: Person) -> Call {
    call("getPeriod", as: person, path: ["userId": member.userID])
  }

  /// Approves members' time, of the member if nobody is named, submitted or not.
  func approve(
    _ through: String, of people: [Person]? = nil, in tenant: Tenant? = nil
  ) async throws {
    let tenant = tenant ?? home
    let ids = (people ?? [tenant.member]).map { JSONValue.string($0.userID) }
    let body: JSONValue = [
      "userIds": .array(ids), "through": .string(through), "includeUnsubmitted": true,
    ]
    let reply = try await client.expect(
      call("approveTimesheets", as: tenant.manager, in: tenant, body: body), 200)
    check(reply.json["refused"] == [], reply.json.text)
  }

  /// Locks members' time, of the member if nobody is named, approved or not.
  func lock(_ through: String, of people: [Person]? = nil) async throws {
    let ids = (people ?? [home.member]).map { JSONValue.string($0.userID) }
    let body: JSONValue = [
      "userIds": .array(ids), "through": .string(through), "includeUnapproved": true,
    ]
    let reply = try await client.expect(call("lockPeriod", as: home.admin, body: body), 200)
    check(reply.json["refused"] == [], reply.json.text)
  }

  /// Names the member in the body of a call.
  fileprivate func nameMembers(in call: inout Call) {
    call.json = call.json.setting("userIds", to: [.string(home.member.userID)])
    if call.json["through"] != nil { call.json = call.json.setting("through", to: "2026-11-09") }
  }

  /// Adds a finding unless a mark refuses the call, and nothing changes.
  fileprivate func isRefused(_ call: Call, by kind: JSONValue, through: JSONValue) async throws {
    let before = try await Snapshot(of: home, in: self)
    let reply = try await client.expect(
      call, anyOf: [409], codes: ["period_locked"], comment: "\(call.operationID) under \(kind.text)")
    check(
      reply.json["mark"] == ["kind": kind, "through": through], "\(call.operationID): \(reply.json.text)")
    try await expectUnchanged(since: before, call.operationID)
  }

  /// A call of each operation that counts for dates, all before 20 November in Kathmandu.
  fileprivate func lockedCalls() async throws -> [Call] {
    let (member, admin) = (home.member, home.admin)
    let userID = JSONValue.string(member.userID)
    let project = try await projectID()
    let session = try Self.text(try await makeSession(assignees: [member]).json["id"])
    let entry = try Self.text(
      try await client.expect(
        call(
          "createTimeEntry", as: member,
          body: [
            "clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T10:00:00Z",
            "sessionId": .string(session),
          ]), 201
      ).json["id"])
    let segment = try Self.text(try await makeSegment(of: member).json["id"])
    let ofProject = try await client.expect(
      call(
        "createSegment", as: member,
        body: [
          "projectId": project, "startTime": "2026-11-18T04:00:00Z", "endTime": "2026-11-18T05:00:00Z",
          "timeEntry": "none",
        ]), 201)
    let calendar = try Self.text(
      try await client.expect(
        call("createHolidayCalendar", as: admin, body: ["name": "Kathmandu"]), 201
      ).json["id"])
    func holiday(_ operation: String, _ date: String, _ body: JSONValue?) -> Call {
      call(operation, as: admin, path: ["holidayCalendarId": calendar, "date": date], body: body)
    }
    try await client.expect(holiday("putHoliday", "2026-11-12", ["name": "Tihar"]), 200)
    let week: JSONValue = [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0]
    func schedule(_ from: String) -> JSONValue {
      [
        "userId": userID, "from": .string(from), "secondsByWeekday": week,
        "holidayCalendarId": .string(calendar),
      ]
    }
    let ofSchedule = [
      "workScheduleId": try Self.text(
        try await client.expect(call("createWorkSchedule", as: admin, body: schedule("2026-09-01")), 201)
          .json["id"])
    ]
    let adjustment: JSONValue = [
      "userId": userID, "date": "2026-11-10", "seconds": 60, "kind": "correction", "reason": "Late",
    ]
    let ofAdjustment = [
      "adjustmentId": try Self.text(
        try await client.expect(call("createAdjustment", as: admin, body: adjustment), 201).json["id"])
    ]
    let task = try Self.text(
      try await client.expect(call("createTask", as: member, body: ["name": "Pick"]), 201).json["id"])
    func event(_ date: String) -> JSONValue {
      ["taskId": .string(task), "duration": 3_600_000, "createdAt": .string("\(date)T08:30:00Z")]
    }
    func timer(_ operation: String, _ path: [String: String] = [:], _ body: JSONValue? = nil) -> Call {
      Call(operationID: operation, path: path, body: body.map { .json($0) } ?? .none, token: member.token)
    }
    let ofEvent = [
      "eventId": try Self.text(
        try await client.expect(timer("taskTimerCreateEvent", [:], event("2026-11-13")), 201).json["id"])
    ]
    func absence(_ kind: String, _ date: String) -> JSONValue {
      [
        "userId": userID, "kind": .string(kind), "startDate": .string(date), "endDate": .string(date),
        "portion": "day",
      ]
    }
    func kept(_ absence: JSONValue) async throws -> [String: String] {
      let made = try await client.expect(call("requestAbsence", as: member, body: absence), 201)
      return ["absenceId": try Self.text(made.json["id"])]
    }
    let (requested, approved) = (
      try await kept(absence("vacation", "2026-11-05")), try await kept(absence("sick", "2026-11-04"))
    )
    return [
      call("requestAbsence", as: admin, body: absence("sick", "2026-11-06")),
      call("updateAbsence", as: member, path: requested, body: ["portion": "half"], ifMatch: "*"),
      call("decideAbsence", as: home.manager, path: requested, body: ["decision": "approve"]),
      call("cancelAbsence", as: home.manager, path: approved, body: ["reason": "Asked to"]),
      call("clockIn", as: member, body: ["clockInTime": "2026-11-19T15:00:00Z"]),
      call(
        "createTimeEntry", as: member,
        body: ["clockInTime": "2026-11-18T08:00:00Z", "clockOutTime": "2026-11-18T09:00:00Z"]),
      call(
        "updateTimeEntry", as: member, path: ["timeEntryId": entry], body: ["notes": "Late"], ifMatch: "*"),
      call("deleteTimeEntry", as: member, path: ["timeEntryId": entry], ifMatch: "*"),
      call(
        "startSegment", as: member, body: ["projectId": project, "startTime": "2026-11-19T15:00:00Z"]),
      call(
        "createSegment", as: member,
        body: [
          "projectId": project, "startTime": "2026-11-17T04:00:00Z", "endTime": "2026-11-17T05:00:00Z",
          "timeEntry": "none",
        ]),
      call("updateSegment", as: member, path: ["segmentId": segment], body: ["name": "Late"], ifMatch: "*"),
      call("deleteSegment", as: member, path: ["segmentId": segment], ifMatch: "*"),
      call(
        "deleteProject", as: home.manager, path: ["projectId": ofProject.json["projectId"]?.string ?? ""],
        query: [("segments", "detach")], ifMatch: "*"
      ).with { $0.token = admin.token },
      call(
        "deleteSession", as: home.manager, path: ["sessionId": session], query: [("detach", "true")],
        ifMatch: "*"),
      call("createWorkSchedule", as: admin, body: schedule("2026-11-19")),
      call("updateWorkSchedule", as: admin, path: ofSchedule, body: ["worksOnHolidays": true], ifMatch: "*"),
      call("deleteWorkSchedule", as: admin, path: ofSchedule, ifMatch: "*"),
      call("createAdjustment", as: admin, body: adjustment),
      call("deleteAdjustment", as: admin, path: ofAdjustment, ifMatch: "*"),
      holiday("putHoliday", "2026-11-13", ["name": "Fair"]),
      holiday("deleteHoliday", "2026-11-12", nil),
      call(
        "importHolidays", as: admin, path: ["holidayCalendarId": calendar],
        body: ["preset": "DE-BY", "year": 2026]),
      call("updateOrganization", as: admin, body: ["timeZone": "Europe/Berlin"], ifMatch: "*"),
      timer("taskTimerCreateEvent", [:], event("2026-11-14")),
      timer("taskTimerUpdateEvent", ofEvent, ["name": "Late"]),
      timer("taskTimerDeleteEvent", ofEvent),
    ]
  }
}
