@testable import ContractDocument

extension Fixture {
  /// Segments by hand: entering, changing, deleting, listing.
  static let segmentEditing = Fixture(
    scenarios: Scenario.segmentEditing,
    baselines: [
      "createSegment": { world, call in
        call.json = call.json.setting("projectId", to: try await world.projectID())
      },
      "getSegment": { world, call in
        call.path["segmentId"] = try World.text(try await world.makeSegment(of: world.home.member).json["id"])
      },
      "updateSegment": { world, call in
        let made = try await world.makeSegment(of: world.home.member)
        call.path["segmentId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
      "deleteSegment": { world, call in
        let made = try await world.makeSegment(of: world.home.member)
        call.path["segmentId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
      "checkSegmentOverlap": { _, call in
        call.query = [("startTime", "2026-11-16T03:00:00Z"), ("endTime", "2026-11-16T17:00:00Z")]
      },
    ],
    foreignIDs: { world, away in
      try await world.makeSegment(of: away.manager, in: away)
      let made = try World.text(try await world.makeSegment(of: away.member, in: away).json["id"])
      return ["segmentId": made, "excludeSegmentId": made]
    },
    idsOfMember: { world, person in
      ["segmentId": try World.text(try await world.makeSegment(of: person).json["id"])]
    })
}

extension Scenario {
  fileprivate static let segmentEditing: [Scenario] = [
    Scenario("a segment by hand lies in an entry, makes one, or has none") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let entry = try await world.makeEntry(of: member)
      let attached = try await world.client.expect(
        world.create(["projectId": project, "name": "Picking"], as: member), 201)
      let id = try World.text(attached.json["id"])
      world.check(
        attached.location == "/v1/organizations/\(world.home.organizationID)/segments/\(id)",
        attached.location ?? "none")
      world.check(
        attached.json["timeEntryId"] == .string(entry) && attached.json["durationSeconds"] == 1_800
          && attached.json["source"] == "api" && attached.json["kind"] == "work", attached.json.text)
      let read = try await world.client.expect(
        world.call("getSegment", as: member, path: ["segmentId": id]), 200)
      world.check(read.json == attached.json && read.etag == attached.etag, read.json.text)
      // Touching is allowed, and so is another entry's end.
      let rest = try await world.client.expect(
        world.create(
          ["breakTypeId": try await world.breakTypeID()], as: member, from: "2026-11-19T08:30:00Z",
          to: "2026-11-19T10:00:00Z"), 201)
      world.check(rest.json["kind"] == "break" && rest.json["isPaid"] == false, rest.json.text)
      for (from, to) in [
        ("2026-11-19T07:00:00Z", "2026-11-19T07:30:00Z"), ("2026-11-19T07:45:00Z", "2026-11-19T08:15:00Z"),
        ("2026-11-19T09:45:00Z", "2026-11-19T10:00:00.001Z"),
      ] {
        try await world.refuses(
          world.create(["projectId": project], as: member, from: from, to: to), 422, ["outside_time_entry"],
          from)
      }
      let made = try await world.client.expect(
        world.create(
          ["projectId": project, "timeEntry": "create"], as: member, from: "2026-11-19T10:00:00Z",
          to: "2026-11-19T11:00:00Z"), 201)
      let path = ["timeEntryId": try World.text(made.json["timeEntryId"])]
      let own = try await world.client.expect(world.call("getTimeEntry", as: member, path: path), 200)
      world.check(
        own.json["clockInTime"] == made.json["startTime"] && own.json["clockOutTime"] == made.json["endTime"],
        own.json.text)
      let alone = try await world.client.expect(
        world.create(
          ["projectId": project, "timeEntry": "none"], as: member, from: "2026-11-19T07:00:00Z",
          to: "2026-11-19T07:00:00.001Z"), 201)
      world.check(alone.json["timeEntryId"] == .null && alone.json["durationSeconds"] == 0, alone.json.text)
      try await world.refuses(
        world.create(["breakTypeId": try await world.breakTypeID(), "timeEntry": "none"], as: member), 400,
        ["invalid_body"], "a break without an entry")
    },
    Scenario("times of segments are judged by the rules, and those of a new entry too") { world in
      let member = world.home.member
      let project = try await world.projectID()
      for (from, to, place, code) in [
        ("2026-11-20T11:00:00Z", "2026-11-20T12:02:00.001Z", "none", "in_future"),
        ("2026-11-19T10:00:00Z", "2026-11-19T10:00:00Z", "none", "end_not_after_start"),
        ("2026-11-19T10:00:00Z", "2026-11-19T09:00:00Z", "attach", "end_not_after_start"),
        ("2026-11-19T10:00:00Z", "2026-11-19T10:00:59.999Z", "create", "too_short"),
        ("2026-11-18T10:00:00Z", "2026-11-19T02:00:00.001Z", "create", "too_long"),
      ] {
        try await world.refuses(
          world.create(
            ["projectId": project, "timeEntry": .string(place)], as: member, from: from, to: to), 422, [code],
          "\(from) \(place)")
      }
      try await world.refuses(
        world.create(["projectId": project, "timeEntry": "none", "timeZone": "Mars/Base"], as: member), 422,
        ["unknown_time_zone"], "a zone")
      try await world.client.expect(
        world.create(
          ["projectId": project, "timeEntry": "none"], as: member, from: "2026-11-18T10:00:00Z",
          to: "2026-11-19T08:00:00Z"), 201)
      try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["manualEntryDays": 1]], ifMatch: "*"),
        200)
      let early = world.create(
        ["projectId": project, "timeEntry": "none"], as: member, from: "2026-11-18T08:00:00Z",
        to: "2026-11-18T09:00:00Z")
      try await world.refuses(early, 422, ["too_far_back"], "more than a day back")
    },
    Scenario("segments of a member never overlap, and new entries stand in no other's way") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let made = try await world.makeSegment(of: member)
      for (from, to) in [
        ("2026-11-16T03:15:00Z", "2026-11-16T06:45:00Z"),
        ("2026-11-16T03:00:00Z", "2026-11-16T03:15:00.001Z"),
        ("2026-11-16T06:44:59.999Z", "2026-11-16T07:00:00Z"),
        ("2026-11-16T01:00:00Z", "2026-11-16T09:00:00Z"),
      ] {
        let call = world.create(["projectId": project, "timeEntry": "none"], as: member, from: from, to: to)
        let reply = try await world.client.expect(call, 409, code: "segment_overlap", comment: from)
        world.check(
          reply.json["overlappingSegments"] == .array([made.json]) && reply.json["count"] == 1,
          reply.json.text)
      }
      let entry = try await world.makeEntry(of: member)
      let call = world.create(["projectId": project, "timeEntry": "create"], as: member)
      let reply = try await world.client.expect(call, 409, code: "overlap")
      world.check(reply.json["overlaps"]?.elements.first?["id"] == .string(entry), reply.json.text)
      try await world.client.expect(
        world.create(
          ["projectId": project, "timeEntry": "none"], as: member, from: "2026-11-16T06:45:00Z",
          to: "2026-11-16T07:00:00Z"), 201)
    },
    Scenario("managers enter, change and delete segments of others with a reason") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let forMember: JSONValue = [
        "projectId": try await world.projectID(), "timeEntry": "create", "userId": .string(member.userID),
      ]
      try await world.refuses(
        world.create(forMember.setting("userId", to: .string(manager.userID)), as: member), 403,
        ["forbidden"], "for a manager")
      try await world.refuses(
        world.create(forMember, as: manager), 422, ["reason_required"], "without a reason")
      let long = JSONValue.string(String(repeating: "x", count: 501))
      try await world.refuses(
        world.create(forMember.setting("reason", to: long), as: manager), 422, ["reason_invalid"],
        "a long reason")
      let made = try await world.client.expect(
        world.create(forMember.setting("reason", to: "Asked by mail"), as: manager), 201)
      world.check(
        made.json["source"] == "admin" && made.json["userId"] == .string(member.userID), made.json.text)
      try await world.refuses(
        world.change(made, as: manager, ["name": "x"]), 422, ["reason_required"], "a change")
      try await world.refuses(
        world.change(made, as: manager, ["name": "x", "reason": long]), 422, ["reason_invalid"], "a change")
      let changed = try await world.client.expect(
        world.change(made, as: manager, ["name": "x", "reason": "Asked again"]), 200)
      let delete = world.deletion(of: changed, as: manager)
      try await world.refuses(delete, 422, ["reason_required"], "a deletion")
      try await world.refuses(
        delete.with { $0.query = [("reason", "a\0b")] }, 422, ["reason_invalid"], "a deletion")
      try await world.client.expect(delete.with { $0.query = [("reason", "Asked thrice")] }, 204)
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("resource", "segment")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["reason"]?.string } == ["Asked thrice", "Asked again", "Asked by mail"],
        audit.json.text)
      let left = try await world.makePerson("left@home.example")
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": left.userID], ifMatch: "*"), 204
      )
      let forLeft = forMember.setting("userId", to: .string(left.userID)).setting("reason", to: "late")
      try await world.refuses(
        world.create(forLeft, as: manager), 409, ["member_deactivated"], "who has left")
    },
    Scenario("a change of a segment leaves what it does not state, and needs the ETag") { world in
      let member = world.home.member
      let made = try await world.makeSegment(of: member, ["name": "Picking", "tags": ["a"]])
      for same in [
        [:], ["name": "Picking"],
        [
          "name": .null, "tags": .null, "billable": .null, "startTime": .null, "endTime": .null,
          "breakTypeId": .null, "taskId": .null,
        ],
      ] as [JSONValue] {
        let reply = try await world.client.expect(world.change(made, as: member, same), 200)
        world.check(reply.json == made.json && reply.etag == made.etag, "\(same.text): \(reply.json.text)")
      }
      world.service.clock.advance(seconds: 60)
      let other = try await world.projectID(["name": "Other", "billable": true])
      let changed = try await world.client.expect(
        world.change(
          made, as: member,
          [
            "name": " ", "tags": ["b", " c "], "startTime": "2026-11-16T04:00:00Z", "projectId": other,
          ]), 200)
      let expected = made.json.setting("name", to: "Time entry").setting("tags", to: ["b", "c"])
        .setting("startTime", to: "2026-11-16T04:00:00.000Z").setting("projectId", to: other)
        .setting("billable", to: true).setting("durationSeconds", to: 9_900).setting("version", to: 2)
      world.check(
        changed.json.removing("updatedAt") == expected.removing("updatedAt") && changed.etag != made.etag,
        changed.json.text)
      let free = try await world.client.expect(
        world.change(changed, as: member, ["projectId": .null, "billable": true]), 200)
      world.check(free.json["projectId"] == .null && free.json["billable"] == true, free.json.text)
      for late in [world.change(made, as: member, ["name": "Late"]), world.deletion(of: made, as: member)] {
        try await world.client.expect(late.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        let stale = try await world.client.expect(late, 412, code: "precondition_failed")
        world.check(stale.json["current"] == free.json && stale.etag == free.etag, stale.json.text)
      }
    },
    Scenario("a changed segment keeps the rules of a new one") { world in
      let member = world.home.member
      let entry = try await world.makeEntry(of: member)
      let project = try await world.projectID()
      let made = try await world.client.expect(world.create(["projectId": project], as: member), 201)
      world.check(made.json["timeEntryId"] == .string(entry), made.json.text)
      let other = try await world.makePerson("other@home.example")
      let theirs = try await world.makeProject(by: other).json["id"] ?? .null
      for (body, status, codes) in try await world.purposeRefusals(others: theirs)
      where !body.members.allSatisfy({ $0.value == .null }) {
        try await world.refuses(world.change(made, as: member, body), status, codes, body.text)
      }
      for (body, code) in World.textRefusals {
        try await world.refuses(world.change(made, as: member, body), 422, [code], body.text)
      }
      for (body, code): (JSONValue, String) in [
        (["endTime": "2026-11-20T12:02:00.001Z"], "in_future"),
        (["endTime": "2026-11-19T08:00:00Z"], "end_not_after_start"),
        (["endTime": "2026-11-19T10:00:00.001Z"], "outside_time_entry"),
        (["startTime": "2026-11-19T07:59:59.999Z"], "outside_time_entry"),
      ] {
        try await world.refuses(world.change(made, as: member, body), 422, [code], body.text)
      }
      let next = try await world.client.expect(
        world.create(
          ["projectId": project], as: member, from: "2026-11-19T08:30:00Z", to: "2026-11-19T09:00:00Z"), 201)
      let over = try await world.client.expect(
        world.change(made, as: member, ["endTime": "2026-11-19T08:30:00.001Z"]), 409, code: "segment_overlap")
      world.check(over.json["overlappingSegments"] == .array([next.json]), over.json.text)
      let rest = try await world.breakTypeID()
      let asBreak = try await world.client.expect(
        world.change(made, as: member, ["breakTypeId": rest]), 200)
      world.check(
        asBreak.json["kind"] == "break" && asBreak.json["projectId"] == .null
          && asBreak.json["isPaid"] == false, asBreak.json.text)
      let still = try await world.client.expect(
        world.change(asBreak, as: member, ["projectId": .null, "taskId": .null]), 200)
      world.check(still.json == asBreak.json, still.json.text)
      try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["manualEntryDays": 0]], ifMatch: "*"),
        200)
      try await world.refuses(
        world.change(still, as: member, ["startTime": "2026-11-19T08:10:00Z"]), 403, ["edit_window_closed"],
        "of another day")
      let alone = try await world.client.expect(
        world.create(
          ["projectId": project, "timeEntry": "none"], as: world.home.manager, from: "2026-11-19T12:00:00Z",
          to: "2026-11-19T13:00:00Z"), 201)
      try await world.refuses(
        world.change(alone, as: world.home.manager, ["breakTypeId": rest]), 422, ["outside_time_entry"],
        "a break without an entry")
    },
    Scenario("an open segment gets another start, its end by stopping, and goes at any time") { world in
      let member = world.home.member
      let begun = try await world.client.expect(
        world.start(
          ["projectId": try await world.projectID(), "startTime": "2026-11-20T10:00:00Z"], as: member), 201)
      let path = ["segmentId": try World.text(begun.json["segment"]?["id"])]
      let open = try await world.client.expect(world.call("getSegment", as: member, path: path), 200)
      try await world.refuses(
        world.change(open, as: member, ["endTime": "2026-11-20T11:00:00Z"]), 409, ["segment_active"], "an end"
      )
      for (time, code) in [
        ("2026-11-20T12:02:00.001Z", "in_future"), ("2026-11-17T11:59:59.999Z", "too_far_back"),
        ("2026-11-20T09:59:59.999Z", "outside_time_entry"),
      ] {
        try await world.refuses(
          world.change(open, as: member, ["startTime": .string(time)]), 422, [code], time)
      }
      let moved = try await world.client.expect(
        world.change(open, as: member, ["startTime": "2026-11-20T11:00:00Z"]), 200)
      world.check(
        moved.json["durationSeconds"] == 3_600 && moved.json["endTime"] == .null, moved.json.text)
      try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["editWindowDays": 0]], ifMatch: "*"),
        200)
      world.service.clock.advance(seconds: 1)
      // Its entry goes on.
      let named = try await world.client.expect(world.change(moved, as: member, ["name": "x"]), 200)
      try await world.client.expect(world.deletion(of: named, as: member), 204)
      let clock = try await world.client.expect(world.call("getClock", as: member), 200)
      world.check(clock.json["status"] == "clocked-in" && clock.json["segment"] == .null, clock.json.text)
    },
    Scenario("members change and delete their own segments as long as the policy says") { world in
      let member = world.home.member
      let made = try await world.makeSegment(of: member)
      let other = try await world.makePerson("other@home.example")
      for call in [
        world.call("getSegment", as: other, path: ["segmentId": try World.text(made.json["id"])]),
        world.change(made, as: other, ["name": "x"]), world.deletion(of: made, as: other),
      ] {
        try await world.refuses(call, 403, ["forbidden"], call.operationID)
      }
      try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["editWindowDays": 0]], ifMatch: "*"),
        200)
      world.service.clock.advance(seconds: 1)
      for call in [world.change(made, as: member, ["name": "x"]), world.deletion(of: made, as: member)] {
        try await world.refuses(call, 403, ["edit_window_closed"], call.operationID)
      }
      try await world.client.expect(
        world.change(made, as: world.home.manager, ["name": "x", "reason": "Asked by mail"]), 200)
    },
    Scenario("segments follow their entry: they are cut with it, and go with it") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let entry = try await world.makeEntry(of: member)
      let first = try await world.client.expect(world.create(["projectId": project], as: member), 201)
      let second = try await world.client.expect(
        world.create(
          ["projectId": project], as: member, from: "2026-11-19T09:00:00Z", to: "2026-11-19T10:00:00Z"), 201)
      func edit(_ body: JSONValue) -> Call {
        world.call("updateTimeEntry", as: member, path: ["timeEntryId": entry], body: body, ifMatch: "*")
      }
      try await world.client.expect(edit(["clockOutTime": "2026-11-19T09:30:00Z"]), 200)
      let list = world.call("listSegments", as: member)
      let cut = try await world.client.expect(list, 200)
      world.check(
        cut.json["segments"]?.elements.map { $0["id"] } == [second.json["id"], first.json["id"]]
          && cut.json["segments"]?.elements.first?["endTime"] == "2026-11-19T09:30:00.000Z", cut.json.text)
      try await world.client.expect(edit(["clockOutTime": "2026-11-19T09:00:00Z"]), 200)
      let one = try await world.client.expect(list, 200)
      world.check(one.json["segments"] == .array([first.json]), one.json.text)
      try await world.client.expect(
        world.call("deleteTimeEntry", as: member, path: ["timeEntryId": entry], ifMatch: "*"), 204)
      let none = try await world.client.expect(list, 200)
      world.check(none.json["segments"] == [], none.json.text)
    },
    Scenario("segments are listed with the newest start first, by what a request asks for") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let (project, other) = (try await world.projectID(), try await world.projectID())
      try await world.makeEntry(of: member)
      // Kathmandu's 20th begins at 18:15.
      var made: [JSONValue] = []
      for (body, from, to) in [
        (["projectId": project, "tags": ["a", "b"]], "2026-11-19T08:00:00Z", "2026-11-19T08:30:00Z"),
        (["breakTypeId": try await world.breakTypeID()], "2026-11-19T08:30:00Z", "2026-11-19T09:00:00Z"),
        (
          ["projectId": other, "tags": ["ab"], "timeEntry": "none"], "2026-11-19T18:15:00Z",
          "2026-11-19T19:00:00Z"
        ),
      ] as [(JSONValue, String, String)] {
        made.append(
          try await world.client.expect(world.create(body, as: member, from: from, to: to), 201).json)
      }
      let theirs = try await world.makeSegment(of: manager).json
      let task =
        try await world.client.expect(
          world.call("createTask", as: manager, body: ["name": "Sort"]), 201
        ).json["id"] ?? .null
      let lists: [([(name: String, value: String)], [JSONValue])] = [
        ([], [made[2], made[1], made[0]]), ([("kind", "work")], [made[2], made[0]]),
        ([("kind", "break")], [made[1]]), ([("tag", "a")], [made[0]]), ([("tag", " b ")], [made[0]]),
        ([("tag", "c")], []), ([("projectId", try World.text(project))], [made[0]]),
        ([("taskId", try World.text(task))], []),
        ([("startDate", "2026-11-20")], [made[2]]), ([("endDate", "2026-11-19")], [made[1], made[0]]),
        ([("range", "today")], [made[2]]),
        ([("projectId", try World.text(other)), ("kind", "break")], []),
      ]
      for (query, expected) in lists {
        let listed = try await world.pages("listSegments", "segments", as: member, limit: 1, query: query)
        world.check(listed == expected, "\(query): \(listed.map(\.text))")
      }
      let all = try await world.pages("listSegments", "segments", as: manager, limit: 2)
      world.check(all == [made[2], made[1], made[0], theirs], "\(all.map(\.text))")
      let ofMember = try await world.pages(
        "listSegments", "segments", as: manager, limit: 2, query: [("userId", member.userID)])
      world.check(ofMember == [made[2], made[1], made[0]], "\(ofMember.map(\.text))")
      let hidden = try await world.makeProject(by: try await world.makePerson("other@home.example"))
      for (query, status, code) in [
        ([("userId", manager.userID)], 403, "forbidden"),
        ([("startDate", "2026-11-20"), ("endDate", "2026-11-19")], 422, "invalid_date_range"),
        ([("range", "today"), ("startDate", "2026-11-20")], 400, "invalid_parameter"),
        ([("tag", "a\nb")], 400, "invalid_parameter"), ([("match", "end")], 400, "invalid_parameter"),
        ([("projectId", World.absentID)], 404, "project_not_found"),
        ([("projectId", try World.text(hidden.json["id"]))], 404, "project_not_found"),
        ([("taskId", World.absentID)], 404, "task_not_found"),
      ] as [([(name: String, value: String)], Int, String)] {
        try await world.client.expect(
          world.call("listSegments", as: member, query: query), status, code: code, comment: "\(query)")
      }
    },
    Scenario("segments are listed by the days that they cover, if it is asked for") { world in
      let member = world.home.member
      let project = try await world.projectID()
      // Kathmandu's 20th begins at 18:15.
      var made: [JSONValue] = []
      for (from, to) in [
        ("2026-11-19T08:00:00Z", "2026-11-19T09:00:00Z"),
        ("2026-11-19T18:00:00Z", "2026-11-19T18:15:00.001Z"),
        ("2026-11-19T19:00:00Z", "2026-11-19T20:00:00Z"),
      ] {
        let body: JSONValue = ["projectId": project, "timeEntry": "none"]
        made.append(
          try await world.client.expect(world.create(body, as: member, from: from, to: to), 201).json)
      }
      for (query, expected) in [
        ([("startDate", "2026-11-20"), ("match", "overlap")], [made[2], made[1]]),
        ([("startDate", "2026-11-20"), ("match", "start")], [made[2]]),
        ([("endDate", "2026-11-19"), ("match", "overlap")], [made[1], made[0]]),
        (
          [("startDate", "2026-11-19"), ("endDate", "2026-11-19"), ("match", "overlap")], [made[1], made[0]]
        ),
        ([("startDate", "2026-11-21"), ("match", "overlap")], []),
        (
          [("range", "today"), ("match", "overlap"), ("projectId", try World.text(project))],
          [made[2], made[1]]
        ),
      ] as [([(name: String, value: String)], [JSONValue])] {
        let listed = try await world.pages("listSegments", "segments", as: member, limit: 1, query: query)
        world.check(listed == expected, "\(query): \(listed.map(\.text))")
        let lines = try await world.client.expect(
          world.call("exportSegments", as: member, query: query + [("format", "ndjson")]), 200)
        let text = String(decoding: lines.response.body, as: UTF8.self)
        let ids = expected.map { $0["id"]?.string ?? "" }
        world.check(
          text.split(separator: "\n").count == ids.count && ids.allSatisfy { text.contains($0) }, text)
      }
    },
    Scenario("overlaps of segments are found by half-open spans, one left out") { world in
      let member = world.home.member
      let made = try await world.makeSegment(of: member)
      let begun = try await world.client.expect(
        world.start(["projectId": try await world.projectID()], as: member), 201)
      let open = begun.json["segment"]?["id"] ?? .null
      let id = try World.text(made.json["id"])
      for (from, to, excluded, expected) in [
        ("2026-11-16T03:15:00Z", "2026-11-16T06:45:00Z", nil, [made.json["id"]]),
        ("2026-11-16T03:00:00Z", "2026-11-16T03:15:00Z", nil, []),
        ("2026-11-16T06:45:00Z", "2026-11-16T07:00:00Z", nil, []),
        ("2026-11-16T03:00:00Z", "2026-11-21T07:00:00Z", nil, [made.json["id"], open]),
        ("2026-11-16T03:00:00Z", "2026-11-21T07:00:00Z", id, [open]),
        ("2030-01-01T00:00:00Z", "2030-01-01T00:00:00.001Z", World.absentID, [open]),
      ] as [(String, String, String?, [JSONValue?])] {
        let query =
          [(name: "startTime", value: from), (name: "endTime", value: to)]
          + (excluded.map { [(name: "excludeSegmentId", value: $0)] } ?? [])
        let reply = try await world.client.expect(
          world.call("checkSegmentOverlap", as: member, query: query), 200)
        world.check(
          reply.json["segmentIds"]?.elements == expected.compactMap { $0 }
            && reply.json["count"] == .integer(Int64(expected.count))
            && reply.json["overlaps"] == .bool(!expected.isEmpty), "\(query): \(reply.json.text)")
      }
      try await world.client.expect(
        world.call(
          "checkSegmentOverlap", as: member,
          query: [("startTime", "2026-11-16T03:00:00Z"), ("endTime", "2026-11-16T03:00:00Z")]), 422,
        code: "end_not_after_start")
    },
    Scenario("the log of changes has segments, for managers and for the member") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let other = try await world.makePerson("other@home.example")
      let made = try await world.makeSegment(of: member)
      let changed = try await world.client.expect(world.change(made, as: member, ["name": "x"]), 200)
      try await world.client.expect(world.deletion(of: changed, as: member), 204)
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: admin,
          query: [("resource", "segment"), ("resourceId", try World.text(made.json["id"]))]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["deleteSegment", "updateSegment", "createSegment"],
        audit.json.text)
      guard changes.count == 3 else { return }
      world.check(changes[2]["before"] == .null && changes[2]["after"] == made.json, changes[2].text)
      world.check(changes[1]["before"] == made.json && changes[1]["after"] == changed.json, changes[1].text)
      world.check(changes[0]["before"] == changed.json && changes[0]["after"] == .null, changes[0].text)
      for (person, expected) in [(admin, 3), (world.home.manager, 3), (member, 3), (other, 0)] {
        let feed = try await world.client.expect(world.call("listChanges", as: person), 200)
        let told = (feed.json["changes"]?.elements ?? []).filter { $0["resource"] == "segment" }
        world.check(told.count == expected, "\(told.count) changes: \(feed.json.text)")
      }
    },
    Scenario("a person's segments are in the export, and reveal nothing once the person is anonymized") {
      world in
      let leaver = try await world.makePerson("leaver@home.example")
      try await world.makeSegment(of: world.home.member)
      let own = try await world.makeSegment(of: leaver, ["name": "Secret plans", "tags": ["Secret tag"]])
      let export = world.call("exportPersonalData", as: leaver, path: ["userId": leaver.userID])
      let whole = try await world.client.expect(export, 200)
      world.check(whole.json["segments"] == .array([own.json]), whole.json.text)
      let told = (whole.json["changes"]?.elements ?? []).filter { $0["resource"] == "segment" }
      world.check(told.map { $0["after"] } == [own.json], whole.json.text)
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": leaver.userID], ifMatch: "*"),
        204)
      try await world.client.expect(
        world.call("anonymizeMember", as: world.home.admin, path: ["userId": leaver.userID]), 200)
      let left = try await world.client.expect(
        world.call(
          "getSegment", as: world.home.manager, path: ["segmentId": try World.text(own.json["id"])]), 200)
      world.check(
        left.json["name"] == "Time entry" && left.json["tags"] == [] && left.etag != own.etag, left.json.text)
      for operation in ["listAuditLog", "listChanges", "listSegments"] {
        let reply = try await world.client.expect(world.call(operation, as: world.home.admin), 200)
        world.check(!reply.json.text.contains("Secret"), reply.json.text)
      }
    },
  ]
}

extension World {
  /// A segment by hand, to be sent: half an hour from 8 on in UTC, if no times are stated.
  func create(
    _ body: JSONValue, as person: Person, in tenant: Tenant? = nil, from: String = "2026-11-19T08:00:00Z",
    to: String = "2026-11-19T08:30:00Z"
  ) -> Call {
    call(
      "createSegment", as: person, in: tenant,
      body: body.setting("startTime", to: .string(from)).setting("endTime", to: .string(to)))
  }

  /// Makes work without an entry, in the span of the document's example.
  @discardableResult
  func makeSegment(
    of person: Person, in tenant: Tenant? = nil, _ more: JSONValue = [:]
  ) async throws -> ContractClient.Reply {
    let project = try await projectID(in: tenant)
    let body = more.setting("projectId", to: project).setting("timeEntry", to: "none")
    return try await client.expect(
      create(body, as: person, in: tenant, from: "2026-11-16T03:15:00Z", to: "2026-11-16T06:45:00Z"), 201)
  }

  /// A change of the segment as it was answered.
  fileprivate func change(_ segment: ContractClient.Reply, as person: Person, _ body: JSONValue) -> Call {
    call(
      "updateSegment", as: person, path: ["segmentId": segment.json["id"]?.string ?? ""], body: body,
      ifMatch: segment.etag)
  }

  fileprivate func deletion(of segment: ContractClient.Reply, as person: Person) -> Call {
    call(
      "deleteSegment", as: person, path: ["segmentId": segment.json["id"]?.string ?? ""],
      ifMatch: segment.etag)
  }
}
