@testable import ContractDocument

extension Fixture {
  /// Punches of a device that come when marks bind their time.
  static let proposedPunches = Fixture(scenarios: Scenario.proposedPunches)
}

extension Scenario {
  fileprivate static let proposedPunches: [Scenario] = [
    Scenario("punches whose span marks bind become a correction, in whichever requests they come") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let rest = try await world.breakTypeID()
      try await world.lock("2026-11-18")
      let punches = [
        World.punch(1, "clockIn", "2026-11-18T08:00:00Z", ["notes": "Stocktaking"]),
        World.punch(2, "startSegment", "2026-11-18T10:00:00Z", ["breakTypeId": rest]),
        World.punch(3, "stopSegment", "2026-11-18T10:30:00Z"),
        World.punch(4, "clockOut", "2026-11-18T12:00:00Z"),
      ]
      let begun = try await world.punch(Array(punches.prefix(3)), as: member)
      world.check(
        begun.map { $0["status"] } == ["waiting", "waiting", "waiting"], "\(begun.map(\.text))")
      let told = try await world.punch(punches, as: member)
      let id = told.first?["correctionId"] ?? .null
      world.check(
        told.allSatisfy {
          $0["status"] == "proposed" && $0["correctionId"] == id && $0["timeEntryId"] == .null
            && $0["problem"] == .null
        } && told[0]["dropped"] == ["notes"] && told[1]["dropped"] == ["breakTypeId"],
        "\(told.map(\.text))")
      let again = try await world.punch(punches, as: member)
      world.check(again == told, "\(again.map(\.text))")
      try await world.refuses(
        world.call("undoPunch", as: member, path: ["punchId": punches[3]["id"]?.string ?? ""]), 409,
        ["punch_superseded"], "a proposed punch")
      let list = try await world.client.expect(world.call("listCorrections", as: manager), 200)
      let kept = list.json["corrections"]?.elements ?? []
      world.check(
        kept.count == 1 && kept.first?["id"] == id && kept.first?["state"] == "open"
          && kept.first?["by"] == .string(member.userID)
          && kept.first?["reason"] == "Noted by a device without a connection, with 1800 seconds of breaks"
          && kept.first?["proposal"]?["clockInTime"] == "2026-11-18T08:00:00.000Z"
          && kept.first?["proposal"]?["clockOutTime"] == "2026-11-18T12:00:00.000Z", list.json.text)
      let entries = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      world.check(entries.json["timeEntries"] == [], entries.json.text)
      try await world.client.expect(
        world.call(
          "decideCorrection", as: world.home.admin, path: ["correctionId": try World.text(id)],
          body: ["decision": "agree"]), 200)
      let after = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      world.check(after.json["timeEntries"]?.elements.count == 1, after.json.text)
    },
    Scenario("a clock-in alone into bound time waits, and one that the next clock-in follows is refused") {
      world in
      let member = world.home.member
      try await world.lock("2026-11-19")
      let alone = World.punch(1, "clockIn", "2026-11-19T18:00:00Z")
      let waiting = try await world.punch([alone], as: member)
      world.check(
        waiting.first?["status"] == "waiting" && waiting.first?["problem"]?["code"] == "period_locked",
        "\(waiting.map(\.text))")
      let told = try await world.punch(
        [alone, World.punch(2, "clockIn", "2026-11-20T08:00:00Z")], as: member)
      world.check(
        told.map { $0["status"] } == ["refused", "applied"]
          && told.first?["problem"]?["code"] == "period_locked", "\(told.map(\.text))")
      let list = try await world.client.expect(world.call("listCorrections", as: member), 200)
      world.check(list.json["corrections"] == [], list.json.text)
    },
  ]
}
