@testable import ContractDocument

extension Fixture {
  /// Corrections of members' time, and the decisions about them.
  static let corrections = Fixture(
    scenarios: Scenario.corrections,
    baselines: [
      "getCorrection": { world, call in
        try await world.prepareCorrection(world.requestHour([:], as: world.home.member), &call)
      },
      "decideCorrection": { world, call in
        try await world.changePolicy(["correctionsNeed": "consent"])
        try await world.prepareCorrection(world.requestHourForMember([:], as: world.home.manager), &call)
      },
      "withdrawCorrection": { world, call in
        try await world.prepareCorrection(world.requestHour([:], as: world.home.member), &call)
      },
      "objectToCorrection": { world, call in
        try await world.prepareCorrection(
          world.requestHourForMember(["apply": true], as: world.home.admin), &call)
      },
    ],
    foreignIDs: { world, away in
      var ids: [String: String] = [:]
      for person in [away.member, away.manager] {
        let made = try await world.client.expect(world.requestHour([:], as: person, in: away), 201)
        ids["correctionId"] = try World.text(made.json["id"])
      }
      return ids
    })
}

extension Scenario {
  fileprivate static let corrections: [Scenario] = [
    Scenario("a correction is where Location says, awaits its decision, and changes locked time then") {
      world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let entry = try await world.makeEntry(of: member)
      try await world.lock("2026-11-19")
      let made = try await world.client.expect(
        world.requestHour(
          [
            "timeEntryId": .string(entry), "proposal": ["clockOutTime": "2026-11-19T09:30:00Z"],
            "reason": "  Left early ",
          ], as: member), 201)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/corrections/\(id)",
        "Location is \(made.location ?? "none")")
      for (name, value) in [
        ("userId", .string(member.userID)), ("timeEntryId", .string(entry)), ("reason", "Left early"),
        ("by", .string(member.userID)), ("state", "open"), ("answer", .null), ("decidedBy", .null),
        ("decidedAt", .null), ("version", 1),
        (
          "proposal",
          ["clockInTime": .null, "clockOutTime": "2026-11-19T09:30:00.000Z", "delete": false]
        ),
      ] as [(String, JSONValue)] {
        world.check(made.json[name] == value, "\(name): \(made.json.text)")
      }
      for person in [member, manager, admin] {
        let read = try await world.client.expect(
          world.call("getCorrection", as: person, path: ["correctionId": id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, read.json.text)
      }
      let other = try await world.makePerson("other@acme.example")
      try await world.client.expect(
        world.call("getCorrection", as: other, path: ["correctionId": id]), 404, code: "correction_not_found")
      let agree = world.settleCorrection(
        made, "decideCorrection", ["decision": "agree", "answer": "Sure"], as: admin)
      for operation in ["decideCorrection", "withdrawCorrection", "objectToCorrection"] {
        let call = world.settleCorrection(
          made, operation, operation == "decideCorrection" ? ["decision": "agree"] : [:], as: other)
        let stated = operation == "objectToCorrection" ? call.with { $0.json = ["reason": "No"] } : call
        try await world.refuses(stated, 404, ["correction_not_found"], "another member: \(operation)")
      }
      for stale in [
        agree.with { $0.ifMatch = "\"99\"" }, agree.with { $0.json = agree.json.setting("version", to: 99) },
      ] {
        try await world.refuses(stale, 412, ["precondition_failed"], "another version")
      }
      // Locked time is an admin's.
      let byManager = try await world.client.expect(
        agree.with { $0.token = manager.token }, 409, code: "period_locked")
      world.check(
        byManager.json["mark"] == ["kind": "locked", "through": "2026-11-19"], byManager.json.text)
      let agreed = try await world.client.expect(agree, 200)
      world.check(
        agreed.json["state"] == "agreed" && agreed.json["answer"] == "Sure" && agreed.json["version"] == 2
          && agreed.json["decidedBy"] == .string(admin.userID)
          && agreed.json["decidedAt"] == "2026-11-20T12:00:00.000Z", agreed.json.text)
      let changed = try await world.client.expect(
        world.call("getTimeEntry", as: member, path: ["timeEntryId": entry]), 200)
      world.check(
        changed.json["clockOutTime"] == "2026-11-19T09:30:00.000Z" && changed.json["version"] == 2,
        changed.json.text)
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: admin, query: [("resource", "timeEntry")]), 200)
      let last = audit.json["changes"]?.elements.first
      world.check(
        last?["reason"] == "Left early" && last?["operation"] == "decideCorrection", audit.json.text)
      try await world.refuses(
        agree.with { $0.ifMatch = nil }, 409, ["correction_decided"], "decided again")
      try await world.refuses(agree, 412, ["precondition_failed"], "a stale decision")
      // The approval has kept its totals.
      let approvals = try await world.client.expect(world.call("listApprovals", as: member), 200)
      world.check(
        approvals.json["approvals"]?.elements.map { $0["paidSeconds"] } == [7_200], approvals.json.text)
    },
    Scenario("entries are added, moved and deleted by corrections, and what is refused stays as it is") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let entry = try await world.makeEntry(of: member)
      let added = try await world.client.expect(world.requestHour([:], as: member), 201)
      let agree: JSONValue = ["decision": "agree"]
      let done = try await world.client.expect(
        world.settleCorrection(added, "decideCorrection", agree, as: manager), 200)
      let new = try World.text(done.json["timeEntryId"])
      let made = try await world.client.expect(
        world.call("getTimeEntry", as: member, path: ["timeEntryId": new]), 200)
      world.check(
        made.json["clockInTime"] == "2026-11-18T08:00:00.000Z" && made.json["source"] == "admin",
        made.json.text)
      let again = try await world.client.expect(world.requestHour([:], as: member), 201)
      let overlap = try await world.client.expect(
        world.settleCorrection(again, "decideCorrection", agree, as: manager), 409, code: "overlap")
      world.check(
        overlap.json["overlaps"]?.elements.first?["id"] == .string(new), overlap.json.text)
      let deletion: JSONValue = ["timeEntryId": .string(entry), "proposal": ["delete": true]]
      let first = try await world.client.expect(world.requestHour(deletion, as: member), 201)
      let second = try await world.client.expect(world.requestHour(deletion, as: member), 201)
      world.check(
        first.json["proposal"] == ["clockInTime": .null, "clockOutTime": .null, "delete": true],
        first.json.text)
      try await world.client.expect(
        world.settleCorrection(first, "decideCorrection", agree, as: manager), 200)
      try await world.refuses(
        world.settleCorrection(second, "decideCorrection", agree, as: manager), 404, ["time_entry_not_found"],
        "gone")
      let refused = try await world.client.expect(
        world.settleCorrection(
          second, "decideCorrection", ["decision": "refuse", "answer": "Done"], as: manager), 200)
      world.check(
        refused.json["state"] == "refused" && refused.json["answer"] == "Done"
          && refused.json["timeEntryId"] == .string(entry), refused.json.text)
      try await world.refuses(world.requestHour(deletion, as: member), 404, ["time_entry_not_found"], "gone")
      // The rules are those of the day of the decision.
      let moved = try await world.client.expect(
        world.requestHour(
          [
            "timeEntryId": .string(new),
            "proposal": ["clockInTime": "2026-11-17T08:00:00Z", "clockOutTime": "2026-11-17T13:00:00Z"],
          ], as: member), 201)
      try await world.changePolicy(["maximumSeconds": 14_400])
      try await world.refuses(
        world.settleCorrection(moved, "decideCorrection", agree, as: manager), 422, ["too_long"],
        "five hours of four")
      try await world.changePolicy(["minimumSeconds": 60, "maximumSeconds": 57_600])
      try await world.client.expect(
        world.settleCorrection(moved, "decideCorrection", agree, as: manager), 200)
      let early = try await world.client.expect(
        world.requestHour(
          [
            "timeEntryId": .string(new), "proposal": ["clockOutTime": "2026-11-17T08:30:00Z"],
          ], as: member), 201)
      try await world.client.expect(
        world.call(
          "updateTimeEntry", as: member, path: ["timeEntryId": new],
          body: ["clockInTime": "2026-11-17T08:45:00Z"], ifMatch: "*"), 200)
      try await world.refuses(
        world.settleCorrection(early, "decideCorrection", agree, as: manager), 422, ["end_not_after_start"],
        "moved")
      let short = try await world.client.expect(
        world.requestHour(
          [
            "timeEntryId": .string(new), "proposal": ["clockOutTime": "2026-11-17T09:00:00Z"],
          ], as: member), 201)
      let late = try await world.client.expect(
        world.requestHour(
          [
            "proposal": ["clockInTime": "2026-11-20T10:00:00Z", "clockOutTime": "2026-11-20T11:59:00Z"]
          ], as: member), 201)
      world.service.clock.advance(seconds: -3_600)
      try await world.refuses(
        world.settleCorrection(late, "decideCorrection", agree, as: manager), 422, ["in_future"],
        "a clock set back")
      world.service.clock.advance(seconds: 3_600)
      try await world.changePolicy(["minimumSeconds": 7_200])
      try await world.refuses(
        world.settleCorrection(short, "decideCorrection", agree, as: manager), 422, ["too_short"],
        "an hour of two")
    },
    Scenario(
      "proposals have the form of an entry to add, to change or to delete, and keep the rules of times"
    ) {
      world in
      let (member, admin) = (world.home.member, world.home.admin)
      let entry = JSONValue.string(try await world.makeEntry(of: member))
      for (body, pointer, code) in [
        (["proposal": ["clockInTime": "2026-11-18T08:00:00Z"]], "/proposal/clockOutTime", "missing"),
        (["proposal": ["clockOutTime": "2026-11-18T08:00:00Z"]], "/proposal/clockInTime", "missing"),
        (["proposal": ["delete": true]], "/proposal/delete", "conflict"),
        (["proposal": [:], "timeEntryId": entry], "/proposal/clockInTime", "missing"),
        (
          ["proposal": ["clockInTime": .null, "clockOutTime": .null], "timeEntryId": entry],
          "/proposal/clockInTime", "missing"
        ),
        (
          ["proposal": ["delete": true, "clockInTime": "2026-11-18T08:00:00Z"], "timeEntryId": entry],
          "/proposal/delete", "conflict"
        ),
        (["proposal": ["notes": "x"], "timeEntryId": entry], "/proposal/notes", "unknown"),
        (["proposal": .null], "/proposal", "invalid"),
      ] as [(JSONValue, String, String)] {
        let refused = try await world.client.expect(
          world.requestHour(body, as: member), 400, code: "invalid_body", comment: body.text)
        let errors = refused.json["errors"]?.elements ?? []
        world.check(
          errors.contains { $0["pointer"]?.string == pointer && $0["code"]?.string == code },
          refused.json.text)
      }
      func times(_ from: String, _ to: String) -> JSONValue {
        ["proposal": ["clockInTime": .string(from), "clockOutTime": .string(to)]]
      }
      for (body, code) in [
        (times("2026-11-18T08:00:00Z", "2026-11-18T08:00:00Z"), "end_not_after_start"),
        (times("2026-11-18T08:00:00Z", "2026-11-19T08:00:00Z"), "too_long"),
        (times("2026-11-18T08:00:00Z", "2026-11-18T08:00:59Z"), "too_short"),
        (times("2026-11-20T08:00:00Z", "2026-11-20T14:00:00Z"), "in_future"),
        (["reason": " "], "reason_required"), (["reason": "a\u{1}"], "reason_invalid"),
        (["reason": .string(String(repeating: "r", count: 501))], "reason_invalid"),
      ] as [(JSONValue, String)] {
        let call = world.requestHour(body, as: member)
        try await world.refuses(call, 422, [code], body.text)
        guard body["proposal"] != nil else { continue }
        let change = call.with { $0.json = call.json.setting("timeEntryId", to: entry) }
        try await world.refuses(change, 422, [code], "a change to \(body.text)")
      }
      let others = JSONValue.string(try await world.makeEntry(of: world.home.manager))
      try await world.refuses(
        world.requestHour(["timeEntryId": others], as: member), 403, ["forbidden"],
        "an entry of somebody else")
      try await world.refuses(
        world.requestHour(["timeEntryId": entry], as: admin), 404, ["time_entry_not_found"],
        "an entry of another than the member")
      try await world.refuses(
        world.requestHour(["userId": .string(admin.userID)], as: member), 403, ["forbidden"], "for another")
      try await world.refuses(
        world.requestHour(["userId": .string(World.absentID)], as: admin), 404, ["member_not_found"], "nobody"
      )
      // However far back it is, and for members whom the policy lets enter no times.
      try await world.changePolicy(["membersMayEnterTimes": false, "manualEntryDays": 1])
      let old = times("2026-08-18T08:00:00Z", "2026-08-18T09:00:00Z")
      try await world.client.expect(world.requestHour(old, as: member), 201)
      // The end of an active entry comes with clocking out.
      let active = try await world.client.expect(world.call("clockIn", as: member), 201)
      let end: JSONValue = [
        "timeEntryId": active.json["id"] ?? .null, "proposal": ["clockOutTime": "2026-11-20T11:59:00Z"],
      ]
      try await world.refuses(world.requestHour(end, as: member), 409, ["entry_active"], "an active entry")
      try await world.client.expect(
        world.requestHour(
          [
            "timeEntryId": active.json["id"] ?? .null, "proposal": ["clockInTime": "2026-11-20T11:00:00Z"],
          ], as: member), 201)
    },
    Scenario("an active entry that was closed is changed, and one that is active again is not") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let punches = [
        World.punch(1, "clockIn", "2026-11-20T08:00:00Z"), World.punch(2, "clockOut", "2026-11-20T09:00:00Z"),
      ]
      let applied = try await world.punch(punches, as: member)
      let made = try await world.client.expect(
        world.requestHour(
          [
            "timeEntryId": applied[1]["timeEntryId"] ?? .null,
            "proposal": ["clockOutTime": "2026-11-20T09:30:00Z"],
          ], as: member), 201)
      try await world.client.expect(
        world.call("undoPunch", as: member, path: ["punchId": punches[1]["id"]?.string ?? ""]), 200)
      try await world.refuses(
        world.settleCorrection(made, "decideCorrection", ["decision": "agree"], as: manager), 409,
        ["entry_active"],
        "active again")
    },
    Scenario("nobody decides about what is their own, unless the policy lets them") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let agree: JSONValue = ["decision": "agree"]
      let mine = try await world.client.expect(world.requestHour([:], as: member), 201)
      let decide = world.settleCorrection(mine, "decideCorrection", agree, as: member)
      try await world.refuses(decide, 403, ["self_approval"], "a member")
      for (number, person) in [manager, admin].enumerated() {
        let own = try await world.client.expect(
          world.requestHour(world.hour(of: 11 + number), as: person), 201)
        let forMember = try await world.client.expect(
          world.requestHourForMember(world.hour(of: 11 + number), as: person), 201)
        for made in [own, forMember] {
          let decide = world.settleCorrection(made, "decideCorrection", agree, as: person)
          try await world.refuses(decide, 403, ["self_approval"], "one's own")
          try await world.changePolicy(["selfApproval": true])
          try await world.client.expect(decide, 200)
          try await world.changePolicy(["selfApproval": false])
        }
      }
      let ofManager = try await world.client.expect(
        world.requestHour(world.hour(of: 16, for: manager), as: admin), 201)
      try await world.refuses(
        world.settleCorrection(ofManager, "decideCorrection", agree, as: manager), 403, ["self_approval"],
        "one's time")
    },
    Scenario("an admin's correction of another's time is made at once, and the member may object") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      try await world.lock("2026-11-19")
      let apply = world.requestHourForMember(["apply": true], as: admin)
      try await world.refuses(
        apply.with { $0.token = manager.token }, 403, ["forbidden"], "a manager")
      let own = world.requestHour(["apply": true], as: admin)
      try await world.refuses(own, 403, ["self_approval"], "an admin's own time")
      let made = try await world.client.expect(apply, 201)
      world.check(
        made.json["state"] == "applied" && made.json["decidedBy"] == .string(admin.userID)
          && made.json["by"] == .string(admin.userID), made.json.text)
      let entry = try World.text(made.json["timeEntryId"])
      try await world.client.expect(
        world.call("getTimeEntry", as: member, path: ["timeEntryId": entry]), 200)
      try await world.refuses(apply, 409, ["overlap"], "once more")
      try await world.refuses(
        world.settleCorrection(made, "decideCorrection", ["decision": "refuse"], as: manager), 409,
        ["correction_decided"], "applied")
      let object = world.settleCorrection(made, "objectToCorrection", ["reason": " I was ill "], as: member)
      for (call, status, code) in [
        (object.with { $0.token = manager.token }, 403, "forbidden"),
        (object.with { $0.json = ["reason": " "] }, 422, "reason_required"),
        (object.with { $0.json = ["reason": "a\u{1}"] }, 422, "reason_invalid"),
        (object.with { $0.ifMatch = "\"99\"" }, 412, "precondition_failed"),
      ] {
        try await world.refuses(call, status, [code], code)
      }
      let objected = try await world.client.expect(object, 200)
      world.check(
        objected.json["state"] == "objected" && objected.json["answer"] == "I was ill"
          && objected.json["decidedBy"] == .string(admin.userID), objected.json.text)
      try await world.refuses(
        object.with { $0.ifMatch = nil }, 409, ["correction_decided"], "objected already")
      for (operation, query) in [
        ("reportHours", [("startDate", "2026-11-18"), ("endDate", "2026-11-18")]),
        ("getTimesheet", [("period", "weekly"), ("date", "2026-11-18")]),
      ] {
        for (person, more) in [(member, []), (manager, [("anomalies", "objected")])] {
          let report = try await world.client.expect(
            world.call(operation, as: person, query: query + more), 200)
          world.check(
            report.json["anomalies"]?.elements.map { $0["timeEntryId"] } == [.string(entry)]
              && report.json["anomalies"]?.elements.first?["codes"] == ["objected"]
              && report.json["anomalyCounts"] == [["code": "objected", "entries": 1]], report.json.text)
        }
      }
      for (person, format) in [(member, "ndjson"), (manager, "csv")] {
        let file = try await world.client.expect(
          world.call(
            "exportTimeEntries", as: person, query: [("userId", member.userID), ("format", format)]),
          200)
        let isObjected = String(decoding: file.response.body, as: UTF8.self).split(
          whereSeparator: \.isNewline
        ).filter { $0.contains(entry) }
          .map { $0.contains("\"objected\":true") || $0.hasSuffix(",true") }
        world.check(isObjected == [true], String(decoding: file.response.body, as: UTF8.self))
      }
      let late = try await world.client.expect(
        world.requestHourForMember(world.hour(of: 15).setting("apply", to: true), as: admin), 201)
      world.service.clock.advance(seconds: 14 * 86_400 + 1)
      try await world.refuses(
        world.settleCorrection(late, "objectToCorrection", ["reason": "No"], as: member), 409,
        ["correction_decided"], "too late")
    },
    Scenario("a correction is withdrawn by its author while it is open") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let made = try await world.client.expect(world.requestHour([:], as: member), 201)
      let withdraw = world.settleCorrection(made, "withdrawCorrection", [:], as: member)
      try await world.refuses(
        withdraw.with { $0.token = manager.token }, 403, ["forbidden"], "a manager")
      try await world.refuses(
        withdraw.with { $0.ifMatch = "\"99\"" }, 412, ["precondition_failed"], "another version")
      let withdrawn = try await world.client.expect(withdraw, 200)
      world.check(withdrawn.json["state"] == "withdrawn", withdrawn.json.text)
      try await world.refuses(
        withdraw.with { $0.ifMatch = nil }, 409, ["correction_decided"], "withdrawn")
      try await world.refuses(
        world.settleCorrection(withdrawn, "decideCorrection", ["decision": "agree"], as: manager), 409,
        ["correction_decided"], "withdrawn")
      try await world.refuses(
        world.settleCorrection(withdrawn, "objectToCorrection", ["reason": "No"], as: member), 409,
        ["correction_decided"], "one's own")
      let open = try await world.client.expect(world.requestHour([:], as: member), 201)
      let refuse: JSONValue = ["decision": "refuse", "answer": "a\u{1}"]
      try await world.refuses(
        world.settleCorrection(open, "decideCorrection", refuse, as: manager), 422, ["reason_invalid"],
        "a bad answer")
    },
    Scenario("lists are of a state, of a member, of a group, and open corrections are open points") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let entry = try await world.makeEntry(of: member)
      let first = try await world.client.expect(
        world.requestHour(
          ["timeEntryId": .string(entry), "proposal": ["clockOutTime": "2026-11-19T09:00:00Z"]], as: member),
        201)
      let second = try await world.client.expect(world.requestHour([:], as: member), 201)
      let third = try await world.client.expect(world.requestHour([:], as: manager), 201)
      let withdrawn = try await world.client.expect(
        world.settleCorrection(third, "withdrawCorrection", [:], as: manager), 200)
      let group = try await world.client.expect(
        world.call(
          "createGroup", as: world.home.admin,
          body: ["name": "Crew", "memberIds": [.string(manager.userID)]]), 201)
      for (query, expected) in [
        ([], [first.json, second.json, withdrawn.json]), ([("state", "open")], [first.json, second.json]),
        ([("state", "objected")], []), ([("userId", member.userID)], [first.json, second.json]),
        ([("groupId", try World.text(group.json["id"]))], [withdrawn.json]),
        ([("userId", manager.userID), ("state", "open")], []),
      ] as [([(name: String, value: String)], [JSONValue])] {
        let list = try await world.client.expect(
          world.call("listCorrections", as: world.home.admin, query: query), 200)
        world.check(list.json["corrections"]?.elements == expected, "\(query): \(list.json.text)")
      }
      let pages = try await world.pages("listCorrections", "corrections", as: member, limit: 1)
      world.check(pages == [first.json, second.json], "\(pages)")
      try await world.client.expect(
        world.call("listCorrections", as: manager, query: [("userId", World.absentID)]), 404,
        code: "member_not_found")
      let period = try await world.client.expect(
        world.call("getPeriod", as: manager, path: ["userId": member.userID]), 200)
      world.check(
        period.json["openPoints"] == [
          ["code": "open_correction", "date": "2026-11-18", "timeEntryId": .null],
          ["code": "open_correction", "date": "2026-11-19", "timeEntryId": .string(entry)],
        ], period.json.text)
    },
    Scenario(
      "the corrections of somebody who was anonymized lose their words, and the person's copy has them"
    ) {
      world in
      let (member, admin) = (world.home.member, world.home.admin)
      let made = try await world.client.expect(
        world.requestHourForMember(["apply": true], as: admin), 201)
      let objected = try await world.client.expect(
        world.settleCorrection(made, "objectToCorrection", ["reason": "I was ill"], as: member), 200)
      let data = try await world.client.expect(
        world.call("exportPersonalData", as: member, path: ["userId": member.userID]), 200)
      world.check(
        data.json["corrections"]?.elements == [objected.json], data.json["corrections"]?.text ?? "none")
      let feed = try await world.client.expect(world.call("listChanges", as: member), 200)
      world.check(
        feed.json["changes"]?.elements.filter { $0["resource"] == "correction" }.map { $0["data"] }
          == [made.json, objected.json], feed.json.text)
      let path = ["userId": member.userID]
      try await world.client.expect(
        world.call(
          "deactivateMember", as: admin, path: path, ifMatch: try await world.etag(of: member)), 204)
      try await world.client.expect(world.call("anonymizeMember", as: admin, path: path, body: [:]), 200)
      let read = try await world.client.expect(
        world.call(
          "getCorrection", as: admin, path: ["correctionId": made.json["id"]?.string ?? ""]), 200)
      world.check(
        read.json["reason"] == .null && read.json["answer"] == .null && read.json["state"] == "objected",
        read.json.text)
    },
    Scenario("somebody who was deactivated gets no entry by a correction") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let made = try await world.client.expect(world.requestHour([:], as: member), 201)
      try await world.client.expect(
        world.call(
          "deactivateMember", as: admin, path: ["userId": member.userID],
          ifMatch: try await world.etag(of: member)), 204)
      try await world.refuses(
        world.settleCorrection(made, "decideCorrection", ["decision": "agree"], as: manager), 409,
        ["member_deactivated"], "decided")
      try await world.refuses(
        world.requestHourForMember(["apply": true], as: admin), 409, ["member_deactivated"], "applied")
    },
    Scenario("a member has a limited number of corrections that await a decision") { world in
      for _ in 0..<200 { try await world.client.expect(world.requestHour([:], as: world.home.member), 201) }
      let more = world.requestHour([:], as: world.home.member)
      try await world.refuses(more, 409, ["too_many_corrections"], "one more")
      try await world.client.expect(
        world.requestHourForMember(["apply": true], as: world.home.admin), 201)
    },
  ]
}

extension World {
  /// A request to add an hour on 18 November, with other members in its place.
  func requestHour(_ members: JSONValue, as person: Person, in tenant: Tenant? = nil) -> Call {
    let stated: JSONValue = [
      "proposal": ["clockInTime": "2026-11-18T08:00:00Z", "clockOutTime": "2026-11-18T09:00:00Z"],
      "reason": "No phone",
    ]
    return call(
      "requestCorrection", as: person, in: tenant,
      body: members.members.reduce(stated) { $0.setting($1.name, to: $1.value) })
  }

  /// The same for the member, by somebody else.
  func requestHourForMember(_ members: JSONValue, as person: Person) -> Call {
    requestHour(members.setting("userId", to: .string(home.member.userID)), as: person)
  }

  /// The part of a request for another hour of that day.
  func hour(of hour: Int, for person: Person? = nil) -> JSONValue {
    let body: JSONValue = [
      "proposal": [
        "clockInTime": .string("2026-11-18T\(hour):00:00Z"),
        "clockOutTime": .string("2026-11-18T\(hour):59:00Z"),
      ]
    ]
    return person.map { body.setting("userId", to: .string($0.userID)) } ?? body
  }

  /// A call about a correction, in the version of an answer.
  func settleCorrection(
    _ correction: ContractClient.Reply, _ operation: String, _ body: JSONValue, as person: Person
  ) -> Call {
    call(
      operation, as: person, path: ["correctionId": correction.json["id"]?.string ?? ""], body: body,
      ifMatch: correction.etag)
  }

  /// Makes the correction that a call is about.
  fileprivate func prepareCorrection(_ request: Call, _ call: inout Call) async throws {
    let made = try await client.expect(request, 201)
    call.path["correctionId"] = try Self.text(made.json["id"])
  }
}
