import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Absences of members, and the decisions about them.
  static let absences = Fixture(
    scenarios: Scenario.absences,
    baselines: [
      "createAbsences": { world, call in
        let rows = call.json["rows"]?.elements ?? []
        call.json = call.json.setting(
          "rows", to: .array(rows.map { $0.setting("userId", to: .string(world.home.member.userID)) }))
      },
      "getAbsence": { world, call in try await world.prepareAbsence(&call) },
      "updateAbsence": { world, call in try await world.prepareAbsence(&call) },
      "decideAbsence": { world, call in try await world.prepareAbsence(&call) },
      "cancelAbsence": { world, call in try await world.prepareAbsence(&call) },
    ],
    foreignIDs: { world, away in
      var ids: [String: String] = [:]
      for person in [away.member, away.manager] {
        let made = try await world.client.expect(world.request(["kind": "sick"], as: person, in: away), 201)
        ids["absenceId"] = try World.text(made.json["id"])
      }
      return ids
    })
}

extension Scenario {
  fileprivate static let absences: [Scenario] = [
    Scenario("an absence is where Location says, awaits its decision, and counts from then on") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let made = try await world.client.expect(world.request(["note": "  Alps "], as: member), 201)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/absences/\(id)",
        "Location is \(made.location ?? "none")")
      world.check(
        made.json["state"] == "requested" && made.json["note"] == "Alps" && made.json["seconds"] == .null
          && made.json["userId"]?.string == member.userID, made.json.text)
      for person in [member, manager, world.home.admin] {
        let read = try await world.read(made, as: person)
        world.check(read.json == made.json && read.etag == made.etag, read.json.text)
      }
      let other = try await world.makePerson("other@acme.example")
      try await world.client.expect(
        world.call("getAbsence", as: other, path: ["absenceId": id]), 404, code: "absence_not_found")
      for (operation, body) in [("updateAbsence", [:]), ("cancelAbsence", [:])] as [(String, JSONValue)] {
        let call = world.change(made, operation, body, as: other)
        try await world.refuses(call, 404, ["absence_not_found"], "another member: \(operation)")
      }
      let decide = world.change(made, "decideAbsence", ["decision": "approve"], as: manager)
      let longer = world.change(made, "updateAbsence", ["note": "Dolomites"], as: member)
      try await world.client.expect(longer.with { $0.ifMatch = nil }, 428, code: "precondition_required")
      for stale in [
        decide.with { $0.ifMatch = "\"99\"" },
        decide.with { $0.json = decide.json.setting("version", to: 99) },
      ] {
        try await world.refuses(stale, 412, ["precondition_failed"], "another version")
      }
      let approved = try await world.client.expect(
        decide.with { $0.json = ["decision": "approve", "note": "Have fun"] }, 200)
      world.check(
        approved.json["state"] == "approved" && approved.json["version"] == 2
          && approved.json["kind"] == "absent" && approved.json["note"] == .null, approved.json.text)
      let own = try await world.read(made, as: member).json
      world.check(own["kind"] == "vacation" && own["note"] == "Have fun", own.text)
      try await world.refuses(
        decide.with { $0.ifMatch = approved.etag }, 409, ["absence_decided"], "decided again")
      try await world.refuses(decide, 412, ["precondition_failed"], "a stale decision")
      let second = try await world.client.expect(
        world.request(["startDate": "2026-12-07", "endDate": "2026-12-07"], as: member), 201)
      let refused = try await world.client.expect(
        world.change(second, "decideAbsence", ["decision": "refuse"], as: world.home.admin)
          .with { $0.ifMatch = nil }, 200)
      world.check(refused.json["state"] == "refused" && refused.json["kind"] == "vacation", refused.json.text)
    },
    Scenario(
      "sickness is approved at once, and so is what is entered for another, unless the policy says else"
    ) {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      func state(_ body: JSONValue, as person: Person) async throws -> JSONValue? {
        let made = try await world.client.expect(world.request(body, as: person), 201)
        return made.json["state"]
      }
      for (number, kind) in AbsenceKind.allCases.enumerated() {
        let body = JSONValue.object([
          JSONValue.Member("kind", .string(kind.rawValue)), JSONValue.Member("portion", "seconds"),
          JSONValue.Member("seconds", 60),
        ])
        let expected: JSONValue = kind == .sick ? "approved" : "requested"
        world.check(try await state(body, as: member) == expected, "\(number): \(kind)")
        let forMember = body.setting("userId", to: .string(member.userID))
        world.check(try await state(forMember, as: manager) == "approved", "for another: \(kind)")
        world.check(try await state(body, as: world.home.admin) == expected, "an admin's own: \(kind)")
      }
      try await world.changePolicy(["absenceApproval": ["sick"]])
      for (kind, expected) in [("sick", "requested"), ("vacation", "approved")] as [(JSONValue, JSONValue)] {
        let body: JSONValue = ["kind": kind, "portion": "seconds", "seconds": 60]
        world.check(try await state(body, as: member) == expected, "\(kind)")
      }
      try await world.changePolicy(["absenceApproval": []])
      let body: JSONValue = ["kind": "sick", "portion": "seconds", "seconds": 60]
      world.check(try await state(body, as: member) == "approved", "no kind")
      let foreign = world.request(["userId": .string(manager.userID)], as: member)
      try await world.refuses(foreign, 403, ["forbidden"], "for a manager")
    },
    Scenario("a date has room for two halves of sickness and two of all others, and for any seconds") {
      world in
      let member = world.home.member
      func request(_ kind: String, _ portion: String, seconds: Int64? = nil) -> Call {
        var body: JSONValue = [
          "kind": .string(kind), "portion": .string(portion), "startDate": "2026-12-14",
          "endDate": "2026-12-15",
        ]
        if let seconds { body = body.setting("seconds", to: .integer(seconds)) }
        return world.request(body, as: member)
      }
      let first = try await world.client.expect(request("vacation", "half"), 201)
      let second = try await world.client.expect(request("training", "half"), 201)
      for (kind, portion) in [("vacation", "half"), ("unpaid", "half"), ("flextime", "day")] {
        let refused = try await world.client.expect(request(kind, portion), 409, code: "absence_overlap")
        world.check(
          refused.json["overlappingAbsences"]?.elements == [first.json, second.json]
            && refused.json["count"] == 2, refused.json.text)
      }
      try await world.client.expect(request("sick", "day"), 201)
      try await world.refuses(request("sick", "half"), 409, ["absence_overlap"], "sick twice")
      for _ in 0..<3 { try await world.client.expect(request("special", "seconds", seconds: 3_600), 201) }
      // Another date, and one whose request is gone, have room.
      let moved = world.change(
        first, "updateAbsence", ["endDate": "2026-12-18", "startDate": "2026-12-16"], as: member)
      let apart = try await world.client.expect(moved, 200)
      try await world.client.expect(request("unpaid", "half"), 201)
      let back = world.change(
        apart, "updateAbsence", ["startDate": "2026-12-15"], as: member)
      try await world.refuses(back, 409, ["absence_overlap"], "moved onto others")
      try await world.client.expect(world.change(second, "cancelAbsence", [:], as: member), 200)
      try await world.client.expect(back, 200)
    },
    Scenario("sickness within vacation gives its days back, and every figure is of approved absences") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeSchedule(from: "2026-10-01")
      let entitled: JSONValue = ["userId": .string(member.userID), "year": 2026, "days": 30]
      try await world.client.expect(
        world.call("createEntitlement", as: world.home.admin, body: entitled), 201)
      let vacation = try await world.client.expect(
        world.request(["startDate": "2026-10-19", "endDate": "2026-10-23"], as: member), 201)
      func figures() async throws -> [JSONValue?] {
        let balances = try await world.client.expect(
          world.call(
            "reportBalance", as: manager, query: [("startDate", "2026-10-19"), ("endDate", "2026-10-23")]),
          200)
        let uses = try await world.client.expect(
          world.call("reportEntitlements", as: manager, query: [("year", "2026")]), 200)
        let (balance, use) = (
          balances.json["rows"]?.elements.first, uses.json["rows"]?.elements.first
        )
        return ["plannedSeconds", "absenceSeconds", "creditedSeconds", "targetSeconds", "balanceSeconds"].map
        {
          balance?[$0]
        } + ["usedDays", "requestedDays", "remainingDays"].map { use?[$0] }
      }
      world.check(try await figures() == [144_000, 0, 0, 144_000, -144_000, 0, 5, 30], "requested")
      try await world.client.expect(
        world.change(vacation, "decideAbsence", ["decision": "approve"], as: manager), 200)
      world.check(try await figures() == [144_000, 144_000, 144_000, 0, 0, 5, 0, 25], "approved")
      try await world.client.expect(
        world.request(["kind": "sick", "startDate": "2026-10-21", "endDate": "2026-10-22"], as: member), 201)
      world.check(try await figures() == [144_000, 144_000, 144_000, 0, 0, 3, 0, 27], "sick within")
      let account = try await world.client.expect(
        world.call("getAccount", as: member, path: ["userId": member.userID]), 200)
      world.check(account.json["vacation"]?["usedDays"] == 3, account.json.text)
      // Unpaid time is not credited, and flextime costs the balance.
      for (kind, date) in [("unpaid", "2026-10-29"), ("flextime", "2026-10-30")] as [(JSONValue, JSONValue)] {
        let body: JSONValue = [
          "kind": kind, "startDate": date, "endDate": date, "userId": .string(member.userID),
        ]
        try await world.client.expect(world.request(body, as: manager), 201)
      }
      let days = try await world.client.expect(
        world.call(
          "reportBalance", as: member,
          query: [("startDate", "2026-10-29"), ("endDate", "2026-10-30"), ("groupBy", "user,day")]), 200)
      for (name, expected) in [
        ("absenceSeconds", [28_800, 0]), ("creditedSeconds", [0, 0]), ("targetSeconds", [0, 28_800]),
        ("balanceSeconds", [0, -28_800]),
      ] as [(String, [JSONValue])] {
        world.check(days.json["rows"]?.elements.map { $0[name] } == expected, "\(name): \(days.json.text)")
      }
    },
    Scenario("dates come in their order, seconds with their portion alone, and notes keep their rules") {
      world in
      let member = world.home.member
      let made = try await world.client.expect(
        world.request(["portion": "seconds", "seconds": 3_600], as: member), 201)
      for (body, code) in [
        (["endDate": "2026-11-30"], "invalid_date_range"), (["endDate": "2099-12-01"], "invalid_date_range"),
        (["portion": "seconds", "seconds": nil], "invalid_portion"),
        (["portion": "seconds", "seconds": 0], "invalid_portion"),
        (["portion": "seconds", "seconds": 86_401], "invalid_portion"),
        (["portion": "half", "seconds": 60], "invalid_portion"),
        (["note": .string(String(repeating: "n", count: 501))], "notes_too_long"),
        (["note": "a\u{1}"], "notes_invalid"),
      ] as [(JSONValue, String)] {
        try await world.refuses(world.request(body, as: member), 422, [code], body.text)
        let change = world.change(made, "updateAbsence", body, as: member)
        try await world.refuses(change, 422, [code], "a change to \(body.text)")
      }
      // Another portion takes the seconds along.
      let day = try await world.client.expect(
        world.change(made, "updateAbsence", ["portion": "day"], as: member), 200)
      world.check(day.json["portion"] == "day" && day.json["seconds"] == .null, day.json.text)
      let same = try await world.client.expect(world.change(day, "updateAbsence", [:], as: member), 200)
      world.check(same.etag == day.etag, "nothing stated changes something")
      try await world.client.expect(
        world.change(day, "updateAbsence", ["kind": "sick"], as: member), 400, code: "invalid_body")
      for (body, code) in [("x", "notes_too_long"), ("\u{1}", "notes_invalid")] {
        let note = JSONValue.string(String(repeating: body, count: code == "notes_too_long" ? 501 : 1))
        let decide = world.change(
          day, "decideAbsence", ["decision": "refuse", "note": note], as: world.home.manager)
        try await world.refuses(decide, 422, [code], "a decision")
      }
    },
    Scenario("members change their own absences until these are decided, managers others' with a reason") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let made = try await world.client.expect(world.request([:], as: member), 201)
      let change: JSONValue = ["endDate": "2026-12-03"]
      let byManager = world.change(made, "updateAbsence", change, as: manager)
      try await world.refuses(byManager, 422, ["reason_required"], "no reason")
      try await world.refuses(
        byManager.with { $0.json = change.setting("reason", to: "a\u{1}") }, 422, ["reason_invalid"], "bad")
      let changed = try await world.client.expect(
        byManager.with { $0.json = change.setting("reason", to: "By phone") }, 200)
      world.check(
        changed.json["state"] == "requested" && changed.json["kind"] == "vacation", changed.json.text)
      let again = try await world.client.expect(
        world.change(changed, "updateAbsence", ["note": "Skiing", "endDate": "2026-12-02"], as: member), 200)
      let approved = try await world.client.expect(
        world.change(again, "decideAbsence", ["decision": "approve"], as: manager), 200)
      try await world.refuses(
        world.change(approved, "updateAbsence", change, as: member), 409, ["absence_decided"], "decided")
      let late = try await world.client.expect(
        world.change(approved, "updateAbsence", change.setting("reason", to: "By phone"), as: manager), 200)
      world.check(late.json["endDate"] == "2026-12-03" && late.json["state"] == "approved", late.json.text)
      let cancel = world.change(late, "cancelAbsence", [:], as: manager)
      try await world.refuses(cancel, 422, ["reason_required"], "no reason")
      try await world.refuses(
        cancel.with { $0.json = ["reason": "a\u{1}"] }, 422, ["reason_invalid"], "a bad reason")
      let canceled = try await world.client.expect(cancel.with { $0.json = ["reason": "Storm"] }, 200)
      world.check(canceled.json["state"] == "canceled", canceled.json.text)
      for (operation, body) in [("updateAbsence", change), ("cancelAbsence", [:])] as [(String, JSONValue)] {
        let call = world.change(canceled, operation, body.setting("reason", to: "Why not"), as: manager)
        try await world.refuses(call, 409, ["absence_decided"], "canceled: \(operation)")
      }
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("resource", "absence")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      let operations = [
        "cancelAbsence", "updateAbsence", "decideAbsence", "updateAbsence", "updateAbsence", "requestAbsence",
      ]
      world.check(changes.map { $0["operation"]?.string } == operations, audit.json.text)
      world.check(changes.first?["reason"] == "Storm" && changes.last?["before"] == .null, audit.json.text)
      world.check(changes.allSatisfy { $0["after"]?["kind"] == "vacation" }, audit.json.text)
    },
    Scenario("nobody decides about an absence of their own, unless the policy lets them") { world in
      let (manager, admin) = (world.home.manager, world.home.admin)
      for person in [manager, admin] {
        let made = try await world.client.expect(world.request([:], as: person), 201)
        let decide = world.change(made, "decideAbsence", ["decision": "approve"], as: person)
        try await world.refuses(decide, 403, ["self_approval"], "one's own")
        let approved = try await world.client.expect(
          decide.with { $0.token = person.userID == admin.userID ? manager.token : admin.token }, 200)
        let longer = world.change(approved, "updateAbsence", ["endDate": "2026-12-04"], as: person)
        try await world.refuses(longer, 409, ["absence_decided"], "one's own, decided")
        try await world.changePolicy(["selfApproval": true])
        let changed = try await world.client.expect(longer, 200)
        world.check(changed.json["kind"] == "vacation", changed.json.text)
        let own = try await world.client.expect(
          world.request(["startDate": "2026-12-21", "endDate": "2026-12-21"], as: person), 201)
        let decided = try await world.client.expect(
          world.change(own, "decideAbsence", ["decision": "approve"], as: person), 200)
        world.check(
          decided.json["state"] == "approved" && decided.json["kind"] == "vacation", decided.json.text)
        try await world.changePolicy(["selfApproval": false])
      }
      let mine = try await world.client.expect(world.request([:], as: world.home.member), 201)
      let decide = world.change(mine, "decideAbsence", ["decision": "approve"], as: world.home.member)
      try await world.refuses(decide, 403, ["forbidden"], "a member")
    },
    Scenario("vacation beyond the entitlement is refused where the policy says so") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeSchedule(from: "2026-10-01")
      let entitled: JSONValue = ["userId": .string(member.userID), "year": 2026, "days": 2.5]
      try await world.client.expect(
        world.call("createEntitlement", as: world.home.admin, body: entitled), 201)
      func request(_ first: String, _ last: String, _ portion: String = "day") -> Call {
        world.request(
          ["startDate": .string(first), "endDate": .string(last), "portion": .string(portion)], as: member)
      }
      let early = try await world.client.expect(request("2026-12-21", "2026-12-23"), 201)
      try await world.changePolicy(["allowNegativeEntitlement": false])
      try await world.refuses(
        request("2026-12-07", "2026-12-09"), 409, ["entitlement_exceeded"], "three days of 2.5")
      // Requests do not use days before they are approved.
      let made = try await world.client.expect(request("2026-12-05", "2026-12-08"), 201)
      try await world.refuses(
        world.change(made, "updateAbsence", ["endDate": "2026-12-09"], as: member), 409,
        ["entitlement_exceeded"], "a day more")
      try await world.client.expect(
        world.change(made, "decideAbsence", ["decision": "approve"], as: manager), 200)
      try await world.refuses(
        world.change(early, "decideAbsence", ["decision": "approve"], as: manager), 409,
        ["entitlement_exceeded"], "approved")
      try await world.client.expect(request("2026-12-10", "2026-12-10", "half"), 201)
      let rows: [JSONValue] = ["2026-12-14", "2026-12-15"].map { date in
        [
          "userId": .string(member.userID), "kind": "vacation", "startDate": date, "endDate": date,
          "portion": "half",
        ]
      }
      let many = world.call(
        "createAbsences", as: world.home.admin, body: ["mode": "partial", "rows": .array(rows)])
      let outcome = try await world.client.expect(many, 200)
      let results = outcome.json["results"]?.elements ?? []
      world.check(
        results.map { $0["status"] } == [201, 409]
          && results.last?["problem"]?["code"] == "entitlement_exceeded", outcome.json.text)
      try await world.changePolicy(["allowNegativeEntitlement": true])
      try await world.client.expect(
        world.change(early, "decideAbsence", ["decision": "approve"], as: manager), 200)
    },
    Scenario("members cancel what awaits a decision or begins after today by their own schedule") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      func approved(_ date: String) async throws -> ContractClient.Reply {
        let body: JSONValue = [
          "startDate": .string(date), "endDate": "2026-11-30", "userId": .string(member.userID),
          "kind": "special", "portion": "seconds", "seconds": 60,
        ]
        let made = try await world.client.expect(world.request(body, as: manager), 201)
        return try await world.read(made, as: member)
      }
      for (date, status) in [("2026-11-19", 409), ("2026-11-20", 409), ("2026-11-21", 200)] {
        let call = world.change(try await approved(date), "cancelAbsence", [:], as: member)
        if status == 409 {
          try await world.refuses(call, 409, ["absence_decided"], date)
        } else {
          try await world.client.expect(call, 200, comment: date)
        }
      }
      // There it is the 21st already.
      try await world.makeSchedule(from: "2026-11-01", in: "Pacific/Kiritimati")
      try await world.refuses(
        world.change(try await approved("2026-11-21"), "cancelAbsence", [:], as: member), 409,
        ["absence_decided"], "today by the schedule")
      try await world.client.expect(
        world.change(try await approved("2026-11-22"), "cancelAbsence", [:], as: member), 200)
      let past = try await world.client.expect(
        world.request(["startDate": "2026-10-05", "endDate": "2026-10-05"], as: member), 201)
      let canceled = try await world.client.expect(world.change(past, "cancelAbsence", [:], as: member), 200)
      world.check(canceled.json["state"] == "canceled", canceled.json.text)
      try await world.refuses(
        world.change(canceled, "cancelAbsence", [:], as: member), 409, ["absence_decided"], "canceled")
    },
    Scenario("many absences are entered at once, approved, all of them or as many as can be") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let row: JSONValue = [
        "userId": .string(member.userID), "kind": "vacation", "startDate": "2026-12-01",
        "endDate": "2026-12-02", "portion": "day",
      ]
      let rows = [
        row, row.setting("kind", to: "training"), row.setting("userId", to: .string(World.absentID)),
        row.setting("endDate", to: "2026-11-01"), row.setting("kind", to: "sick"),
      ]
      let all = world.call("createAbsences", as: admin, body: ["mode": "atomic", "rows": .array(rows)])
      try await world.refuses(all, 422, ["bulk_refused"], "all")
      let some = try await world.client.expect(
        all.with { $0.json = all.json.setting("mode", to: "partial") }, 200)
      let results = some.json["results"]?.elements ?? []
      world.check(results.map { $0["status"] } == [201, 409, 404, 422, 201], some.json.text)
      world.check(
        results.map { $0["problem"]?["code"]?.string } == [
          nil, "absence_overlap", "member_not_found", "invalid_date_range", nil,
        ], some.json.text)
      let kept = results.compactMap { $0["absence"] }
      world.check(kept.allSatisfy { $0["state"] == "approved" }, some.json.text)
      world.check(
        results[1]["problem"]?["overlappingAbsences"]?.elements == [kept[0]]
          && results[1]["problem"]?["count"] == 1, some.json.text)
      let list = try await world.pages("listAbsences", "absences", as: admin, limit: 1)
      world.check(list == kept, "others are kept")
      try await world.refuses(
        all.with { $0.token = world.home.manager.token }, 403, ["forbidden"], "a manager")
      let refused = try await world.client.expect(all, 422, code: "bulk_refused")
      world.check(
        refused.json["results"]?.elements.first?["problem"]?["overlappingAbsences"]?.elements == [kept[0]],
        refused.json.text)
    },
    Scenario("lists are of a state, of dates, of a member, of a group") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let first = try await world.client.expect(world.request([:], as: member), 201)
      let second = try await world.client.expect(
        world.request(["kind": "sick", "startDate": "2026-12-05", "endDate": "2026-12-20"], as: manager), 201)
      let group = try await world.client.expect(
        world.call(
          "createGroup", as: world.home.admin,
          body: ["name": "Crew", "memberIds": [.string(manager.userID)]]), 201)
      for (query, expected) in [
        ([], [first.json, second.json]), ([("state", "approved")], [second.json]),
        ([("state", "canceled")], []), ([("startDate", "2026-12-03")], [second.json]),
        ([("startDate", "2026-12-02")], [first.json, second.json]),
        ([("endDate", "2026-12-04")], [first.json]),
        ([("startDate", "2026-12-20"), ("endDate", "2026-12-20")], [second.json]),
        ([("startDate", "2026-12-21")], []), ([("userId", member.userID)], [first.json]),
        ([("groupId", try World.text(group.json["id"]))], [second.json]),
        ([("userId", manager.userID), ("state", "requested")], []),
      ] as [([(name: String, value: String)], [JSONValue])] {
        let call = world.call("listAbsences", as: world.home.admin, query: query)
        let list = try await world.client.expect(call, 200)
        world.check(list.json["absences"]?.elements == expected, "\(query): \(list.json.text)")
      }
      let own = try await world.client.expect(world.call("listAbsences", as: member), 200)
      world.check(own.json["absences"]?.elements == [first.json], own.json.text)
      let twisted = [(name: "startDate", value: "2026-12-02"), ("endDate", "2026-12-01")]
      try await world.client.expect(
        world.call("listAbsences", as: member, query: twisted), 422, code: "invalid_date_range")
      let stranger = world.call(
        "listAbsences", as: manager, query: [(name: "userId", value: World.absentID)])
      try await world.client.expect(stranger, 404, code: "member_not_found")
    },
    Scenario("a kind is told to its member, to admins, and to managers while it awaits a decision") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let known = try await world.events(as: manager, [("seconds", "0")]).first?.id ?? -1
      let sick = try await world.client.expect(
        world.request(["kind": "sick", "note": "Flu"], as: member), 201)
      let asked = try await world.client.expect(
        world.request(["startDate": "2026-12-10", "endDate": "2026-12-11", "note": "Alps"], as: member), 201)
      let masked = sick.json.setting("kind", to: "absent").setting("note", to: .null)
      func expectSeen(_ expected: [JSONValue], by person: Person, _ comment: String) async throws {
        let list = try await world.client.expect(world.call("listAbsences", as: person), 200)
        world.check(list.json["absences"]?.elements == expected, "\(comment): \(list.json.text)")
        for (made, absence) in zip([sick, asked], expected) {
          let read = try await world.read(made, as: person)
          world.check(read.json == absence && read.etag == made.etag, "\(comment): \(read.json.text)")
        }
      }
      try await expectSeen([masked, asked.json], by: manager, "a manager")
      for person in [member, admin] { try await expectSeen([sick.json, asked.json], by: person, "all") }
      // Refusals tell no more than lists do.
      let stale = world.change(sick, "cancelAbsence", ["reason": "x"], as: manager)
        .with { $0.ifMatch = "\"99\"" }
      let current = try await world.client.expect(stale, 412, code: "precondition_failed")
      world.check(current.json["current"] == masked, current.json.text)
      let again = world.request(["kind": "sick", "userId": .string(member.userID)], as: manager)
      let overlap = try await world.client.expect(again, 409, code: "absence_overlap")
      world.check(overlap.json["overlappingAbsences"]?.elements == [masked], overlap.json.text)
      // What was missed comes first, and then what happens meanwhile.
      async let seen = world.events(as: manager, [("seconds", "8"), ("after", String(known))])
      async let told = world.events(as: admin, [("seconds", "8"), ("after", String(known))])
      let entered = try await world.client.expect(
        world.request(
          [
            "kind": "other", "note": "Move", "userId": .string(member.userID), "startDate": "2026-12-15",
            "endDate": "2026-12-15",
          ], as: manager
        ).with { $0.idempotencyKey = "one" }, 201)
      world.check(entered.json["kind"] == "absent" && entered.json["note"] == .null, entered.json.text)
      // The feed lasts longer than any decision.
      for (person, kinds) in [
        (manager, ["absent", "absent", "absent"]), (admin, ["sick", "vacation", "other"]),
        (member, ["sick", "vacation", "other"]),
      ] {
        let feed = try await world.client.expect(
          world.call("listChanges", as: person, query: [("after", String(known))]), 200)
        let found = feed.json["changes"]?.elements.map { $0["data"]?["kind"]?.string }
        world.check(found == kinds, "\(person.email): \(feed.json.text)")
        let missed = try await world.events(as: person, [("seconds", "0"), ("after", String(known))])
        world.check(
          missed.filter { $0.name == "change" }.map { $0.data?["data"]?["kind"]?.string } == kinds,
          "\(missed)")
      }
      for (events, kinds) in [
        (try await seen, ["absent", "absent", "absent"]), (try await told, ["sick", "vacation", "other"]),
      ] {
        let changes = events.filter { $0.name == "change" }
        world.check(changes.map { $0.data?["data"]?["kind"]?.string } == kinds, "\(events)")
        world.check(
          changes.allSatisfy { ($0.data?["data"]?["note"] == .null) == (kinds[0] == "absent") }, "\(events)")
      }
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: admin, query: [("resource", "absence")]), 200)
      let kinds = audit.json["changes"]?.elements.map { $0["after"]?["kind"]?.string }
      world.check(kinds == ["other", "vacation", "sick"], audit.json.text)
      try await world.changePolicy(["absenceKindsVisible": true])
      let list = try await world.client.expect(world.call("listAbsences", as: manager), 200)
      world.check(list.json["absences"]?.elements.first == sick.json, list.json.text)
    },
    Scenario("the absences of somebody who was anonymized keep their dates and lose their reasons") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      try await world.makeSchedule(from: "2026-10-01")
      let made = try await world.client.expect(
        world.request(
          ["kind": "sick", "note": "Flu", "startDate": "2026-10-05", "endDate": "2026-10-06"], as: member),
        201)
      let data = try await world.client.expect(
        world.call("exportPersonalData", as: member, path: ["userId": member.userID]), 200)
      world.check(data.json["absences"]?.elements == [made.json], data.json["absences"]?.text ?? "none")
      let report = world.call(
        "reportBalance", as: admin,
        query: [("startDate", "2026-10-05"), ("endDate", "2026-10-06"), ("userId", member.userID)])
      let before = try await world.client.expect(report, 200).json["totals"]
      world.check(before?["creditedSeconds"] == 57_600, before?.text ?? "none")
      let path = ["userId": member.userID]
      try await world.client.expect(
        world.call(
          "deactivateMember", as: admin, path: path, ifMatch: try await world.etag(of: member)), 204)
      try await world.client.expect(world.call("anonymizeMember", as: admin, path: path, body: [:]), 200)
      let read = try await world.read(made, as: admin).json
      world.check(
        read["kind"] == "absent" && read["note"] == .null && read["startDate"] == "2026-10-05", read.text)
      world.check(try await world.client.expect(report, 200).json["totals"] == before, "other sums")
    },
    Scenario("a member has a limited number of absences") { world in
      let start = LocalDate(year: 2026, month: 1, day: 1) ?? .latest
      func row(_ number: Int) -> JSONValue {
        let date = JSONValue.string(start.adding(days: number).iso8601)
        return [
          "userId": .string(world.home.member.userID), "kind": "training", "startDate": date, "endDate": date,
          "portion": "day",
        ]
      }
      // Few at once: a request for many may not be answered in time on a busy machine.
      for first in stride(from: 0, to: 2_000, by: 40) {
        let body: JSONValue = ["mode": "atomic", "rows": .array((first..<first + 40).map(row))]
        try await world.client.expect(world.call("createAbsences", as: world.home.admin, body: body), 200)
      }
      let more = world.call("requestAbsence", as: world.home.manager, body: row(2_000))
      try await world.refuses(more, 409, ["too_many_absences"], "one more")
    },
  ]
}

extension World {
  /// A request for vacation from 2026-12-01 through 2026-12-02, with other members in its place.
  fileprivate func request(_ members: JSONValue, as person: Person, in tenant: Tenant? = nil) -> Call {
    let stated: JSONValue = [
      "kind": "vacation", "startDate": "2026-12-01", "endDate": "2026-12-02", "portion": "day",
    ]
    return call(
      "requestAbsence", as: person, in: tenant,
      body: members.members.reduce(stated) { $0.setting($1.name, to: $1.value) })
  }

  /// A call about an absence, in the version of an answer.
  fileprivate func change(
    _ absence: ContractClient.Reply, _ operation: String, _ body: JSONValue, as person: Person
  ) -> Call {
    call(
      operation, as: person, path: ["absenceId": absence.json["id"]?.string ?? ""], body: body,
      ifMatch: absence.etag)
  }

  fileprivate func read(
    _ absence: ContractClient.Reply, as person: Person
  ) async throws -> ContractClient.Reply {
    let path = ["absenceId": try Self.text(absence.json["id"])]
    return try await client.expect(call("getAbsence", as: person, path: path), 200)
  }

  /// Makes the absence that a call is about: one of the member, which awaits its decision.
  fileprivate func prepareAbsence(_ call: inout Call) async throws {
    let dates: JSONValue = ["startDate": "2026-12-28", "endDate": "2026-12-31"]
    let made = try await client.expect(request(dates, as: home.member), 201)
    call.path["absenceId"] = try Self.text(made.json["id"])
    if call.operationID == "updateAbsence" { call.ifMatch = made.etag }
  }

  /// Makes a schedule of the member, of eight hours from Monday through Friday.
  fileprivate func makeSchedule(from date: String, in zone: String? = nil) async throws {
    var body: JSONValue = [
      "userId": .string(home.member.userID), "from": .string(date),
      "secondsByWeekday": [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0],
    ]
    if let zone { body = body.setting("timeZone", to: .string(zone)) }
    try await client.expect(call("createWorkSchedule", as: home.admin, body: body), 201)
  }
}
