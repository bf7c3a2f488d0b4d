extension Scenario {
  /// One account in several organisations whose admins need not trust each other.
  static let accounts: [Scenario] = [
    Scenario("whoever made an account beforehand does not get into the organisation that adds it") { world in
      let away = try await world.makeTenant("away")
      // The admin at home knows the password, and may do with it whatever the person could.
      let person = try await world.makePerson("person@home.example")
      try await world.client.expect(world.changePassword(as: person.token), 204)
      try await world.add(person, to: away, role: "admin")
      let logIn: JSONValue = ["email": .string(person.email), "password": "a newer password"]
      let reply = try await world.client.expect(Call(operationID: "createToken", body: .json(logIn)), 200)
      for token in [person.token, try World.text(reply.json["token"])] {
        for operationID in ["getOrganization", "listMembers", "clockIn"] {
          let call = world.call(operationID, as: person, in: away).with { $0.token = token }
          try await world.client.expect(call, 404, code: "organization_not_found", comment: operationID)
        }
        let me = try await world.client.expect(Call(operationID: "getMe", token: token), 200)
        let seen = me.json["memberships"]?.elements.compactMap { $0["organizationID"]?.string }
        world.check(seen == [world.home.organizationID], "getMe shows \(seen ?? [])")
        try await world.client.expect(
          world.call("getOrganization", as: person).with { $0.token = token }, 200)
      }
    },
    Scenario("an organisation where somebody was only added has no say over the account") { world in
      let away = try await world.makeTenant("away")
      let person = world.home.member
      try await world.add(person, to: away)
      let update = world.call(
        "updateMember", as: away.admin, in: away, path: ["userId": person.userID],
        body: ["password": "a newer password"], ifMatch: "*")
      try await world.client.expect(update, 409, code: "account_shared")
      try await world.client.expect(world.call("getOrganization", as: person), 200)
      _ = try await world.logIn(person.email)
      // Where the account was made an admin helps as before.
      let own = world.call(
        "updateMember", as: world.home.admin, path: ["userId": person.userID],
        body: ["password": "a newer password"], ifMatch: "*")
      try await world.client.expect(own, 200)
    },
    Scenario("a person opens an organisation that added them with its API token and a new password") {
      world in
      let away = try await world.makeTenant("away")
      let person = world.home.member
      try await world.add(person, to: away)
      let apiToken = try await world.makeApiToken(for: person, in: away).token
      let accept = world.changePassword(as: person.token)
      let useless = [
        person.token, away.admin.token, String(repeating: "0", count: 64),
        try await world.makeApiToken(for: away.member, in: away).token,
      ]
      for token in useless {
        let call = accept.with { $0.json = $0.json.setting("apiToken", to: .string(token)) }
        try await world.client.expect(call, 404, code: "api_token_not_found", comment: token)
      }
      let full = accept.with { $0.json = $0.json.setting("apiToken", to: .string(apiToken)) }
      try await world.client.expect(
        full.with { $0.json = $0.json.setting("newPassword", to: .string(World.password)) }, 422,
        code: "invalid_password", comment: "the old password again")
      try await world.client.expect(full.with { $0.token = apiToken }, 403, code: "forbidden")
      let elsewhere = world.call("getOrganization", as: person, in: away)
      try await world.client.expect(elsewhere, 404, code: "organization_not_found")
      try await world.client.expect(full, 204)
      for token in [person.token, apiToken] {
        try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
      }
      let logIn: JSONValue = ["email": .string(person.email), "password": "a newer password"]
      let reply = try await world.client.expect(Call(operationID: "createToken", body: .json(logIn)), 200)
      let token = try World.text(reply.json["token"])
      try await world.client.expect(elsewhere.with { $0.token = token }, 200)
      try await world.client.expect(world.call("getOrganization", as: person).with { $0.token = token }, 200)
    },
    Scenario("a new password differs from the old one") { world in
      let call = world.changePassword(as: world.home.member.token, to: World.password)
      try await world.client.expect(call, 422, code: "invalid_password")
    },
  ]
}

extension World {
  /// Makes someone who has an account a member of another organisation.
  func add(_ person: Person, to tenant: Tenant, role: String = "member") async throws {
    let body: JSONValue = [
      "email": .string(person.email), "name": "A Person", "role": .string(role),
    ]
    try await client.expect(call("createMember", as: tenant.admin, in: tenant, body: body), 201)
  }

  /// Someone who is admin at home, and has accepted to be a member of another organisation too.
  func makeSharedPerson(_ other: Tenant) async throws -> Person {
    var person = try await makePerson("shared@home.example", role: "admin")
    let interim = "an interim password"
    try await client.expect(changePassword(as: person.token, to: interim), 204)
    try await add(person, to: other)
    let apiToken = try await makeApiToken(for: person, in: other).token
    let accept = changePassword(as: person.token, from: interim, to: Self.password)
    try await client.expect(
      accept.with { $0.json = $0.json.setting("apiToken", to: .string(apiToken)) }, 204)
    person.token = try await logIn(person.email)
    return person
  }
}
