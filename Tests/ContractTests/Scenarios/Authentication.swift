import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Logging in and out, and the caller's account.
  static let authentication = Fixture(
    scenarios: Scenario.authentication,
    baselines: [
      "createToken": { world, _ in
        let example = try world.client.document.operation("createMember").bodyExample ?? .null
        try await world.client.expect(world.call("createMember", as: world.home.admin, body: example), 201)
      },
      "deleteToken": { world, call in call.token = try await world.logIn(world.home.member.email) },
      "deleteLogIn": { world, call in
        let spare = try await world.logIn(world.home.member.email)
        call.path["logInId"] = try await world.logIns(of: spare)[0].id
      },
    ])
}

extension Scenario {
  fileprivate static let authentication: [Scenario] = [
    Scenario("every failed log-in is answered alike") { world in
      let gone = try await world.makePerson("gone@home.example")
      try await world.deactivate(gone)
      let attempts: [(String, String)] = [
        ("nobody@home.example", World.password), (world.home.member.email, "another password"),
        (gone.email, World.password), ("", ""), ("no address", World.password),
        (world.home.member.email, String(repeating: "x", count: 2_000)),
      ]
      var answers: Set<String> = []
      for (email, password) in attempts {
        let body: JSONValue = ["email": .string(email), "password": .string(password)]
        let call = Call(operationID: "createToken", body: .json(body))
        let reply = try await world.client.expect(call, 401, code: "invalid_credentials", comment: email)
        answers.insert(reply.textWithoutRequestID)
      }
      world.check(answers.count == 1, "failed log-ins differ: \(answers)")
    },
    Scenario(
      "after five wrong passwords a log-in is refused, account or not, until three minutes have passed"
    ) {
      world in
      let person = world.home.member
      for (email, right) in [(person.email, true), ("nobody@home.example", false)] {
        func logIn(_ password: String) -> Call {
          Call(
            operationID: "createToken", body: .json(["email": .string(email), "password": .string(password)]))
        }
        var answers: Set<String> = []
        for number in 0..<5 {
          let reply = try await world.client.expect(
            logIn("wrong \(number)"), 401, code: "invalid_credentials", comment: email)
          answers.insert(reply.textWithoutRequestID)
        }
        for password in [World.password, "wrong"] {
          let reply = try await world.client.expect(
            logIn(password), 429, code: "too_many_attempts", comment: email)
          world.check(reply.response.values(of: "retry-after") == ["180"], "another Retry-After")
          answers.insert(reply.textWithoutRequestID)
        }
        world.check(answers.count == 2, "answers differ: \(answers)")
        world.service.clock.advance(milliseconds: 179_999)
        try await world.client.expect(logIn(World.password), 429, code: "too_many_attempts")
        world.service.clock.advance(milliseconds: 1)
        try await world.client.expect(logIn(World.password), right ? 200 : 401)
      }
      // The log-in has cleared it.
      let wrong: JSONValue = ["email": .string(person.email), "password": "wrong"]
      for _ in 0..<5 {
        try await world.client.expect(Call(operationID: "createToken", body: .json(wrong)), 401)
      }
    },
    Scenario("fifty wrong passwords from one network are refused, of whichever accounts") { world in
      func logIn(_ email: String) -> Call {
        Call(
          operationID: "createToken",
          body: .json(["email": .string(email), "password": .string(World.password)]))
      }
      for number in 0..<50 {
        try await world.client.expect(logIn("nobody\(number)@home.example"), 401)
        // A successful log-in in between changes nothing.
        if number == 30 { _ = try await world.logIn(world.home.member.email) }
      }
      try await world.client.expect(logIn(world.home.member.email), 429, code: "too_many_attempts")
      world.service.clock.advance(seconds: 18)
      _ = try await world.logIn(world.home.member.email)
    },
    Scenario("who is logged in may try the present password five times, and log-ins go on") { world in
      let person = world.home.member
      for _ in 0..<5 {
        try await world.client.expect(
          world.changePassword(as: person.token, from: "wrong"), 403, code: "wrong_password")
      }
      let reply = try await world.client.expect(
        world.changePassword(as: person.token), 429, code: "too_many_attempts")
      world.check(reply.response.values(of: "retry-after") == ["180"], "another Retry-After")
      _ = try await world.logIn(person.email)
      try await world.client.expect(world.changePassword(as: world.home.manager.token), 204)
      world.service.clock.advance(seconds: 180)
      try await world.client.expect(world.changePassword(as: person.token), 204)
    },
    Scenario("a new password is none of the first that anybody would try") { world in
      let person = world.home.member
      let tooCommon = ["password", "Summer2026!", "aaaaaaaa", "12345678", person.email, "member123", "Home"]
      for password in tooCommon where password.utf8.count >= 8 {
        try await world.client.expect(
          world.changePassword(as: person.token, to: password), 422, code: "password_too_common",
          comment: password)
      }
      let add: JSONValue = ["email": "new.person@home.example", "name": "New", "role": "member"]
      for password in ["password1", "new.person"] {
        let create = world.call(
          "createMember", as: world.home.admin, body: add.setting("password", to: .string(password)))
        try await world.client.expect(create, 422, code: "password_too_common", comment: password)
      }
      for password in ["password1", "member123"] {
        let update = world.call(
          "updateMember", as: world.home.admin, path: ["userId": person.userID],
          body: ["password": .string(password)], ifMatch: "*")
        try await world.client.expect(update, 422, code: "password_too_common", comment: password)
      }
      for password in ["password1", "founder.of", "Harbour Café"] {
        let create = Call(
          operationID: "createOrganization",
          body: .json([
            "name": "Harbour Café", "timeZone": "UTC",
            "admin": ["email": "founder.of@new.example", "name": "F", "password": .string(password)],
          ]), token: world.service.operatorToken)
        try await world.client.expect(create, 422, code: "password_too_common", comment: password)
      }
      // A person with such a password can still log in.
      _ = try await world.logIn(person.email)
    },
    Scenario("an e-mail address logs in in any case") { world in
      let token = try await world.logIn(world.home.member.email.uppercased())
      try await world.client.expect(Call(operationID: "getMe", token: token), 200)
    },
    Scenario("a token that logged out is refused, and only that one") { world in
      let token = try await world.logIn(world.home.member.email)
      try await world.client.expect(Call(operationID: "deleteToken", token: token), 204)
      try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
      try await world.client.expect(
        Call(operationID: "deleteToken", token: token), 401, code: "invalid_token")
      try await world.client.expect(Call(operationID: "getMe", token: world.home.member.token), 200)
    },
    Scenario("a log-in lives as long as it is used, and 30 days more") { world in
      let token = world.home.member.token
      for _ in 0..<5 {
        world.service.clock.advance(seconds: 29 * 86_400)
        try await world.client.expect(Call(operationID: "getMe", token: token), 200)
        try await world.waitForUse(of: token)
      }
      world.service.clock.advance(seconds: 30 * 86_400)
      try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
    },
    Scenario("a person sees their log-ins, and ends lost ones") { world in
      let person = world.home.member
      let phone = try await world.logIn(person.email)
      let before = try await world.logIns(of: person.token)
      world.check(before.map(\.isCurrent) == [false, true], "the last comes first: \(before)")
      let call = Call(operationID: "deleteLogIn", path: ["logInId": before[0].id], token: person.token)
      try await world.client.expect(call, 204)
      try await world.client.expect(Call(operationID: "getMe", token: phone), 401, code: "invalid_token")
      try await world.client.expect(call, 404, code: "log_in_not_found")
      let after = try await world.logIns(of: person.token)
      world.check(after.map(\.id) == [before[1].id], "listed \(after)")
      // Nobody else's, not even an admin.
      let foreign = call.with {
        $0.token = world.home.admin.token
        $0.path["logInId"] = before[1].id
      }
      try await world.client.expect(foreign, 404, code: "log_in_not_found")
      let apiToken = try await world.makeApiToken(for: person).token
      try await world.client.expect(Call(operationID: "listLogIns", token: apiToken), 403, code: "forbidden")
      try await world.client.expect(foreign.with { $0.token = apiToken }, 403, code: "forbidden")
      try await world.client.expect(Call(operationID: "getMe", token: person.token), 200)
    },
    Scenario("a person ends all log-ins but their own, and no API token") { world in
      let person = world.home.member
      let phones = try await [world.logIn(person.email), world.logIn(person.email)]
      let apiToken = try await world.makeApiToken(for: person).token
      let call = Call(operationID: "deleteOtherLogIns", token: phones[1])
      try await world.client.expect(call.with { $0.token = apiToken }, 403, code: "forbidden")
      try await world.client.expect(call, 204)
      for token in [phones[0], person.token] {
        try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
      }
      for token in [phones[1], apiToken, world.home.admin.token] {
        try await world.client.expect(Call(operationID: "getMe", token: token), 200)
      }
      let left = try await world.logIns(of: phones[1])
      world.check(left.map(\.isCurrent) == [true], "listed \(left)")
    },
    Scenario("times that a person enters on the page are from the web, and a manager's for others are not") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      func logIn(_ person: Person, _ client: JSONValue) -> Call {
        let body: JSONValue = [
          "email": .string(person.email), "password": .string(World.password), "client": client,
        ]
        return Call(operationID: "createToken", body: .json(body))
      }
      try await world.client.expect(logIn(member, "kiosk"), 400, code: "invalid_body")
      func token(_ person: Person, _ client: JSONValue) async throws -> String {
        try World.text(try await world.client.expect(logIn(person, client), 200).json["token"])
      }
      let (page, other) = (try await token(member, "web"), try await token(member, .null))
      let project = try await world.projectID()
      func source(_ call: Call, _ token: String, _ status: Int) async throws -> JSONValue? {
        let made = try await world.client.expect(call.with { $0.token = token }, status)
        return (made.json["timeEntry"] ?? made.json)["source"]
      }
      func punch(_ number: Int, _ type: String, _ time: String) -> JSONValue {
        [
          "id": .string("019aa0f2-3c00-7a10-8b20-00000000000\(number)"), "type": .string(type),
          "at": .string(time),
        ]
      }
      let start = world.start(["projectId": project], as: member)
      let manual = world.call(
        "createTimeEntry", as: member,
        body: ["clockInTime": "2026-11-19T06:00:00Z", "clockOutTime": "2026-11-19T07:00:00Z"])
      let others = manual.with {
        $0.body = .json([
          "userId": .string(member.userID), "clockInTime": "2026-11-19T02:00:00Z",
          "clockOutTime": "2026-11-19T03:00:00Z",
        ])
      }
      for (name, call) in [("clockIn", world.call("clockIn", as: member)), ("startSegment", start)] {
        for (token, expected) in [(page, "web"), (other, "api")] as [(String, JSONValue)] {
          world.check(try await source(call, token, 201) == expected, "\(name) is not \(expected.text)")
          world.service.clock.advance(seconds: 61)
          try await world.client.expect(world.call("clockOut", as: member).with { $0.token = token }, 200)
        }
      }
      world.check(try await source(manual, page, 201) == "web", "entered by hand")
      world.check(
        try await source(others, try await token(manager, "web"), 201) == "admin", "a manager's for another")
      let bulk = world.call(
        "createTimeEntries", as: member,
        body: [
          "mode": "atomic",
          "timeEntries": [["clockInTime": "2026-11-18T06:00:00Z", "clockOutTime": "2026-11-18T07:00:00Z"]],
        ])
      try await world.client.expect(bulk.with { $0.token = page }, 200)
      world.service.clock.advance(seconds: 600)
      let punches = world.call(
        "applyPunches", as: member,
        body: [
          "punches": [
            punch(1, "clockIn", "2026-11-17T06:00:00Z"), punch(2, "clockOut", "2026-11-17T07:00:00Z"),
            punch(3, "clockIn", "2026-11-20T12:06:00Z"), punch(4, "clockOut", "2026-11-20T12:10:00Z"),
          ]
        ])
      try await world.client.expect(punches.with { $0.token = page }, 200)
      let listed = try await world.client.expect(
        world.call("listTimeEntries", as: member, query: [("source", "web")]), 200)
      let days = (listed.json["timeEntries"]?.elements ?? []).compactMap { $0["date"]?.string }
      let expected = ["2026-11-20", "2026-11-20", "2026-11-20", "2026-11-19", "2026-11-18", "2026-11-17"]
      world.check(days == expected, "from the web: \(days)")
      let logIns = try await world.client.expect(Call(operationID: "listLogIns", token: page), 200)
      let clients = logIns.json["logIns"]?.elements.map { $0["client"] ?? .null } ?? []
      world.check(clients == [.null, "web", .null], "\(clients)")
    },
    Scenario("an expired log-in is refused") { world in
      try await world.client.expect(Call(operationID: "getMe", token: world.home.member.token), 200)
      world.service.clock.advance(seconds: 400 * 86_400)
      try await world.client.expect(
        Call(operationID: "getMe", token: world.home.member.token), 401, code: "invalid_token")
    },
    Scenario("getMe shows the person and every membership") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      let reply = try await world.client.expect(Call(operationID: "getMe", token: person.token), 200)
      world.check(reply.json["user"]?["email"]?.string == person.email, "another e-mail")
      let organizations = reply.json["memberships"]?.elements.compactMap { $0["organizationID"]?.string }
      world.check(
        organizations == [world.home.organizationID, away.organizationID],
        "memberships \(organizations ?? [])")
      let roles = reply.json["memberships"]?.elements.compactMap { $0["role"]?.string }
      world.check(roles == ["admin", "member"], "roles \(roles ?? [])")
    },
    Scenario("getMe shows on request what an app begins with, of active memberships alone") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      for date in ["2026-11-19", "2026-11-21"] {
        _ = try await world.makeSession(date: date, assignees: [person])
      }
      _ = try await world.makeSession(date: "2026-11-22", assignees: [world.home.member])
      try await world.client.expect(world.call("clockIn", as: person), 201)
      var call = Call(operationID: "getMe", token: person.token)
      call.query = [("include", "sessions,current,organization")]
      let memberships = try await world.client.expect(call, 200).json["memberships"]?.elements ?? []
      for (membership, tenant) in zip(memberships, [world.home, away]) {
        let organization = try await world.client.expect(
          world.call("getOrganization", as: person, in: tenant), 200)
        world.check(membership["organization"] == organization.json, "another organization")
        let current = try await world.client.expect(
          world.call("getCurrentTimeEntry", as: person, in: tenant), 200)
        world.check(membership["current"] == current.json, "another current entry")
        let dates = membership["sessions"]?.elements.compactMap { $0["date"]?.string }
        world.check(
          dates == (tenant.organizationID == away.organizationID ? [] : ["2026-11-21"]), "\(dates ?? [])")
      }
      world.check(memberships.count == 2, "\(memberships.count) memberships")
      try await world.deactivate(person)
      let after = try await world.client.expect(call, 200).json["memberships"]?.elements ?? []
      let shown = after.map { $0["organization"] != nil || $0["current"] != nil || $0["sessions"] != nil }
      world.check(shown == [false, true], "shown \(shown)")
      call.query = [("include", "current")]
      let only = try await world.client.expect(call, 200).json["memberships"]?.elements.last ?? .null
      world.check(only["current"] != nil && only["organization"] == nil && only["sessions"] == nil, only.text)
      for text in ["", "current,current", "nothing", "current,"] {
        call.query = [("include", text)]
        try await world.client.expect(call, 400, code: "invalid_parameter", comment: text)
      }
    },
    Scenario("a new password ends the old one and every other token") { world in
      let person = world.home.member
      let other = try await world.logIn(person.email)
      let apiToken = try await world.makeApiToken(for: person).token
      try await world.client.expect(world.changePassword(as: person.token), 204)
      try await world.client.expect(Call(operationID: "getMe", token: person.token), 200)
      for token in [other, apiToken] {
        try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
      }
      let old: JSONValue = ["email": .string(person.email), "password": .string(World.password)]
      try await world.client.expect(
        Call(operationID: "createToken", body: .json(old)), 401, code: "invalid_credentials")
      try await world.client.expect(
        Call(operationID: "createToken", body: .json(old.setting("password", to: "a newer password"))), 200)
    },
    Scenario("a password is changed only by one who knows it, and never with an API token") { world in
      let person = world.home.member
      try await world.client.expect(
        world.changePassword(as: person.token, from: "another password"), 403, code: "wrong_password")
      let apiToken = try await world.makeApiToken(for: person).token
      try await world.client.expect(world.changePassword(as: apiToken), 403, code: "forbidden")
      _ = try await world.logIn(person.email)
    },
    Scenario("a password is measured in bytes") { world in
      let person = world.home.member
      for refused in ["äöü", "1234567", String(repeating: "ä", count: 513)] {
        try await world.client.expect(
          world.changePassword(as: person.token, to: refused), 422, code: "invalid_password")
      }
      try await world.client.expect(world.changePassword(as: person.token, to: "äöüß"), 204)
    },
  ]
}

extension World {
  /// The log-ins of the token's owner.
  fileprivate func logIns(of token: String) async throws -> [(id: String, isCurrent: Bool)] {
    let reply = try await client.expect(Call(operationID: "listLogIns", token: token), 200)
    return try (reply.json["logIns"]?.elements ?? []).map {
      (try Self.text($0["id"]), $0["current"]?.bool ?? false)
    }
  }

  /// Waits until the use of a log-in at the present time has been written down, which is soon.
  fileprivate func waitForUse(of token: String) async throws {
    let until = service.clock.wallClock.now.adding(milliseconds: 30 * 86_400_000)
    for _ in 0..<1_000 {
      let reply = try await client.expect(Call(operationID: "listLogIns", token: token), 200)
      let current = reply.json["logIns"]?.elements.first { $0["current"] == true }
      if current?["expiresAt"]?.string == until.rfc3339 { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    check(false, "the use of a log-in is not written down")
  }

  /// A call that changes a password.
  func changePassword(
    as token: String, from old: String = World.password, to new: String = "a newer password"
  )
    -> Call
  {
    let body: JSONValue = ["currentPassword": .string(old), "newPassword": .string(new)]
    return Call(operationID: "changePassword", body: .json(body), token: token)
  }

  /// Deactivates a person at home.
  func deactivate(_ person: Person) async throws {
    let call = call(
      "deactivateMember", as: home.admin, path: ["userId": person.userID], ifMatch: try await etag(of: person)
    )
    try await client.expect(call, 204)
  }
}
