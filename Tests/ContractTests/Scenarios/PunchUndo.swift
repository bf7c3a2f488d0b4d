@testable import ContractDocument

extension Fixture {
  /// Presses that were a mistake.
  static let punchUndo = Fixture(
    scenarios: Scenario.punchUndo,
    baselines: [
      "undoPunch": { world, call in
        let number = Int.random(in: 1...999_999_999)
        let project = try await world.projectID()
        _ = try await world.punch(
          [World.punch(number, "startSegment", "2026-11-20T12:00:00Z", ["projectId": project])],
          as: world.home.member)
        call.path["punchId"] = World.punchID(number)
      }
    ])
}

extension Scenario {
  fileprivate static let punchUndo: [Scenario] = [
    Scenario("each punch of a day is taken back, and what was before is there again") { world in
      let member = world.home.member
      let (project, rest) = (try await world.projectID(), try await world.breakTypeID())
      let day: [(type: String, more: JSONValue)] = [
        ("clockIn", ["notes": "Market"]), ("startSegment", ["projectId": project]),
        ("startSegment", ["breakTypeId": rest]), ("stopSegment", [:]), ("stopSegment", [:]),
        ("startSegment", ["breakTypeId": rest]), ("clockOut", ["notes": "Done"]),
        ("startSegment", ["projectId": project]),
      ]
      for (number, one) in day.enumerated() {
        world.service.clock.advance(seconds: 60)
        let at = "2026-11-20T12:0\(number + 1):00Z"
        let before = try await world.clocked(member)
        let pressed = try await world.punch([World.punch(2 * number, one.type, at, one.more)], as: member)
        world.check(pressed.map { $0["status"] } == ["applied"], "\(pressed.map(\.text))")
        let after = try await world.clocked(member)
        world.check(after != before, "\(one.type) changes nothing")
        world.service.clock.advance(seconds: 5)
        let undo = world.undo(2 * number, as: member)
        let undone = try await world.client.expect(undo, 200)
        let clock = try await world.client.expect(world.call("getClock", as: member), 200)
        world.check(undone.json == clock.json, "undoPunch answers \(undone.json.text)")
        world.check(try await world.clocked(member) == before, "\(one.type) leaves something else")
        let again = try await world.client.expect(undo, 200)
        world.check(again.json == undone.json, "the second time answers \(again.json.text)")
        // It stays applied for a queue that has it still.
        let sent = try await world.punch([World.punch(2 * number, one.type, at, one.more)], as: member)
        world.check(
          sent.map { $0["status"] } == ["duplicate"] && sent[0]["timeEntryId"] == pressed[0]["timeEntryId"],
          "\(sent.map(\.text))")
        world.check(try await world.clocked(member) == before, "the punch is applied again")
        world.service.clock.advance(seconds: -5)
        // The next press is another punch, after which the day goes on.
        let next = try await world.punch([World.punch(2 * number + 1, one.type, at, one.more)], as: member)
        world.check(next.map { $0["status"] } == ["applied"], "\(next.map(\.text))")
      }
      let changes = try await world.client.expect(
        world.call("listChanges", as: member, query: [("limit", "200")]), 200)
      let operations = changes.json["changes"]?.elements.compactMap { $0["operation"]?.string } ?? []
      world.check(operations.contains("undoPunch"), "the feed tells of no undo")
    },
    Scenario("a punch is taken back for a minute from when it was applied, whatever its time") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      // Noted three hours ago; the policy lets members change nothing of before.
      try await world.changePolicy(["editWindowDays": 0])
      for (person, seconds) in [(member, 60 as Int64), (manager, 61)] {
        let pressed = try await world.punch([World.punch(1, "clockIn", "2026-11-20T09:00:00Z")], as: person)
        world.check(pressed.map { $0["status"] } == ["applied"], "\(pressed.map(\.text))")
        world.service.clock.advance(seconds: seconds)
        if seconds > 60 {
          try await world.refuses(world.undo(1, as: person), 409, ["undo_expired"], "after \(seconds) s")
        } else {
          try await world.client.expect(world.undo(1, as: person), 200)
        }
      }
      world.service.clock.advance(seconds: 3_600)
      try await world.client.expect(world.undo(1, as: member), 200)
    },
    Scenario("a punch is nobody else's to take back, and only the last") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let at = "2026-11-20T12:00:00Z"
      _ = try await world.punch([World.punch(1, "clockIn", at)], as: member)
      for person in [manager, world.home.admin] {
        try await world.refuses(world.undo(1, as: person), 404, ["punch_not_found"], "another's")
      }
      for id in [World.absentID, "none", "019aa0f2"] {
        let call = world.call("undoPunch", as: member, path: ["punchId": id])
        try await world.refuses(call, 404, ["punch_not_found"], id)
      }
      // The same id of another organization is another punch.
      let away = try await world.makeTenant("away")
      try await world.client.expect(
        world.call("undoPunch", as: away.member, in: away, path: ["punchId": World.punchID(1)]), 404,
        code: "punch_not_found")
      _ = try await world.punch(
        [World.punch(2, "startSegment", at, ["projectId": try await world.projectID()])], as: member)
      try await world.refuses(world.undo(1, as: member), 409, ["punch_superseded"], "behind another punch")
      try await world.client.expect(world.undo(2, as: member), 200)
      try await world.refuses(world.undo(1, as: member), 409, ["punch_superseded"], "behind an undo")
      // A correction by a manager, who gives a reason.
      _ = try await world.punch(
        [World.punch(3, "startSegment", at, ["projectId": try await world.projectID()])], as: member)
      let entry = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      let id = try World.text(entry.json["timeEntry"]?["id"])
      try await world.client.expect(
        world.call(
          "updateTimeEntry", as: manager, path: ["timeEntryId": id],
          body: ["notes": "Seen", "reason": "Asked to"], ifMatch: "*"), 200)
      try await world.refuses(world.undo(3, as: member), 409, ["punch_superseded"], "behind a correction")
      // A punch that a manager sends for a member is neither's to take back.
      let body: JSONValue = [
        "userId": .string(member.userID), "punches": [World.punch(4, "stopSegment", at)],
      ]
      let helped = try await world.client.expect(world.call("applyPunches", as: manager, body: body), 200)
      world.check(helped.json["results"]?.elements.map { $0["status"] } == ["applied"], helped.json.text)
      for person in [member, manager] {
        try await world.refuses(world.undo(4, as: person), 404, ["punch_not_found"], "a manager's help")
      }
    },
    Scenario("a punch that waits is not taken back, nor is one that was entered by hand") { world in
      let member = world.home.member
      let pair = [
        World.punch(1, "clockIn", "2026-11-10T08:00:00Z"), World.punch(2, "clockOut", "2026-11-10T16:00:00Z"),
      ]
      let waiting = try await world.punch([pair[0]], as: member)
      world.check(waiting.map { $0["status"] } == ["waiting"], "\(waiting.map(\.text))")
      try await world.refuses(world.undo(1, as: member), 404, ["punch_not_found"], "one that waits")
      let entered = try await world.punch(pair, as: member)
      world.check(entered.map { $0["status"] } == ["applied", "applied"], "\(entered.map(\.text))")
      for number in [1, 2] {
        try await world.refuses(world.undo(number, as: member), 409, ["punch_superseded"], "one of a pair")
      }
    },
  ]
}

extension World {
  /// The id of the punch of this number.
  fileprivate static func punchID(_ number: Int) -> String {
    punch(number, "clockIn", "2026-11-20T12:00:00Z")["id"]?.string ?? ""
  }

  fileprivate func undo(_ number: Int, as person: Person) -> Call {
    call("undoPunch", as: person, path: ["punchId": Self.punchID(number)])
  }

  /// A person's entries and segments, without the members that every change changes.
  fileprivate func clocked(_ person: Person) async throws -> [JSONValue] {
    let entries = try await client.expect(call("listTimeEntries", as: person), 200).json["timeEntries"]
    let segments = try await client.expect(call("listSegments", as: person), 200).json["segments"]
    return ((entries?.elements ?? []) + (segments?.elements ?? [])).map {
      $0.removing("version").removing("updatedAt").removing("durationSeconds")
    }
  }
}
