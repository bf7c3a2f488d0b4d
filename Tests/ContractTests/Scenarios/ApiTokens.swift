@testable import ContractDocument

extension Fixture {
  /// Tokens for programs.
  static let apiTokens = Fixture(
    scenarios: Scenario.apiTokens,
    baselines: [
      "createApiToken": { world, call in
        call.json = call.json.setting("userId", to: .string(world.home.member.userID))
      },
      "deleteApiToken": { world, call in
        call.path["apiTokenId"] = try await world.makeApiToken(for: world.home.member).id
      },
    ],
    foreignIDs: { world, away in
      _ = try await world.makeApiToken(for: away.manager, in: away)
      return ["apiTokenId": try await world.makeApiToken(for: away.member, in: away).id]
    })
}

extension Scenario {
  fileprivate static let apiTokens: [Scenario] = [
    Scenario("an API token acts as its member until it is revoked") { world in
      let (id, token) = try await world.makeApiToken(for: world.home.member)
      let call = world.call("clockIn", as: world.home.member).with { $0.token = token }
      let entry = try await world.client.expect(call, 201)
      world.check(entry.json["userId"]?.string == world.home.member.userID, "another member is clocked in")
      try await world.client.expect(
        world.call("listMembers", as: world.home.member).with { $0.token = token }, 403, code: "forbidden")
      let delete = world.call("deleteApiToken", as: world.home.admin, path: ["apiTokenId": id])
      try await world.client.expect(delete, 204)
      try await world.client.expect(
        world.call("clockOut", as: nil).with { $0.token = token }, 401, code: "invalid_token")
      try await world.client.expect(delete, 404, code: "api_token_not_found")
    },
    Scenario("an API token is valid in one organization") { world in
      let away = try await world.makeTenant("away")
      let shared = try await world.makeSharedPerson(away)
      let token = try await world.makeApiToken(for: shared).token
      try await world.client.expect(
        world.call("getOrganization", as: shared).with { $0.token = token }, 200)
      try await world.client.expect(world.call("getOrganization", as: shared, in: away), 200)
      try await world.client.expect(
        world.call("getOrganization", as: shared, in: away).with { $0.token = token }, 404,
        code: "organization_not_found")
    },
    Scenario("an API token can revoke itself, and the log says so") { world in
      for operation in ["deleteToken", "taskTimerDeleteToken"] {
        let (id, token) = try await world.makeApiToken(for: world.home.member)
        try await world.client.expect(Call(operationID: operation, token: token), 200, 204)
        try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
        let log = try await world.client.expect(
          world.call("listAuditLog", as: world.home.admin, query: [("resourceId", id)]), 200)
        let change = log.json["changes"]?.elements.first
        world.check(change?["kind"] == "deleted", "\(operation): \(log.json.text)")
        world.check(change?["author"]?["userId"]?.string == world.home.member.userID, "the author")
      }
    },
    Scenario("an API token ends when it was said to") { world in
      let token = try await world.makeApiToken(
        for: world.home.member, expiresAt: "2026-11-20T13:00:00+00:30"
      ).token
      try await world.client.expect(Call(operationID: "getMe", token: token), 200)
      world.service.clock.advance(seconds: 1_800)
      try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
    },
    Scenario("an API token lasts a year unless stated, and never ends in the past") { world in
      let body: JSONValue = ["name": " Door ", "userId": .string(world.home.member.userID)]
      let call = world.call("createApiToken", as: world.home.admin, body: body)
      let created = try await world.client.expect(call, 201)
      world.check(created.json["expiresAt"] == "2027-11-20T12:00:00.000Z", "another expiry")
      world.check(created.json["name"] == "Door", "the name is not trimmed")
      let id = try World.text(created.json["id"])
      let path = "/v1/organizations/\(world.home.organizationID)/apiTokens/\(id)"
      world.check(created.location == path, "Location is \(created.location ?? "none")")
      for past in ["2026-11-20T12:00:00Z", "2020-01-01T00:00:00Z"] {
        let spoiled = call.with { $0.json = body.setting("expiresAt", to: .string(past)) }
        try await world.refuses(spoiled, 422, ["invalid_expiry"], past)
      }
      try await world.refuses(
        call.with { $0.json = body.setting("name", to: "  ") }, 422, ["invalid_name"], "a blank name")
    },
    Scenario("an API token that only reads reads all that its member may, and changes nothing") { world in
      let (id, token) = try await world.makeApiToken(for: world.home.manager, scope: "read")
      let entry = try await world.makeEntry(of: world.home.member)
      func call(_ operationID: String) -> Call { world.call(operationID, as: nil).with { $0.token = token } }
      try await world.client.expect(call("listMembers"), 200)
      let export = try await world.client.expect(call("exportTimeEntries"), 200)
      world.check(
        String(decoding: export.response.body, as: UTF8.self).contains(entry),
        "the export lacks another's entry")
      try await world.client.expect(call("listApiTokens"), 403, code: "forbidden")
      try await world.refuses(call("clockIn"), 403, ["read_only_token"], "a clock-in")
      // The token is asked before the role is: neither manager nor admin may write with it.
      let create = call("createMember").with {
        $0.json = ["email": "x@home.example", "name": "X", "role": "member"]
      }
      try await world.refuses(create, 403, ["read_only_token"], "a new member")
      try await world.refuses(
        Call(operationID: "deleteToken", token: token), 403, ["read_only_token"], "its own end")
      let full = try await world.makeApiToken(for: world.home.manager).id
      let listed = try await world.pages("listApiTokens", "apiTokens", as: world.home.admin, limit: 100)
      let scopes = listed.map { [$0["id"]?.string, $0["scope"]?.string] }
      world.check(scopes == [[id, "read"], [full, "full"]], "listed \(listed.map(\.text))")
      let body: JSONValue = ["name": "Door", "userId": .string(world.home.member.userID), "scope": "write"]
      try await world.client.expect(
        world.call("createApiToken", as: world.home.admin, body: body), 400, code: "invalid_body")
    },
    Scenario("an API token that only reads accepts no organization") { world in
      let away = try await world.makeTenant("away")
      try await world.client.expect(
        world.call(
          "createMember", as: world.home.admin,
          body: ["email": .string(away.member.email), "name": "Shared", "role": "member"]), 201)
      let token = try await world.makeApiToken(for: away.member, scope: "read").token
      let logIn = try await world.logIn(away.member.email)
      let body: JSONValue = [
        "currentPassword": .string(World.password), "newPassword": "another password of mine",
        "apiToken": .string(token),
      ]
      let accept = Call(operationID: "changePassword", body: .json(body), token: logIn)
      try await world.client.expect(accept, 404, code: "api_token_not_found")
    },
    Scenario("API tokens are listed in pages, each once, without the tokens") { world in
      var made: [String] = []
      for _ in 0..<5 { made.append(try await world.makeApiToken(for: world.home.member).id) }
      let listed = try await world.pages("listApiTokens", "apiTokens", as: world.home.admin, limit: 2)
      world.check(listed.compactMap { $0["id"]?.string } == made, "listed \(listed.map(\.text))")
    },
  ]
}

extension World {
  /// Makes an API token that acts as the person.
  func makeApiToken(
    for person: Person, in tenant: Tenant? = nil, scope: JSONValue = .null, expiresAt: JSONValue = .null
  ) async throws -> (id: String, token: String) {
    let tenant = tenant ?? home
    let body: JSONValue = [
      "name": "Door", "userId": .string(person.userID), "scope": scope, "expiresAt": expiresAt,
    ]
    let created = try await client.expect(
      call("createApiToken", as: tenant.admin, in: tenant, body: body), 201)
    return (try Self.text(created.json["id"]), try Self.text(created.json["token"]))
  }
}
