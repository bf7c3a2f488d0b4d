@testable import ContractDocument

extension Fixture {
  /// Links by which members choose a password.
  static let invitations = Fixture(
    scenarios: Scenario.invitations,
    baselines: [
      "createInvitation": { world, call in
        call.json = call.json.setting("userId", to: .string(world.home.member.userID))
      },
      "deleteInvitation": { world, call in
        call.path["invitationId"] = try await world.invite(world.home.member).id
      },
      "acceptInvitation": { world, call in
        let person = try await world.makeGuest()
        call.json = call.json.setting("token", to: .string(try await world.invite(person).token))
      },
    ],
    foreignIDs: { world, away in
      _ = try await world.invite(away.manager, in: away)
      return ["invitationId": try await world.invite(away.member, in: away).id]
    })
}

extension Scenario {
  fileprivate static let invitations: [Scenario] = [
    Scenario("an invited person chooses a password, and is in") { world in
      let guest = try await world.makeGuest()
      let token = try await world.invite(guest).token
      let accept = world.accept(token, client: "web")
      try await world.refuses(
        world.accept(token, guest.email), 422, ["password_too_common"], "the address as the password")
      let granted = try await world.client.expect(accept, 200)
      world.check(
        granted.json["user"]?["id"]?.string == guest.userID && granted.json["mustChangePassword"] == false
          && granted.json["expiresAt"] == "2026-12-20T12:00:00.000Z", granted.json.text)
      let logIn = try World.text(granted.json["token"])
      let entry = try await world.client.expect(
        world.call("clockIn", as: guest).with { $0.token = logIn }, 201)
      world.check(entry.json["source"] == "web", entry.json.text)
      try await world.client.expect(accept, 404, code: "invitation_not_found")
      _ = try await world.logIn(guest.email)
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("resource", "invitation")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["acceptInvitation", "createInvitation"], audit.json.text)
      world.check(changes.first?["author"]?["userId"]?.string == guest.userID, audit.json.text)
    },
    Scenario("an invitation that is unknown, used, revoked or over has one answer") { world in
      let revoked = try await world.invite(world.home.member)
      try await world.client.expect(
        world.call("deleteInvitation", as: world.home.admin, path: ["invitationId": revoked.id]), 204)
      let replaced = try await world.invite(world.home.manager).token
      _ = try await world.invite(world.home.manager)
      let used = try await world.invite(try await world.makeGuest()).token
      try await world.client.expect(world.accept(used), 200)
      let expired = try await world.invite(
        try await world.makeGuest("late@home.example"), expiresAt: "2026-11-20T12:00:01Z"
      ).token
      world.service.clock.advance(seconds: 1)
      let unknown = try await world.client.expect(
        world.accept(String(repeating: "0", count: 64)), 404, code: "invitation_not_found")
      for token in [revoked.token, replaced, used, expired, world.home.admin.token] {
        let reply = try await world.client.expect(world.accept(token), 404, code: "invitation_not_found")
        world.check(reply.json.removing("requestId") == unknown.json.removing("requestId"), reply.json.text)
      }
      try await world.client.expect(world.accept("0"), 400, code: "invalid_body")
    },
    Scenario("an invitation lasts a week unless stated, and at most 30 days") { world in
      let call = world.call(
        "createInvitation", as: world.home.admin, body: ["userId": .string(world.home.member.userID)])
      let made = try await world.client.expect(call, 201)
      world.check(made.json["expiresAt"] == "2026-11-27T12:00:00.000Z", made.json.text)
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/invitations/\(id)",
        "Location is \(made.location ?? "none")")
      let listed = try await world.client.expect(world.call("listInvitations", as: world.home.admin), 200)
      world.check(listed.json["invitations"]?.elements == [made.json.removing("token")], listed.json.text)
      let stated = { (text: JSONValue) in call.with { $0.json = $0.json.setting("expiresAt", to: text) } }
      try await world.client.expect(stated("2026-12-20T12:00:00Z"), 201)
      for late in ["2026-12-20T12:00:00.001Z", "2026-11-20T12:00:00Z", "2020-01-01T00:00:00Z"] as [JSONValue]
      {
        try await world.refuses(stated(late), 422, ["invalid_expiry"], late.text)
      }
      try await world.deactivate(world.home.member)
      try await world.client.expect(call, 409, code: "member_deactivated")
    },
    Scenario("an admin who keeps an invitation gets into no other organization with it") { world in
      let away = try await world.makeTenant("away")
      let person = world.home.member
      try await world.add(person, to: away, role: "admin")
      let token = try await world.invite(person, in: away).token
      // Neither by choosing a password, nor by guessing.
      for current in [.null, "", "what nobody guesses"] as [JSONValue] {
        let call = world.accept(token, currentPassword: current)
        try await world.refuses(call, 403, ["wrong_password"], current.text)
      }
      _ = try await world.logIn(person.email)
      try await world.client.expect(world.call("getOrganization", as: person), 200)
      let elsewhere = world.call("getOrganization", as: person, in: away)
      try await world.client.expect(elsewhere, 404, code: "organization_not_found")
      // Knowing the old password does not help to log in.
      let same = world.accept(token, World.password, currentPassword: .string(World.password))
      try await world.refuses(same, 422, ["invalid_password"], "the old password")
      let granted = try await world.client.expect(
        world.accept(token, "a newer password", currentPassword: .string(World.password)), 200)
      let logIn = try World.text(granted.json["token"])
      for call in [elsewhere, world.call("getOrganization", as: person)] {
        try await world.client.expect(call.with { $0.token = logIn }, 200)
      }
      try await world.client.expect(elsewhere, 401, code: "invalid_token")
      for (tenant, admin) in [(world.home, world.home.admin), (away, away.admin)] {
        let again = world.call(
          "createInvitation", as: admin, in: tenant, body: ["userId": .string(person.userID)])
        try await world.client.expect(again, 409, code: "account_shared")
      }
    },
    Scenario("an account without a password that opens another organization is not to be had by inviting it")
    {
      world in
      let guest = try await world.makeGuest()
      let away = try await world.makeTenant("away")
      try await world.add(guest, to: away)
      let token = try await world.invite(guest, in: away).token
      for current in [.null, "", .string(World.password)] as [JSONValue] {
        try await world.refuses(
          world.accept(token, currentPassword: current), 403, ["wrong_password"], current.text)
      }
    },
    Scenario("a one-time password accepts no invitation") { world in
      let person = try await world.makePerson("once@home.example", mustChangePassword: true)
      let away = try await world.makeTenant("away")
      try await world.add(person, to: away)
      let token = try await world.invite(person, in: away).token
      try await world.refuses(
        world.accept(token, "a newer password", currentPassword: .string(World.password)), 403,
        ["password_change_required"], "a one-time password")
    },
    Scenario("guessing at invitations and at passwords behind them has an end") { world in
      let away = try await world.makeTenant("away")
      let person = world.home.member
      try await world.add(person, to: away)
      // As many invitations as one likes, and no more guesses than at log-ins.
      for number in 0..<5 {
        let token = try await world.invite(person, in: away).token
        let guess = world.accept(token, currentPassword: .string("guess number \(number)"))
        try await world.client.expect(guess, 403, code: "wrong_password")
      }
      let token = try await world.invite(person, in: away).token
      try await world.client.expect(
        world.accept(token, "a newer password", currentPassword: .string(World.password)), 429,
        code: "too_many_attempts")
      for number in 0..<50 {
        let unknown = String(repeating: "0", count: 62) + String(10 + number)
        let reply = try await world.client.expect(
          world.accept(unknown), anyOf: [404, 429], codes: ["invitation_not_found", "too_many_attempts"],
          comment: "guess \(number)")
        if reply.status == 429 { return world.check(number > 40, "an end after \(number)") }
      }
      try await world.client.expect(
        world.accept(String(repeating: "f", count: 64)), 429, code: "too_many_attempts")
    },
    Scenario("invitations are listed in pages, each once") { world in
      var made: [String] = []
      for number in 0..<5 {
        made.append(try await world.invite(try await world.makeGuest("guest\(number)@home.example")).id)
      }
      let listed = try await world.pages("listInvitations", "invitations", as: world.home.admin, limit: 2)
      world.check(listed.compactMap { $0["id"]?.string } == made, "listed \(listed.map(\.text))")
    },
  ]
}

extension World {
  /// Adds a person without a password.
  fileprivate func makeGuest(_ email: String = "guest@home.example") async throws -> Person {
    let body: JSONValue = ["email": .string(email), "name": "A Guest", "role": "member"]
    let made = try await client.expect(call("createMember", as: home.admin, body: body), 201)
    return Person(
      userID: try Self.text(made.json["userId"]), email: email, password: World.password, token: "")
  }

  /// Invites a member.
  func invite(
    _ person: Person, in tenant: Tenant? = nil, expiresAt: JSONValue = .null
  ) async throws -> (id: String, token: String) {
    let tenant = tenant ?? home
    let body: JSONValue = ["userId": .string(person.userID), "expiresAt": expiresAt]
    let made = try await client.expect(
      call("createInvitation", as: tenant.admin, in: tenant, body: body), 201)
    return (try Self.text(made.json["id"]), try Self.text(made.json["token"]))
  }

  /// A call that accepts an invitation.
  fileprivate func accept(
    _ token: String, _ password: String = World.password, currentPassword: JSONValue = .null,
    client: JSONValue = .null
  ) -> Call {
    let body: JSONValue = [
      "token": .string(token), "password": .string(password), "currentPassword": currentPassword,
      "client": client,
    ]
    return Call(operationID: "acceptInvitation", body: .json(body))
  }
}
