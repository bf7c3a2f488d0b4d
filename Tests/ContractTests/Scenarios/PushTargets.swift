@testable import ContractDocument

extension Fixture {
  /// The places on phones to which messages go.
  static let pushTargets = Fixture(
    scenarios: Scenario.pushTargets,
    baselines: [
      "deletePushTarget": { world, call in
        call.path["pushTargetId"] = try World.text(try await world.makePushTarget(by: call.token)["id"])
      }
    ],
    foreignIDs: { world, away in
      let made = try await world.makePushTarget(by: away.admin.token, in: away)
      return ["pushTargetId": try World.text(made["id"])]
    })
}

extension Scenario {
  fileprivate static let pushTargets: [Scenario] = [
    Scenario("a push target is shown without its token, to its member alone") { world in
      let member = world.home.member
      let token = String(repeating: "00FFa1B2", count: 8)
      let made = try await world.client.expect(
        world.call(
          "createPushTarget", as: member,
          body: ["kind": "liveActivity", "form": "rest", "token": .string(token), "topic": "com.example.app"]),
        201)
      for (name, value): (String, JSONValue) in [
        ("kind", "liveActivity"), ("form", "rest"), ("token", "****a1b2"), ("topic", "com.example.app"),
        ("environment", "production"), ("dates", "reference"), ("attributesType", "RestTimerAttributes"),
        ("createdAt", "2026-11-20T12:00:00.000Z"), ("expiresAt", "2026-11-20T20:00:00.000Z"),
      ] { world.check(made.json[name] == value, "\(name) is \(made.json[name]?.text ?? "")") }
      let start = try await world.client.expect(
        world.call(
          "createPushTarget", as: member,
          body: [
            "kind": "pushToStart", "form": "focus", "token": .string(World.pushToken()),
            "topic": "com.example.App-1", "environment": "sandbox", "dates": "iso8601",
            "attributesType": "My_Attributes1",
          ]), 201)
      world.check(
        start.json["environment"] == "sandbox" && start.json["dates"] == "iso8601"
          && start.json["attributesType"] == "My_Attributes1" && start.json["expiresAt"] == .null,
        start.json.text)
      let alert = try await world.client.expect(
        world.call(
          "createPushTarget", as: member,
          body: [
            "kind": "alert", "form": .null, "token": .string(World.pushToken()), "topic": "com.example.app",
            "environment": .null, "dates": .null, "attributesType": .null,
          ]), 201)
      world.check(
        alert.json["form"] == .null && alert.json["attributesType"] == .null, alert.json.text)
      let listed = try await world.targets(of: member)
      world.check(listed == [made.json, start.json, alert.json], "\(listed.map(\.text))")
      for other in [world.home.manager, world.home.admin] {
        world.check(try await world.targets(of: other) == [], "somebody else is shown a push target")
        try await world.client.expect(
          world.call(
            "deletePushTarget", as: other, path: ["pushTargetId": try World.text(alert.json["id"])]), 404,
          code: "push_target_not_found")
      }
      let log = try await world.client.expect(world.call("listAuditLog", as: world.home.admin), 200)
      world.check(!log.json.text.contains("ushTarget"), log.json.text)
      let data = try await world.client.expect(
        world.call("exportPersonalData", as: world.home.admin, path: ["userId": member.userID]), 200)
      world.check(data.json["pushTargets"] == .array(listed), data.json.text)
      world.check(!data.json.text.contains(token.lowercased()), "the export has a token")
      let deletion = world.call(
        "deletePushTarget", as: member, path: ["pushTargetId": try World.text(alert.json["id"])])
      try await world.client.expect(deletion, 204)
      try await world.client.expect(deletion, 404, code: "push_target_not_found")
      world.service.clock.advance(seconds: 8 * 3_600)
      world.check(try await world.targets(of: member) == [start.json], "an activity outlasts eight hours")
    },
    Scenario("tokens, topics and names of structures keep their rules, and alerts have no form") { world in
      let member = world.home.member
      let good: JSONValue = [
        "kind": "liveActivity", "form": "work", "token": .string(World.pushToken()),
        "topic": "com.example.app",
      ]
      for (name, value, code): (String, String, String) in [
        ("token", "", "invalid_push_token"), ("token", "00ff", "invalid_push_token"),
        ("token", World.pushToken() + "0", "invalid_push_token"),
        ("token", World.pushToken().dropLast() + "g", "invalid_push_token"),
        ("token", String(repeating: "ab", count: 201), "invalid_push_token"), ("topic", "", "invalid_topic"),
        ("topic", "com.example app", "invalid_topic"),
        ("topic", "com.example.app.push-type.liveactivity", "invalid_topic"),
        ("topic", String(repeating: "a", count: 156), "invalid_topic"),
        ("attributesType", "", "invalid_attributes_type"),
        ("attributesType", "A.B", "invalid_attributes_type"),
        ("attributesType", String(repeating: "A", count: 101), "invalid_attributes_type"),
      ] {
        try await world.refuses(
          world.call("createPushTarget", as: member, body: good.setting(name, to: .string(value))), 422,
          [code],
          "\(name) \(value)")
      }
      let alert = good.setting("kind", to: "alert")
      for body in [
        good.removing("form"), good.setting("form", to: .null), alert,
        alert.setting("form", to: .null).setting("attributesType", to: "A"),
      ] {
        try await world.client.expect(
          world.call("createPushTarget", as: member, body: body), 422, code: "invalid_push_form")
      }
      for body in [
        good.setting("form", to: "sleep"), good.setting("kind", to: "email"),
        good.setting("dates", to: "apple"), good.removing("topic"),
      ] {
        try await world.client.expect(
          world.call("createPushTarget", as: member, body: body), 400, code: "invalid_body")
      }
      world.check(try await world.targets(of: member) == [], "a refused push target is there")
    },
    Scenario("a phone's token is one target, and a member has at most 20") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let token = World.pushToken()
      let first = try await world.makePushTarget(by: member.token, token: token)
      let second = try await world.makePushTarget(by: member.token, token: token.uppercased())
      world.check(
        try await world.targets(of: member) == [second] && first != second, "a token is there twice")
      let theirs = try await world.makePushTarget(by: manager.token, token: token)
      let both = [try await world.targets(of: member), try await world.targets(of: manager)]
      world.check(both == [[], [theirs]], "two members have the same phone")
      for _ in 0..<20 { try await world.makePushTarget(by: member.token) }
      try await world.client.expect(
        world.call(
          "createPushTarget", as: member,
          body: ["kind": "alert", "token": .string(World.pushToken()), "topic": "com.example.app"]), 409,
        code: "too_many_push_targets")
    },
    Scenario("push targets go with the log-in that made them") { world in
      let member = world.home.member
      let second = try await world.logIn(member.email)
      try await world.makePushTarget(by: second)
      let kept = try await world.makePushTarget(by: member.token)
      world.check(try await world.targets(of: member).count == 2, "not both are there")
      try await world.client.expect(Call(operationID: "deleteToken", token: second), 204)
      world.check(try await world.targets(of: member) == [kept], "a target outlasts its log-in")
    },
  ]
}

extension World {
  /// A token that no phone has had.
  fileprivate static func pushToken() -> String {
    (0..<4).map { _ in
      String(UInt64.random(in: 1 << 60..<(1 << 63)), radix: 16)
    }.joined()
  }

  /// Makes a target for notifications.
  @discardableResult
  fileprivate func makePushTarget(
    by token: String?, in tenant: Tenant? = nil, token phone: String = pushToken()
  ) async throws -> JSONValue {
    let call = call(
      "createPushTarget", as: nil, in: tenant,
      body: ["kind": "alert", "token": .string(phone), "topic": "com.example.app"])
    return try await client.expect(call.with { $0.token = token }, 201).json
  }

  fileprivate func targets(of person: Person) async throws -> [JSONValue] {
    try await client.expect(call("listPushTargets", as: person), 200).json["pushTargets"]?.elements ?? []
  }
}
