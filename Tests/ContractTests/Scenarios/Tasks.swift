@testable import ContractDocument

extension Fixture {
  /// Tasks, the organization's and members' own.
  static let tasks = Fixture(
    scenarios: Scenario.tasks,
    baselines: [
      "getTask": { world, call in
        call.path["taskId"] = try World.text(try await world.makeTask(by: world.home.member).json["id"])
      },
      "updateTask": { world, call in
        let made = try await world.makeTask(by: world.home.member)
        call.path["taskId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
      "deleteTask": { world, call in
        let made = try await world.makeTask(by: world.home.member)
        call.path["taskId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
    ],
    foreignIDs: { world, away in
      try await world.makeTask(by: away.admin, in: away)
      let made = try await world.makeTask(by: away.admin, in: away)
      return ["taskId": try World.text(made.json["id"])]
    },
    idsOfMember: { world, _ in
      // Another member's own is not even there for members: this one they see and may not change.
      ["taskId": try World.text(try await world.makeTask(by: world.home.manager).json["id"])]
    })
}

extension Scenario {
  fileprivate static let tasks: [Scenario] = [
    Scenario("a task is where Location says, as it was stated") { world in
      let project = try await world.makeProject(by: world.home.manager)
      let projectID = try World.text(project.json["id"])
      let made = try await world.makeTask(
        ["name": "  Pick <1> ", "projectId": .string(projectID)], by: world.home.manager)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/tasks/\(id)",
        "Location is \(made.location ?? "none")")
      for (name, value): (String, JSONValue) in [
        ("name", "Pick <1>"), ("projectId", .string(projectID)), ("hidden", false), ("ownerId", .null),
        ("organizationID", .string(world.home.organizationID)),
      ] { world.check(made.json[name] == value, "\(name) is \(made.json[name]?.text ?? "")") }
      for person in [world.home.member, world.home.manager, world.home.admin] {
        let read = try await world.client.expect(world.call("getTask", as: person, path: ["taskId": id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, "getTask answers something else")
      }
      let bare = try await world.makeTask(["name": "Pick <1>"], by: world.home.manager)
      world.check(bare.json["projectId"] == .null, bare.json.text)
    },
    Scenario(
      "a member has a limited number of tasks of their own, hidden ones too, and the organization has more"
    ) {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      for _ in 0..<39 { _ = try await world.makeTask(by: member) }
      let last = try await world.makeTask(by: member)
      let hide = world.call(
        "updateTask", as: member, path: ["taskId": try World.text(last.json["id"])], body: ["hidden": true],
        ifMatch: "*")
      try await world.client.expect(hide, 200)
      let more: JSONValue = ["name": "Pick"]
      try await world.client.expect(
        world.call("createTask", as: member, body: more), 409, code: "too_many_tasks")
      try await world.client.expect(
        Call(operationID: "taskTimerCreateTask", body: .json(more), token: member.token), 409,
        code: "too_many_tasks")
      try await world.client.expect(
        world.call(
          "createTask", as: manager, body: more.setting("ownerId", to: .string(member.userID))), 409,
        code: "too_many_tasks")
      for _ in 0..<41 { _ = try await world.makeTask(by: manager) }
    },
    Scenario("names of tasks keep their rules, in a change as in a new one") { world in
      let made = try await world.makeTask(by: world.home.manager)
      let long = String(repeating: "ä", count: 100)
      for name in [" \n ", long + "ä", "a\nb", "a\u{202E}b"] {
        for call in [
          world.call("createTask", as: world.home.manager, body: ["name": .string(name)]),
          world.update(made, by: world.home.manager, ["name": .string(name)]),
        ] { try await world.refuses(call, 422, ["invalid_name"], name) }
      }
      let kept = try await world.client.expect(
        world.update(made, by: world.home.manager, ["name": .string(" \(long) ")]), 200)
      world.check(kept.json["name"] == .string(long), kept.json.text)
    },
    Scenario("a change of a task leaves what it does not state, and needs the ETag") { world in
      let manager = world.home.manager
      let project = try await world.makeProject(by: manager)
      let made = try await world.makeTask(
        ["name": "Pick", "projectId": try World.id(of: project)], by: manager)
      for same in [
        [:], ["name": "Pick"], ["name": .null, "hidden": .null], ["projectId": try World.id(of: project)],
      ] as [JSONValue] {
        let reply = try await world.client.expect(world.update(made, by: manager, same), 200)
        world.check(reply.json == made.json && reply.etag == made.etag, "\(same.text) changes something")
      }
      world.service.clock.advance(seconds: 60)
      let changed = try await world.client.expect(
        world.update(made, by: manager, ["projectId": .null, "hidden": true]), 200)
      let expected = made.json.setting("projectId", to: .null).setting("hidden", to: true)
        .setting("version", to: 2)
      world.check(
        changed.json.removing("updatedAt") == expected.removing("updatedAt") && changed.etag != made.etag,
        changed.json.text)
      for late in [
        world.update(made, by: manager, ["name": "Late"]),
        world.call("deleteTask", as: manager, path: try world.path(made), ifMatch: made.etag),
      ] {
        try await world.client.expect(late.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        let stale = try await world.client.expect(late, 412, code: "precondition_failed")
        world.check(
          stale.json["current"] == changed.json && stale.etag == changed.etag, "another present state")
      }
    },
    Scenario("members have tasks of their own, of which other members learn nothing") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let other = try await world.makePerson("other@home.example")
      let project = try await world.makeProject(by: manager)
      let inside: JSONValue = ["name": "Pick", "projectId": try World.id(of: project)]
      let shared = try await world.makeTask(inside, by: manager)
      let own = try await world.makeTask(inside, by: member)
      world.check(own.json["ownerId"]?.string == member.userID, own.json.text)
      let others = try await world.makeTask(
        ["name": "Theirs", "ownerId": .string(other.userID)], by: manager)
      world.check(others.json["ownerId"]?.string == other.userID, others.json.text)
      let ofProject = [(name: "projectId", value: try World.text(project.json["id"]))]
      let lists: [(Person, [(name: String, value: String)], [ContractClient.Reply])] = [
        (member, [], [shared, own]), (member, [("owner", "me")], [own]),
        (member, [("owner", "none")], [shared]), (other, [], [shared, others]),
        (manager, [], [shared, own, others]), (manager, [("owner", "me")], []),
        (manager, [("owner", "none")], [shared]), (manager, ofProject, [shared, own]),
        (member, ofProject, [shared, own]), (other, ofProject, [shared]),
        (member, ofProject + [("owner", "me")], [own]),
      ]
      for (person, query, expected) in lists {
        let listed = try await world.pages("listTasks", "tasks", as: person, limit: 1, query: query)
        world.check(listed == expected.map(\.json), "\(query): \(listed.map(\.text))")
      }
      let (foreign, absent) = (try world.path(others), ["taskId": World.absentID])
      for call in [
        world.call("getTask", as: member),
        world.call("updateTask", as: member, body: [:], ifMatch: "*"),
        world.call("updateTask", as: member, body: ["name": "Mine"], ifMatch: "\"9\""),
        world.call("deleteTask", as: member, ifMatch: "\"9\""),
      ] {
        let theirs = try await world.client.expect(
          call.with { $0.path.merge(foreign) { $1 } }, 404, code: "task_not_found")
        let none = try await world.client.expect(
          call.with { $0.path.merge(absent) { $1 } }, 404, code: "task_not_found")
        world.check(
          theirs.textWithoutRequestID == none.textWithoutRequestID, "another's is told from an absent one")
      }
      try await world.client.expect(
        world.update(shared, by: member, ["name": "Mine"]), 403, code: "forbidden")
      try await world.client.expect(
        world.call("deleteTask", as: member, path: try world.path(shared), ifMatch: "*"), 403,
        code: "forbidden")
      try await world.client.expect(world.update(own, by: member, ["name": "Mine"]), 200)
      try await world.client.expect(world.update(others, by: manager, ["name": "Ours"]), 200)
    },
    Scenario("a task is of a project that its owner sees and that is in use") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let other = try await world.makePerson("other@home.example")
      let shared = try await world.makeProject(by: manager)
      let own = try await world.makeProject(by: member)
      let archived = try await world.makeProject(by: manager)
      try await world.client.expect(
        world.call(
          "updateProject", as: manager, path: ["projectId": try World.text(archived.json["id"])],
          body: ["archived": true], ifMatch: archived.etag), 200)
      let task = try await world.makeTask(by: other)
      let ofOrganization = try await world.makeTask(by: manager)
      let ofMember = try await world.makeTask(
        ["name": "Pick", "projectId": try World.id(of: own)], by: member)
      let absent = JSONValue.string(World.absentID)
      var texts: Set<String> = []
      for project in [try World.id(of: own), absent] {
        let body: JSONValue = ["name": "Pick", "projectId": project]
        for call in [
          world.call("createTask", as: other, body: body),
          world.update(task, by: other, ["projectId": project]),
          world.update(task, by: manager, ["projectId": project]),
          world.call("createTask", as: manager, body: body),
          world.update(ofOrganization, by: manager, ["projectId": project]),
          world.call("createTask", as: manager, body: body.setting("ownerId", to: .string(other.userID))),
        ] {
          let refused = try await world.client.expect(call, 422, code: "project_not_found")
          texts.insert(refused.textWithoutRequestID)
        }
      }
      world.check(texts.count == 1, "another's project is told from an absent one: \(texts)")
      for (person, project) in [(other, own), (manager, nil)] as [(Person, ContractClient.Reply?)] {
        let id = try project.map { try World.text($0.json["id"]) } ?? World.absentID
        try await world.refuses(
          world.call("listTasks", as: person, query: [(name: "projectId", value: id)]), 404,
          ["project_not_found"], id)
      }
      for call in [
        world.call(
          "createTask", as: manager, body: ["name": "Pick", "projectId": try World.id(of: archived)]),
        world.update(ofMember, by: member, ["projectId": try World.id(of: archived)]),
      ] { try await world.refuses(call, 422, ["project_archived"], "archived") }
      let moved = try await world.client.expect(
        world.update(ofMember, by: manager, ["projectId": try World.id(of: shared)]), 200)
      world.check(moved.json["projectId"] == shared.json["id"], moved.json.text)
      let made = try await world.makeTask(
        ["name": "Pick", "projectId": try World.id(of: own), "ownerId": .string(member.userID)], by: manager)
      world.check(made.json["projectId"] == own.json["id"], made.json.text)
    },
    Scenario("a project that is deleted leaves its tasks, or takes them along") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      for mode in [nil, "detach", "delete"] {
        let project = try await world.makeProject(by: manager)
        let body: JSONValue = ["name": "Pick", "projectId": try World.id(of: project)]
        let tasks = [try await world.makeTask(body, by: member), try await world.makeTask(body, by: manager)]
        try await world.client.expect(
          world.call(
            "deleteProject", as: manager, path: ["projectId": try World.text(project.json["id"])],
            query: mode.map { [(name: "segments", value: $0)] } ?? [], ifMatch: project.etag), 204)
        for task in tasks {
          let read = world.call("getTask", as: manager, path: try world.path(task))
          if mode == "delete" {
            try await world.client.expect(read, 404, code: "task_not_found")
          } else {
            let left = try await world.client.expect(read, 200)
            world.check(left.json["projectId"] == .null && left.etag != task.etag, left.json.text)
          }
        }
        let feed = try await world.client.expect(world.call("listChanges", as: member), 200)
        let told = (feed.json["changes"]?.elements ?? []).suffix(3)
        world.check(
          told.map { $0["resource"]?.string } == ["task", "task", "project"]
            && told.allSatisfy { $0["operation"] == "deleteProject" }
            && told.map { $0["kind"]?.string }
              == (mode == "delete" ? ["deleted", "deleted"] : ["updated", "updated"]) + ["deleted"],
          feed.json.text)
      }
    },
    Scenario("members make no projects and tasks if the policy leaves them to managers") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let own = try await world.makeTask(by: member)
      let change = { (value: Bool) in
        world.call(
          "updateOrganization", as: world.home.admin,
          body: ["policy": ["membersMayCreateProjects": .bool(value)]], ifMatch: "*")
      }
      let off = try await world.client.expect(change(false), 200)
      world.check(off.json["policy"]?["membersMayCreateProjects"] == false, off.json.text)
      for operation in ["createProject", "createTask"] {
        let body: JSONValue = ["name": "x"]
        for body in [body, body.setting("ownerId", to: .string(member.userID))] {
          try await world.client.expect(
            world.call(operation, as: member, body: body), 403, code: "forbidden", comment: operation)
          for person in [manager, world.home.admin] {
            try await world.client.expect(world.call(operation, as: person, body: body), 201)
          }
        }
      }
      // Existing tasks stay theirs.
      let changed = try await world.client.expect(world.update(own, by: member, ["hidden": true]), 200)
      try await world.client.expect(
        world.call("deleteTask", as: member, path: try world.path(own), ifMatch: changed.etag), 204)
      try await world.client.expect(change(true), 200)
      try await world.makeProject(by: member)
      try await world.makeTask(by: member)
    },
    Scenario("hidden tasks stay, and are listed apart") { world in
      let manager = world.home.manager
      let first = try await world.makeTask(by: manager)
      let second = try await world.makeTask(by: manager)
      let hidden = try await world.client.expect(world.update(first, by: manager, ["hidden": true]), 200)
      for (query, expected) in [
        ([], [hidden, second]), ([(name: "hidden", value: "true")], [hidden]),
        ([(name: "hidden", value: "false")], [second]),
      ] {
        let list = try await world.client.expect(
          world.call("listTasks", as: world.home.member, query: query), 200)
        world.check(list.json["tasks"]?.elements == expected.map(\.json), list.json.text)
      }
    },
    Scenario("nobody makes a task for who has left") { world in
      let left = try await world.makePerson("left@home.example")
      let own = try await world.makeTask(by: left)
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": left.userID], ifMatch: "*"), 204
      )
      try await world.refuses(
        world.call(
          "createTask", as: world.home.manager, body: ["name": "x", "ownerId": .string(left.userID)]), 409,
        ["member_deactivated"], "a deactivated owner")
      let read = try await world.client.expect(
        world.call("getTask", as: world.home.manager, path: try world.path(own)), 200)
      world.check(read.json == own.json, read.json.text)
    },
    Scenario("a member's own tasks are in the export, and reveal nothing once their owner is anonymized") {
      world in
      let leaver = try await world.makePerson("leaver@home.example")
      try await world.makeTask(by: world.home.manager)
      try await world.makeTask(by: world.home.member)
      let own = try await world.makeTask(["name": "Secret plans"], by: leaver)
      let gone = try await world.makeTask(["name": "Secret past"], by: leaver)
      try await world.client.expect(
        world.call("deleteTask", as: leaver, path: try world.path(gone), ifMatch: gone.etag), 204)
      let export = world.call("exportPersonalData", as: world.home.admin, path: ["userId": leaver.userID])
      let whole = try await world.client.expect(export, 200)
      world.check(whole.json["tasks"] == .array([own.json]), whole.json.text)
      let told = (whole.json["changes"]?.elements ?? []).filter { $0["resource"] == "task" }
      world.check(
        told.map { $0["operation"]?.string } == ["createTask", "createTask", "deleteTask"]
          && told.last?["before"] == gone.json, whole.json.text)
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": leaver.userID], ifMatch: "*"),
        204)
      try await world.client.expect(
        world.call("anonymizeMember", as: world.home.admin, path: ["userId": leaver.userID]), 200)
      let left = try await world.client.expect(
        world.call("getTask", as: world.home.manager, path: try world.path(own)), 200)
      world.check(left.json["name"] == "Anonymous" && left.etag != own.etag, left.json.text)
      for operation in ["listAuditLog", "listChanges", "listTasks"] {
        let reply = try await world.client.expect(world.call(operation, as: world.home.admin), 200)
        world.check(!reply.json.text.contains("Secret"), reply.json.text)
      }
    },
    Scenario("the log of changes has tasks, and members their own and the organization's") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let other = try await world.makePerson("other@home.example")
      let shared = try await world.makeTask(by: world.home.manager)
      let own = try await world.makeTask(by: member)
      let changed = try await world.client.expect(world.update(own, by: member, ["hidden": true]), 200)
      try await world.client.expect(
        world.call("deleteTask", as: member, path: try world.path(own), ifMatch: changed.etag), 204)
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: admin,
          query: [("resource", "task"), ("resourceId", try World.text(own.json["id"]))]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["deleteTask", "updateTask", "createTask"],
        audit.json.text)
      guard changes.count == 3 else { return }
      world.check(changes[2]["before"] == .null && changes[2]["after"] == own.json, changes[2].text)
      world.check(changes[1]["before"] == own.json && changes[1]["after"] == changed.json, changes[1].text)
      world.check(changes[0]["before"] == changed.json && changes[0]["after"] == .null, changes[0].text)
      for (person, expected) in [(admin, 4), (world.home.manager, 4), (member, 4), (other, 1)] {
        let feed = try await world.client.expect(world.call("listChanges", as: person), 200)
        let told = (feed.json["changes"]?.elements ?? []).filter { $0["resource"] == "task" }
        world.check(told.count == expected, "\(told.count) changes: \(feed.json.text)")
        world.check(told.first?["data"] == shared.json, feed.json.text)
      }
    },
  ]
}

extension World {
  @discardableResult
  func makeTask(
    _ body: JSONValue = ["name": "Pick"], by person: Person, in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    try await client.expect(call("createTask", as: person, in: tenant, body: body), 201)
  }

  /// The id in an answer, for a body.
  fileprivate static func id(of made: ContractClient.Reply) throws -> JSONValue {
    .string(try text(made.json["id"]))
  }

  /// The path of a task as it was answered.
  fileprivate func path(_ task: ContractClient.Reply) throws -> [String: String] {
    ["taskId": try Self.text(task.json["id"])]
  }

  /// A change of the task as it was answered.
  fileprivate func update(_ task: ContractClient.Reply, by person: Person, _ body: JSONValue) -> Call {
    call(
      "updateTask", as: person, path: ["taskId": task.json["id"]?.string ?? ""], body: body,
      ifMatch: task.etag)
  }
}
