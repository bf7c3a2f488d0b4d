@testable import ContractDocument

extension Fixture {
  /// Time entered by hand, and the content that entries may have.
  static let manualEntries = Fixture(
    scenarios: Scenario.manualEntries,
    foreignIDs: { world, away in
      try await world.makeEntry(of: away.manager, in: away)
      let entry = try await world.makeEntry(of: away.member, in: away)
      return ["timeEntryId": entry, "excludeEntryId": entry, "resourceId": entry]
    },
    idsOfMember: { world, person in ["timeEntryId": try await world.makeEntry(of: person)] })
}

extension Scenario {
  fileprivate static let manualEntries: [Scenario] = [
    Scenario("times are judged by the rules, to the millisecond") { world in
      let call = world.call("createTimeEntry", as: world.home.member)
      for (from, to, code) in [
        ("2026-11-20T11:00:00Z", "2026-11-20T12:02:00.001Z", "in_future"),
        ("2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z", "in_future"),
        ("2026-11-19T10:00:00Z", "2026-11-19T10:00:00Z", "end_not_after_start"),
        ("2026-11-19T10:00:00Z", "2026-11-19T09:00:00Z", "end_not_after_start"),
        ("2026-11-19T10:00:00Z", "2026-11-19T10:00:59.999Z", "too_short"),
        ("2026-11-18T10:00:00Z", "2026-11-19T02:00:00.001Z", "too_long"),
      ] {
        let spoiled = call.with { $0.json = ["clockInTime": .string(from), "clockOutTime": .string(to)] }
        try await world.refuses(spoiled, 422, [code], "\(from) to \(to)")
      }
      for (from, to, seconds): (String, String, JSONValue) in [
        ("2026-11-20T11:59:00Z", "2026-11-20T12:00:00Z", 60),
        ("2026-11-18T10:00:00Z", "2026-11-19T02:00:00Z", 57_600),
        ("2020-02-29T09:00:00-03:30", "2020-02-29T10:00:00-03:30", 3_600),
      ] {
        let allowed = call.with { $0.json = ["clockInTime": .string(from), "clockOutTime": .string(to)] }
        let reply = try await world.client.expect(allowed, 201, comment: "\(from) to \(to)")
        world.check(reply.json["durationSeconds"] == seconds, "another duration")
        let path =
          "/v1/organizations/\(world.home.organizationID)/timeEntries/\(reply.json["id"]?.string ?? "")"
        world.check(reply.location == path, "Location is \(reply.location ?? "none")")
      }
    },
    Scenario("a manager may say why time is entered for another, which the audit log keeps") { world in
      let (manager, member) = (world.home.manager, world.home.member)
      func span(_ day: Int, _ reason: String) -> JSONValue {
        [
          "clockInTime": .string("2026-11-\(day)T08:00:00Z"),
          "clockOutTime": .string("2026-11-\(day)T09:00:00Z"),
          "userId": .string(member.userID), "reason": .string(reason),
        ]
      }
      let create = world.call("createTimeEntry", as: manager)
      try await world.client.expect(create.with { $0.json = span(17, " forgotten <card> ") }, 201)
      for reason in ["a\0b", String(repeating: "ä", count: 501)] {
        try await world.refuses(create.with { $0.json = span(18, reason) }, 422, ["reason_invalid"], reason)
      }
      let bulk = world.call(
        "createTimeEntries", as: manager,
        body: ["mode": "partial", "timeEntries": [span(18, "a\0b"), span(19, "training"), span(20, " ")]])
      let results = try await world.client.expect(bulk, 200).json["results"]?.elements ?? []
      world.check(results.first?["problem"]?["code"] == "reason_invalid", "of several: \(results)")
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("resource", "timeEntry")]), 200)
      let reasons = (audit.json["changes"]?.elements ?? []).map { $0["reason"] }
      world.check(reasons == [.null, "training", "forgotten &lt;card&gt;"], "the reasons are \(reasons)")
    },
    Scenario(
      "members enter time of as many days back as the policy says, by whatever way, and managers of any"
    ) {
      world in
      let member = world.home.member
      let entry = try await world.makeEntry(of: member)
      func span(_ from: String, _ to: String) -> JSONValue {
        ["clockInTime": .string(from), "clockOutTime": .string(to)]
      }
      let (old, new) = (
        span("2026-10-20T11:59:59.999Z", "2026-10-20T13:00:00Z"),
        span("2026-10-20T12:00:00Z", "2026-10-20T13:00:00Z")
      )
      try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["manualEntryDays": 31]], ifMatch: "*"),
        200)
      let create = world.call("createTimeEntry", as: member, body: old)
      try await world.refuses(create, 422, ["too_far_back"], "31 days and a millisecond")
      let bulk = world.call(
        "createTimeEntries", as: member, body: ["mode": "partial", "timeEntries": .array([old])])
      let refused = try await world.client.expect(bulk, 200)
      world.check(
        refused.json["results"]?.elements.first?["problem"]?["code"] == "too_far_back", refused.json.text)
      let update = world.call(
        "updateTimeEntry", as: member, path: ["timeEntryId": entry], body: old, ifMatch: "*")
      try await world.refuses(update, 422, ["too_far_back"], "moved back")
      try await world.client.expect(update.with { $0.json = new }, 200)
      world.service.clock.advance(seconds: 60)
      for body in [["notes": "late"], ["clockOutTime": "2026-10-20T14:00:00Z"]] as [JSONValue] {
        try await world.refuses(update.with { $0.json = body }, 403, ["edit_window_closed"], body.text)
      }
      try await world.client.expect(
        world.call("createTimeEntry", as: world.home.manager, body: old), 201)
      let ofMember = old.setting("userId", to: .string(member.userID)).setting(
        "clockOutTime", to: "2026-10-20T12:00:00Z"
      )
      .setting("clockInTime", to: "2026-10-20T11:00:00Z")
      try await world.client.expect(
        world.call("createTimeEntry", as: world.home.manager, body: ofMember), 201)
    },
    Scenario("entries touch but never overlap, and an active one reaches to infinity") { world in
      let member = world.home.member
      let other = try await world.makeEntry(of: member)
      let call = world.call("createTimeEntry", as: member)
      for (from, to) in [("07", "09"), ("09", "11"), ("08", "10"), ("07", "11")] {
        let body: JSONValue = [
          "clockInTime": .string("2026-11-19T\(from):30:00Z"),
          "clockOutTime": .string("2026-11-19T\(to):30:00Z"),
        ]
        let reply = try await world.client.expect(
          call.with { $0.json = body }, 409, code: "overlap", comment: "\(from) to \(to)")
        world.check(reply.json["count"] == 1, "count")
        world.check(reply.json["overlaps"]?.elements.map { $0["id"]?.string } == [other], "other entries")
      }
      try await world.makeEntry(of: member, from: "2026-11-19T07:00:00Z", to: "2026-11-19T08:00:00Z")
      try await world.makeEntry(of: member, from: "2026-11-19T10:00:00Z", to: "2026-11-19T11:00:00Z")
      try await world.makeEntry(of: world.home.manager)
      let clockIn = world.call("clockIn", as: member, body: ["clockInTime": "2026-11-19T12:00:00Z"])
      try await world.client.expect(clockIn, 201)
      let body: JSONValue = ["clockInTime": "2026-11-20T08:00:00Z", "clockOutTime": "2026-11-20T09:00:00Z"]
      try await world.refuses(call.with { $0.json = body }, 409, ["overlap"], "under an active entry")
    },
    Scenario("an overlap shows at most 20 entries and counts them all") { world in
      let member = world.home.member
      for minute in 10..<32 {
        try await world.makeEntry(
          of: member, from: "2026-11-19T08:\(minute):00Z", to: "2026-11-19T08:\(minute + 1):00Z")
      }
      let body: JSONValue = ["clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T09:00:00Z"]
      let reply = try await world.client.expect(
        world.call("createTimeEntry", as: member, body: body), 409, code: "overlap")
      let starts = reply.json["overlaps"]?.elements.compactMap { $0["clockInTime"]?.string } ?? []
      world.check(reply.json["count"] == 22 && starts.count == 20, "\(starts.count) shown")
      world.check(starts == starts.sorted(), "not the oldest first")
    },
    Scenario("managers enter time for others, members only for themselves") { world in
      let body: JSONValue = [
        "clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T09:00:00Z",
        "userId": .string(world.home.manager.userID),
      ]
      try await world.refuses(
        world.call("createTimeEntry", as: world.home.member, body: body), 403, ["forbidden"], "for another")
      let forMember = body.setting("userId", to: .string(world.home.member.userID))
      let reply = try await world.client.expect(
        world.call("createTimeEntry", as: world.home.manager, body: forMember), 201)
      world.check(reply.json["userId"]?.string == world.home.member.userID, "another member")
    },
    Scenario("notes, sessions and zones are judged alike wherever they are stated") { world in
      let times: JSONValue = ["clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T09:00:00Z"]
      let refusals: [(String, JSONValue, String)] = [
        ("notes", .string(String(repeating: "é", count: 501)), "notes_too_long"),
        ("notes", "a\u{7}", "notes_invalid"), ("notes", "a\u{202E}b", "notes_invalid"),
        ("notes", "a\0", "notes_invalid"), ("sessionId", .string(World.absentID), "session_not_found"),
        ("timeZone", "Mars/Olympus", "unknown_time_zone"),
      ]
      try await world.client.expect(world.call("clockIn", as: world.home.manager), 201)
      for (operationID, person, body): (String, Person, JSONValue) in [
        ("clockIn", world.home.member, [:]), ("createTimeEntry", world.home.member, times),
        ("clockOut", world.home.manager, [:]),
      ] {
        for (name, value, code) in refusals where operationID != "clockOut" || name == "notes" {
          let call = world.call(operationID, as: person, body: body.setting(name, to: value))
          try await world.refuses(call, 422, [code], "\(operationID) \(code)")
        }
      }
    },
    Scenario("notes are trimmed and escaped, counted before, and replaced at the clock-out") { world in
      let member = world.home.member
      let longest = String(repeating: "<", count: 500)
      let entry = try await world.client.expect(
        world.call("clockIn", as: member, body: ["notes": .string(" \n\(longest)\t ")]), 201)
      let escaped = String(repeating: "&lt;", count: 500)
      world.check(entry.json["notes"]?.string == escaped, "not trimmed or not escaped")
      let out = world.call("clockOut", as: member, body: ["notes": "a & b\n\"c\" 😀"])
      let reply = try await world.client.expect(out, 200)
      world.check(reply.json["notes"] == "a & b\n\"c\" 😀", "other notes")
    },
    Scenario("date is the local date of the clock-in, in the stated, the member's or the organization's zone")
    { world in
      let call = world.call("createTimeEntry", as: world.home.member)
      for (zone, day, date): (JSONValue, Int, JSONValue) in [
        (nil, 10, "2026-11-11"), ("Asia/Kathmandu", 11, "2026-11-12"), ("America/St_Johns", 12, "2026-11-12"),
        ("Pacific/Apia", 13, "2026-11-14"), ("UTC", 14, "2026-11-14"),
      ] {
        let body: JSONValue = [
          "clockInTime": .string("2026-11-\(day)T23:30:00Z"),
          "clockOutTime": .string("2026-11-\(day)T23:40:00Z"),
          "timeZone": zone,
        ]
        let reply = try await world.client.expect(call.with { $0.json = body }, 201)
        world.check(reply.json["date"] == date, "\(zone.text): \(reply.json["date"]?.text ?? "")")
      }
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": world.home.member.userID],
        body: ["timeZone": "America/St_Johns"], ifMatch: "*")
      try await world.client.expect(update, 200)
      let body: JSONValue = ["clockInTime": "2026-11-15T23:30:00Z", "clockOutTime": "2026-11-15T23:40:00Z"]
      let reply = try await world.client.expect(call.with { $0.json = body }, 201)
      world.check(reply.json["date"] == "2026-11-15", "not the member's zone")
      world.check(reply.json["timeZone"] == "America/St_Johns", "another zone")
    },
  ]
}

extension World {
  /// Enters two hours by hand and answers the entry's id.
  @discardableResult
  func makeEntry(
    of person: Person, in tenant: Tenant? = nil, from: String = "2026-11-19T08:00:00Z",
    to: String = "2026-11-19T10:00:00Z"
  ) async throws -> String {
    let body: JSONValue = ["clockInTime": .string(from), "clockOutTime": .string(to)]
    let reply = try await client.expect(call("createTimeEntry", as: person, in: tenant, body: body), 201)
    return try Self.text(reply.json["id"])
  }
}
