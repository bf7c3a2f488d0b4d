@testable import ContractDocument

extension Fixture {
  /// Projects, the organization's and members' own.
  static let projects = Fixture(
    scenarios: Scenario.projects,
    baselines: [
      "getProject": { world, call in
        call.path["projectId"] = try World.text(try await world.makeProject(by: world.home.member).json["id"])
      },
      "updateProject": { world, call in
        let made = try await world.makeProject(by: world.home.member)
        call.path["projectId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
      "deleteProject": { world, call in
        let made = try await world.makeProject(by: world.home.member)
        call.path["projectId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
    ],
    foreignIDs: { world, away in
      try await world.makeProject(by: away.admin, in: away)
      let made = try await world.makeProject(by: away.admin, in: away)
      return ["projectId": try World.text(made.json["id"]), "ownerId": away.member.userID]
    },
    idsOfMember: { world, person in
      // Another member's own is not even there for members: this one they see and may not change.
      let shared = try await world.makeProject(by: world.home.manager)
      return ["ownerId": person.userID, "projectId": try World.text(shared.json["id"])]
    })
}

extension Scenario {
  fileprivate static let projects: [Scenario] = [
    Scenario("a member has a limited number of projects of their own, and the organization has more") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      for _ in 0..<30 { _ = try await world.makeProject(by: member) }
      try await world.client.expect(
        world.call("createProject", as: member, body: ["name": "Harvest"]), 409, code: "too_many_projects")
      for _ in 0..<31 { _ = try await world.makeProject(by: manager) }
    },
    Scenario("a project is where Location says, as it was stated") { world in
      let body: JSONValue = [
        "name": "  Harvest <1> ", "client": " Tea garden ", "color": "#34c7aF", "billable": true,
      ]
      let made = try await world.makeProject(body, by: world.home.manager)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/projects/\(id)",
        "Location is \(made.location ?? "none")")
      for (name, value): (String, JSONValue) in [
        ("name", "Harvest <1>"), ("client", "Tea garden"), ("color", "#34C7AF"), ("billable", true),
        ("archived", false), ("ownerId", .null), ("organizationID", .string(world.home.organizationID)),
      ] { world.check(made.json[name] == value, "\(name) is \(made.json[name]?.text ?? "")") }
      for person in [world.home.member, world.home.manager, world.home.admin] {
        let read = try await world.client.expect(
          world.call("getProject", as: person, path: ["projectId": id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, "getProject answers something else")
      }
      let bare = try await world.makeProject(["name": "Harvest <1>"], by: world.home.manager)
      for (name, value): (String, JSONValue) in [
        ("client", .null), ("color", "#007AFF"), ("billable", false),
      ] { world.check(bare.json[name] == value, "\(name) is \(bare.json[name]?.text ?? "")") }
    },
    Scenario("names, clients and colors of projects keep their rules, in a change as in a new one") { world in
      let made = try await world.makeProject(by: world.home.manager)
      let long = String(repeating: "ä", count: 201)
      let refused: [(JSONValue, String)] = [
        (["name": " \n "], "invalid_name"), (["name": .string(long)], "invalid_name"),
        (["name": "a\nb"], "invalid_name"), (["client": .string(long)], "invalid_name"),
        (["client": "a\u{202E}b"], "invalid_name"), (["color": ""], "invalid_color"),
        (["color": "#12345"], "invalid_color"), (["color": "#1234567"], "invalid_color"),
        (["color": "#12345g"], "invalid_color"), (["color": "0123456"], "invalid_color"),
        (["color": "#１２３４５６"], "invalid_color"),
      ]
      for (body, code) in refused {
        let whole = body.members.reduce(["name": "x"] as JSONValue) { $0.setting($1.name, to: $1.value) }
        try await world.refuses(
          world.call("createProject", as: world.home.manager, body: whole), 422, [code], body.text)
        try await world.refuses(
          world.update(made, by: world.home.manager, body), 422, [code], body.text)
      }
      let emptied = try await world.makeProject(["name": "x", "client": "  "], by: world.home.manager)
      world.check(emptied.json["client"] == .null, emptied.json.text)
    },
    Scenario("a change of a project leaves what it does not state, and needs the ETag") { world in
      let manager = world.home.manager
      let made = try await world.makeProject(["name": "Harvest", "client": "Tea"], by: manager)
      for same in [
        [:], ["name": "Harvest"],
        ["name": .null, "color": .null, "archived": .null, "billable": .null],
      ] as [JSONValue] {
        let reply = try await world.client.expect(world.update(made, by: manager, same), 200)
        world.check(reply.json == made.json && reply.etag == made.etag, "\(same.text) changes something")
      }
      world.service.clock.advance(seconds: 60)
      let changed = try await world.client.expect(
        world.update(
          made, by: manager, ["client": .null, "color": "#ffffff", "archived": true, "billable": true]), 200)
      let expected = made.json.setting("client", to: .null).setting("color", to: "#FFFFFF")
        .setting("archived", to: true).setting("billable", to: true).setting("version", to: 2)
      world.check(
        changed.json.removing("updatedAt") == expected.removing("updatedAt") && changed.etag != made.etag,
        changed.json.text)
      for late in [
        world.update(made, by: manager, ["name": "Late"]),
        world.call("deleteProject", as: manager, path: try world.path(made), ifMatch: made.etag),
      ] {
        try await world.client.expect(late.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        let stale = try await world.client.expect(late, 412, code: "precondition_failed")
        world.check(
          stale.json["current"] == changed.json && stale.etag == changed.etag, "another present state")
      }
    },
    Scenario("members have projects of their own, of which other members learn nothing") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let other = try await world.makePerson("other@home.example")
      let shared = try await world.makeProject(by: manager)
      let own = try await world.makeProject(by: member)
      world.check(own.json["ownerId"]?.string == member.userID, own.json.text)
      let others = try await world.makeProject(
        ["name": "Theirs", "ownerId": .string(other.userID)], by: manager)
      world.check(others.json["ownerId"]?.string == other.userID, others.json.text)
      let lists: [(Person, String?, [ContractClient.Reply])] = [
        (member, nil, [shared, own]), (member, "me", [own]), (member, "none", [shared]),
        (other, nil, [shared, others]), (manager, nil, [shared, own, others]), (manager, "me", []),
        (manager, "none", [shared]),
      ]
      for (person, owner, expected) in lists {
        let query = owner.map { [(name: "owner", value: $0)] } ?? []
        let listed = try await world.pages("listProjects", "projects", as: person, limit: 1, query: query)
        world.check(listed == expected.map(\.json), "owner \(owner ?? ""): \(listed.map(\.text))")
      }
      let (foreign, absent) = (try world.path(others), ["projectId": World.absentID])
      for call in [
        world.call("getProject", as: member),
        world.call("updateProject", as: member, body: [:], ifMatch: "*"),
        world.call("updateProject", as: member, body: ["name": "Mine"], ifMatch: "\"9\""),
        world.call("deleteProject", as: member, ifMatch: "\"9\""),
      ] {
        let theirs = try await world.client.expect(
          call.with { $0.path.merge(foreign) { $1 } }, 404, code: "project_not_found")
        let none = try await world.client.expect(
          call.with { $0.path.merge(absent) { $1 } }, 404, code: "project_not_found")
        world.check(
          theirs.textWithoutRequestID == none.textWithoutRequestID, "another's is told from an absent one")
      }
      try await world.client.expect(
        world.update(shared, by: member, ["name": "Mine"]), 403, code: "forbidden")
      try await world.client.expect(
        world.call("deleteProject", as: member, path: try world.path(shared), ifMatch: "*"), 403,
        code: "forbidden")
      try await world.client.expect(world.update(own, by: member, ["name": "Mine"]), 200)
      try await world.client.expect(world.update(others, by: manager, ["name": "Ours"]), 200)
    },
    Scenario("archived projects stay, and are listed apart") { world in
      let manager = world.home.manager
      let first = try await world.makeProject(by: manager)
      let second = try await world.makeProject(by: manager)
      let archived = try await world.client.expect(world.update(first, by: manager, ["archived": true]), 200)
      for (query, expected) in [
        ([], [archived, second]), ([(name: "archived", value: "true")], [archived]),
        ([(name: "archived", value: "false")], [second]),
      ] {
        let list = try await world.client.expect(
          world.call("listProjects", as: world.home.member, query: query), 200)
        world.check(list.json["projects"]?.elements == expected.map(\.json), list.json.text)
      }
    },
    Scenario("nobody makes a project for who has left") { world in
      let left = try await world.makePerson("left@home.example")
      let own = try await world.makeProject(by: left)
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": left.userID], ifMatch: "*"), 204
      )
      try await world.refuses(
        world.call(
          "createProject", as: world.home.manager, body: ["name": "x", "ownerId": .string(left.userID)]), 409,
        ["member_deactivated"], "a deactivated owner")
      let read = try await world.client.expect(
        world.call("getProject", as: world.home.manager, path: try world.path(own)), 200)
      world.check(read.json == own.json, read.json.text)
    },
    Scenario("a member's own projects are in the export, and reveal nothing once their owner is anonymized") {
      world in
      let leaver = try await world.makePerson("leaver@home.example")
      try await world.makeProject(by: world.home.manager)
      try await world.makeProject(by: world.home.member)
      let own = try await world.makeProject(["name": "Secret plans", "client": "Secret client"], by: leaver)
      let gone = try await world.makeProject(["name": "Secret past"], by: leaver)
      try await world.client.expect(
        world.call("deleteProject", as: leaver, path: try world.path(gone), ifMatch: gone.etag), 204)
      let export = world.call(
        "exportPersonalData", as: world.home.admin, path: ["userId": leaver.userID])
      let whole = try await world.client.expect(export, 200)
      world.check(whole.json["projects"] == .array([own.json]), whole.json.text)
      let told = (whole.json["changes"]?.elements ?? []).filter { $0["resource"] == "project" }
      world.check(
        told.map { $0["operation"]?.string } == ["createProject", "createProject", "deleteProject"]
          && told.last?["before"] == gone.json, whole.json.text)
      let byOwner = try await world.client.expect(export.with { $0.token = leaver.token }, 200)
      world.check(byOwner.json["projects"] == whole.json["projects"], byOwner.json.text)
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: ["userId": leaver.userID], ifMatch: "*"),
        204)
      try await world.client.expect(
        world.call("anonymizeMember", as: world.home.admin, path: ["userId": leaver.userID]), 200)
      let left = try await world.client.expect(
        world.call("getProject", as: world.home.manager, path: try world.path(own)), 200)
      world.check(
        left.json["name"] == "Anonymous" && left.json["client"] == .null && left.etag != own.etag,
        left.json.text)
      for operation in ["listAuditLog", "listChanges", "listProjects"] {
        let reply = try await world.client.expect(world.call(operation, as: world.home.admin), 200)
        world.check(!reply.json.text.contains("Secret"), reply.json.text)
      }
    },
    Scenario("the log of changes has projects, and members their own and the organization's") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let other = try await world.makePerson("other@home.example")
      let shared = try await world.makeProject(by: world.home.manager)
      let own = try await world.makeProject(by: member)
      let changed = try await world.client.expect(world.update(own, by: member, ["archived": true]), 200)
      try await world.client.expect(
        world.call("deleteProject", as: member, path: try world.path(own), ifMatch: changed.etag), 204)
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: admin,
          query: [("resource", "project"), ("resourceId", try World.text(own.json["id"]))]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["deleteProject", "updateProject", "createProject"],
        audit.json.text)
      guard changes.count == 3 else { return }
      world.check(changes[2]["before"] == .null && changes[2]["after"] == own.json, changes[2].text)
      world.check(changes[1]["before"] == own.json && changes[1]["after"] == changed.json, changes[1].text)
      world.check(changes[0]["before"] == changed.json && changes[0]["after"] == .null, changes[0].text)
      for (person, expected) in [(admin, 4), (world.home.manager, 4), (member, 4), (other, 1)] {
        let feed = try await world.client.expect(world.call("listChanges", as: person), 200)
        let told = (feed.json["changes"]?.elements ?? []).filter { $0["resource"] == "project" }
        world.check(told.count == expected, "\(told.count) changes: \(feed.json.text)")
        world.check(told.first?["data"] == shared.json, feed.json.text)
      }
    },
  ]
}

extension World {
  @discardableResult
  func makeProject(
    _ body: JSONValue = ["name": "Harvest"], by person: Person, in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    try await client.expect(call("createProject", as: person, in: tenant, body: body), 201)
  }

  /// The path of a project as it was answered.
  fileprivate func path(_ project: ContractClient.Reply) throws -> [String: String] {
    ["projectId": try Self.text(project.json["id"])]
  }

  /// A change of the project as it was answered.
  fileprivate func update(
    _ project: ContractClient.Reply, by person: Person, _ body: JSONValue
  ) -> Call {
    call(
      "updateProject", as: person, path: ["projectId": project.json["id"]?.string ?? ""], body: body,
      ifMatch: project.etag)
  }
}
