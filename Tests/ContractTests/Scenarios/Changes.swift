@testable import ContractDocument

extension Fixture {
  /// The feed of changes, and the audit log.
  static let changes = Fixture(scenarios: Scenario.changes)
}

extension Scenario {
  fileprivate static let changes: [Scenario] = [
    Scenario("the feed lists what was created, changed and deleted, in order, with no gap") { world in
      let call = world.call("listChanges", as: world.home.admin)
      let before = try await world.client.expect(call, 200)
      let after = before.json["nextAfter"]?.integer ?? -1
      let entry = try await world.client.expect(world.call("clockIn", as: world.home.member), 201)
      world.service.clock.advance(seconds: 3_600)
      let closed = try await world.client.expect(world.call("clockOut", as: world.home.member), 200)
      let token = try await world.makeApiToken(for: world.home.member).id
      let delete = world.call("deleteApiToken", as: world.home.admin, path: ["apiTokenId": token])
      try await world.client.expect(delete, 204)
      let news = try await world.client.expect(call.with { $0.query = [("after", String(after))] }, 200)
      let changes = news.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["kind"]?.string } == ["created", "updated", "created", "deleted"],
        "\(news.json.text)")
      world.check(
        changes.compactMap { $0["sequence"]?.integer } == (1...4).map { after + Int64($0) }, "the numbers")
      world.check(news.json["nextAfter"]?.integer == after + 4, "nextAfter")
      guard changes.count == 4 else { return }
      world.check(changes[0]["data"]?["id"] == entry.json["id"], "another entry")
      world.check(changes[1]["data"] == closed.json, "the entry as it was answered")
      world.check(changes[3]["data"] == .null && changes[3]["resourceId"]?.string == token, "the deletion")
      world.check(changes[1]["operation"] == "clockOut", "another operation")
      let none = try await world.client.expect(call.with { $0.query = [("after", String(after + 4))] }, 200)
      world.check(none.json["changes"] == [], "what is known already")
      world.check(none.json["nextAfter"]?.integer == after + 4, "nextAfter of nothing")
    },
    Scenario("a position beyond the end of the log, or of another log, is refused") { world in
      let call = world.call("listChanges", as: world.home.member)
      let page = try await world.client.expect(call, 200).json
      let end = page["nextAfter"]?.integer ?? -1
      let epoch = page["epoch"]?.string ?? ""
      let other = String(epoch.map { $0 == "0" ? "1" : "0" })
      for query in [
        [("after", String(end))], [("after", String(end)), ("epoch", epoch)], [("epoch", epoch)],
      ] {
        let answer = try await world.client.expect(call.with { $0.query = query }, 200).json
        world.check(answer["epoch"]?.string == epoch && answer["nextAfter"]?.integer == end, answer.text)
      }
      for query in [
        [("after", String(end + 1))], [("after", "9007199254740991")],
        [("after", String(end + 1)), ("epoch", epoch)], [("after", String(end)), ("epoch", other)],
        [("after", "0"), ("epoch", other)],
      ] {
        try await world.client.expect(
          call.with { $0.query = query }, 410, code: "position_unknown", comment: "\(query)")
      }
      for epoch in ["", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0"] {
        try await world.client.expect(
          call.with { $0.query = [("epoch", epoch)] }, 400, code: "invalid_parameter", comment: epoch)
      }
    },
    Scenario("the feed comes in parts that join without a gap") { world in
      for _ in 0..<3 { _ = try await world.makeApiToken(for: world.home.member) }
      let call = world.call("listChanges", as: world.home.admin)
      let whole = try await world.client.expect(call, 200).json["changes"]?.elements ?? []
      var parts: [JSONValue] = []
      var after: Int64 = 0
      while true {
        let query = [("after", String(after)), ("limit", "2")]
        let part = try await world.client.expect(call.with { $0.query = query }, 200)
        let changes = part.json["changes"]?.elements ?? []
        guard !changes.isEmpty else { break }
        parts += changes
        after = part.json["nextAfter"]?.integer ?? after
      }
      world.check(!whole.isEmpty && parts == whole, "the parts are \(parts.map(\.text))")
    },
    Scenario("managers see no API tokens in the feed") { world in
      _ = try await world.makeApiToken(for: world.home.member)
      let seen = try await world.client.expect(world.call("listChanges", as: world.home.manager), 200)
      let resources = (seen.json["changes"]?.elements ?? []).compactMap { $0["resource"]?.string }
      world.check(resources == ["organization", "member", "member", "member"], "they see \(resources)")
    },
    Scenario("members see the changes of what is theirs, and of nothing else, in parts that join") { world in
      let (me, other) = (world.home.member, world.home.manager)
      let call = world.call("listChanges", as: me)
      let since =
        try await world.client.expect(world.call("listChanges", as: world.home.admin), 200)
        .json["nextAfter"]?.integer ?? -1
      let entry = try await world.client.expect(world.call("clockIn", as: me), 201)
      try await world.client.expect(world.call("clockIn", as: other), 201)
      _ = try await world.makeApiToken(for: me)
      let session = try await world.makeSession(assignees: [me, other])
      let foreign = try await world.makeSession(assignees: [other])
      let path = ["sessionId": try World.text(session.json["id"])]
      let takeOff = world.call(
        "updateSession", as: other, path: path, body: ["assignees": [["id": .string(other.userID)]]],
        ifMatch: "*")
      try await world.client.expect(takeOff, 200)
      let renamed = world.call(
        "updateMember", as: world.home.admin, path: ["userId": other.userID], body: ["name": "Another"],
        ifMatch: "*")
      try await world.client.expect(renamed, 200)
      var (seen, after): ([JSONValue], Int64) = ([], since)
      while true {
        let query = [("after", String(after)), ("limit", "1")]
        let part = try await world.client.expect(call.with { $0.query = query }, 200)
        seen += part.json["changes"]?.elements ?? []
        guard let next = part.json["nextAfter"]?.integer, next > after else { break }
        after = next
      }
      let told = seen.map { "\($0["kind"]?.string ?? "") \($0["resource"]?.string ?? "")" }
      world.check(told == ["created timeEntry", "created session", "deleted session"], "they see \(told)")
      guard seen.count == 3 else { return }
      world.check(seen[0]["data"]?["id"] == entry.json["id"], "another entry")
      world.check(seen[2]["resourceId"] == session.json["id"] && seen[2]["data"] == .null, seen[2].text)
      world.check(!seen.contains { $0["resourceId"] == foreign.json["id"] }, "a session of others")
      let whole = try await world.client.expect(call, 200).json["changes"]?.elements ?? []
      let members = whole.filter { $0["resource"] == "member" }
      world.check(members.map { $0["resourceId"] } == [.string(me.userID)], "\(whole.map(\.text))")
    },
    Scenario("the audit log says who, through what, in which request, from what and to what") { world in
      let (tokenID, token) = try await world.makeApiToken(for: world.home.member)
      let entry = try await world.client.expect(
        world.call("clockIn", as: world.home.member).with { $0.token = token }, 201)
      let closed = try await world.client.expect(world.call("clockOut", as: world.home.member), 200)
      let call = world.call("listAuditLog", as: world.home.admin)
      let id = try World.text(entry.json["id"])
      let found = try await world.client.expect(call.with { $0.query = [("resourceId", id)] }, 200)
      let changes = found.json["changes"]?.elements ?? []
      world.check(changes.count == 2, "\(found.json.text)")
      guard changes.count == 2 else { return }
      world.check(
        changes[1]["author"]
          == [
            "means": "api-token", "userId": .string(world.home.member.userID), "apiTokenId": .string(tokenID),
          ], "the author is \(changes[1]["author"]?.text ?? "")")
      world.check(changes[0]["author"]?["means"] == "log-in", "the log-in")
      world.check(
        changes[0]["before"]?["status"] == "clocked-in" && changes[0]["after"] == closed.json, "the change")
      world.check(
        changes[1]["before"] == .null && changes[1]["after"]?["id"] == entry.json["id"], "the creation")
      world.check(changes[0]["requestId"] != changes[1]["requestId"], "one request for two")
      world.check(changes[0]["requestId"]?.string != nil, "no request")
    },
    Scenario("the audit log is filtered by person, kind, operation and time, and comes in pages") { world in
      world.service.clock.advance(seconds: 10)
      for hour in 0..<4 {
        try await world.makeEntry(
          of: world.home.member, from: "2026-11-18T0\(hour):00:00Z", to: "2026-11-18T0\(hour):30:00Z")
      }
      let pages = try await world.pages("listAuditLog", "changes", as: world.home.admin, limit: 3)
      let numbers = pages.compactMap { $0["sequence"]?.integer }
      world.check(numbers == numbers.sorted(by: >) && numbers.last == 1, "the order is \(numbers)")
      let filters: [([(String, String)], Int)] = [
        ([("userId", world.home.member.userID)], 4), ([("resource", "organization")], 1),
        ([("operation", "createTimeEntry")], 4), ([("operation", "deleteProject")], 0),
        ([("endTime", "2026-11-20T12:00:00Z")], 0),
        ([("startTime", "2026-11-20T12:00:10Z")], 4),
      ]
      for (query, count) in filters {
        let call = world.call("listAuditLog", as: world.home.admin, query: query)
        let found = try await world.client.expect(call, 200).json["changes"]?.elements ?? []
        world.check(found.count == count, "\(query) finds \(found.count)")
      }
    },
    Scenario("members are in the log of an organization that was just made") { world in
      let found = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "createOrganization")]), 200)
      let changes = found.json["changes"]?.elements ?? []
      world.check(changes.map { $0["resource"]?.string } == ["member", "organization"], found.json.text)
      world.check(
        changes.allSatisfy { $0["author"]?["means"] == "operator" && $0["author"]?["userId"] == .null },
        "another author")
    },
  ]
}
