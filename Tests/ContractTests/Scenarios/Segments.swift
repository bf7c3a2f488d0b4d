@testable import ContractDocument

extension Fixture {
  /// Starting and stopping segments, and a clock's view of them.
  static let segments = Fixture(
    scenarios: Scenario.segments,
    baselines: [
      "startSegment": { world, call in
        call.json = call.json.setting("projectId", to: try await world.projectID())
      },
      "stopSegment": { world, _ in
        try await world.client.expect(
          world.start(["projectId": try await world.projectID()], as: world.home.member), 201)
      },
    ])
}

extension Scenario {
  fileprivate static let segments: [Scenario] = [
    Scenario("starting work clocks in, and the segment is where Location says") { world in
      let member = world.home.member
      let project = try await world.projectID(["name": "Harvest", "billable": true])
      let body: JSONValue = [
        "projectId": project, "name": " Picking ", "tags": [" garden ", "b", "garden"],
      ]
      let begun = try await world.client.expect(world.start(body, as: member), 201)
      let segment = begun.json["segment"] ?? .null
      let id = try World.text(segment["id"])
      world.check(
        begun.location == "/v1/organizations/\(world.home.organizationID)/segments/\(id)",
        "Location is \(begun.location ?? "none")")
      let entry = begun.json["timeEntry"] ?? .null
      world.check(begun.json["stopped"] == .null && begun.json["clockedIn"] == true, begun.json.text)
      for (name, value): (String, JSONValue?) in [
        ("kind", "work"), ("projectId", project), ("taskId", .null), ("breakTypeId", .null), ("isPaid", true),
        ("billable", true), ("name", "Picking"), ("tags", ["garden", "b"]),
        ("startTime", "2026-11-20T12:00:00.000Z"), ("endTime", .null), ("durationSeconds", 0),
        ("timeZone", "Asia/Kathmandu"), ("source", "api"), ("version", 1), ("timeEntryId", entry["id"]),
        ("userId", .string(member.userID)), ("organizationID", .string(world.home.organizationID)),
      ] { world.check(segment[name] == value, "\(name) is \(segment[name]?.text ?? "")") }
      let read = try await world.client.expect(
        world.call("getSegment", as: member, path: ["segmentId": id]), 200)
      world.check(read.json == segment, "getSegment answers \(read.json.text)")
      let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      world.check(current.json["timeEntry"] == entry, current.json.text)
    },
    Scenario("a clock-in says what it is for, and who began an entry stays known") { world in
      let member = world.home.member
      let (project, archived) = (try await world.projectID(), try await world.projectID())
      try await world.client.expect(
        world.call(
          "updateProject", as: world.home.manager, path: ["projectId": try World.text(archived)],
          body: ["archived": true], ifMatch: "*"), 200)
      let makeTask = { (body: JSONValue) in
        let reply = try await world.client.expect(
          world.call("createTask", as: world.home.manager, body: body), 201)
        return reply.json["id"] ?? .null
      }
      let task = try await makeTask(["name": "Pruning", "projectId": try await world.projectID()])
      let hidden = try await makeTask(["name": "Old"])
      try await world.client.expect(
        world.call(
          "updateTask", as: world.home.manager, path: ["taskId": try World.text(hidden)],
          body: ["hidden": true], ifMatch: "*"), 200)
      for (body, code): (JSONValue, String) in [
        (["projectId": .string(World.absentID)], "project_not_found"),
        (["projectId": archived], "project_archived"),
        (["taskId": .string(World.absentID)], "task_not_found"),
        (["taskId": hidden], "task_hidden"), (["taskId": task, "projectId": project], "task_not_in_project"),
      ] {
        try await world.client.expect(world.call("clockIn", as: member, body: body), 422, code: code)
        let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
        world.check(current.json["timeEntry"] == .null, current.json.text)
      }
      let body: JSONValue = [
        "projectId": project, "notes": "Early", "clockInTime": "2026-11-20T11:00:00Z",
      ]
      let entry = try await world.client.expect(world.call("clockIn", as: member, body: body), 201)
      world.check(entry.json["startedBy"] == "clockIn" && entry.json["notes"] == "Early", entry.json.text)
      let clock = try await world.client.expect(world.call("getClock", as: member), 200)
      world.check(
        clock.json["segment"]?["projectId"] == project
          && clock.json["segment"]?["startTime"] == "2026-11-20T11:00:00.000Z"
          && clock.json["segment"]?["timeEntryId"] == entry.json["id"], clock.json.text)
      for body in [body, ["projectId": project]] {
        try await world.client.expect(
          world.call("clockIn", as: member, body: body), 409, code: "already_clocked_in")
      }
      let manager = world.home.manager
      let begun = try await world.client.expect(world.start(["projectId": project], as: manager), 201)
      world.check(begun.json["timeEntry"]?["startedBy"] == "segment", begun.json.text)
      let stopped = try await world.client.expect(
        world.call("stopSegment", as: manager, body: ["clockOut": true]), 200)
      world.check(
        stopped.json["timeEntry"]?["startedBy"] == "segment"
          && stopped.json["timeEntry"]?["flags"] == ["under_minimum"], stopped.json.text)
    },
    Scenario("a clock-in names a project if the policy asks for one") { world in
      let member = world.home.member
      try await world.changePolicy(["projectRequired": true])
      for person in [member, world.home.manager] {
        try await world.client.expect(world.call("clockIn", as: person), 422, code: "project_required")
      }
      try await world.client.expect(
        world.call("clockIn", as: member, body: ["projectId": try await world.projectID()]), 201)
      try await world.changePolicy(["projectRequired": false])
      try await world.client.expect(world.call("clockIn", as: world.home.manager), 201)
    },
    Scenario("members enter and change no times if the policy leaves that to managers") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let entry = try await world.client.expect(
        world.call(
          "createTimeEntry", as: member,
          body: ["clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T09:00:00Z"]), 201)
      try await world.changePolicy(["membersMayEnterTimes": false])
      let path = ["timeEntryId": try World.text(entry.json["id"])]
      let project = try await world.projectID()
      let times: JSONValue = ["clockInTime": "2026-11-19T10:00:00Z", "clockOutTime": "2026-11-19T11:00:00Z"]
      let segment: JSONValue = [
        "projectId": project, "timeEntry": "create", "startTime": "2026-11-19T12:00:00Z",
        "endTime": "2026-11-19T13:00:00Z",
      ]
      for call in [
        world.call("createTimeEntry", as: member, body: times),
        world.call(
          "updateTimeEntry", as: member, path: path, body: ["clockInTime": "2026-11-19T08:10:00Z"],
          ifMatch: "*"),
        world.call("updateTimeEntry", as: member, path: path, body: ["timeZone": "UTC"], ifMatch: "*"),
        world.call("deleteTimeEntry", as: member, path: path, ifMatch: "*"),
        world.call("createSegment", as: member, body: segment),
      ] { try await world.client.expect(call, 403, code: "forbidden", comment: call.operationID) }
      let bulk = world.call(
        "createTimeEntries", as: member, body: ["mode": "atomic", "timeEntries": [times]])
      let refused = try await world.client.expect(bulk, 422, code: "bulk_refused")
      world.check(
        refused.json["results"]?.elements.first?["problem"]?["code"] == "forbidden", refused.json.text)
      // Members may change everything but times.
      let noted = world.call(
        "updateTimeEntry", as: member, path: path, body: ["notes": "Counter"], ifMatch: "*")
      try await world.client.expect(noted, 200)
      try await world.client.expect(world.call("createTimeEntry", as: manager, body: times), 201)
      let active = try await world.client.expect(world.call("clockIn", as: member), 201)
      try await world.client.expect(
        world.call(
          "deleteTimeEntry", as: member, path: ["timeEntryId": try World.text(active.json["id"])],
          ifMatch: "*"),
        204)
      try await world.changePolicy(["membersMayEnterTimes": true])
      try await world.client.expect(world.call("createSegment", as: member, body: segment), 201)
    },
    Scenario("a start ends what was running, at the same instant") { world in
      let member = world.home.member
      let (first, second) = (try await world.projectID(), try await world.projectID())
      let begun = try await world.client.expect(world.start(["projectId": first], as: member), 201)
      world.service.clock.advance(seconds: 90)
      let next = try await world.client.expect(world.start(["projectId": second], as: member), 201)
      let stopped = next.json["stopped"] ?? .null
      world.check(
        stopped["id"] == begun.json["segment"]?["id"] && stopped["endTime"] == "2026-11-20T12:01:30.000Z"
          && stopped["durationSeconds"] == 90 && stopped["version"] == 2, next.json.text)
      world.check(next.json["segment"]?["startTime"] == stopped["endTime"], next.json.text)
      world.check(
        next.json["clockedIn"] == false
          && next.json["timeEntry"]?["id"] == begun.json["timeEntry"]?["id"], next.json.text)
      // Nothing would be left of one that ends in the millisecond of its start.
      let third = try await world.client.expect(world.start(["projectId": first], as: member), 201)
      let discarded = third.json["stopped"] ?? .null
      world.check(discarded["endTime"] == discarded["startTime"], third.json.text)
      try await world.client.expect(
        world.call(
          "getSegment", as: member, path: ["segmentId": try World.text(discarded["id"])]), 404,
        code: "segment_not_found")
      let list = try await world.pages("listSegments", "segments", as: member, limit: 10)
      world.check(list == [third.json["segment"], stopped].compactMap { $0 }, "\(list.map(\.text))")
    },
    Scenario("a segment's stated time up to two minutes ahead counts as now, and the answer says so") {
      world in
      let member = world.home.member
      let project = try await world.projectID()
      func check(_ segment: JSONValue?, _ ahead: Int64?, from start: String, to end: String?) {
        let segment = segment ?? .null
        world.check(segment["clockAheadMilliseconds"] == ahead.map { .integer($0) }, segment.text)
        world.check(segment["startTime"] == .string(start), segment.text)
        world.check(segment["endTime"] == (end.map { .string($0) } ?? .null), segment.text)
      }
      let noon = "2026-11-20T12:00:00.000Z"
      let begun = try await world.client.expect(
        world.start(["projectId": project, "startTime": "2026-11-20T12:02:00Z"], as: member), 201)
      check(begun.json["segment"], 120_000, from: noon, to: nil)
      world.service.clock.advance(seconds: 600)
      let later = "2026-11-20T12:10:00.000Z"
      // The running segment has begun long before the stated time.
      let same = try await world.client.expect(
        world.start(["projectId": project, "startTime": "2026-11-20T12:10:01Z"], as: member), 200)
      check(same.json["segment"], nil, from: noon, to: nil)
      let ended = try await world.client.expect(
        world.call("stopSegment", as: member, body: ["endTime": "2026-11-20T12:10:30Z"]), 200)
      check(ended.json["segment"], 30_000, from: noon, to: later)
      let path = ["segmentId": try World.text(ended.json["segment"]?["id"])]
      let moved = try await world.client.expect(
        world.call(
          "updateSegment", as: member, path: path, body: ["startTime": "2026-11-20T12:05:00Z"], ifMatch: "*"),
        200)
      check(moved.json, nil, from: "2026-11-20T12:05:00.000Z", to: later)
      let stretched = try await world.client.expect(
        world.call(
          "updateSegment", as: member, path: path, body: ["endTime": "2026-11-20T12:10:00.001Z"], ifMatch: "*"
        ),
        200)
      check(stretched.json, 1, from: "2026-11-20T12:05:00.000Z", to: later)
      let manual = try await world.client.expect(
        world.call(
          "createSegment", as: world.home.manager,
          body: [
            "projectId": project, "startTime": "2026-11-20T11:00:00Z", "endTime": "2026-11-20T12:11:00Z",
            "timeEntry": "create",
          ]), 201)
      check(manual.json, 60_000, from: "2026-11-20T11:00:00.000Z", to: later)
      let shown = try await world.client.expect(
        world.call(
          "getSegment", as: world.home.manager, path: ["segmentId": try World.text(manual.json["id"])]), 200)
      check(shown.json, nil, from: "2026-11-20T11:00:00.000Z", to: later)
    },
    Scenario("the same again is answered 200, and takes over a name that is stated") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let begun = try await world.client.expect(
        world.start(["projectId": project, "name": "One"], as: member), 201)
      let same = try await world.client.expect(
        world.start(["projectId": project, "tags": ["other"]], as: member), 200)
      world.check(
        same.json["segment"] == begun.json["segment"] && same.json["stopped"] == .null
          && same.json["clockedIn"] == false && same.location == nil, same.json.text)
      let named = try await world.client.expect(
        world.start(["projectId": project, "name": "Two"], as: member), 200)
      world.check(
        named.json["segment"]?["name"] == "Two" && named.json["segment"]?["version"] == 2
          && named.json["segment"]?["id"] == begun.json["segment"]?["id"], named.json.text)
    },
    Scenario("a break, and work that is not to clock in, need somebody clocked in") { world in
      let member = world.home.member
      let lunch: JSONValue = ["breakTypeId": try await world.breakTypeID()]
      let work: JSONValue = ["projectId": try await world.projectID(), "clockIn": false]
      for body in [lunch, work] {
        try await world.refuses(world.start(body, as: member), 409, ["not_clocked_in"], body.text)
      }
      try await world.client.expect(world.call("clockIn", as: member), 201)
      for body in [lunch, work] {
        let reply = try await world.client.expect(world.start(body, as: member), 201)
        world.check(reply.json["clockedIn"] == false, reply.json.text)
      }
    },
    Scenario("a start says what it is for: work, or else a break, that the member may use") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let other = try await world.makePerson("other@home.example")
      let theirs = try await world.makeProject(by: other).json["id"] ?? .null
      let project = try await world.projectID()
      for (body, status, codes) in try await world.purposeRefusals(others: theirs) {
        try await world.refuses(world.start(body, as: member), status, codes, body.text)
        try await world.refuses(
          world.create(body, as: member), status, codes, body.text)
      }
      // Managers see it; the member they start it for may not use it.
      try await world.refuses(
        world.start(["projectId": theirs, "userId": .string(member.userID)], as: manager), 422,
        ["project_not_found"], "another member's")
      try await world.client.expect(
        world.start(["projectId": project, "taskId": .null, "breakTypeId": .null], as: member), 201)
    },
    Scenario("names and tags of segments keep their rules") { world in
      let member = world.home.member
      let project = try await world.projectID()
      for (body, code) in World.textRefusals {
        let whole = body.setting("projectId", to: project)
        try await world.refuses(world.start(whole, as: member), 422, [code], body.text)
        try await world.refuses(world.create(whole, as: member), 422, [code], body.text)
      }
      for tags in ["x", 7, ["a": "b"], [7], ["a", .null], [["a"]]] as [JSONValue] {
        let body: JSONValue = ["projectId": project, "tags": tags]
        try await world.refuses(world.start(body, as: member), 400, ["invalid_body"], tags.text)
      }
      let many = JSONValue.array((1...9).map { .string("t\($0)") } + [" t1 "])
      let begun = try await world.client.expect(
        world.start(["projectId": project, "name": "  ", "tags": many], as: member), 201)
      world.check(begun.json["segment"]?["name"] == "Time entry", begun.json.text)
      world.check(begun.json["segment"]?["tags"]?.elements.count == 9, begun.json.text)
    },
    Scenario("a stated start lies between the look-back and now, behind what there is") { world in
      let member = world.home.member
      let project = try await world.projectID()
      func start(_ time: String, _ project: JSONValue) -> Call {
        world.start(["projectId": project, "startTime": .string(time)], as: member)
      }
      for (time, code) in [
        ("2026-11-20T12:02:00.001Z", "in_future"), ("2026-11-17T11:59:59.999Z", "too_far_back"),
      ] {
        try await world.refuses(start(time, project), 422, [code], time)
      }
      try await world.refuses(
        world.start(["projectId": project, "timeZone": "Mars/Base"], as: member), 422,
        ["unknown_time_zone"], "a zone")
      let entry = try await world.makeEntry(of: member)
      let overlap = try await world.client.expect(
        start("2026-11-19T09:00:00Z", project), 409, code: "overlap")
      world.check(
        overlap.json["count"] == 1 && overlap.json["overlaps"]?.elements.first?["id"] == .string(entry),
        overlap.json.text)
      let begun = try await world.client.expect(start("2026-11-20T10:00:00Z", project), 201)
      world.check(begun.json["timeEntry"]?["clockInTime"] == "2026-11-20T10:00:00.000Z", begun.json.text)
      let other = try await world.projectID()
      let early = try await world.client.expect(
        start("2026-11-20T09:59:59Z", other), 422, code: "outside_time_entry")
      world.check(early.json["overlappingSegments"] == nil, early.json.text)
      let next = try await world.client.expect(start("2026-11-20T11:00:00Z", other), 201)
      let before = try await world.client.expect(
        start("2026-11-20T10:30:00Z", project), 409, code: "segment_overlap")
      world.check(
        before.json["overlappingSegments"]?.elements.map { $0["id"] } == [next.json["segment"]?["id"]]
          && before.json["count"] == 1, before.json.text)
      let ahead = try await world.client.expect(start("2026-11-20T12:02:00Z", project), 201)
      world.check(ahead.json["segment"]?["startTime"] == "2026-11-20T12:00:00.000Z", ahead.json.text)
    },
    Scenario("managers start and stop for others, members only for themselves and nobody for who has left") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let project = try await world.projectID()
      let left = try await world.makePerson("left@home.example")
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": left.userID], ifMatch: "*"), 204
      )
      try await world.refuses(
        world.start(["projectId": project, "userId": .string(left.userID)], as: manager), 409,
        ["member_deactivated"], "who has left")
      let forManager: JSONValue = ["projectId": project, "userId": .string(manager.userID)]
      try await world.refuses(world.start(forManager, as: member), 403, ["forbidden"], "for a manager")
      let forMember: JSONValue = ["projectId": project, "userId": .string(member.userID)]
      let begun = try await world.client.expect(world.start(forMember, as: manager), 201)
      world.check(
        begun.json["segment"]?["source"] == "admin" && begun.json["timeEntry"]?["source"] == "admin",
        begun.json.text)
      try await world.refuses(
        world.call("stopSegment", as: member, body: ["userId": .string(manager.userID)]), 403,
        ["forbidden"], "a manager's")
      try await world.client.expect(
        world.call("stopSegment", as: manager, body: ["userId": .string(member.userID)]), 200)
    },
    Scenario("a member whose clock was ahead learns until when starting is refused") { world in
      let member = world.home.member
      let start = world.start(["projectId": try await world.projectID()], as: member)
      world.service.clock.advance(seconds: 7_200)
      try await world.client.expect(world.call("clockIn", as: member), 201)
      world.service.clock.advance(seconds: 600)
      let out = try await world.client.expect(world.call("clockOut", as: member), 200)
      world.service.clock.advance(seconds: -7_200)
      let reply = try await world.client.expect(start, 409, code: "clocked_out_later")
      world.check(reply.json["clockOutTime"] == out.json["clockOutTime"], reply.json.text)
      world.check(reply.json["count"] == 1, reply.json.text)
    },
    Scenario("a break goes back to the work before it, unless asked not to") { world in
      let member = world.home.member
      let stop = world.call("stopSegment", as: member)
      try await world.refuses(stop, 409, ["no_active_segment"], "clocked out")
      try await world.client.expect(world.call("clockIn", as: member), 201)
      try await world.refuses(stop, 409, ["no_active_segment"], "nothing runs")
      let project = try await world.projectID()
      let work = try await world.client.expect(
        world.start(["projectId": project, "name": "Picking", "tags": ["a"]], as: member), 201)
      let (tea, lunch) = (try await world.breakTypeID(isPaid: true), try await world.breakTypeID())
      for (breakType, isPaid) in [(tea, true), (lunch, false)] as [(JSONValue, JSONValue)] {
        world.service.clock.advance(seconds: 60)
        let rest = try await world.client.expect(world.start(["breakTypeId": breakType], as: member), 201)
        world.check(
          rest.json["segment"]?["kind"] == "break" && rest.json["segment"]?["isPaid"] == isPaid,
          rest.json.text)
      }
      world.service.clock.advance(seconds: 60)
      let back = try await world.client.expect(stop, 200)
      world.check(
        back.json["segment"]?["breakTypeId"] == lunch && back.json["segment"]?["durationSeconds"] == 60,
        back.json.text)
      let resumed = back.json["resumed"] ?? .null
      for name in ["projectId", "name", "tags", "timeEntryId", "kind"] {
        world.check(resumed[name] == work.json["segment"]?[name], "\(name): \(back.json.text)")
      }
      world.check(
        resumed["id"] != work.json["segment"]?["id"] && resumed["endTime"] == .null
          && resumed["startTime"] == back.json["segment"]?["endTime"], back.json.text)
      world.service.clock.advance(seconds: 60)
      let stopped = try await world.client.expect(stop, 200)
      world.check(
        stopped.json["resumed"] == .null && stopped.json["timeEntry"]?["status"] == "clocked-in",
        stopped.json.text)
      try await world.client.expect(world.start(["projectId": project], as: member), 201)
      try await world.client.expect(world.start(["breakTypeId": lunch], as: member), 201)
      let without = try await world.client.expect(stop.with { $0.json = ["resume": false] }, 200)
      world.check(without.json["resumed"] == .null, without.json.text)
      try await world.refuses(stop, 409, ["no_active_segment"], "nothing runs again")
    },
    Scenario("a stop may clock out, and a clock-out stops") { world in
      let member = world.home.member
      let project = try await world.projectID()
      try await world.client.expect(world.start(["projectId": project], as: member), 201)
      world.service.clock.advance(seconds: 60)
      let out = try await world.client.expect(
        world.call("stopSegment", as: member, body: ["clockOut": true]), 200)
      world.check(
        out.json["timeEntry"]?["clockOutTime"] == "2026-11-20T12:01:00.000Z"
          && out.json["segment"]?["endTime"] == "2026-11-20T12:01:00.000Z", out.json.text)
      let begun = try await world.client.expect(world.start(["projectId": project], as: member), 201)
      world.service.clock.advance(seconds: 60)
      try await world.client.expect(world.call("clockOut", as: member), 200)
      let id = try World.text(begun.json["segment"]?["id"])
      let closed = try await world.client.expect(
        world.call("getSegment", as: member, path: ["segmentId": id]), 200)
      world.check(
        closed.json["endTime"] == "2026-11-20T12:02:00.000Z" && closed.json["version"] == 2, closed.json.text)
    },
    Scenario("a stated stop lies between the start and now") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let project = try await world.projectID()
      try await world.client.expect(world.start(["projectId": project], as: member), 201)
      world.service.clock.advance(seconds: 80 * 3_600)
      let call = world.call("stopSegment", as: member)
      for (time, code) in [
        ("2026-11-23T20:02:00.001Z", "in_future"), ("2026-11-20T13:00:00Z", "too_far_back"),
      ] {
        try await world.refuses(call.with { $0.json = ["endTime": .string(time)] }, 422, [code], time)
      }
      let byManager = world.call("stopSegment", as: manager)
      func body(_ time: String) -> JSONValue {
        ["userId": .string(member.userID), "endTime": .string(time)]
      }
      try await world.refuses(
        byManager.with { $0.json = body("2026-11-20T11:59:59.999Z") }, 422, ["end_not_after_start"], "before")
      let stopped = try await world.client.expect(
        byManager.with { $0.json = body("2026-11-20T13:00:00Z") }, 200)
      world.check(stopped.json["segment"]?["durationSeconds"] == 3_600, stopped.json.text)
      // Of one that ends where it begins nothing is left.
      world.service.clock.advance(seconds: 60)
      let begun = try await world.client.expect(world.start(["projectId": project], as: member), 201)
      let none = try await world.client.expect(call, 200)
      world.check(
        none.json["segment"]?["id"] == begun.json["segment"]?["id"]
          && none.json["segment"]?["endTime"] == none.json["segment"]?["startTime"], none.json.text)
      let list = try await world.client.expect(world.call("listSegments", as: member), 200)
      world.check(list.json["segments"] == .array([stopped.json["segment"] ?? .null]), list.json.text)
    },
    Scenario("a clock shows the entry, the segment, and the seconds of the day") { world in
      let member = world.home.member
      let call = world.call("getClock", as: member)
      func seconds(_ reply: ContractClient.Reply) -> [JSONValue?] {
        ["sessionSeconds", "breakSeconds", "dailySeconds", "segmentSeconds", "segmentDailySeconds"].map {
          reply.json[$0]
        }
      }
      let out = try await world.client.expect(call, 200)
      world.check(
        out.json["status"] == "clocked-out" && out.json["timeEntry"] == .null
          && out.json["segment"] == .null && seconds(out) == [0, 0, 0, 0, 0]
          && out.json["display"] == "0:00:00 (0:00:00)"
          && out.json["serverTime"] == "2026-11-20T12:00:00.000Z", out.json.text)
      // Kathmandu's day began at 18:15: one of yesterday, and one of today.
      try await world.makeEntry(of: member, from: "2026-11-19T18:00:00Z", to: "2026-11-19T18:10:00Z")
      try await world.makeEntry(of: member, from: "2026-11-19T18:15:00Z", to: "2026-11-19T20:55:15Z")
      let (project, other) = (try await world.projectID(), try await world.projectID())
      let rest: JSONValue = ["breakTypeId": try await world.breakTypeID()]
      let begun = try await world.client.expect(world.start(["projectId": project], as: member), 201)
      world.service.clock.advance(seconds: 100)
      try await world.client.expect(world.start(["projectId": other], as: member), 201)
      world.service.clock.advance(seconds: 50)
      try await world.client.expect(world.start(rest, as: member), 201)
      world.service.clock.advance(seconds: 30)
      let onBreak = try await world.client.expect(call, 200)
      world.check(
        onBreak.json["status"] == "on-break" && seconds(onBreak) == [180, 30, 9_795, 30, 30],
        onBreak.json.text)
      let last = try await world.client.expect(world.start(["projectId": project], as: member), 201)
      world.service.clock.advance(seconds: 150)
      let working = try await world.client.expect(call, 200)
      world.check(
        working.json["status"] == "clocked-in" && seconds(working) == [330, 30, 9_945, 150, 250]
          && working.json["display"] == "0:05:30 (2:45:45)", working.json.text)
      world.check(working.json["timeEntry"]?["id"] == begun.json["timeEntry"]?["id"], working.json.text)
      world.check(working.json["segment"]?["id"] == last.json["segment"]?["id"], working.json.text)
      let byManager = try await world.client.expect(
        world.call("getClock", as: world.home.manager, query: [("userId", member.userID)]), 200)
      world.check(byManager.json == working.json && byManager.etag == working.etag, byManager.json.text)
    },
    Scenario("a clock's ETag changes by somebody's doing and at midnight, not with the seconds") { world in
      let member = world.home.member
      let call = world.call("getClock", as: member)
      var seen: [String] = []
      func changed(_ comment: String) async throws {
        let reply = try await world.client.expect(call, 200, comment: comment)
        let tag = reply.etag ?? ""
        world.check(!seen.contains(tag), "\(comment): the tag is an older one, \(tag)")
        seen.append(tag)
        world.service.clock.advance(seconds: 5)
        let same = try await world.client.expect(
          call.with { $0.headers.append(("If-None-Match", tag)) }, 304, comment: comment)
        world.check(same.etag == tag && same.response.body.isEmpty, "\(comment): \(same.etag ?? "none")")
        let later = try await world.client.expect(call, 200, comment: comment)
        world.check(later.etag == tag && later.json["serverTime"] != reply.json["serverTime"], comment)
      }
      try await changed("out")
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      try await changed("in")
      let begun = try await world.client.expect(
        world.start(["projectId": try await world.projectID()], as: member), 201)
      try await changed("on a project")
      try await world.client.expect(
        world.call(
          "updateSegment", as: member, path: ["segmentId": try World.text(begun.json["segment"]?["id"])],
          body: ["name": "Changed"], ifMatch: "*"), 200)
      try await changed("under another name")
      try await world.client.expect(
        world.call(
          "updateTimeEntry", as: member, path: ["timeEntryId": try World.text(entry.json["id"])],
          body: ["notes": "Changed"], ifMatch: "*"), 200)
      try await changed("with notes")
      try await world.client.expect(
        world.start(["breakTypeId": try await world.breakTypeID()], as: member), 201)
      try await changed("on a break")
      world.service.clock.advance(seconds: 7 * 3_600)
      try await changed("after midnight")
      try await world.client.expect(world.call("clockOut", as: member), 200)
      try await changed("out again")
    },
  ]
}

extension World {
  /// A start, to be sent.
  func start(_ body: JSONValue, as person: Person) -> Call {
    call("startSegment", as: person, body: body)
  }

  /// The id of a new project of the organization.
  func projectID(_ body: JSONValue = ["name": "Harvest"], in tenant: Tenant? = nil) async throws -> JSONValue
  {
    try await makeProject(body, by: (tenant ?? home).manager, in: tenant).json["id"] ?? .null
  }

  /// The id of a new kind of break.
  func breakTypeID(isPaid: Bool = false) async throws -> JSONValue {
    let body: JSONValue = ["name": "Lunch", "isPaid": .bool(isPaid)]
    return try await client.expect(call("createBreakType", as: home.admin, body: body), 201).json["id"]
      ?? .null
  }

  /// Purposes that a member's segment cannot have, and the refusals.
  ///
  /// - Parameter others: Another member's own project.
  func purposeRefusals(others: JSONValue) async throws -> [(JSONValue, Int, [String])] {
    let (project, absent) = (try await projectID(), JSONValue.string(Self.absentID))
    let archived = try await makeProject(by: home.manager)
    try await client.expect(
      call(
        "updateProject", as: home.manager, path: ["projectId": try Self.text(archived.json["id"])],
        body: ["archived": true], ifMatch: "*"), 200)
    let (rest, oldRest) = (try await breakTypeID(), try await breakTypeID())
    try await client.expect(
      call(
        "updateBreakType", as: home.admin, path: ["breakTypeId": try Self.text(oldRest)],
        body: ["archived": true], ifMatch: "*"), 200)
    return [
      ([:], 400, ["invalid_body"]),
      (["projectId": .null, "taskId": .null, "breakTypeId": .null], 400, ["invalid_body"]),
      (["projectId": project, "breakTypeId": rest], 400, ["invalid_body"]),
      (["taskId": absent, "breakTypeId": rest], 400, ["invalid_body"]),
      (["projectId": absent], 422, ["project_not_found"]),
      (["projectId": others], 422, ["project_not_found"]),
      (["projectId": archived.json["id"] ?? .null], 422, ["project_archived"]),
      (["taskId": absent], 422, ["task_not_found"]),
      (["projectId": project, "taskId": absent], 422, ["task_not_found"]),
      (["breakTypeId": absent], 422, ["break_type_not_found"]),
      (["breakTypeId": oldRest], 422, ["break_type_archived"]),
    ]
  }

  /// Names and tags that no segment has.
  static let textRefusals: [(JSONValue, String)] = [
    (["name": .string(String(repeating: "ä", count: 201))], "invalid_name"),
    (["name": "a\nb"], "invalid_name"),
    (["name": "a\u{202E}b"], "invalid_name"), (["tags": [""]], "invalid_tags"),
    (["tags": [" "]], "invalid_tags"), (["tags": ["a\nb"]], "invalid_tags"),
    (["tags": ["a\0b"]], "invalid_tags"),
    (["tags": [.string(String(repeating: "ä", count: 51))]], "invalid_tags"),
    (["tags": .array((1...11).map { .string("t\($0)") })], "invalid_tags"),
    (["tags": .array((1...11).map { _ in "same" })], "invalid_tags"),
  ]
}
