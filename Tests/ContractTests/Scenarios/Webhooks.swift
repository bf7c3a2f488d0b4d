import Procedures
import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Programs to which changes are sent.
  static let webhooks = Fixture(
    scenarios: Scenario.webhooks,
    baselines: [
      "getWebhook": { try await $0.nameWebhook(in: &$1) },
      "updateWebhook": { try await $0.nameWebhook(in: &$1, isConditional: true) },
      "deleteWebhook": { try await $0.nameWebhook(in: &$1, isConditional: true) },
      "pingWebhook": { try await $0.nameWebhook(in: &$1) },
      "listWebhookDeliveries": { try await $0.nameWebhook(in: &$1) },
    ],
    foreignIDs: { world, away in
      try await world.makeWebhook(in: away)
      let id = try World.text(try await world.makeWebhook(in: away).json["id"])
      for _ in 0..<2 {
        try await world.client.expect(
          world.call("pingWebhook", as: away.admin, in: away, path: ["webhookId": id]), 200)
      }
      return ["webhookId": id]
    })
}

extension Scenario {
  fileprivate static let webhooks: [Scenario] = [
    Scenario("a webhook is where Location says, and its secret is shown once") { world in
      let secret = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
      let made = try await world.makeWebhook([
        "url": "https://Payroll.example:8443/a?b=c", "resources": ["segment", "timeEntry", "segment"],
        "secret": .string(secret),
      ])
      let id = try World.text(made.json["id"])
      world.check(
        made.location == "/v1/organizations/\(world.home.organizationID)/webhooks/\(id)",
        "Location is \(made.location ?? "none")")
      for (name, value): (String, JSONValue) in [
        ("url", "https://Payroll.example:8443/a?b=c"), ("resources", ["timeEntry", "segment"]),
        ("enabled", true),
        ("secret", .string(secret)), ("organizationID", .string(world.home.organizationID)),
      ] { world.check(made.json[name] == value, "\(name) is \(made.json[name]?.text ?? "")") }
      let read = try await world.client.expect(
        world.call("getWebhook", as: world.home.admin, path: ["webhookId": id]), 200)
      world.check(read.json == made.json.removing("secret") && read.etag == made.etag, read.json.text)
      let bare = try await world.makeWebhook(["url": "http://a.example"])
      world.check(bare.json["resources"] == .null, bare.json.text)
      world.check(
        bare.json["secret"]?.string?.hasPrefix("whsec_") == true
          && bare.json["secret"] != made.json["secret"],
        bare.json.text)
      let listed = try await world.pages("listWebhooks", "webhooks", as: world.home.admin, limit: 1)
      world.check(listed == [read.json, bare.json.removing("secret")], "another list")
      for person in [world.home.member, world.home.manager] {
        try await world.client.expect(world.call("listWebhooks", as: person), 403, code: "forbidden")
      }
    },
    Scenario("addresses, kinds and secrets of webhooks keep their rules") { world in
      let made = try await world.makeWebhook()
      for url in [
        "", "a.example", "ftp://a.example", "https://u:p@a.example/", "https://a.example/#x",
        "https://ä.example",
      ] {
        let body: JSONValue = ["url": .string(url)]
        try await world.refuses(
          world.call("createWebhook", as: world.home.admin, body: body), 422, ["invalid_url"], url)
        try await world.refuses(world.update(made, body), 422, ["invalid_url"], url)
      }
      let body: JSONValue = ["url": "http://10.0.0.1:8090/x"]
      let create = world.call("createWebhook", as: world.home.admin, body: body)
      try await world.refuses(create, 422, ["address_not_allowed"], "an address that is not allowed")
      try await world.refuses(world.update(made, body), 422, ["address_not_allowed"], "the same, later")
      let short = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaQ="
      for secret in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%", short] {
        try await world.refuses(
          world.call(
            "createWebhook", as: world.home.admin,
            body: ["url": "https://a.example", "secret": .string(secret)]), 422, ["invalid_secret"], secret)
      }
      for resources in [[], ["entry"], "member"] as [JSONValue] {
        try await world.client.expect(
          world.call(
            "createWebhook", as: world.home.admin, body: ["url": "https://a.example", "resources": resources]),
          400, code: "invalid_body")
      }
    },
    Scenario("a change of a webhook leaves what it does not state, and needs the ETag") { world in
      let made = try await world.makeWebhook(["url": "https://a.example", "resources": ["member"]])
      let shown = made.json.removing("secret")
      for same in [[:], ["url": .null, "enabled": .null], ["enabled": true]] as [JSONValue] {
        let reply = try await world.client.expect(world.update(made, same), 200)
        world.check(reply.json == shown && reply.etag == made.etag, "\(same.text) changes something")
      }
      let changed = try await world.client.expect(
        world.update(made, ["resources": .null, "enabled": false]), 200)
      world.check(
        changed.json["resources"] == .null && changed.json["enabled"] == false
          && changed.json["url"] == "https://a.example", changed.json.text)
      let stale = try await world.client.expect(
        world.update(made, ["enabled": true]), 412, code: "precondition_failed")
      world.check(stale.json["current"] == changed.json && stale.etag == changed.etag, stale.json.text)
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("resource", "webhook")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string } == ["updateWebhook", "createWebhook"], audit.json.text)
      world.check(!audit.json.text.contains("whsec_") && changes.last?["after"] == shown, audit.json.text)
      let deletion = world.call(
        "deleteWebhook", as: world.home.admin, path: ["webhookId": try World.text(made.json["id"])],
        ifMatch: changed.etag)
      let early = try await world.client.expect(
        deletion.with { $0.ifMatch = made.etag }, 412, code: "precondition_failed")
      world.check(early.json["current"] == changed.json, early.json.text)
      try await world.client.expect(deletion, 204)
      try await world.client.expect(deletion, 404, code: "webhook_not_found")
    },
    Scenario("an organization has at most 20 webhooks") { world in
      for _ in 0..<20 { try await world.makeWebhook() }
      try await world.refuses(
        world.call("createWebhook", as: world.home.admin, body: ["url": "https://a.example"]), 409,
        ["too_many_webhooks"], "one more")
    },
    Scenario("a ping says what the receiver said, and is among the deliveries") { world in
      var expected: [JSONValue] = []
      let made = try await world.makeWebhook(["url": "https://refuse.example/"])
      let path = ["webhookId": try World.text(made.json["id"])]
      let refused = try await world.client.expect(
        world.call("pingWebhook", as: world.home.admin, path: path), 200)
      world.check(
        refused.json["status"] == 503 && refused.json["error"] != .null && refused.json["sequence"] == .null,
        refused.json.text)
      expected.insert(refused.json, at: 0)
      for (url, status) in [("https://silent.example/", .null), ("https://taken.example/", 204)]
        as [(String, JSONValue)]
      {
        try await world.client.expect(world.update(made, ["url": .string(url)], "*"), 200)
        let reply = try await world.client.expect(
          world.call("pingWebhook", as: world.home.admin, path: path), 200)
        world.check(
          reply.json["status"] == status && (reply.json["error"] == .null) == (status != .null),
          reply.json.text)
        expected.insert(reply.json, at: 0)
      }
      let listed = try await world.pages(
        "listWebhookDeliveries", "deliveries", as: world.home.admin, limit: 2, path: path)
      world.check(listed == expected, "\(listed)")
    },
    Scenario("changes are sent in their order, until one is not taken, and again when it is") { world in
      let made = try await world.makeWebhook([
        "url": "https://a.example", "resources": ["breakType", "webhook"],
      ])
      let path = ["webhookId": try World.text(made.json["id"])]
      for name in ["A", "B"] {
        try await world.client.expect(
          world.call("createBreakType", as: world.home.admin, body: ["name": .string(name), "isPaid": true]),
          201)
      }
      let receiver = Receiver(taking: 2)
      try await world.deliverWebhooks(to: receiver)
      let first = receiver.messages.map {
        "\($0["operation"]?.string ?? "") \($0["data"]?["name"]?.string ?? "")"
      }
      world.check(first.prefix(2) == ["createWebhook ", "createBreakType A"], "\(first)")
      let feed = try await world.client.expect(
        world.call("listChanges", as: world.home.admin), 200)
      let change = feed.json["changes"]?.elements.first { $0["resource"] == "breakType" } ?? .null
      world.check(
        receiver.messages[1]
          == change.setting("organizationID", to: .string(world.home.organizationID))
          .setting("epoch", to: feed.json["epoch"] ?? .null),
        receiver.messages[1].text)
      world.check(first.count == 3, "\(receiver.ids)")
      // The same message again, not before its time.
      receiver.takes(10)
      try await world.deliverWebhooks(to: receiver)
      world.check(receiver.messages.count == 3, "it came at once")
      world.service.clock.advance(seconds: 6)
      try await world.deliverWebhooks(to: receiver)
      world.check(
        receiver.messages.count == 4 && receiver.ids[3] == receiver.ids[2]
          && receiver.messages[3] == receiver.messages[2], "\(receiver.ids)")
      let listed = try await world.pages(
        "listWebhookDeliveries", "deliveries", as: world.home.admin, limit: 50, path: path)
      world.check(
        listed.map { $0["status"]?.text ?? "" } == ["200", "500", "200", "200"], "\(listed)")
      try await world.deliverWebhooks(to: receiver)
      world.check(receiver.messages.count == 4, "something came twice")
    },
    Scenario("five days without a receiver, or one who wants no more, disable a webhook") { world in
      for isGone in [false, true] {
        let made = try await world.makeWebhook(["url": "https://a.example", "resources": ["breakType"]])
        let path = ["webhookId": try World.text(made.json["id"])]
        try await world.client.expect(
          world.call("createBreakType", as: world.home.admin, body: ["name": "A", "isPaid": true]), 201)
        let receiver = Receiver(taking: 0, failing: isGone ? 410 : 500)
        var attempts = 0
        while attempts < 40 {
          try await world.deliverWebhooks(to: receiver)
          guard receiver.messages.count > attempts else { break }
          attempts = receiver.messages.count
          world.service.clock.advance(seconds: 43_200)
        }
        world.check(attempts == (isGone ? 1 : 11), "\(attempts) attempts")
        let read = try await world.client.expect(
          world.call("getWebhook", as: world.home.admin, path: path), 200)
        world.check(read.json["enabled"] == false && read.json["version"] == 2, read.json.text)
        let audit = try await world.client.expect(
          world.call("listAuditLog", as: world.home.admin, query: [("resource", "webhook")]), 200)
        let last = (audit.json["changes"]?.elements ?? []).first
        world.check(
          last?["operation"] == "disableWebhook" && last?["author"]?["means"] == "service", audit.json.text)
        // Nothing is lost: it continues with the message that was not taken.
        try await world.client.expect(
          world.call(
            "updateWebhook", as: world.home.admin, path: path, body: ["enabled": true], ifMatch: read.etag),
          200)
        receiver.takes(100)
        try await world.deliverWebhooks(to: receiver)
        world.check(receiver.ids.last == receiver.ids.first, "\(receiver.ids)")
        try await world.client.expect(
          world.call("deleteWebhook", as: world.home.admin, path: path, ifMatch: "*"), 204)
      }
    },
  ]
}

extension World {
  @discardableResult
  fileprivate func makeWebhook(
    _ body: JSONValue = ["url": "https://payroll.example/timeclock"], in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    return try await client.expect(call("createWebhook", as: tenant.admin, in: tenant, body: body), 201)
  }

  /// Makes a webhook, and names it in a call.
  fileprivate func nameWebhook(in call: inout Call, isConditional: Bool = false) async throws {
    let made = try await makeWebhook()
    call.path["webhookId"] = try World.text(made.json["id"])
    if isConditional { call.ifMatch = made.etag }
  }

  /// A change of the webhook as it was answered, by an admin.
  fileprivate func update(
    _ webhook: ContractClient.Reply, _ body: JSONValue, _ ifMatch: String? = nil
  ) -> Call {
    call(
      "updateWebhook", as: home.admin, path: ["webhookId": webhook.json["id"]?.string ?? ""], body: body,
      ifMatch: ifMatch ?? webhook.etag)
  }

  /// Sends due messages to webhooks of the home organization.
  fileprivate func deliverWebhooks(to receiver: Receiver) async throws {
    let timeclock = Timeclock(storage: service.storage, clock: service.clock.wallClock)
    // All that was committed is sealed.
    try await client.expect(call("listChanges", as: home.admin, query: [("limit", "1")]), 200)
    let now = try believedNow()
    for due in try await timeclock.dueWebhooks(at: now, limit: 100)
    where due.webhook.organizationID.text == home.organizationID {
      _ = try await timeclock.deliver(to: due, at: now, via: receiver) { change, epoch, organization, now in
        change.webhookMessage(of: organization, in: epoch, at: now)
      }
    }
  }
}
