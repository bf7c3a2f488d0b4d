@testable import ContractDocument

extension Fixture {
  /// What devices send that were without a connection.
  static let punches = Fixture(scenarios: Scenario.punches)
}

extension Scenario {
  fileprivate static let punches: [Scenario] = [
    Scenario("a queue of punches is applied once, however often and in whichever parts it comes") { world in
      let member = world.home.member
      let project = try await world.projectID()
      // The clock stands at 2026-11-20T12:00:00Z.
      let queue: [JSONValue] = [
        World.punch(5, "clockOut", "2026-11-20T11:30:00Z", ["notes": "Done"]),
        World.punch(1, "clockIn", "2026-11-20T08:00:00Z"),
        World.punch(2, "startSegment", "2026-11-20T08:10:00Z", ["projectId": project, "name": "Rows"]),
        World.punch(3, "stopSegment", "2026-11-20T09:10:00Z"),
      ]
      let first = try await world.punch(Array(queue[1...]), as: member)
      world.check(first.map { $0["status"] } == ["applied", "applied", "applied"], "\(first.map(\.text))")
      let whole = try await world.punch(queue, as: member)
      world.check(
        whole.map { $0["status"] } == ["applied", "duplicate", "duplicate", "duplicate"],
        "\(whole.map(\.text))")
      world.check(Set(whole.map { $0["timeEntryId"] }).count == 1, "\(whole.map(\.text))")
      world.check(whole[2]["segmentId"] == first[1]["segmentId"], "\(whole.map(\.text))")
      let again = try await world.punch(queue, as: member)
      world.check(
        again.map { $0["status"] } == Array(repeating: "duplicate", count: 4), "\(again.map(\.text))")
      let entries =
        try await world.client.expect(world.call("listTimeEntries", as: member), 200)
        .json["timeEntries"]?.elements ?? []
      world.check(
        entries.map { $0["durationSeconds"] } == [12_600] && entries.first?["notes"] == "Done", "\(entries)")
      let segments =
        try await world.client.expect(world.call("listSegments", as: member), 200)
        .json["segments"]?.elements ?? []
      world.check(segments.map { $0["durationSeconds"] } == [3_600], "\(segments)")
      // Another's punch of the same id is another one, and the same id of another time is none.
      let others = try await world.punch([queue[1]], as: world.home.manager)
      world.check(others.map { $0["status"] } == ["applied"], "\(others.map(\.text))")
      let reused = try await world.punch([World.punch(1, "clockIn", "2026-11-20T07:00:00Z")], as: member)
      world.check(
        reused.map { $0["problem"]?["code"] } == ["idempotency_key_reused"], "\(reused.map(\.text))")
      world.service.clock.advance(seconds: 91 * 86_400)
    },
    Scenario("a clock-in that comes too late is entered with its clock-out, or refused") { world in
      let member = world.home.member
      // Further back than the look-back of 72 hours; the next ones are before what goes on.
      let old = [
        World.punch(1, "clockIn", "2026-11-10T08:00:00Z", ["notes": "Market"]),
        World.punch(2, "clockOut", "2026-11-10T16:00:00Z"),
      ]
      let entered = try await world.punch(old, as: member)
      world.check(entered.map { $0["status"] } == ["applied", "applied"], "\(entered.map(\.text))")
      world.check(entered[0]["timeEntryId"] == entered[1]["timeEntryId"], "\(entered.map(\.text))")
      for part in [old, [old[1]], [old[0]]] {
        let again = try await world.punch(part, as: member)
        world.check(again.allSatisfy { $0["status"] == "duplicate" }, "\(again.map(\.text))")
      }
      try await world.client.expect(world.call("clockIn", as: member), 201)
      let yesterday = [
        World.punch(3, "clockIn", "2026-11-19T08:00:00Z"), World.punch(4, "clockOut", "2026-11-19T16:00:00Z"),
      ]
      let alone = try await world.punch([yesterday[0]], as: member)
      world.check(alone.map { $0["problem"]?["code"] } == ["already_clocked_in"], "\(alone.map(\.text))")
      let both = try await world.punch(yesterday, as: member)
      world.check(both.map { $0["status"] } == ["applied", "applied"], "\(both.map(\.text))")
      let project = try await world.projectID()
      let forProject = [
        World.punch(5, "clockIn", "2026-11-09T08:00:00Z", ["projectId": project]),
        World.punch(6, "clockOut", "2026-11-09T10:00:00Z"),
      ]
      let worked = try await world.punch(forProject, as: member)
      world.check(
        worked.allSatisfy { $0["segmentId"] != .null && $0["timeEntryId"] != .null }, "\(worked.map(\.text))")
      let noted = [
        World.punch(7, "clockIn", "2026-11-08T08:00:00Z", ["projectId": project, "notes": "Both"]),
        World.punch(8, "clockOut", "2026-11-08T10:00:00Z"),
      ]
      let refused = try await world.punch(noted, as: member)
      world.check(refused.allSatisfy { $0["problem"]?["code"] == "too_far_back" }, "\(refused.map(\.text))")
      world.service.clock.advance(seconds: 3_600)
      let later = try await world.punch([World.punch(9, "clockOut", "2026-11-20T12:30:00Z")], as: member)
      world.check(later.map { $0["status"] } == ["applied"], "\(later.map(\.text))")
      // Nothing is running: refused, and judged anew when it comes again.
      let stop = World.punch(10, "stopSegment", "2026-11-20T12:30:00Z")
      for _ in 0..<2 {
        let nothing = try await world.punch([stop], as: member)
        world.check(nothing.map { $0["problem"]?["code"] } == ["no_active_segment"], "\(nothing.map(\.text))")
      }
    },
    Scenario("a punch up to two minutes ahead counts as now, and its result says so") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let queue = [
        World.punch(1, "clockIn", "2026-11-20T12:00:30Z"),
        World.punch(2, "startSegment", "2026-11-20T12:00:45Z", ["projectId": project]),
      ]
      let begun = try await world.punch(queue, as: member)
      world.check(begun.map { $0["status"] } == ["applied", "applied"], "\(begun.map(\.text))")
      world.check(
        begun.map { $0["clockAheadMilliseconds"] } == [30_000, 45_000], "\(begun.map(\.text))")
      let again = try await world.punch(queue, as: member)
      world.check(
        again.allSatisfy { $0["status"] == "duplicate" && $0["clockAheadMilliseconds"] == nil },
        "\(again.map(\.text))")
      world.service.clock.advance(seconds: 600)
      let ended = try await world.punch(
        [
          World.punch(3, "stopSegment", "2026-11-20T12:10:00Z"),
          World.punch(4, "clockOut", "2026-11-20T12:12:00Z"),
        ], as: member)
      world.check(
        ended.map { $0["clockAheadMilliseconds"] } == [nil, 120_000], "\(ended.map(\.text))")
      // A clock-in that comes after a later one is entered with its clock-out, which alone is ahead.
      try await world.client.expect(world.call("clockIn", as: world.home.manager), 201)
      let pair = [
        World.punch(5, "clockIn", "2026-11-20T11:00:00Z"), World.punch(6, "clockOut", "2026-11-20T12:11:00Z"),
      ]
      let entered = try await world.punch(pair, as: world.home.manager)
      world.check(entered.map { $0["status"] } == ["applied", "applied"], "\(entered.map(\.text))")
      world.check(entered.map { $0["clockAheadMilliseconds"] } == [nil, 60_000], "\(entered.map(\.text))")
    },
    Scenario("a punch has what its type has, and is for oneself, or for another by a manager") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let wrong: [JSONValue] = [
        World.punch(1, "clockIn", "2026-11-20T08:00:00Z", ["name": "x"]),
        World.punch(1, "clockOut", "2026-11-20T08:00:00Z", ["projectId": .string(World.absentID)]),
        World.punch(1, "startSegment", "2026-11-20T08:00:00Z"),
        World.punch(
          1, "startSegment", "2026-11-20T08:00:00Z",
          ["projectId": .string(World.absentID), "breakTypeId": .string(World.absentID)]),
        World.punch(1, "stopSegment", "2026-11-20T08:00:00Z", ["notes": "x"]),
        World.punch(1, "lunch", "2026-11-20T08:00:00Z"), ["id": "x", "type": "clockIn", "at": "now"],
      ]
      for punch in wrong {
        let call = world.call("applyPunches", as: member, body: ["punches": .array([punch])])
        try await world.refuses(call, 400, ["invalid_body"], punch.text)
      }
      for count in [0, 101] {
        let punches = (0..<count).map { World.punch($0, "clockIn", "2026-11-20T08:00:00Z") }
        let call = world.call("applyPunches", as: member, body: ["punches": .array(punches)])
        try await world.refuses(call, 400, ["invalid_body"], "\(count) punches")
      }
      let punches: JSONValue = [World.punch(1, "clockIn", "2026-11-20T08:00:00Z")]
      let body: JSONValue = ["userId": .string(member.userID), "punches": punches]
      let helped = try await world.client.expect(world.call("applyPunches", as: manager, body: body), 200)
      world.check(helped.json["results"]?.elements.map { $0["status"] } == ["applied"], helped.json.text)
      let missing = try await world.punch(
        [World.punch(2, "clockIn", "2026-11-20T09:00:00Z", ["sessionId": .string(World.absentID)])],
        as: member)
      world.check(missing.map { $0["status"] } == ["refused"], "\(missing.map(\.text))")
    },
  ]
}

extension World {
  /// A punch with an id of this number.
  fileprivate static func punch(
    _ number: Int, _ type: String, _ time: String, _ more: JSONValue = [:]
  ) -> JSONValue {
    let digits = String(number)
    let id = "019aa0f2-3c00-7a10-8b20-" + String(repeating: "0", count: 12 - digits.count) + digits
    let own: [JSONValue.Member] = [
      JSONValue.Member("id", .string(id)), JSONValue.Member("type", .string(type)),
      JSONValue.Member("at", .string(time)),
    ]
    return .object(own + more.members)
  }

  /// What becomes of a person's punches.
  fileprivate func punch(_ punches: [JSONValue], as person: Person) async throws -> [JSONValue] {
    let call = call("applyPunches", as: person, body: ["punches": .array(punches)])
    return try await client.expect(call, 200).json["results"]?.elements ?? []
  }
}
