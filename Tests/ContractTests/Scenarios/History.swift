@testable import ContractDocument

extension Fixture {
  /// The purposes of time.
  static let history = Fixture(scenarios: Scenario.history)
}

extension Scenario {
  fileprivate static let history: [Scenario] = [
    Scenario("a history of nothing has every date, and no rows") { world in
      for (period, first, last, count) in [
        ("day", "2026-11-20", "2026-11-20", 1), ("week", "2026-11-16", "2026-11-22", 7),
        ("month", "2026-11-01", "2026-11-30", 30),
      ] {
        for query in [[("period", period)], [("range", period == "day" ? "today" : period)]] {
          let history = try await world.history(as: world.home.member, query)
          world.check(
            history["startDate"]?.string == first && history["endDate"]?.string == last, history.text)
          world.check(history["days"]?.elements.count == count, history.text)
          world.check(history["period"]?.string == period, history.text)
          world.check(history["projects"] == [] && history["tasks"] == [], history.text)
          world.check(history["workSeconds"] == 0 && history["outsideSeconds"] == 0, history.text)
        }
      }
      let plain = try await world.history(as: world.home.member, [])
      world.check(plain["period"] == "day" && plain["startDate"] == "2026-11-20", plain.text)
      // Samoa had no such date.
      let missing = try await world.history(
        as: world.home.manager, [("date", "2011-12-30"), ("timeZone", "Pacific/Apia")])
      world.check(missing["days"]?.elements.count == 1 && missing["workSeconds"] == 0, missing.text)
    },
    Scenario("weeks begin as the policy says, and a date is any of the period") { world in
      try await world.changePolicy(["weekStart": "sunday"])
      for (date, first) in [
        ("2026-11-15", "2026-11-15"), ("2026-11-21", "2026-11-15"), ("2026-11-22", "2026-11-22"),
        ("today", "2026-11-15"),
      ] {
        let history = try await world.history(as: world.home.member, [("period", "week"), ("date", date)])
        world.check(history["startDate"]?.string == first, history.text)
      }
    },
    Scenario("a night through the autumn clock change is in a history to the second") { world in
      try await world.makeEntry(
        of: world.home.member, from: "2026-10-24T20:00:00Z", to: "2026-10-25T05:00:00Z")
      let range = [("period", "week"), ("date", "2026-10-25"), ("timeZone", "Europe/Berlin")]
      for person in [world.home.member, world.home.manager] {
        let history = try await world.history(as: person, range)
        world.check(
          history["days"]?.elements.map { $0["workSeconds"]?.integer } == [0, 0, 0, 0, 0, 7_200, 25_200],
          history.text)
        let row: JSONValue = [
          "projectId": .null, "name": .null, "color": .null, "seconds": 32_400, "share": 1,
        ]
        world.check(history["projects"] == [row], history.text)
        world.check(history["workSeconds"] == 32_400 && history["paidSeconds"] == 32_400, history.text)
      }
      let whole = try await world.history(as: world.home.member, range + [("attribution", "start")])
      world.check(
        whole["days"]?.elements.map { $0["workSeconds"]?.integer } == [0, 0, 0, 0, 0, 32_400, 0], whole.text)
    },
    Scenario("members see their own history, managers everyone's or a member's, in that member's zone") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.makeEntry(of: member, from: "2026-11-17T08:00:00Z", to: "2026-11-17T09:00:00Z")
      try await world.makeEntry(of: manager, from: "2026-11-17T08:00:00Z", to: "2026-11-17T10:00:00Z")
      try await world.client.expect(
        world.call("updateMe", as: member, body: ["timeZone": "Pacific/Kiritimati"]), 200)
      let day = [(name: "date", value: "2026-11-17")]
      let own = try await world.history(as: member, day)
      world.check(own["workSeconds"] == 3_600 && own["timeZone"] == "Pacific/Kiritimati", own.text)
      let all = try await world.history(as: manager, day)
      world.check(all["workSeconds"] == 10_800 && all["timeZone"] != "Pacific/Kiritimati", all.text)
      let ofMember = try await world.history(as: manager, day + [("userId", member.userID)])
      world.check(ofMember == own, ofMember.text)
      let ofManager = try await world.history(as: manager, day + [("userId", manager.userID)])
      world.check(ofManager["workSeconds"] == 7_200, ofManager.text)
    },
    Scenario("a history that cannot be given says why") { world in
      let call = world.call("getHistory", as: world.home.member)
      func refuses(_ query: [(name: String, value: String)], _ status: Int, _ code: String) async throws {
        try await world.client.expect(call.with { $0.query = query }, status, code: code)
      }
      try await refuses([("userId", world.home.manager.userID)], 403, "forbidden")
      try await refuses([("userId", World.absentID)], 404, "member_not_found")
      try await refuses([("timeZone", "Mars/Base")], 422, "unknown_time_zone")
      try await refuses([("asOf", "2026-11-20T12:02:00.001Z")], 422, "in_future")
      try await refuses([("period", "year")], 400, "invalid_parameter")
      try await refuses([("date", "tomorrow")], 400, "invalid_parameter")
      try await refuses([("attribution", "end")], 400, "invalid_parameter")
      try await refuses([("range", "week"), ("period", "week")], 400, "invalid_parameter")
      try await refuses([("range", "week"), ("date", "today")], 400, "invalid_parameter")
      let ahead = try await world.history(as: world.home.member, [("asOf", "2026-11-20T12:02:00Z")])
      world.check(ahead["asOf"] == "2026-11-20T12:00:00.000Z", ahead.text)
    },
  ]
}

extension World {
  /// A person's history.
  fileprivate func history(
    as person: Person, _ query: [(name: String, value: String)]
  ) async throws -> JSONValue {
    try await client.expect(call("getHistory", as: person, query: query), 200).json
  }
}
