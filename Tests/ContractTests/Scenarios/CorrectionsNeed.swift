@testable import ContractDocument

extension Fixture {
  /// The say of members in changes of their times by others.
  static let correctionsNeed = Fixture(scenarios: Scenario.correctionsNeed)
}

extension Scenario {
  fileprivate static let correctionsNeed: [Scenario] = [
    Scenario("with consent nothing of another's times changes before the member agrees") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let entry = try await world.makeEntry(of: member)
      let own = try await world.makeEntry(of: manager)
      try await world.changePolicy(["correctionsNeed": "consent"])
      let userID = JSONValue.string(member.userID)
      let new: JSONValue = [
        "userId": userID, "clockInTime": "2026-11-18T08:00:00Z", "clockOutTime": "2026-11-18T09:00:00Z",
      ]
      func change(_ id: String, _ body: JSONValue) -> Call {
        world.call(
          "updateTimeEntry", as: manager, path: ["timeEntryId": id],
          body: body.setting("reason", to: "Asked to"), ifMatch: "*")
      }
      let shorter: JSONValue = ["clockOutTime": "2026-11-19T09:00:00Z"]
      for call in [
        world.call("createTimeEntry", as: manager, body: new), change(entry, shorter),
        change(entry, ["timeZone": "Europe/Berlin"]),
        world.call(
          "deleteTimeEntry", as: manager, path: ["timeEntryId": entry], query: [("reason", "Asked to")],
          ifMatch: "*"),
        world.requestHourForMember(["apply": true], as: admin),
      ] {
        try await world.refuses(call, 409, ["consent_required"], call.operationID)
      }
      let rows = try await world.client.expect(
        world.call(
          "createTimeEntries", as: manager,
          body: [
            "mode": "partial", "timeEntries": [new, new.setting("userId", to: .string(manager.userID))],
          ]),
        200)
      let results = rows.json["results"]?.elements ?? []
      world.check(
        results.map { $0["status"] } == [409, 201]
          && results.first?["problem"]?["code"] == "consent_required", rows.json.text)
      // Notes are no times, a manager's times need nobody, and clocking out always works.
      try await world.client.expect(change(entry, ["notes": "Stocktaking"]), 200)
      try await world.client.expect(change(own, shorter), 200)
      try await world.client.expect(world.call("clockIn", as: manager, body: ["userId": userID]), 201)
      world.service.clock.advance(seconds: 3_600)
      try await world.client.expect(world.call("clockOut", as: manager, body: ["userId": userID]), 200)
      let proposal: JSONValue = ["timeEntryId": .string(entry), "proposal": shorter]
      let made = try await world.client.expect(world.requestHourForMember(proposal, as: manager), 201)
      let agree = world.settleCorrection(made, "decideCorrection", ["decision": "agree"], as: member)
      for person in [manager, admin] {
        try await world.refuses(
          agree.with { $0.token = person.token }, 409, ["consent_required"], "not the member")
      }
      // Approved time needs an admin as the author.
      try await world.approve("2026-11-19")
      try await world.refuses(agree, 409, ["period_locked"], "a manager's proposal")
      let refused = try await world.client.expect(
        agree.with { $0.json = ["decision": "refuse", "answer": "No"] }, 200)
      world.check(refused.json["decidedBy"] == userID, refused.json.text)
      let byAdmin = try await world.client.expect(world.requestHourForMember(proposal, as: admin), 201)
      let agreed = try await world.client.expect(
        world.settleCorrection(byAdmin, "decideCorrection", ["decision": "agree"], as: member), 200)
      world.check(agreed.json["state"] == "agreed" && agreed.json["decidedBy"] == userID, agreed.json.text)
      // A member's own proposal is consent.
      let asked = try await world.client.expect(world.requestHour(world.hour(of: 20), as: member), 201)
      world.service.clock.advance(seconds: 1)
      try await world.client.expect(
        world.settleCorrection(asked, "decideCorrection", ["decision": "refuse"], as: manager), 200)
    },
    Scenario(
      "with notice each change of another's times is kept as a correction, to which the member may object"
    ) {
      world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      let entry = try await world.makeEntry(of: member)
      try await world.changePolicy(["correctionsNeed": "notice"])
      let userID = JSONValue.string(member.userID)
      func entryBody(_ hour: Int, of person: Person) -> JSONValue {
        [
          "userId": .string(person.userID), "clockInTime": .string("2026-11-18T\(hour):00:00Z"),
          "clockOutTime": .string("2026-11-18T\(hour):30:00Z"),
        ]
      }
      func change(_ body: JSONValue) -> Call {
        world.call(
          "updateTimeEntry", as: manager, path: ["timeEntryId": entry],
          body: body.setting("reason", to: "Asked to"), ifMatch: "*")
      }
      let create = world.call("createTimeEntry", as: manager, body: entryBody(10, of: member)).with {
        $0.idempotencyKey = "one"
      }
      let created = try await world.client.expect(create, 201)
      try await world.client.expect(create, 201)
      try await world.client.expect(change(["clockOutTime": "2026-11-19T09:00:00Z"]), 200)
      // These change no times.
      try await world.client.expect(change(["notes": "Stocktaking"]), 200)
      try await world.client.expect(change(["clockOutTime": "2026-11-19T09:00:00Z"]), 200)
      _ = try await world.makeEntry(of: manager, from: "2026-11-18T10:00:00Z", to: "2026-11-18T11:00:00Z")
      let rows = [entryBody(12, of: member), entryBody(12, of: admin), entryBody(12, of: member)]
      let many = try await world.client.expect(
        world.call(
          "createTimeEntries", as: manager, body: ["mode": "partial", "timeEntries": .array(rows)]), 200)
      world.check(
        many.json["results"]?.elements.map { $0["status"] } == [201, 201, 409], many.json.text)
      try await world.refuses(
        world.call(
          "createTimeEntries", as: manager, body: ["mode": "atomic", "timeEntries": .array(rows)]), 422,
        ["bulk_refused"], "all or none")
      try await world.client.expect(
        world.call(
          "deleteTimeEntry", as: manager, path: ["timeEntryId": entry], query: [("reason", "Asked to")],
          ifMatch: "*"), 204)
      let list = try await world.client.expect(
        world.call("listCorrections", as: member, query: [("state", "applied")]), 200)
      let kept = list.json["corrections"]?.elements ?? []
      world.check(
        kept.map { $0["proposal"]?["clockOutTime"] } == [
          "2026-11-18T10:30:00.000Z", "2026-11-19T09:00:00.000Z", "2026-11-18T12:30:00.000Z", .null,
        ], list.json.text)
      world.check(
        kept.map { $0["reason"] } == [.null, "Asked to", .null, "Asked to"]
          && kept.allSatisfy { $0["by"] == .string(manager.userID) && $0["userId"] == userID }, list.json.text
      )
      world.check(
        kept.first?["timeEntryId"] == created.json["id"] && kept.last?["proposal"]?["delete"] == true
          && kept.last?["timeEntryId"] == .string(entry), list.json.text)
      let object = world.call(
        "objectToCorrection", as: member, path: ["correctionId": kept.last?["id"]?.string ?? ""],
        body: ["reason": "I was there"])
      let objected = try await world.client.expect(object, 200)
      world.check(objected.json["state"] == "objected", objected.json.text)
      let all = try await world.client.expect(world.call("listCorrections", as: admin), 200)
      world.check(all.json["corrections"]?.elements.count == 5, all.json.text)
    },
    Scenario("breaks of another's entries change as their times do") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      _ = try await world.makeEntry(of: member)
      let (rest, project) = (try await world.breakTypeID(), try await world.projectID())
      let more: JSONValue = ["userId": .string(member.userID), "reason": "Asked to"]
      func make(_ purpose: JSONValue, _ from: String, _ to: String) -> Call {
        world.create(
          purpose.members.reduce(more) { $0.setting($1.name, to: $1.value) }, as: manager,
          from: "2026-11-19T\(from):00Z", to: "2026-11-19T\(to):00Z")
      }
      func change(_ segment: ContractClient.Reply, _ body: JSONValue) -> Call {
        world.call(
          "updateSegment", as: manager, path: ["segmentId": segment.json["id"]?.string ?? ""],
          body: body.setting("reason", to: "Asked to"), ifMatch: "*")
      }
      func deletion(_ segment: ContractClient.Reply) -> Call {
        world.call(
          "deleteSegment", as: manager, path: ["segmentId": segment.json["id"]?.string ?? ""],
          query: [("reason", "Asked to")], ifMatch: "*")
      }
      let pause = try await world.client.expect(make(["breakTypeId": rest], "08:30", "08:45"), 201)
      let work = try await world.client.expect(make(["projectId": project], "08:00", "08:30"), 201)
      let alone = make(["projectId": project, "timeEntry": "create"], "12:00", "13:00")
      let changes = [
        make(["breakTypeId": rest], "09:00", "09:15"), alone,
        change(pause, ["endTime": "2026-11-19T08:50:00Z"]),
        change(pause, ["projectId": project]), change(work, ["breakTypeId": rest]), deletion(pause),
      ]
      try await world.changePolicy(["correctionsNeed": "consent"])
      for call in changes { try await world.refuses(call, 409, ["consent_required"], call.operationID) }
      let free = [
        make(["projectId": project], "09:30", "09:45"), change(work, ["endTime": "2026-11-19T08:25:00Z"]),
        change(pause, ["tags": ["late"]]),
      ]
      for call in free {
        let reply = try await world.client.send(call)
        world.check([200, 201].contains(reply.status), reply.json.text)
      }
      try await world.changePolicy(["correctionsNeed": "notice"])
      for call in [free[1]] + changes {
        let reply = try await world.client.send(call)
        world.check([200, 201, 204].contains(reply.status), reply.json.text)
      }
      let list = try await world.client.expect(world.call("listCorrections", as: member), 200)
      let kept = list.json["corrections"]?.elements ?? []
      world.check(
        kept.map { $0["proposal"]?["clockOutTime"] } == [
          .null, "2026-11-19T13:00:00.000Z", .null, .null, .null,
        ], list.json.text)
      let entry = pause.json["timeEntryId"]
      world.check(
        kept.filter { $0["timeEntryId"] == entry }.count == 4
          && kept.allSatisfy { $0["state"] == "applied" && $0["reason"] == "Asked to" }, list.json.text)
    },
  ]
}
