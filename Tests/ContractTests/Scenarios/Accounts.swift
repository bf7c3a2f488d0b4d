@testable import ContractDocument

extension Fixture {
  /// One account in several organizations whose admins need not trust each other.
  static let accounts = Fixture(scenarios: Scenario.accounts)
}

extension Scenario {
  fileprivate static let accounts: [Scenario] = [
    Scenario("the maker of an account beforehand does not get into the organization that adds it") { world in
      let away = try await world.makeTenant("away")
      // The admin at home knows the password, and can do with it everything that the person could.
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
    Scenario("a one-time password opens nothing but its own change") { world in
      let person = try await world.makePerson("once@home.example", mustChangePassword: true)
      let stated: JSONValue = ["email": .string(person.email), "password": .string(World.password)]
      let logIn = Call(operationID: "createToken", body: .json(stated))
      let granted = try await world.client.expect(logIn, 200)
      world.check(granted.json["mustChangePassword"] == true, granted.json.text)
      let clockIn = world.call("clockIn", as: person)
      for call in [
        clockIn, Call(operationID: "getMe", token: person.token),
        Call(operationID: "deleteToken", token: person.token),
        world.call("getOrganization", as: person),
      ] {
        try await world.refuses(call, 403, ["password_change_required"], call.operationID)
      }
      // Nor does it accept a membership that another organization has added, whose token somebody may have.
      let away = try await world.makeTenant("away")
      try await world.add(person, to: away)
      let elsewhere = try await world.makeApiToken(for: person, in: away).token
      let accept = world.changePassword(as: person.token, from: World.password)
      try await world.refuses(
        accept.with { $0.json = $0.json.setting("apiToken", to: .string(elsewhere)) }, 403,
        ["password_change_required"], "accepting")
      // A program acts with a token of its own, which nobody has logged in for.
      let apiToken = try await world.makeApiToken(for: person).token
      try await world.client.expect(Call(operationID: "getMe", token: apiToken), 200)
      try await world.client.expect(
        world.changePassword(as: person.token, from: World.password), 204)
      try await world.client.expect(clockIn, 201)
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": person.userID],
        body: ["password": "set by the admin", "mustChangePassword": true], ifMatch: "*")
      try await world.client.expect(update, 200)
      let again = try await world.client.expect(
        logIn.with { $0.json = stated.setting("password", to: "set by the admin") }, 200)
      let token = try World.text(again.json["token"])
      world.check(again.json["mustChangePassword"] == true, again.json.text)
      try await world.refuses(
        clockIn.with { $0.token = token }, 403, ["password_change_required"], "the next one-time password")
      try await world.client.expect(
        update.with { $0.json = ["password": "set once more by the admin"] }, 200)
      let own = try await world.client.expect(
        logIn.with { $0.json = stated.setting("password", to: "set once more by the admin") }, 200)
      world.check(own.json["mustChangePassword"] == false, own.json.text)
    },
    Scenario("an organization that has only added somebody has no say over the account") { world in
      let away = try await world.makeTenant("away")
      let person = world.home.member
      try await world.add(person, to: away)
      let update = world.call(
        "updateMember", as: away.admin, in: away, path: ["userId": person.userID],
        body: ["password": "a newer password"], ifMatch: "*")
      try await world.client.expect(update, 409, code: "account_shared")
      try await world.client.expect(world.call("getOrganization", as: person), 200)
      _ = try await world.logIn(person.email)
      // The admin of the account's first organization helps as before.
      let own = world.call(
        "updateMember", as: world.home.admin, path: ["userId": person.userID],
        body: ["password": "a newer password"], ifMatch: "*")
      try await world.client.expect(own, 200)
    },
    Scenario("a person opens an organization that added them with its API token and a new password") {
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
    Scenario("an organization that adds a person sees what it wrote itself, and not what another calls them")
    { world in
      let away = try await world.makeTenant("away")
      let there = try await world.client.expect(
        world.call(
          "createMember", as: world.home.admin,
          body: [
            "email": "Victim@Home.example", "name": "Home's name", "role": "member",
            "password": .string(World.password),
          ]
        ), 201)
      world.check(there.json["email"] == "Victim@Home.example", there.json.text)
      let own: JSONValue = ["email": "victim@HOME.example", "name": "Away's name", "role": "admin"]
      let added = try await world.client.expect(
        world.call("createMember", as: away.admin, in: away, body: own), 201)
      let userID = try World.text(added.json["userId"])
      let person = Person(userID: userID, email: "victim@HOME.example", password: World.password, token: "")
      let token = try await world.makeApiToken(for: person, in: away).token
      let path = ["userId": userID]
      let seen = [
        added.json,
        try await world.client.expect(world.call("getMember", as: away.admin, in: away, path: path), 200)
          .json,
        try await world.client.expect(Call(operationID: "getMe", token: token), 200).json["user"] ?? .null,
        try await world.client.expect(world.call("listMembers", as: away.admin, in: away), 200)
          .json["members"]?.elements.last ?? .null,
      ]
      for json in seen {
        world.check(json["email"] == "victim@HOME.example" && json["name"] == "Away's name", json.text)
      }
      try await world.client.expect(
        world.call(
          "createTimeEntry", as: away.admin, in: away,
          body: [
            "userId": .string(userID), "clockInTime": "2026-11-19T08:00:00Z",
            "clockOutTime": "2026-11-19T09:00:00Z",
          ]), 201)
      for call in [
        world.call("exportPersonalData", as: away.admin, in: away, path: path),
        world.call("exportPersonalData", as: person, in: away, path: path).with { $0.token = token },
        world.call("exportTimeEntries", as: away.admin, in: away, query: [("format", "csv")]),
        world.call("listAuditLog", as: away.admin, in: away),
        world.call("listChanges", as: away.admin, in: away),
      ] {
        let text = String(decoding: try await world.client.expect(call, 200).response.body, as: UTF8.self)
        world.check(text.contains("victim@HOME.example") && text.contains("Away's name"), call.operationID)
        world.check(
          !text.contains("Home.example") && !text.contains("Home's name"), "\(call.operationID): \(text)")
      }
      // At home nothing has changed.
      let home = try await world.client.expect(world.call("getMember", as: world.home.admin, path: path), 200)
      world.check(home.json == there.json, home.json.text)
      // Once home has forgotten the person, the account is called as away calls them.
      try await world.client.expect(
        world.call("deactivateMember", as: world.home.admin, path: path, ifMatch: "*"), 204)
      try await world.client.expect(world.call("anonymizeMember", as: world.home.admin, path: path), 200)
      let logIn: JSONValue = ["email": "victim@home.example", "password": .string(World.password)]
      let user =
        try await world.client.expect(Call(operationID: "createToken", body: .json(logIn)), 200)
        .json["user"] ?? .null
      world.check(user["email"] == "victim@HOME.example" && user["name"] == "Away's name", user.text)
    },
    Scenario("an operator who names an account is answered what was stated") { world in
      let body: JSONValue = [
        "name": "Third", "timeZone": "UTC",
        "admin": ["email": .string(world.home.member.email.uppercased()), "name": "Another Name"],
      ]
      let created = try await world.client.expect(
        Call(operationID: "createOrganization", body: .json(body), token: world.service.operatorToken), 201)
      let user = created.json["user"] ?? .null
      world.check(user["id"]?.string == world.home.member.userID, user.text)
      world.check(
        user["name"] == "Another Name" && user["email"]?.string == world.home.member.email.uppercased(),
        user.text)
    },
    Scenario("a new password differs from the old one") { world in
      let call = world.changePassword(as: world.home.member.token, to: World.password)
      try await world.client.expect(call, 422, code: "invalid_password")
    },
  ]
}

extension World {
  /// Adds a person with an account to another organization.
  func add(_ person: Person, to tenant: Tenant, role: String = "member") async throws {
    let body: JSONValue = [
      "email": .string(person.email), "name": "A Person", "role": .string(role),
    ]
    try await client.expect(call("createMember", as: tenant.admin, in: tenant, body: body), 201)
  }

  /// Makes a person who is an admin at home and has accepted to be a member of another organization too.
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
