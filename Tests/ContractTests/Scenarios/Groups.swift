@testable import ContractDocument

extension Fixture {
  /// Groups of members.
  static let groups = Fixture(
    scenarios: Scenario.groups,
    baselines: [
      "getGroup": { world, call in try await world.prepareGroup(&call) },
      "updateGroup": { world, call in try await world.prepareGroup(&call) },
      "deleteGroup": { world, call in try await world.prepareGroup(&call) },
    ],
    foreignIDs: { world, away in
      var ids = ["managerIds", "memberIds", "representativeIds"].reduce(into: [:]) {
        $0[$1] = away.member.userID
      }
      for _ in 0..<2 { ids["groupId"] = try World.text(try await world.makeGroup(in: away).json["id"]) }
      return ids
    },
    idsOfMember: { world, person in ["groupId": try await world.makeGroup("Others", of: [person])] })
}

extension Scenario {
  fileprivate static let groups: [Scenario] = [
    Scenario("a group is where Location says, for managers, with its people in the order of their ids") {
      world in
      let made = try await world.makeGroup()
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/groups/\(id)",
        "Location is \(made.location ?? "none")")
      let ids = [world.home.member, world.home.manager, world.home.admin].map(\.userID)
      for name in ["managerIds", "memberIds", "representativeIds"] {
        let expected = name == "memberIds" ? ids.sorted().map { JSONValue.string($0) } : []
        world.check(made.json[name]?.elements == (name == "managerIds" ? [.string(ids[1])] : expected), name)
      }
      for person in [world.home.manager, world.home.admin] {
        let read = try await world.client.expect(
          world.call("getGroup", as: person, path: ["groupId": id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, read.json.text)
        let list = try await world.client.expect(world.call("listGroups", as: person), 200)
        world.check(list.json["groups"]?.elements == [made.json], list.json.text)
      }
      for call in [
        world.call("getGroup", as: world.home.member, path: ["groupId": id]),
        world.call("listGroups", as: world.home.member),
      ] { try await world.client.expect(call, 403, code: "forbidden") }
    },
    Scenario("a list of a group's people takes the place of the one there, and the others stay") { world in
      let made = try await world.makeGroup()
      let (member, manager) = (
        JSONValue.string(world.home.member.userID), JSONValue.string(world.home.manager.userID)
      )
      let changed = try await world.client.expect(
        world.update(made, ["memberIds": .array([member]), "representativeIds": .array([member, manager])]),
        200)
      world.check(changed.json["managerIds"]?.elements == [manager], changed.json.text)
      world.check(changed.json["memberIds"]?.elements == [member], changed.json.text)
      world.check(
        Set(changed.json["representativeIds"]?.elements.map(\.text) ?? [])
          == Set([member, manager].map(\.text)), changed.json.text)
      let same = try await world.client.expect(world.update(changed, ["memberIds": .array([member])]), 200)
      world.check(same.etag == changed.etag, "the same people are a change")
      let stale = try await world.client.expect(
        world.update(made, ["name": "Late"]), 412, code: "precondition_failed")
      world.check(stale.json["current"] == changed.json, "another present state")
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [(name: "resource", value: "group")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(changes.map { $0["operation"]?.string } == ["updateGroup", "createGroup"], audit.json.text)
      world.check(
        changes.first?["before"] == made.json && changes.first?["after"] == changed.json, audit.json.text)
      let feed = try await world.client.expect(world.call("listChanges", as: world.home.member), 200)
      world.check(
        feed.json["changes"]?.elements.allSatisfy { $0["resource"] != "group" } == true,
        "a member sees groups")
    },
    Scenario("a group takes members alone, each once in a list, and a name") { world in
      let member = JSONValue.string(world.home.member.userID)
      let made = try await world.makeGroup()
      let stranger = JSONValue.string(try await world.makeTenant("away").member.userID)
      for name in ["managerIds", "memberIds", "representativeIds"] {
        for (ids, status, code) in [
          ([member, stranger], 404, "member_not_found"), ([.string(World.absentID)], 404, "member_not_found"),
          ([member, member], 400, "invalid_body"), (["x"], 400, "invalid_body"),
        ] as [([JSONValue], Int, String)] {
          let body = JSONValue.object([
            JSONValue.Member("name", "Crew"), JSONValue.Member(name, .array(ids)),
          ])
          try await world.refuses(
            world.call("createGroup", as: world.home.admin, body: body), status, [code], "\(name) \(code)")
          try await world.refuses(world.update(made, body), status, [code], "\(name) \(code)")
        }
      }
      try await world.refuses(
        world.call("createGroup", as: world.home.admin, body: ["name": " "]), 422, ["invalid_name"],
        "a blank name")
      let list = try await world.client.expect(world.call("listGroups", as: world.home.admin), 200)
      world.check(list.json["groups"]?.elements == [made.json], "something was kept")
    },
    Scenario("a member who is deactivated stays in a group") { world in
      let made = try await world.makeGroup()
      let member = world.home.member.userID
      let seen = try await world.client.expect(
        world.call("getMember", as: world.home.admin, path: ["userId": member]), 200)
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": member], ifMatch: seen.etag),
        204)
      let path = ["groupId": try World.text(made.json["id"])]
      let read = try await world.client.expect(world.call("getGroup", as: world.home.admin, path: path), 200)
      world.check(read.json == made.json, read.json.text)
    },
    Scenario("personal data has the groups of which the person is a part, and the parts") { world in
      let made = try await world.makeGroup()
      try await world.client.expect(
        world.call("createGroup", as: world.home.admin, body: ["name": "Of others"]), 201)
      let (manager, id) = (world.home.manager, try World.text(made.json["id"]))
      let data = try await world.client.expect(
        world.call("exportPersonalData", as: manager, path: ["userId": manager.userID]), 200)
      let expected: JSONValue = ["id": .string(id), "name": "Harvest", "parts": ["manager", "member"]]
      world.check(data.json["groups"]?.elements == [expected], data.json["groups"]?.text ?? "none")
    },
    Scenario("a group is deleted in the version that is meant, and is gone") { world in
      let made = try await world.makeGroup()
      let path = ["groupId": try World.text(made.json["id"])]
      let call = world.call("deleteGroup", as: world.home.admin, path: path, ifMatch: made.etag)
      try await world.client.expect(call.with { $0.ifMatch = nil }, 428, code: "precondition_required")
      try await world.client.expect(call, 204)
      try await world.client.expect(call, 404, code: "group_not_found")
    },
    Scenario("lists and reports are of a group's members as they are of each, for managers") { world in
      try await world.giveWork(to: [world.home.member, world.home.manager])
      let (member, manager) = (world.home.member, world.home.manager)
      let group = try await world.makeGroup(of: [member])
      let others = try await world.makeGroup(of: [manager, world.home.admin])
      let empty = try await world.makeGroup(of: [])
      func text(_ reply: ContractClient.Reply) -> String {
        String(decoding: reply.response.body, as: UTF8.self)
      }
      let operations = world.client.document.operations.filter(\.listsGroup)
      world.check(operations.count == 21, "\(operations.map(\.id))")
      for operation in operations {
        var call = try await world.baseline(operation)
        call.token = manager.token
        call.query.removeAll { $0.name == "userId" }
        let asked = call
        func read(_ query: [(name: String, value: String)]) async throws -> ContractClient.Reply {
          try await world.client.expect(asked.with { $0.query += query }, 200)
        }
        let of = { (id: String) in [(name: "groupId", value: id)] }
        let everybodys = try await read([])
        let groups = try await read(of(group))
        if operation.id != "listReminders" {
          world.check(groups.response.body != everybodys.response.body, "\(operation.id) leaves nobody out")
        }
        let names = [member, manager].map { text(groups).contains($0.userID) }
        // Some name nobody, and approvals the approver too.
        if !["getHistory", "exportSegments", "listReminders", "listApprovals", "listChanges"].contains(
          operation.id)
        {
          world.check(names == [true, false], "\(operation.id): \(names)")
        }
        let nobodys = try await read(of(empty))
        world.check(
          !text(nobodys).contains(member.userID) && !text(nobodys).contains(manager.userID),
          "\(operation.id) finds somebody in an empty group")
        if operation.queryParameters.contains(where: { $0.name == "userId" }) {
          let one = [(name: "userId", value: member.userID)]
          let members = try await read(one)
          world.check(groups.response.body == members.response.body, "\(operation.id): another answer")
          let both = try await read(one + of(group))
          world.check(both.response.body == members.response.body, "\(operation.id): another answer for both")
          try await world.refuses(
            asked.with { $0.query += one + of(others) }, 404, ["member_not_found"], operation.id)
        }
        try await world.refuses(
          asked.with { $0.query += of(World.absentID) }, 404, ["group_not_found"], operation.id)
        try await world.refuses(
          asked.with {
            $0.token = member.token
            $0.query += of(group)
          }, 403, ["forbidden"], operation.id)
      }
    },
    Scenario("a stream about a group has the changes that the list has, and says nothing of others") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.giveWork(to: [member, manager])
      let group = try await world.makeGroup(of: [member])
      let list = try await world.client.expect(
        world.call("listChanges", as: manager, query: [("groupId", group)]), 200)
      let of = [(name: "after", value: "0"), ("seconds", "0"), ("groupId", group)]
      let changes = try await world.events(as: manager, of).filter { $0.name == "change" }
      world.check(changes.count > 5, "\(changes)")
      world.check(changes.compactMap(\.data) == list.json["changes"]?.elements, "\(changes)")
      let all = try await world.client.expect(world.call("listChanges", as: manager), 200)
      let foreign = Set(all.json["changes"]?.elements ?? []).subtracting(list.json["changes"]?.elements ?? [])
      world.check(foreign.contains { $0["resource"] == "project" }, "\(foreign)")
      world.check(foreign.contains { $0.text.contains(manager.userID) }, "\(foreign)")
      world.check(
        !foreign.contains { $0.text.contains(member.userID) && $0["resource"] != "group" }, "\(foreign)")
      let call = world.call("streamEvents", as: manager, query: [("seconds", "0")])
      try await world.client.expect(
        call.with { $0.query.append(("groupId", World.absentID)) }, 404, code: "group_not_found")
      try await world.client.expect(
        call.with { $0.query += [("groupId", group), ("userId", member.userID)] }, 400,
        code: "invalid_parameter")
      try await world.client.expect(
        call.with {
          $0.token = member.token
          $0.query.append(("groupId", group))
        }, 403, code: "forbidden")
    },
    Scenario("a report by groups has each member in the first by name, and others in the row of null") {
      world in
      let people = [world.home.member, world.home.manager, world.home.admin]
      for person in people { try await world.makeEntry(of: person) }
      _ = try await world.makeGroup("Zebras", of: [people[0], people[1]])
      let first = try await world.makeGroup("Ants", of: [people[0]])
      _ = try await world.makeGroup("Bees", of: [])
      let query = [("startDate", "2026-11-19"), ("endDate", "2026-11-19"), ("groupBy", "group")].map {
        (name: $0, value: $1)
      }
      let report = try await world.client.expect(
        world.call("reportHours", as: world.home.manager, query: query), 200
      ).json
      let rows = report["rows"]?.elements ?? []
      world.check(rows.map { $0["groupName"] } == ["Ants", "Zebras", .null], report.text)
      world.check(rows.first?["groupId"] == .string(first) && rows.last?["groupId"] == .null, report.text)
      world.check(rows.allSatisfy { $0["seconds"] == 7_200 }, report.text)
      world.check(report["totals"]?["seconds"] == 21_600, report.text)
      let own = try await world.client.expect(
        world.call("reportHours", as: world.home.member, query: query), 200)
      world.check(own.json["rows"]?.elements.map { $0["groupName"] } == [.null], own.json.text)
    },
    Scenario("with own groups, what a manager sees is as if nobody else were there") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let other = try await world.makePerson("other@home.example")
      try await world.giveWork(to: [member, manager, other])
      _ = try await world.makeGroup("Others", of: [other])
      try await world.showOwnGroups(of: [member])
      let seen = try await world.client.expect(world.call("listGroups", as: manager), 200)
      let groups = seen.json["groups"]?.elements ?? []
      world.check(groups.map { $0["name"] } == ["Own"], seen.json.text)
      let own = try World.text(groups.first?["id"])
      for operation in world.client.document.operations where operation.listsGroup {
        var call = try await world.baseline(operation)
        call.token = manager.token
        call.query.removeAll { $0.name == "userId" }
        let asked = call
        func read(_ query: [(name: String, value: String)]) async throws -> String {
          let reply = try await world.client.expect(asked.with { $0.query += query }, 200)
          return String(decoding: reply.response.body, as: UTF8.self)
        }
        let everybodys = try await read([])
        world.check(!everybodys.contains(other.userID), "\(operation.id) shows another group's member")
        world.check(!everybodys.contains(other.email), "\(operation.id) shows another group's address")
        let isByMember = try await read([("groupId", own)]).contains(member.userID)
        world.check(
          everybodys.contains(member.userID) == isByMember, "\(operation.id) leaves the own member out")
      }
      let hours = world.call(
        "reportHours", as: manager,
        query: [("startDate", "2026-11-19"), ("endDate", "2026-11-19"), ("groupBy", "group")])
      let report = try await world.client.expect(hours, 200).json
      world.check(report["totals"]?["seconds"] == 14_400, report.text)
      world.check(report["rows"]?.elements.map { $0["groupName"] } == ["Own", .null], report.text)
      let all = try await world.client.expect(hours.with { $0.token = world.home.admin.token }, 200).json
      world.check(all["totals"]?["seconds"] == 21_600, all.text)
      world.check(all["rows"]?.elements.map { $0["groupName"] } == ["Others", "Own", .null], all.text)
    },
    Scenario("a manager of no group sees themselves, and one of several the members of all") { world in
      let manager = world.home.manager
      let other = try await world.makePerson("other@home.example")
      try await world.giveWork(to: [world.home.member, manager, other])
      let policy: JSONValue = ["policy": ["managersSee": "ownGroups"]]
      try await world.client.expect(
        world.call("updateOrganization", as: world.home.admin, body: policy, ifMatch: "*"), 200)
      func members() async throws -> Set<String> {
        let list = try await world.client.expect(world.call("listTimeEntries", as: manager), 200)
        return Set(list.json["timeEntries"]?.elements.compactMap { $0["userId"]?.string } ?? [])
      }
      world.check(try await members() == [manager.userID], "of no group")
      try await world.showOwnGroups(of: [world.home.member])
      world.check(try await members() == [manager.userID, world.home.member.userID], "of one group")
      try await world.showOwnGroups(of: [world.home.member, other])
      world.check(
        try await members() == [manager.userID, world.home.member.userID, other.userID], "of two groups")
    },
    Scenario("a manager of own groups plans their own members, and leaves others' assignments") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let other = try await world.makePerson("other@home.example")
      try await world.showOwnGroups(of: [member])
      let both: JSONValue = [["id": .string(member.userID)], ["id": .string(other.userID)]]
      let body: JSONValue = ["date": "2026-11-24", "title": "Harvest", "assignees": both]
      let made = try await world.client.expect(
        world.call("createSession", as: world.home.admin, body: body), 201)
      let path = ["sessionId": try World.text(made.json["id"])]
      func assignees(_ session: JSONValue) -> [String] {
        session["assignees"]?.elements.compactMap { $0["id"]?.string } ?? []
      }
      let read = try await world.client.expect(world.call("getSession", as: manager, path: path), 200)
      world.check(assignees(read.json) == [member.userID], read.json.text)
      let update = world.call(
        "updateSession", as: manager, path: path, body: ["assignees": [["id": .string(manager.userID)]]],
        ifMatch: read.etag)
      let changed = try await world.client.expect(update, 200)
      world.check(assignees(changed.json) == [manager.userID], changed.json.text)
      let stale = try await world.client.expect(update, 412, code: "precondition_failed")
      world.check(assignees(stale.json["current"] ?? .null) == [manager.userID], stale.json.text)
      let whole = try await world.client.expect(
        world.call("getSession", as: world.home.admin, path: path), 200)
      world.check(Set(assignees(whole.json)) == [manager.userID, other.userID], whole.json.text)
      for call in [
        update.with {
          $0.ifMatch = "*"
          $0.json = ["assignees": both]
        }, world.call("createSession", as: manager, body: body),
      ] { try await world.client.expect(call, 404, code: "member_not_found") }
      let feed = try await world.client.expect(world.call("listChanges", as: manager), 200)
      world.check(!feed.json.text.contains(other.userID), feed.json.text)
      world.check(
        feed.json["changes"]?.elements.contains { $0["resource"] == "session" } == true, feed.json.text)
    },
    Scenario("an organization has at most 200 groups") { world in
      for _ in 0..<200 { try await world.makeGroup() }
      let more = world.call("createGroup", as: world.home.admin, body: ["name": "One more"])
      try await world.refuses(more, 409, ["too_many_groups"], "one more")
      try await world.makeGroup(in: try await world.makeTenant("away"))
    },
  ]
}

extension World {
  /// Makes a group of everybody, which the manager manages.
  @discardableResult
  func makeGroup(in tenant: Tenant? = nil) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    let ids = [tenant.member, tenant.manager, tenant.admin].map { JSONValue.string($0.userID) }
    let body: JSONValue = [
      "name": "Harvest", "managerIds": .array([ids[1]]), "memberIds": .array(ids),
    ]
    return try await client.expect(call("createGroup", as: tenant.admin, in: tenant, body: body), 201)
  }

  /// Makes a group of some members, and gives its id.
  fileprivate func makeGroup(_ name: String = "Crew", of members: [Person]) async throws -> String {
    let body: JSONValue = ["name": .string(name), "memberIds": .array(members.map { .string($0.userID) })]
    return try World.text(
      try await client.expect(call("createGroup", as: home.admin, body: body), 201).json["id"])
  }

  /// Gives each something in every list and report; they stay clocked in.
  fileprivate func giveWork(to people: [Person]) async throws {
    let project = try await client.expect(
      call("createProject", as: home.admin, body: ["name": "Orchard"]), 201
    ).json["id"]
    for person in people {
      try await makeEntry(of: person)
      for (operation, body) in [
        ("createWorkSchedule", ["from": "2026-01-01", "weeklySeconds": 1, "workDays": ["monday"]]),
        ("createEntitlement", ["year": 2026, "days": 1]),
        (
          "requestAbsence",
          ["kind": "sick", "startDate": "2026-11-02", "endDate": "2026-11-02", "portion": "day"]
        ),
        (
          "requestCorrection",
          [
            "proposal": ["clockInTime": "2026-11-02T08:00:00Z", "clockOutTime": "2026-11-02T09:00:00Z"],
            "reason": "No phone",
          ]
        ),
        (
          "createAdjustment", ["date": "2026-11-02", "seconds": 60, "kind": "opening", "reason": "Old clock"]
        ),
      ] as [(String, JSONValue)] {
        let body = body.setting("userId", to: .string(person.userID))
        try await client.expect(call(operation, as: home.admin, body: body), 201)
      }
      try await client.expect(
        call("startSegment", as: person, body: ["projectId": project ?? .null]), 201)
      try await approve("2025-12-31", of: [person])
      _ = try await makeSession(assignees: [person])
    }
    service.clock.advance(seconds: 600)
  }

  /// Makes the group that a call is about.
  fileprivate func prepareGroup(_ call: inout Call) async throws {
    let made = try await makeGroup()
    call.path["groupId"] = try World.text(made.json["id"])
    if call.operationID != "getGroup" { call.ifMatch = made.etag }
  }

  fileprivate func update(_ made: ContractClient.Reply, _ body: JSONValue) -> Call {
    call(
      "updateGroup", as: home.admin, path: ["groupId": made.json["id"]?.string ?? ""], body: body,
      ifMatch: made.etag)
  }
}

extension Operation {
  /// Whether it lists or reports a group's members; a stream does neither, nor does a list of who has read their time.
  fileprivate var listsGroup: Bool {
    !["streamEvents", "listRecordReads"].contains(id) && queryParameters.contains { $0.name == "groupId" }
  }
}
