@testable import ContractDocument

extension Fixture {
  /// Sessions, their assignees, and the entries that refer to them.
  static let sessions = Fixture(
    scenarios: Scenario.sessions,
    baselines: [
      "createSession": { world, call in
        call.json = call.json.setting("assignees", to: [["id": .string(world.home.member.userID)]])
      },
      "getSession": { world, call in try await world.nameSession(in: &call) },
      "updateSession": { world, call in
        call.ifMatch = try await world.nameSession(in: &call).etag
        // With this member, an older form in addition is one too many.
        call.json = call.json.setting("assignees", to: [])
      },
      "deleteSession": { world, call in call.ifMatch = try await world.nameSession(in: &call).etag },
    ],
    foreignIDs: { world, away in
      try await world.makeSession(assignees: [away.manager], in: away)
      let session = try await world.makeSession(assignees: [away.member], in: away)
      return [
        "sessionId": try World.text(session.json["id"]), "assignedTo": away.member.userID,
        // An assignee's.
        "id": away.member.userID,
      ]
    },
    idsOfMember: { world, person in
      let session = try await world.makeSession(assignees: [person])
      return ["sessionId": try World.text(session.json["id"]), "assignedTo": person.userID]
    })
}

extension Scenario {
  fileprivate static let sessions: [Scenario] = [
    Scenario("a session is where Location says, with its assignees' present names") { world in
      let member = world.home.member
      let body: JSONValue = [
        "date": "2026-11-20", "title": "  Harvest <1> ", "startTime": "2026-11-20T14:45:00+05:45",
        "endTime": "2026-11-20T17:00:00Z", "location": " Tea garden ",
        "assignees": [["id": .string(member.userID), "name": "Somebody else"]],
      ]
      let made = try await world.client.expect(
        world.call("createSession", as: world.home.manager, body: body), 201)
      let id = try World.text(made.json["id"])
      let path = "/v1/organizations/\(world.home.organizationID)/sessions/\(id)"
      world.check(made.location == path, "Location is \(made.location ?? "none")")
      for (name, value): (String, JSONValue) in [
        ("title", "Harvest <1>"), ("location", "Tea garden"), ("date", "2026-11-20"),
        ("startTime", "2026-11-20T09:00:00.000Z"), ("endTime", "2026-11-20T17:00:00.000Z"),
        ("organizationID", .string(world.home.organizationID)),
        ("assignees", [["id": .string(member.userID), "name": "A Person"]]),
      ] { world.check(made.json[name] == value, "\(name) is \(made.json[name]?.text ?? "")") }
      let read = try await world.client.expect(world.sessionCall("getSession", made, as: member), 200)
      world.check(read.json == made.json && read.etag == made.etag, "getSession answers something else")
      let rename = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID], body: ["name": "Sita"],
        ifMatch: "*")
      try await world.client.expect(rename, 200)
      let renamed = try await world.client.expect(world.sessionCall("getSession", made, as: member), 200)
      world.check(renamed.json["assignees"]?.elements.first?["name"] == "Sita", "the name of before")
      world.check(renamed.etag == made.etag, "a name changes the session")
      let bare = try await world.client.expect(
        world.call("createSession", as: world.home.admin, body: ["date": "2026-11-21", "title": "x"]), 201)
      for name in ["startTime", "endTime", "location"] {
        world.check(bare.json[name] == .null, "\(name) is there")
      }
      world.check(bare.json["assignees"] == [], "somebody is assigned")
    },
    Scenario("assignees come in the older forms too, and in one form at a time") { world in
      let person: JSONValue = ["id": .string(world.home.member.userID), "name": "Old"]
      let expected: JSONValue = [["id": .string(world.home.member.userID), "name": "A Person"]]
      let forms: [(String, JSONValue)] = [
        ("assignees", [person]), ("photographers", [person]), ("photographer", person),
      ]
      let create = world.call("createSession", as: world.home.manager)
      let other = try await world.makeSession(assignees: [])
      for (name, value) in forms {
        let body = World.bareSession.setting(name, to: value)
        let made = try await world.client.expect(create.with { $0.json = body }, 201, comment: name)
        world.check(made.json["assignees"] == expected, "\(name): \(made.json.text)")
        let emptied = try await world.client.expect(world.update(other, ["assignees": []], "*"), 200)
        world.check(emptied.json["assignees"] == [], "not emptied")
        let changed = try await world.client.expect(
          world.update(other, JSONValue.object([]).setting(name, to: value), "*"), 200, comment: name)
        world.check(changed.json["assignees"] == expected, "\(name): \(changed.json.text)")
        for (second, value) in forms where second != name {
          let both = body.setting(second, to: value)
          try await world.refuses(
            create.with { $0.json = both }, 400, ["invalid_body"], "\(name) and \(second)")
          try await world.refuses(world.update(other, both, "*"), 400, ["invalid_body"], "\(name), \(second)")
          try await world.client.expect(
            create.with { $0.json = body.setting(second, to: .null) }, 201, comment: "\(second) null")
        }
      }
    },
    Scenario("an assignee is an active member, once, and an object with an id") { world in
      let away = try await world.makeTenant("away")
      let member = world.home.member
      let gone = try await world.makePerson("gone@home.example")
      let stays = try await world.makeSession(assignees: [gone])
      let deactivate = world.call(
        "deactivateMember", as: world.home.admin, path: ["userId": gone.userID], ifMatch: "*")
      try await world.client.expect(deactivate, 204)
      let session = try await world.makeSession(assignees: [])
      let one: JSONValue = ["id": .string(member.userID)]
      let refused: [(JSONValue, Int, String)] = [
        ([["id": .string(World.absentID)]], 404, "member_not_found"),
        ([one, ["id": .string(away.member.userID)]], 404, "member_not_found"),
        ([["id": .string(gone.userID)]], 409, "member_deactivated"),
        ([one, one], 400, "invalid_body"), ([["id": "x"]], 400, "invalid_body"),
        ([[:]], 400, "invalid_body"), ([.string(member.userID)], 400, "invalid_body"),
        ([one.setting("role", to: "x")], 400, "invalid_body"),
        ([one.setting("name", to: 7)], 400, "invalid_body"),
        (
          .array((0..<101).map { .object([.init("id", .string(World.numberedID($0)))]) }), 400, "invalid_body"
        ),
        (
          .array((0..<100).map { .object([.init("id", .string(World.numberedID($0)))]) }), 404,
          "member_not_found"
        ),
      ]
      for (assignees, status, code) in refused {
        let body: JSONValue = ["date": "2026-11-20", "title": "x", "assignees": assignees]
        try await world.refuses(
          world.call("createSession", as: world.home.manager, body: body), status, [code], assignees.text)
        try await world.refuses(
          world.update(session, ["assignees": assignees]), status, [code], assignees.text)
      }
      let body: JSONValue = ["assignees": [["id": .string(gone.userID)], one]]
      let kept = try await world.client.expect(world.update(stays, body), 200)
      world.check(kept.json["assignees"]?.elements.count == 2, "who was assigned may not stay")
    },
    Scenario("titles, locations and times keep their rules, in a change as in a new one") { world in
      let session = try await world.makeSession(assignees: [])
      let start: JSONValue = ["startTime": "2026-11-20T09:00:00Z"]
      let long = String(repeating: "ä", count: 201)
      let refused: [(JSONValue, String)] = [
        (["title": " \n "], "invalid_title"), (["title": .string(long)], "invalid_title"),
        (["title": "a\nb"], "invalid_title"), (["title": "a\u{202E}"], "invalid_title"),
        (["location": .string(long)], "invalid_location"), (["location": "a\tb"], "invalid_location"),
        (["location": "a\0"], "invalid_location"),
        (start.setting("endTime", to: "2026-11-20T09:00:00Z"), "end_not_after_start"),
        (start.setting("endTime", to: "2026-11-20T08:59:59.999Z"), "end_not_after_start"),
      ]
      for (body, code) in refused {
        let whole = body.members.reduce(World.bareSession) { $0.setting($1.name, to: $1.value) }
        try await world.refuses(
          world.call("createSession", as: world.home.manager, body: whole), 422, [code], body.text)
        try await world.refuses(world.update(session, body), 422, [code], body.text)
      }
      let timed = try await world.client.expect(
        world.update(session, ["endTime": "2026-11-20T09:00:00.001Z"]), 200)
      let both = try await world.client.expect(world.update(timed, start), 200)
      try await world.refuses(
        world.update(both, ["endTime": "2026-11-20T09:00:00Z"]), 422, ["end_not_after_start"], "the end alone"
      )
      let open = try await world.client.expect(world.update(both, ["startTime": .null]), 200)
      world.check(open.json["startTime"] == .null && open.json["endTime"] != .null, "\(open.json.text)")
    },
    Scenario("a change leaves what it does not state, null takes away, and nothing keeps the ETag") { world in
      let body: JSONValue = [
        "date": "2026-11-20", "title": "x", "location": "here", "startTime": "2026-11-20T09:00:00Z",
        "endTime": "2026-11-20T10:00:00Z", "assignees": [["id": .string(world.home.member.userID)]],
      ]
      let made = try await world.client.expect(
        world.call("createSession", as: world.home.manager, body: body), 201)
      for same in [[:], body, ["title": .null, "date": .null, "assignees": .null]] as [JSONValue] {
        let reply = try await world.client.expect(world.update(made, same), 200)
        world.check(reply.json == made.json && reply.etag == made.etag, "\(same.text) changes something")
      }
      world.service.clock.advance(seconds: 60)
      let moved = try await world.client.expect(world.update(made, ["date": "2026-11-22"]), 200)
      world.check(
        moved.json.removing("updatedAt")
          == made.json.setting("date", to: "2026-11-22").setting("version", to: 2).removing("updatedAt"),
        moved.json.text)
      world.check(moved.etag != made.etag, "the same ETag")
      let cleared = try await world.client.expect(
        world.update(moved, ["startTime": .null, "endTime": .null, "location": .null, "assignees": []]), 200)
      for name in ["startTime", "endTime", "location"] {
        world.check(cleared.json[name] == .null, "\(name) stays")
      }
      world.check(cleared.json["assignees"] == [], "the assignees stay")
    },
    Scenario("changing and deleting need the ETag, and an old one answers the present state") { world in
      let made = try await world.makeSession(assignees: [world.home.member])
      let changed = try await world.client.expect(world.update(made, ["title": "second"]), 200)
      for call in [world.update(made, ["title": "third"]), world.delete(made)] {
        try await world.client.expect(call.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        let stale = try await world.client.expect(call, 412, code: "precondition_failed")
        world.check(
          stale.json["current"] == changed.json && stale.etag == changed.etag, "another present state")
      }
      try await world.client.expect(world.delete(changed), 204)
      for call in [
        world.delete(changed), world.update(changed, [:]),
        world.sessionCall("getSession", made, as: world.home.manager),
      ] {
        try await world.client.expect(call, 404, code: "session_not_found")
      }
    },
    Scenario("members see the sessions they are assigned to, managers all") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let own = try await world.makeSession(assignees: [member, manager])
      let other = try await world.makeSession(assignees: [manager])
      try await world.client.expect(world.sessionCall("getSession", own, as: member), 200)
      try await world.client.expect(
        world.sessionCall("getSession", other, as: member), 403, code: "forbidden")
      let lists: [(Person, String?, [ContractClient.Reply])] = [
        (member, nil, [own]), (member, "me", [own]), (member, member.userID, [own]),
        (manager, nil, [own, other]), (manager, "me", [own, other]), (manager, member.userID, [own]),
        (world.home.admin, "me", []), (world.home.admin, manager.userID, [own, other]),
      ]
      for (person, assignedTo, expected) in lists {
        let query = assignedTo.map { [(name: "assignedTo", value: $0)] } ?? []
        try await world.expectSessions(expected, as: person, query)
      }
      try await world.client.expect(
        world.call("listSessions", as: member, query: [("assignedTo", manager.userID)]), 403,
        code: "forbidden")
    },
    Scenario("sessions are listed by date, oldest first, page by page, each once") { world in
      var made: [String: ContractClient.Reply] = [:]
      for day in ["22", "19", "20", "21", "18"] {
        made[day] = try await world.makeSession(date: "2026-11-\(day)", assignees: [world.home.member])
      }
      let twin = try await world.makeSession(date: "2026-11-20", assignees: [world.home.member])
      let order = [made["18"], made["19"], made["20"], twin, made["21"], made["22"]].compactMap { $0 }
      for person in [world.home.member, world.home.manager] {
        for limit in [1, 2, 6, 1_000] {
          let listed = try await world.pages("listSessions", "sessions", as: person, limit: limit)
          world.check(listed == order.map(\.json), "limit \(limit): another order")
        }
        for (query, count, first) in [
          (["date": "2026-11-20"], 2, 2), (["startDate": "2026-11-20", "endDate": "2026-11-21"], 3, 2),
          (["startDate": "2026-11-21"], 2, 4), (["endDate": "2026-11-18"], 1, 0),
          (["startDate": "1900-01-01", "endDate": "9999-12-31"], 6, 0), (["date": "2026-11-23"], 0, 0),
          (["date": "today"], 2, 2),
        ] as [([String: String], Int, Int)] {
          try await world.expectSessions(
            Array(order[first..<first + count]), as: person, query.map { (name: $0, value: $1) })
        }
      }
      let list = world.call("listSessions", as: world.home.member)
      let backwards = [(name: "startDate", value: "2026-11-21"), (name: "endDate", value: "2026-11-20")]
      try await world.client.expect(list.with { $0.query = backwards }, 422, code: "invalid_date_range")
      for other in ["startDate", "endDate"] {
        let both = [(name: "date", value: "2026-11-20"), (name: other, value: "2026-11-20")]
        try await world.client.expect(
          list.with { $0.query = both }, 400, code: "invalid_parameter", comment: other)
      }
      let page = try await world.client.expect(list.with { $0.query = [("limit", "1")] }, 200)
      let cursor = (name: "cursor", value: try World.text(page.json["nextCursor"]))
      try await world.client.expect(
        list.with { $0.query = [("endDate", "2026-11-30"), cursor] }, 400, code: "invalid_parameter")
    },
    Scenario("an entry names a session of the organization that its member is assigned to") { world in
      let away = try await world.makeTenant("away")
      let theirs = try World.text(try await world.makeSession(assignees: [away.member], in: away).json["id"])
      let member = world.home.member
      let own = try World.text(try await world.makeSession(assignees: [member]).json["id"])
      let other = try World.text(try await world.makeSession(assignees: []).json["id"])
      let entry = try await world.client.expect(
        world.call("createTimeEntry", as: member, body: World.hours(7)), 201)
      let path = ["timeEntryId": try World.text(entry.json["id"])]
      let calls = [
        world.call("clockIn", as: member, body: [:]),
        world.call("createTimeEntry", as: member, body: World.hours(9)),
        world.call("updateTimeEntry", as: member, path: path, body: [:], ifMatch: entry.etag),
      ]
      for call in calls {
        for (id, status, code) in [
          (World.absentID, 422, "session_not_found"), (theirs, 422, "session_not_found"),
          (other, 403, "session_not_assigned"),
        ] {
          let refused = call.with { $0.json = call.json.setting("sessionId", to: .string(id)) }
          try await world.refuses(refused, status, [code], "\(call.operationID) \(code)")
        }
        let allowed = call.with { $0.json = call.json.setting("sessionId", to: .string(own)) }
        let made = try await world.client.expect(allowed, call.operationID == "updateTimeEntry" ? 200 : 201)
        world.check(made.json["sessionId"]?.string == own, "another session")
      }
      let listed = try await world.client.expect(
        world.call("listTimeEntries", as: member, query: [("sessionId", own)]), 200)
      world.check(listed.json["timeEntries"]?.elements.count == 3, "the list of the session")
      let byManager = World.hours(11).setting("sessionId", to: .string(other))
        .setting("userId", to: .string(member.userID))
      try await world.client.expect(
        world.call("createTimeEntry", as: world.home.manager, body: byManager), 201)
      try await world.expectSessionEntries(other, 1)
    },
    Scenario("unassigning somebody leaves their entries as they are") { world in
      let session = try await world.makeSession(assignees: [world.home.member])
      let id = try World.text(session.json["id"])
      let body = World.hours(9).setting("sessionId", to: .string(id))
      let entry = try await world.client.expect(
        world.call("createTimeEntry", as: world.home.member, body: body), 201)
      try await world.client.expect(world.update(session, ["assignees": []]), 200)
      let read = world.call(
        "getTimeEntry", as: world.home.member, path: ["timeEntryId": try World.text(entry.json["id"])])
      let after = try await world.client.expect(read, 200)
      world.check(after.json == entry.json && after.etag == entry.etag, "the entry has changed")
      let noted = world.call(
        "updateTimeEntry", as: world.home.member, path: ["timeEntryId": try World.text(entry.json["id"])],
        body: ["notes": "mine", "sessionId": .string(id)], ifMatch: entry.etag)
      try await world.client.expect(noted, 200)
    },
    Scenario("a session in use is deleted only with its entries set free, all in one") { world in
      let member = world.home.member
      let session = try await world.makeSession(assignees: [member])
      let id = try World.text(session.json["id"])
      var entries: [ContractClient.Reply] = []
      for hour in [7, 9] {
        let body = World.hours(hour).setting("sessionId", to: .string(id))
        entries.append(
          try await world.client.expect(world.call("createTimeEntry", as: member, body: body), 201))
      }
      entries.append(
        try await world.client.expect(
          world.call("clockIn", as: member, body: ["sessionId": .string(id)]), 201))
      for query in [[], [(name: "detach", value: "false")]] {
        let refused = try await world.client.expect(
          world.delete(session).with { $0.query = query }, 409, code: "session_in_use")
        world.check(refused.json["count"] == 3, "count is \(refused.json["count"]?.text ?? "")")
      }
      let feed = world.call("listChanges", as: world.home.manager)
      let after = try await world.client.expect(feed, 200).json["nextAfter"]?.integer ?? 0
      world.service.clock.advance(seconds: 60)
      try await world.client.expect(world.delete(session).with { $0.query = [("detach", "true")] }, 204)
      let news = try await world.client.expect(feed.with { $0.query = [("after", String(after))] }, 200)
      let changes = news.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["resource"]?.string } == ["timeEntry", "timeEntry", "timeEntry", "session"],
        news.json.text)
      world.check(changes.allSatisfy { $0["operation"] == "deleteSession" }, "another operation")
      for (entry, change) in zip(entries, changes) {
        let path = ["timeEntryId": try World.text(entry.json["id"])]
        let free = try await world.client.expect(world.call("getTimeEntry", as: member, path: path), 200)
        world.check(free.json["sessionId"] == .null && free.etag != entry.etag, "\(free.json.text)")
        world.check(change["data"] == free.json && change["kind"] == "updated", "\(change.text)")
      }
      world.check(changes.last?["kind"] == "deleted" && changes.last?["data"] == .null, "the session")
    },
    Scenario("the log of changes has sessions, with assignees by their ids") { world in
      let member = world.home.member
      let made = try await world.makeSession(assignees: [member])
      let changed = try await world.client.expect(
        world.update(made, ["title": "Later", "assignees": []]), 200)
      try await world.client.expect(world.delete(changed), 204)
      let id = try World.text(made.json["id"])
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: world.home.admin, query: [("resource", "session"), ("resourceId", id)]),
        200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["deleteSession", "updateSession", "createSession"],
        audit.json.text)
      guard changes.count == 3 else { return }
      let logged = made.json.setting("assignees", to: [["id": .string(member.userID)]])
      world.check(changes[2]["before"] == .null && changes[2]["after"] == logged, changes[2].text)
      world.check(changes[1]["before"] == logged && changes[1]["after"] == changed.json, changes[1].text)
      world.check(changes[0]["before"] == changed.json && changes[0]["after"] == .null, changes[0].text)
    },
  ]
}

extension World {
  /// Makes a session on 2026-11-20, with these members assigned to it.
  @discardableResult
  func makeSession(
    date: String = "2026-11-20", assignees: [Person], in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    let body: JSONValue = [
      "date": .string(date), "title": "Tasting",
      "assignees": .array(assignees.map { ["id": .string($0.userID)] }),
    ]
    return try await client.expect(
      call("createSession", as: tenant.manager, in: tenant, body: body), 201)
  }

  /// Makes a session that the call is about.
  @discardableResult
  fileprivate func nameSession(in call: inout Call) async throws -> ContractClient.Reply {
    let created = try await makeSession(assignees: [home.member])
    call.path["sessionId"] = try Self.text(created.json["id"])
    return created
  }

  /// A call about the session of an answer.
  fileprivate func sessionCall(
    _ operationID: String, _ session: ContractClient.Reply, as person: Person
  ) -> Call {
    call(operationID, as: person, path: ["sessionId": session.json["id"]?.string ?? ""])
  }

  /// A change of the session as it was answered, by a manager.
  fileprivate func update(
    _ session: ContractClient.Reply, _ body: JSONValue, _ ifMatch: String? = nil
  ) -> Call {
    sessionCall("updateSession", session, as: home.manager).with {
      $0.json = body
      $0.ifMatch = ifMatch ?? session.etag
    }
  }

  fileprivate func delete(_ session: ContractClient.Reply) -> Call {
    sessionCall("deleteSession", session, as: home.manager).with { $0.ifMatch = session.etag }
  }

  /// Adds a finding unless the list shows exactly these sessions, in this order.
  fileprivate func expectSessions(
    _ sessions: [ContractClient.Reply], as person: Person, _ query: [(name: String, value: String)]
  ) async throws {
    let reply = try await client.expect(call("listSessions", as: person, query: query), 200)
    check(reply.json["sessions"]?.elements == sessions.map(\.json), "\(query): \(reply.json.text)")
  }

  fileprivate func expectSessionEntries(_ id: String, _ count: Int) async throws {
    let reply = try await client.expect(
      call("listTimeEntries", as: home.manager, query: [("sessionId", id)]), 200)
    check(reply.json["timeEntries"]?.elements.count == count, "\(reply.json.text)")
  }

  /// The required members of a new session.
  fileprivate static let bareSession: JSONValue = ["date": "2026-11-20", "title": "x"]

  /// An hour of 2026-11-19.
  fileprivate static func hours(_ hour: Int) -> JSONValue {
    let begin = hour < 10 ? "0\(hour)" : "\(hour)"
    return [
      "clockInTime": .string("2026-11-19T\(begin):00:00Z"),
      "clockOutTime": .string("2026-11-19T\(begin):59:00Z"),
    ]
  }

  /// A well-formed id that nothing has, one for each number below 1,000.
  fileprivate static func numberedID(_ number: Int) -> String {
    String(absentID.dropLast(3)) + String(String(1_000 + number).dropFirst())
  }
}
