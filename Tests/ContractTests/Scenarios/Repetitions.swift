import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Requests that come again under an `Idempotency-Key`.
  static let repetitions = Fixture(scenarios: Scenario.repetitions)
}

extension Scenario {
  fileprivate static let repetitions: [Scenario] = [
    Scenario("a lost answer to a clock-in is asked for again, even after the clock-out") { world in
      let call = world.clockIn("k")
      let first = try await world.client.expect(call, 201)
      try await world.client.expect(world.call("clockOut", as: world.home.member), 200)
      world.service.clock.advance(seconds: 23 * 3_600)
      let again = try await world.client.expect(call, 201)
      world.check(again.response.body == first.response.body, "another answer")
      try await world.listsEntries(1)
      world.service.clock.advance(seconds: 3_600)
      let new = try await world.client.expect(call, 201)
      world.check(new.json["id"] != first.json["id"], "the key holds for more than 24 hours")
      try await world.listsEntries(2)
    },
    Scenario("what a rule refused stays refused under its key") { world in
      let running = try await world.client.expect(world.call("clockIn", as: world.home.member), 201)
      let first = try await world.client.expect(world.clockIn("k"), 409, code: "already_clocked_in")
      try await world.client.expect(world.call("clockOut", as: world.home.member), 200)
      let again = try await world.client.expect(world.clockIn("k"), 409, code: "already_clocked_in")
      world.check(again.response.body == first.response.body, "another refusal")
      world.check(again.response.values(of: "idempotency-replayed") == ["true"], "not marked as a replay")
      world.check(again.json["activeTimeEntry"]?["id"] == running.json["id"], "another entry")
      try await world.client.expect(world.clockIn("l"), 201)
    },
    Scenario("what was not understood, or not possible, leaves the key free") { world in
      let call = world.clockIn("k")
      try await world.client.expect(call.with { $0.json = ["notes": 7] }, 400, code: "invalid_body")
      try await world.client.expect(
        call.with { $0.json = ["userId": .string(world.home.manager.userID)] }, 403, code: "forbidden")
      world.service.faults.inject(
        Faults.Fault(
          error: TimeclockError.unavailable(retryAfterSeconds: 1), hitsAuthentication: false))
      try await world.client.expect(call, 503, code: "unavailable")
      world.service.faults.inject(nil)
      let reply = try await world.client.expect(call, 201)
      world.check(reply.response.values(of: "idempotency-replayed").isEmpty, "a replay of nothing")
    },
    Scenario("the same body in other words is the same") { world in
      let words = [
        #"{"notes":"caf\u00e9","timeZone":"UTC","userId":null}"#,
        #" { "userId" : null, "timeZone":"\u0055TC",  "notes":"café" }"#,
      ]
      let calls = words.map { text in world.clockIn("k").with { $0.body = .bytes(Array(text.utf8)) } }
      let first = try await world.client.expect(calls[0], 201)
      let again = try await world.client.expect(calls[1], 201)
      world.check(again.response.body == first.response.body, "another answer")
      let others = [
        #"{"notes":"cafe\u0301","timeZone":"UTC","userId":null}"#, #"{"notes":"café","timeZone":"UTC"}"#,
        "{}",
        "",
      ]
      for text in others {
        try await world.client.expect(
          calls[0].with { $0.body = text.isEmpty ? .none : .bytes(Array(text.utf8)) }, 422,
          code: "idempotency_key_reused", comment: text)
      }
    },
    Scenario("a key is one person's, and one operation's") { world in
      let away = try await world.makeTenant("away")
      try await world.client.expect(world.clockIn("k"), 201)
      for person in [world.home.manager, world.home.admin] {
        let reply = try await world.client.expect(world.clockIn("k").with { $0.token = person.token }, 201)
        world.check(reply.json["userId"]?.string == person.userID, "somebody else's answer")
      }
      try await world.client.expect(world.call("clockOut", as: world.home.member).keyed("k"), 200)
      let token = try await world.logIn(world.home.member.email)
      let again = try await world.client.expect(world.clockIn("k").with { $0.token = token }, 201)
      world.check(
        again.response.values(of: "idempotency-replayed") == ["true"], "another log-in's is another")
      // In another organization the same request is another.
      let shared = try await world.makeSharedPerson(away)
      let here = world.call("clockIn", as: shared).keyed("k")
      let there = world.call("clockIn", as: shared, in: away).keyed("k")
      try await world.client.expect(here, 201)
      try await world.client.expect(there, 422, code: "idempotency_key_reused")
    },
    Scenario("an answer is only for who may ask now") { world in
      try await world.client.expect(world.clockIn("k"), 201)
      try await world.deactivate(world.home.member)
      try await world.client.expect(world.clockIn("k"), 401, code: "invalid_token")
      let body: JSONValue = ["email": "new@home.example", "name": "New"]
      let call = world.call("createMember", as: world.home.manager, body: body).keyed("k")
      try await world.client.expect(call, 403, code: "forbidden")
    },
    Scenario("a token that was lost on its way is shown again to who asks for it again") { world in
      let person = world.home.member
      let body: JSONValue = ["email": .string(person.email), "password": .string(World.password)]
      let logIn = Call(operationID: "createToken", body: .json(body)).keyed("k")
      let first = try World.text(try await world.client.expect(logIn, 200).json["token"])
      let again = try World.text(try await world.client.expect(logIn, 200).json["token"])
      world.check(again == first, "another token")
      try await world.client.expect(Call(operationID: "getMe", token: again), 200)
      let wrong: JSONValue = ["email": .string(person.email), "password": "another password"]
      try await world.client.expect(logIn.with { $0.json = wrong }, 401, code: "invalid_credentials")
      let make = world.call(
        "createApiToken", as: world.home.admin, body: ["name": "Door", "userId": .string(person.userID)]
      ).keyed("k")
      let token = try await world.client.expect(make, 201)
      let tokenAgain = try await world.client.expect(make, 201)
      world.check(token.json == tokenAgain.json, "another API token")
      let list = try await world.client.expect(world.call("listApiTokens", as: world.home.admin), 200)
      world.check(list.json["apiTokens"]?.elements.count == 1, "two tokens")
    },
    Scenario("operations that are repeatable anyhow take no notice of a key") { world in
      for _ in 0..<2 {
        let reply = try await world.client.expect(
          world.call("getCurrentTimeEntry", as: world.home.member).keyed("a b"), 200)
        world.check(reply.response.values(of: "idempotency-replayed").isEmpty, "a replay")
      }
    },
  ]
}

extension World {
  fileprivate func clockIn(_ key: String) -> Call { call("clockIn", as: home.member).keyed(key) }

  fileprivate func listsEntries(_ count: Int) async throws {
    let list = try await client.expect(call("listTimeEntries", as: home.member), 200)
    check(list.json["timeEntries"]?.elements.count == count, "not \(count) entries")
  }
}

extension Call {
  fileprivate func keyed(_ key: String) -> Call { with { $0.idempotencyKey = key } }
}
