@testable import ContractDocument

extension Fixture {
  /// Changes that people make to their own account.
  static let ownAccount = Fixture(
    scenarios: Scenario.ownAccount,
    baselines: [
      "updateMe": { _, call in
        call.json = call.json.setting("currentPassword", to: .string(World.password))
      }
    ])
}

extension Scenario {
  fileprivate static let ownAccount: [Scenario] = [
    Scenario("people change their own name and zone, where they are known") { world in
      let member = world.home.member
      let call = Call(
        operationID: "updateMe", body: .json(["name": " Neu ", "timeZone": "Pacific/Apia"]),
        token: member.token)
      let me = try await world.client.expect(call, 200)
      world.check(me.json["user"]?["name"] == "Neu", me.json.text)
      world.check(
        me.json["memberships"]?.elements.map { $0["timeZone"] } == ["Pacific/Apia"], me.json.text)
      let read = world.call("getMember", as: world.home.admin, path: ["userId": member.userID])
      let seen = try await world.client.expect(read, 200)
      world.check(seen.json["name"] == "Neu" && seen.json["timeZone"] == "Pacific/Apia", seen.json.text)
      let log = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("limit", "1")]), 200)
      world.check(log.json.text.contains("updateMe"), "the log does not say so")
      for body: JSONValue? in [nil, [:], ["name": nil, "email": nil]] {
        let same = try await world.client.expect(call.with { $0.json = body ?? .object([]) }, 200)
        world.check(same.json == me.json, "a change of nothing: \(same.json.text)")
      }
      let back = try await world.client.expect(call.with { $0.json = ["timeZone": nil] }, 200)
      world.check(back.json["memberships"]?.elements.map { $0["timeZone"] } == [.null], back.json.text)
      for (body, code): (JSONValue, String) in [
        (["name": " "], "invalid_name"), (["timeZone": "Mars/Olympus"], "unknown_time_zone"),
        (["email": "nonsense", "currentPassword": .string(World.password)], "invalid_email"),
      ] {
        try await world.refuses(call.with { $0.json = body }, 422, [code], body.text)
      }
      let apiToken = try await world.makeApiToken(for: member).token
      try await world.client.expect(call.with { $0.token = apiToken }, 403, code: "forbidden")
    },
    Scenario(
      "a person reads in one language wherever they work, and each organization may choose for its own"
    ) { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      let call = Call(operationID: "updateMe", body: .json(["language": "de"]), token: person.token)
      func seen(by tenant: Tenant) async throws -> JSONValue? {
        let read = world.call("getMember", as: tenant.admin, in: tenant, path: ["userId": person.userID])
        let shown = try await world.client.expect(read, 200)
        return shown.json["language"]
      }
      func own() async throws -> JSONValue? {
        let me = try await world.client.expect(Call(operationID: "getMe", token: person.token), 200)
        return me.json["user"]?["language"]
      }
      world.check(try await own() == .null, "a language from the beginning")
      let me = try await world.client.expect(call, 200)
      world.check(me.json["user"]?["language"] == "de", me.json.text)
      for tenant in [world.home, away] { world.check(try await seen(by: tenant) == "de", "not everywhere") }
      let update = world.call(
        "updateMember", as: away.admin, in: away, path: ["userId": person.userID], body: ["language": "fr"],
        ifMatch: "*")
      let changed = try await world.client.expect(update, 200)
      world.check(changed.json["language"] == "fr", changed.json.text)
      world.check(try await seen(by: world.home) == "de", "another organization's too")
      world.check(try await own() == "de", "the account's too")
      // One that logs in to no other organization.
      let member = world.home.member
      let alone = update.with {
        $0.token = world.home.admin.token
        $0.path = ["organizationID": world.home.organizationID, "userId": member.userID]
      }
      try await world.client.expect(alone, 200)
      let theirs = try await world.client.expect(Call(operationID: "getMe", token: member.token), 200)
      world.check(theirs.json["user"]?["language"] == "fr", theirs.json.text)
      for bad: JSONValue in ["xx", "DE", "", 1] {
        for call in [call, update] {
          try await world.refuses(call.with { $0.json = ["language": bad] }, 400, ["invalid_body"], bad.text)
        }
      }
      let kept = try await world.client.expect(call.with { $0.json = ["name": "Neu"] }, 200)
      world.check(kept.json["user"]?["language"] == "de", kept.json.text)
      let gone = try await world.client.expect(call.with { $0.json = ["language": nil] }, 200)
      world.check(gone.json["user"]?["language"] == .null, gone.json.text)
      world.check(try await seen(by: away) == .null, "it stays elsewhere")
    },
    Scenario("an organization that a person has left learns no new address") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      let export = world.call(
        "exportPersonalData", as: world.home.admin, path: ["userId": person.userID])
      let change: JSONValue = ["email": "private@new.example", "currentPassword": .string(World.password)]
      try await world.deactivate(person)
      try await world.client.expect(
        Call(operationID: "updateMe", body: .json(change), token: person.token), 200)
      let account = try await world.client.expect(export, 200).json["account"]
      world.check(account?["email"]?.string == person.email, "\(account?.text ?? "none")")
      let elsewhere = export.with {
        $0.token = away.admin.token
        $0.path["organizationID"] = away.organizationID
      }
      let known = try await world.client.expect(elsewhere, 200).json["account"]
      world.check(known?["email"] == "private@new.example", "\(known?.text ?? "none")")
    },
    Scenario("people change their own address with their password") { world in
      let member = world.home.member
      func body(_ email: String, _ password: String = World.password) -> JSONValue {
        ["email": .string(email), "currentPassword": .string(password)]
      }
      let call = Call(operationID: "updateMe", body: .json(body("own@new.example")), token: member.token)
      try await world.refuses(
        call.with { $0.json = ["email": "own@new.example"] }, 403, ["wrong_password"], "no password")
      try await world.refuses(
        call.with { $0.json = body("own@new.example", "another password") }, 403, ["wrong_password"],
        "password")
      try await world.refuses(
        call.with { $0.json = body(world.home.admin.email) }, 409, ["address_taken"], "taken")
      let me = try await world.client.expect(call, 200)
      world.check(me.json["user"]?["email"] == "own@new.example", me.json.text)
      _ = try await world.logIn("OWN@new.example")
      let old: JSONValue = ["email": .string(member.email), "password": .string(World.password)]
      try await world.client.expect(Call(operationID: "createToken", body: .json(old)), 401)
      let read = world.call("getMember", as: world.home.admin, path: ["userId": member.userID])
      let seen = try await world.client.expect(read, 200)
      world.check(seen.json["email"] == "own@new.example", seen.json.text)
      for attempt in 1...6 {
        let wrong = call.with { $0.json = body("x@new.example", "wrong \(attempt)") }
        let reply = try await world.client.send(wrong, "attempt \(attempt)")
        world.check(
          reply.code == (attempt <= 4 ? "wrong_password" : "too_many_attempts")
            || attempt == 5, "attempt \(attempt): \(reply.status) \(reply.code ?? "")")
      }
    },
  ]
}
