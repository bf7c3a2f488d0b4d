@testable import ContractDocument

extension Fixture {
  /// Several entries in one request.
  static let bulk = Fixture(scenarios: Scenario.bulk)
}

extension Scenario {
  fileprivate static let bulk: [Scenario] = [
    Scenario(
      "what can be kept of several entries is kept, and each refusal is the one that a single entry gets"
    ) {
      world in
      let member = world.home.member
      let call = world.call("createTimeEntries", as: member)
      let there = try await world.makeEntry(of: member)
      let entries: [JSONValue] = [
        span("06:00", "07:00"), span("07:00", "08:30"), span("06:30", "06:45"), span("10:00", "10:00"),
        span("11:00", "12:00").setting("userId", to: .string(World.absentID)),
        span("11:00", "12:00").setting("userId", to: .string(world.home.manager.userID)),
        span("11:00", "12:00").setting("notes", to: .string(String(repeating: "x", count: 501))),
        span("11:00", "12:00").setting("timeZone", to: "Mars/Base"),
        span("11:00", "12:00").setting("sessionId", to: .string(World.absentID)), span("11:00", "12:00"),
      ]
      let reply = try await world.client.expect(call.with { $0.json = bulk("partial", entries) }, 200)
      let results = reply.json["results"]?.elements ?? []
      world.check(results.compactMap { $0["index"]?.integer } == (0..<10).map { Int64($0) }, reply.json.text)
      world.check(reply.json["created"] == 2 && reply.json["refused"] == 8, reply.json.text)
      guard results.count == entries.count else { return }
      let codes = results.map { $0["problem"]?["code"]?.string }
      world.check(
        codes == [
          nil, "overlap", "overlap", "end_not_after_start", "member_not_found", "forbidden", "notes_too_long",
          "unknown_time_zone", "session_not_found", nil,
        ], "the codes are \(codes)")
      let kept = results.compactMap { $0["timeEntry"]?["id"]?.string }
      world.check(results.first?["status"] == 201 && kept.count == 2, "what was kept")
      let overlaps = results.map { $0["problem"]?["overlaps"]?.elements.map { $0["id"]?.string } }
      world.check(overlaps[1] == [there] && overlaps[2] == [kept.first], "in the way are \(overlaps)")
      // The same one by one.
      for (entry, result) in zip(entries, results) where result["problem"] != nil {
        let single = try await world.client.send(world.call("createTimeEntry", as: member, body: entry))
        world.check(single.json == result["problem"], "alone it is \(single.json.text)")
        world.check(result["status"]?.integer == Int64(single.status), "another status")
      }
    },
    Scenario("of entries that are to be kept together all are, or none and the refused ones are named") {
      world in
      let call = world.call("createTimeEntries", as: world.home.member)
      let entries = [
        span("06:00", "07:00"), span("06:59", "08:00"), span("08:00", "08:00"), span("09:00", "10:00"),
      ]
      let before = try await Snapshot(of: world.home, in: world)
      let refused = try await world.client.expect(
        call.with { $0.json = bulk("atomic", entries) }, 422, code: "bulk_refused")
      let results = refused.json["results"]?.elements ?? []
      world.check(results.compactMap { $0["index"]?.integer } == [1, 2], refused.json.text)
      world.check(
        results.map { $0["problem"]?["code"] } == ["overlap", "end_not_after_start"], refused.json.text)
      world.check(
        results.first?["problem"]?["overlaps"]?.elements.first?["clockInTime"] == "2026-11-19T06:00:00.000Z",
        "the earlier entry is not in the way")
      try await world.expectUnchanged(since: before, "what was refused together")
      let kept = try await world.client.expect(
        call.with { $0.json = bulk("atomic", [entries[0], entries[3]]) }, 200)
      world.check(kept.json["created"] == 2 && kept.json["refused"] == 0, kept.json.text)
      let again = try await world.client.expect(
        call.with { $0.json = bulk("atomic", [entries[3], entries[0]]) }, 422, code: "bulk_refused")
      world.check(again.json["results"]?.elements.count == 2, again.json.text)
    },
    Scenario("managers enter the times of many, and each entry is logged in the order of the request") {
      world in
      let gone = try await world.makePerson("gone@home.example")
      let deactivate = world.call(
        "deactivateMember", as: world.home.admin, path: ["userId": gone.userID], ifMatch: "*")
      try await world.client.expect(deactivate, 204)
      let people = [world.home.member, gone, world.home.admin, world.home.manager]
      let entries = people.map { span("06:00", "07:00").setting("userId", to: .string($0.userID)) }
      let call = world.call("createTimeEntries", as: world.home.manager, body: bulk("partial", entries))
      let reply = try await world.client.expect(call, 200)
      let results = reply.json["results"]?.elements ?? []
      guard results.count == entries.count else { return world.check(false, reply.json.text) }
      world.check(
        results.map { $0["timeEntry"]?["userId"]?.string }
          == [people[0].userID, nil, people[2].userID, people[3].userID], reply.json.text)
      world.check(
        results.map { $0["timeEntry"]?["source"] } == ["admin", nil, "admin", "api"], reply.json.text)
      world.check(results[1]["problem"]?["code"] == "member_deactivated", reply.json.text)
      let log = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "createTimeEntries")]), 200)
      let changes = log.json["changes"]?.elements ?? []
      world.check(
        changes.reversed().map { $0["after"] } == [0, 2, 3].map { results[$0]["timeEntry"] }, log.json.text)
    },
    Scenario("500 entries at once are kept, 501 and none are refused, and what is malformed is pointed at") {
      world in
      let call = world.call("createTimeEntries", as: world.home.member)
      let minutes = (0..<501).map {
        JSONValue.object([
          .init("clockInTime", .string(minute($0))), .init("clockOutTime", .string(minute($0 + 1))),
        ])
      }
      try await world.client.expect(
        call.with { $0.json = bulk("atomic", minutes) }, 400, code: "invalid_body")
      try await world.client.expect(call.with { $0.json = bulk("atomic", []) }, 400, code: "invalid_body")
      let spoiled: [(JSONValue, String)] = [
        (span("06:00", "07:00").setting("clockInTime", to: 7), "/timeEntries/1/clockInTime"),
        (span("06:00", "07:00").setting("unknown", to: 7), "/timeEntries/1/unknown"),
        ("text", "/timeEntries/1"),
        (["clockInTime": "2026-11-19T06:00:00Z"], "/timeEntries/1/clockOutTime"),
      ]
      for (entry, pointer) in spoiled {
        let before = try await Snapshot(of: world.home, in: world)
        let body = bulk("partial", [span("06:00", "07:00"), entry])
        let reply = try await world.client.expect(
          call.with { $0.json = body }, 400, code: "invalid_body", comment: pointer)
        let pointers = (reply.json["errors"]?.elements ?? []).map { $0["pointer"]?.string }
        world.check(pointers == [pointer], "\(pointers), not \(pointer)")
        try await world.expectUnchanged(since: before, pointer)
      }
      let reply = try await world.client.expect(
        call.with { $0.json = bulk("atomic", Array(minutes.dropLast())) }, 200)
      world.check(reply.json["created"] == 500, "\(reply.json["created"]?.text ?? "none") were kept")
    },
    Scenario("members of other organizations are nobody in several entries, too") { world in
      let away = try await world.makeTenant("away")
      let ids = [away.member.userID, World.absentID]
      let entries = ids.map { span("06:00", "07:00").setting("userId", to: .string($0)) }
      let call = world.call("createTimeEntries", as: world.home.admin, body: bulk("partial", entries))
      let before = try await Snapshot(of: away, in: world)
      let reply = try await world.client.expect(call, 200)
      let problems = (reply.json["results"]?.elements ?? []).map { $0["problem"] }
      world.check(
        problems.first == problems.last && problems.first??["code"] == "member_not_found", reply.json.text)
      world.check(try await before == Snapshot(of: away, in: world), "another organization was changed")
    },
  ]

  /// Makes a body of this number of entries.
  private static func bulk(_ mode: JSONValue, _ entries: [JSONValue]) -> JSONValue {
    ["mode": mode, "timeEntries": .array(entries)]
  }

  /// A span of a past day.
  private static func span(_ from: String, _ to: String) -> JSONValue {
    [
      "clockInTime": .string("2026-11-19T\(from):00Z"), "clockOutTime": .string("2026-11-19T\(to):00Z"),
    ]
  }

  /// A minute of another past day.
  private static func minute(_ number: Int) -> String {
    "2026-11-18T0\(number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60):00Z"
  }
}
