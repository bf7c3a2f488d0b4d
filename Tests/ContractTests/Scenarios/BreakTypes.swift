@testable import ContractDocument

extension Fixture {
  /// The kinds of breaks.
  static let breakTypes = Fixture(
    scenarios: Scenario.breakTypes,
    baselines: [
      "getBreakType": { world, call in
        call.path["breakTypeId"] = try World.text(try await world.makeBreakType().json["id"])
      },
      "updateBreakType": { world, call in
        let made = try await world.makeBreakType()
        call.path["breakTypeId"] = try World.text(made.json["id"])
        call.ifMatch = made.etag
      },
    ],
    foreignIDs: { world, away in
      try await world.makeBreakType(in: away)
      return ["breakTypeId": try World.text(try await world.makeBreakType(in: away).json["id"])]
    })
}

extension Scenario {
  fileprivate static let breakTypes: [Scenario] = [
    Scenario("a break type is where Location says, for every member") { world in
      let body: JSONValue = ["name": "  Lunch <1> ", "isPaid": false, "expectedSeconds": 1_800]
      let made = try await world.client.expect(
        world.call("createBreakType", as: world.home.admin, body: body), 201)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/breakTypes/\(id)",
        "Location is \(made.location ?? "none")")
      for (name, value): (String, JSONValue) in [
        ("name", "Lunch <1>"), ("isPaid", false), ("expectedSeconds", 1_800), ("archived", false),
        ("organizationID", .string(world.home.organizationID)),
      ] { world.check(made.json[name] == value, "\(name) is \(made.json[name]?.text ?? "")") }
      for person in [world.home.member, world.home.manager, world.home.admin] {
        let read = try await world.client.expect(
          world.call("getBreakType", as: person, path: ["breakTypeId": id]), 200)
        world.check(read.json == made.json && read.etag == made.etag, "getBreakType answers something else")
      }
      let bare = try await world.makeBreakType(["name": "Lunch <1>", "isPaid": true])
      world.check(bare.json["expectedSeconds"] == .null, "something is expected")
      try await world.client.expect(
        world.call("createBreakType", as: world.home.admin, body: ["name": "x"]), 400, code: "invalid_body")
    },
    Scenario("names and durations of break types keep their rules, in a change as in a new one") { world in
      let made = try await world.makeBreakType()
      let long = String(repeating: "ä", count: 201)
      let refused: [(JSONValue, String)] = [
        (["name": " \n "], "invalid_name"), (["name": .string(long)], "invalid_name"),
        (["name": "a\nb"], "invalid_name"), (["expectedSeconds": 0], "invalid_duration"),
        (["expectedSeconds": -1], "invalid_duration"), (["expectedSeconds": 86_401], "invalid_duration"),
      ]
      for (body, code) in refused {
        let whole = body.members.reduce(World.bareBreakType) { $0.setting($1.name, to: $1.value) }
        try await world.refuses(
          world.call("createBreakType", as: world.home.admin, body: whole), 422, [code], body.text)
        try await world.refuses(world.update(made, body), 422, [code], body.text)
      }
      for seconds in [1, 86_400] as [Int64] {
        let body: JSONValue = ["expectedSeconds": .integer(seconds)]
        let changed = try await world.client.expect(world.update(made, body, "*"), 200)
        world.check(changed.json["expectedSeconds"] == .integer(seconds), changed.json.text)
      }
    },
    Scenario("a change of a break type leaves what it does not state, and needs the ETag") { world in
      let made = try await world.makeBreakType(["name": "Lunch", "isPaid": true, "expectedSeconds": 60])
      for same in [[:], ["name": "Lunch"], ["name": .null, "isPaid": .null, "archived": .null]] as [JSONValue]
      {
        let reply = try await world.client.expect(world.update(made, same), 200)
        world.check(reply.json == made.json && reply.etag == made.etag, "\(same.text) changes something")
      }
      world.service.clock.advance(seconds: 60)
      let changed = try await world.client.expect(
        world.update(made, ["isPaid": false, "expectedSeconds": .null]), 200)
      let expected = made.json.setting("isPaid", to: false).setting("expectedSeconds", to: .null)
      world.check(
        changed.json.removing("updatedAt") == expected.setting("version", to: 2).removing("updatedAt")
          && changed.etag != made.etag,
        changed.json.text)
      let late = world.update(made, ["name": "Dinner"])
      try await world.client.expect(late.with { $0.ifMatch = nil }, 428, code: "precondition_required")
      let stale = try await world.client.expect(late, 412, code: "precondition_failed")
      world.check(
        stale.json["current"] == changed.json && stale.etag == changed.etag, "another present state")
    },
    Scenario("archived break types stay, and are listed apart") { world in
      let first = try await world.makeBreakType()
      let second = try await world.makeBreakType()
      let archived = try await world.client.expect(world.update(first, ["archived": true]), 200)
      for (query, expected) in [
        ([], [archived, second]), ([(name: "archived", value: "true")], [archived]),
        ([(name: "archived", value: "false")], [second]),
      ] {
        let list = try await world.client.expect(
          world.call("listBreakTypes", as: world.home.member, query: query), 200)
        world.check(list.json["breakTypes"]?.elements == expected.map(\.json), list.json.text)
      }
      let listed = try await world.pages("listBreakTypes", "breakTypes", as: world.home.member, limit: 1)
      world.check(listed == [archived.json, second.json], "another order")
      let back = try await world.client.expect(world.update(archived, ["archived": false]), 200)
      world.check(back.json["archived"] == false, back.json.text)
    },
    Scenario("an organization has at most 50 break types, archived ones included") { world in
      var made: [ContractClient.Reply] = []
      for _ in 0..<50 { made.append(try await world.makeBreakType()) }
      try await world.client.expect(world.update(made[0], ["archived": true]), 200)
      try await world.refuses(
        world.call("createBreakType", as: world.home.admin, body: World.bareBreakType), 409,
        ["too_many_break_types"], "one more")
      try await world.makeBreakType(in: try await world.makeTenant("away"))
    },
    Scenario("the log of changes has break types") { world in
      let made = try await world.makeBreakType()
      let changed = try await world.client.expect(world.update(made, ["archived": true]), 200)
      let id = try World.text(made.json["id"])
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: world.home.admin, query: [("resource", "breakType"), ("resourceId", id)]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["updateBreakType", "createBreakType"], audit.json.text)
      guard changes.count == 2 else { return }
      world.check(changes[1]["before"] == .null && changes[1]["after"] == made.json, changes[1].text)
      world.check(changes[0]["before"] == made.json && changes[0]["after"] == changed.json, changes[0].text)
    },
  ]
}

extension World {
  fileprivate static let bareBreakType: JSONValue = ["name": "Lunch", "isPaid": false]

  @discardableResult
  fileprivate func makeBreakType(
    _ body: JSONValue = bareBreakType, in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    return try await client.expect(call("createBreakType", as: tenant.admin, in: tenant, body: body), 201)
  }

  /// A change of the break type as it was answered, by an admin.
  fileprivate func update(
    _ breakType: ContractClient.Reply, _ body: JSONValue, _ ifMatch: String? = nil
  ) -> Call {
    call(
      "updateBreakType", as: home.admin, path: ["breakTypeId": breakType.json["id"]?.string ?? ""],
      body: body, ifMatch: ifMatch ?? breakType.etag)
  }
}
