@testable import ContractDocument

extension Fixture {
  /// Creating and changing organizations.
  static let organizations = Fixture(
    scenarios: Scenario.organizations,
    baselines: [
      "updateOrganization": { world, call in
        let read = world.call("getOrganization", as: world.home.admin)
        call.ifMatch = try await world.client.expect(read, 200).etag
      }
    ],
    foreignIDs: { _, away in ["organizationID": away.organizationID] })
}

extension Scenario {
  fileprivate static let organizations: [Scenario] = [
    Scenario("an organization begins with an admin who can use it at once") { world in
      let call = try await world.baseline(world.client.document.operation("createOrganization"))
      let created = try await world.client.expect(call, 201)
      let organization = created.json["organization"] ?? .null
      let id = try World.text(organization["id"])
      world.check(created.location == "/v1/organizations/\(id)", "Location is \(created.location ?? "none")")
      let read = Call(
        operationID: "getOrganization", path: ["organizationID": id],
        token: try World.text(created.json["token"]))
      let reply = try await world.client.expect(read, 200)
      world.check(reply.json == organization, "getOrganization answers something else")
      let policy: JSONValue = [
        "minimumSeconds": 60, "maximumSeconds": 57_600, "editWindowDays": 30, "lookBackHours": 72,
        "notesMaximumCharacters": 500, "autoClockOutAfter": nil, "dailyOvertimeAfter": nil,
        "weeklyOvertimeAfter": nil, "weekStart": "monday", "manualEntryDays": nil,
        "membersMayCreateProjects": true, "breakRules": [], "breakMinimumSeconds": 900,
        "projectRequired": false, "membersMayEnterTimes": true, "remindAfter": nil,
        "timerSessionDays": 730, "managersSee": "everyone",
        "absenceApproval": ["training", "special", "other", "vacation", "unpaid", "parental", "flextime"],
        "selfApproval": false, "absenceKindsVisible": false, "allowNegativeEntitlement": true,
        "balanceCapAbove": nil, "balanceCapBelow": nil,
        "correctionsNeed": "nothing",
      ]
      world.check(organization["policy"] == policy, "the policy is not the standard one")
    },
    Scenario("an admin who has an account keeps its password") { world in
      let existing = world.home.member
      let admin: JSONValue = ["email": .string(existing.email), "name": "Any Name"]
      let body: JSONValue = ["name": "Second", "timeZone": "America/St_Johns", "admin": admin]
      let withPassword = body.setting("admin", to: admin.setting("password", to: "a newer password"))
      try await world.client.expect(
        Call(
          operationID: "createOrganization", body: .json(withPassword), token: world.service.operatorToken),
        409, code: "email_in_use")
      let created = try await world.client.expect(
        Call(operationID: "createOrganization", body: .json(body), token: world.service.operatorToken), 201)
      world.check(created.json["user"]?["id"]?.string == existing.userID, "another user")
      _ = try await world.logIn(existing.email)
    },
    Scenario("createOrganization refuses what no organization can have") { world in
      let call = try await world.baseline(world.client.document.operation("createOrganization"))
      for name in ["   ", "a\u{7}b", "a\u{202E}b", "a\nb", String(repeating: "é", count: 201)] {
        let named = call.with { $0.json = call.json.setting("name", to: .string(name)) }
        try await world.client.expect(named, 422, code: "invalid_name", comment: name)
      }
      for zone in ["Mars/Olympus", "", "../../etc/passwd", "asia/kathmandu", "+05:45"] {
        let zoned = call.with { $0.json = call.json.setting("timeZone", to: .string(zone)) }
        try await world.client.expect(zoned, 422, code: "unknown_time_zone", comment: zone)
      }
      let longest = String(repeating: "e\u{301}", count: 100)
      try await world.client.expect(
        call.with { $0.json = call.json.setting("name", to: .string("  \(longest) ")) }, 201)
    },
    Scenario("an organization changes only in what is stated, and only from the version that was read") {
      world in
      let admin = world.home.admin
      let before = try await world.client.expect(world.call("getOrganization", as: admin), 200)
      let body: JSONValue = ["policy": ["maximumSeconds": 43_200], "name": " Renamed ", "timeZone": nil]
      let change = world.call("updateOrganization", as: admin, body: body, ifMatch: before.etag)
      world.service.clock.advance(seconds: 1)
      let after = try await world.client.expect(change, 200)
      world.check(after.json["name"] == "Renamed", "the name is not trimmed")
      world.check(after.json["timeZone"] == before.json["timeZone"], "the zone has changed")
      world.check(after.json["policy"]?["maximumSeconds"] == 43_200, "the policy has not changed")
      world.check(after.json["policy"]?["lookBackHours"] == 72, "another limit has changed")
      world.check(after.etag != before.etag, "the entity tag has not changed")
      world.check(after.json["createdAt"] == before.json["createdAt"], "createdAt has changed")
      let read = try await world.client.expect(world.call("getOrganization", as: admin), 200)
      world.check(read.json == after.json && read.etag == after.etag, "reading answers something else")
      let stale = try await world.client.expect(change, 412, code: "precondition_failed")
      world.check(
        stale.json["current"] == read.json && stale.etag == read.etag, "current is not the present state")
    },
    Scenario("updateOrganization needs If-Match") { world in
      let call = world.call("updateOrganization", as: world.home.admin, body: ["name": "Other"])
      try await world.refuses(call, 428, ["precondition_required"], "no If-Match")
      try await world.refusesStaleVersions(call)
      try await world.client.expect(call.with { $0.ifMatch = "*" }, 200)
    },
    Scenario("an empty change of an organization changes nothing") { world in
      let before = try await world.client.expect(world.call("getOrganization", as: world.home.admin), 200)
      for body: JSONValue? in [nil, [:], ["policy": nil], ["name": nil, "policy": [:]]] {
        world.service.clock.advance(seconds: 1)
        let call = world.call("updateOrganization", as: world.home.admin, body: body, ifMatch: "*")
        let reply = try await world.client.expect(call, 200, comment: body?.text ?? "no body")
        world.check(reply.json == before.json && reply.etag == before.etag, "something has changed")
      }
    },
    Scenario("each limit of a policy is taken at its bounds, refused beyond them, and logged when it changes")
    {
      world in
      let limits: [(name: String, lowest: Int64, highest: Int64)] = [
        ("minimumSeconds", 0, 86_400), ("maximumSeconds", 60, 604_800), ("editWindowDays", 0, 3_650),
        ("lookBackHours", 0, 8_760), ("notesMaximumCharacters", 0, 10_000),
        ("autoClockOutAfter", 60, 1_209_600), ("remindAfter", 300, 604_800),
        ("dailyOvertimeAfter", 0, 86_400),
        ("weeklyOvertimeAfter", 0, 604_800), ("manualEntryDays", 0, 3_650),
      ]
      // Room for each of the two that bound one another.
      try await world.changePolicy(["minimumSeconds": 1, "maximumSeconds": 604_799])
      for (name, lowest, highest) in limits {
        if name == "maximumSeconds" { try await world.changePolicy(["minimumSeconds": 0]) }
        if name == "editWindowDays" { try await world.changePolicy(["maximumSeconds": 57_600]) }
        for value in [lowest - 1, highest + 1] {
          let call = world.policyCall([name: .integer(value)])
          let refused = try await world.client.expect(
            call, 422, code: "invalid_policy", comment: "\(name) \(value)")
          world.check(
            refused.json["detail"]?.string == "\(name) must be from \(lowest) to \(highest)", "the message")
        }
        for value in [lowest, lowest + 1, highest - 1, highest] {
          let before = try await world.client.expect(
            world.call("getOrganization", as: world.home.admin), 200)
          let after = try await world.changePolicy([name: .integer(value)])
          let policy = (before.json["policy"] ?? .null).setting(name, to: .integer(value))
          let version = (before.json["version"]?.integer ?? 0) + 1
          let expected = before.json.setting("policy", to: policy).setting("version", to: .integer(version))
          world.check(after.json == expected, "\(name) \(value)")
          let audit = try await world.client.expect(
            world.call("listAuditLog", as: world.home.admin, query: [("limit", "1")]), 200)
          let change = audit.json["changes"]?.elements.first ?? .null
          world.check(
            change["before"] == before.json && change["after"] == after.json
              && change["operation"] == "updateOrganization"
              && change["author"]?["userId"]?.string == world.home.admin.userID,
            "\(name) \(value) is logged as \(change.text)")
        }
      }
      let off = try await world.changePolicy(["autoClockOutAfter": nil])
      world.check(off.json["policy"]?["autoClockOutAfter"] == .null, "null does not turn it off")
      let same = try await world.changePolicy(["lookBackHours": nil])
      world.check(same.json == off.json, "null changes another limit")
    },
    Scenario("a policy never judges what was entered before it") { world in
      let member = world.home.member
      let entry = try await world.makeEntry(of: member)
      let listed = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      try await world.changePolicy([
        "minimumSeconds": 0, "maximumSeconds": 60, "notesMaximumCharacters": 0, "lookBackHours": 0,
        "editWindowDays": 2,
      ])
      let later = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      world.check(later.json == listed.json, "an entry has changed: \(later.json.text)")
      let update = world.call(
        "updateTimeEntry", as: member, path: ["timeEntryId": entry], body: ["timeZone": "UTC"], ifMatch: "*")
      try await world.client.expect(update, 200, comment: "unchanged times are not judged again")
      try await world.client.expect(
        update.with { $0.json = ["clockOutTime": "2026-11-19T09:59:00Z"] }, 422, code: "too_long")
    },
    Scenario("a policy's minimum lies below its maximum") { world in
      let call = world.call("updateOrganization", as: world.home.admin, ifMatch: "*")
      for policy: JSONValue in [
        ["minimumSeconds": 60, "maximumSeconds": 60], ["minimumSeconds": 57_600], ["maximumSeconds": 60],
      ] {
        try await world.client.expect(
          call.with { $0.json = ["policy": policy] }, 422, code: "invalid_policy", comment: policy.text)
      }
      try await world.client.expect(call.with { $0.json = ["policy": ["maximumSeconds": 61]] }, 200)
      try await world.client.expect(
        call.with { $0.json = ["timeZone": "Mars/Olympus"] }, 422, code: "unknown_time_zone")
    },
  ]
}

extension World {
  /// Makes a call in which the admin changes limits of any version.
  func policyCall(_ limits: JSONValue) -> Call {
    call("updateOrganization", as: home.admin, body: ["policy": limits], ifMatch: "*")
  }

  @discardableResult
  func changePolicy(_ limits: JSONValue) async throws -> ContractClient.Reply {
    try await client.expect(policyCall(limits), 200, comment: limits.text)
  }

  /// Entity tags of other than the present version are 412, and text that is not an entity tag is 400.
  func refusesStaleVersions(_ call: Call) async throws {
    for tag in [#""never""#, #"W/"1""#, #""""#, #""999999""#, #""-1""#] {
      try await client.expect(
        call.with { $0.ifMatch = tag }, 412, code: "precondition_failed", comment: "If-Match: \(tag)")
    }
    for text in ["never", "1", #""1"#, ","] {
      try await client.expect(
        call.with { $0.ifMatch = text }, 400, code: "invalid_parameter", comment: "If-Match: \(text)")
    }
  }
}
