@testable import ContractDocument

extension Fixture {
  /// Reading time entries.
  static let reading = Fixture(scenarios: Scenario.reading)
}

extension Scenario {
  fileprivate static let reading: [Scenario] = [
    Scenario("members read their own entries, managers everyone's") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let own = try await world.makeEntry(of: member)
      let other = try await world.makeEntry(of: manager)
      for (person, id, status) in [(member, own, 200), (manager, own, 200), (member, other, 403)] {
        let call = world.call("getTimeEntry", as: person, path: ["timeEntryId": id])
        try await world.client.expect(call, status)
      }
      try await world.client.expect(
        world.call("getTimeEntry", as: member, path: ["timeEntryId": other]), 403, code: "forbidden")
      try await world.expectEntries([own], as: member)
      try await world.expectEntries([own], as: member, ["userId": member.userID])
      try await world.expectEntries([other, own], as: manager)
      try await world.expectEntries([own], as: manager, ["userId": member.userID])
      for operationID in ["listTimeEntries", "getCurrentTimeEntry"] {
        let query = [(name: "userId", value: manager.userID)]
        try await world.client.expect(
          world.call(operationID, as: member, query: query), 403, code: "forbidden")
        try await world.client.expect(world.call(operationID, as: world.home.admin, query: query), 200)
      }
    },
    Scenario("entries are listed by date and creation, newest first, page by page, each once") { world in
      let member = world.home.member
      var made: [String] = []
      for (day, hour) in [(17, 8), (18, 8), (18, 6), (19, 8), (19, 6)] {
        world.service.clock.advance(seconds: 1)
        made.append(
          try await world.makeEntry(
            of: member, from: "2026-11-\(day)T0\(hour):00:00Z", to: "2026-11-\(day)T0\(hour + 1):00:00Z"))
      }
      let expected = [made[4], made[3], made[2], made[1], made[0]]
      for limit in [1, 2, 5, 1_000] {
        let listed = try await world.pages("listTimeEntries", "timeEntries", as: member, limit: limit)
        world.check(listed.compactMap { $0["id"]?.string } == expected, "limit \(limit): another order")
      }
    },
    Scenario("the next page begins at the end of the last though entries are added meanwhile") { world in
      let member = world.home.member
      let old = try await world.makeEntry(
        of: member, from: "2026-11-17T08:00:00Z", to: "2026-11-17T09:00:00Z")
      let new = try await world.makeEntry(of: member)
      let first = try await world.client.expect(
        world.call("listTimeEntries", as: member, query: [("limit", "1")]), 200)
      world.check(first.json["timeEntries"]?.elements.first?["id"]?.string == new, "another first entry")
      try await world.makeEntry(of: member, from: "2026-11-20T08:00:00Z", to: "2026-11-20T09:00:00Z")
      let cursor = try World.text(first.json["nextCursor"])
      try await world.expectEntries([old], as: member, ["limit": "1", "cursor": cursor])
    },
    Scenario("a cursor is valid in the list it came from only") { world in
      let admin = world.home.admin
      let other = try await world.makeTenant("other")
      for tenant in [world.home, other] {
        for hour in [8, 9] {
          try await world.client.expect(
            world.call(
              "createTimeEntry", as: tenant.admin, in: tenant,
              body: [
                "clockInTime": .string("2026-11-19T0\(hour):00:00Z"),
                "clockOutTime": .string("2026-11-19T0\(hour):30:00Z"),
              ]), 201)
        }
        _ = try await world.makeApiToken(for: tenant.admin, in: tenant)
        _ = try await world.makeApiToken(for: tenant.admin, in: tenant)
      }
      let one = (name: "limit", value: "1")
      let filter = (name: "status", value: "clocked-out")
      let lists = [
        world.call("listMembers", as: admin, query: [one]),
        world.call("listMembers", as: other.admin, in: other, query: [one]),
        world.call("listApiTokens", as: admin, query: [one]),
        world.call("listTimeEntries", as: admin, query: [one]),
        world.call("listTimeEntries", as: admin, query: [one, filter]),
        world.call("listTimeEntries", as: admin, query: [one, ("userId", admin.userID)]),
        world.call("listTimeEntries", as: admin, query: [one, ("updatedSince", "2026-11-01T00:00:00Z")]),
        world.call("listTimeEntries", as: other.admin, in: other, query: [one]),
      ]
      for (index, source) in lists.enumerated() where index != 1 {
        let page = try await world.client.expect(source, 200)
        let cursor = (name: "cursor", value: try World.text(page.json["nextCursor"]))
        for (target, list) in lists.enumerated() {
          let comment = "the cursor of list \(index) in list \(target)"
          let call = list.with { $0.query.append(cursor) }
          if target == index {
            try await world.client.expect(call, 200, comment: comment)
          } else {
            try await world.client.expect(call, 400, code: "invalid_parameter", comment: comment)
          }
        }
        // The length of a page does not make another list.
        let longer = source.with {
          $0.query = $0.query.filter { $0.name != "limit" } + [("limit", "2"), cursor]
        }
        try await world.client.expect(longer, 200)
      }
    },
    Scenario("entries are found by date, status and overlap") { world in
      let member = world.home.member
      // Kathmandu is 5:45 ahead: this entry is of the 18th and reaches into the 19th.
      let night = try await world.makeEntry(
        of: member, from: "2026-11-18T17:00:00Z", to: "2026-11-18T20:00:00Z")
      let day = try await world.makeEntry(of: member)
      let active = try await world.client.expect(world.call("clockIn", as: member), 201)
      let now = try World.text(active.json["id"])
      let queries: [([String: String], [String])] = [
        (["startDate": "2026-11-19", "endDate": "2026-11-19"], [day]),
        (["startDate": "2026-11-19", "endDate": "2026-11-19", "match": "overlap"], [day, night]),
        (["startDate": "2026-11-19", "match": "start"], [now, day]), (["endDate": "2026-11-18"], [night]),
        (["startDate": "2026-11-21", "match": "overlap"], [now]), (["startDate": "2026-11-21"], []),
        (["status": "clocked-in"], [now]), (["status": "clocked-out"], [day, night]),
        (["startDate": "1900-01-01", "endDate": "9999-12-31"], [now, day, night]),
        (["startDate": "1900-01-01", "endDate": "9999-12-31", "match": "overlap"], [now, day, night]),
        (["range": "today"], [now]), (["range": "week"], [now, day, night]),
        (["range": "month", "match": "overlap", "status": "clocked-out"], [day, night]),
      ]
      for (query, expected) in queries { try await world.expectEntries(expected, as: member, query) }
    },
    Scenario("a range around today stands alone") { world in
      for operation in ["listTimeEntries", "exportTimeEntries"] {
        for other in ["startDate", "endDate"] {
          let query = [(name: "range", value: "week"), (name: other, value: "2026-11-20")]
          try await world.client.expect(
            world.call(operation, as: world.home.member, query: query), 400, code: "invalid_parameter")
        }
      }
    },
    Scenario("a range that ends before it starts and a session that is not there are refused") { world in
      let range = [(name: "startDate", value: "2026-11-20"), (name: "endDate", value: "2026-11-19")]
      try await world.client.expect(
        world.call("listTimeEntries", as: world.home.member, query: range), 422, code: "invalid_date_range")
      try await world.client.expect(
        world.call("listTimeEntries", as: world.home.member, query: [("sessionId", World.absentID)]), 404,
        code: "session_not_found")
    },
  ]
}

extension World {
  /// Adds a finding unless the list shows exactly these entries, in this order.
  func expectEntries(_ ids: [String], as person: Person, _ query: [String: String] = [:]) async throws {
    let pairs = query.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let reply = try await client.expect(call("listTimeEntries", as: person, query: pairs), 200)
    let listed = reply.json["timeEntries"]?.elements.compactMap { $0["id"]?.string } ?? []
    check(listed == ids, "listTimeEntries \(query): \(listed), not \(ids)")
  }
}
