@testable import ContractDocument

extension Fixture {
  /// Streams of events. A call that does not say when to end would not.
  static let live = Fixture(
    scenarios: Scenario.live,
    baselines: ["streamEvents": { _, call in call.query.append(("seconds", "0")) }])
}

extension Scenario {
  fileprivate static let live: [Scenario] = [
    Scenario("a stream begins with the state, and sends a client that resumes what it has missed") { world in
      let (admin, member) = (world.home.admin, world.home.member)
      let begin = try await world.events(as: admin, [("seconds", "0")])
      let known = begin.first?.data?["nextAfter"]?.integer ?? -1
      let epoch = begin.first?.data?["epoch"]?.string ?? ""
      world.check(begin.map(\.name) == ["snapshot"] && known > 0, "\(begin)")
      world.check(begin.first?.data?["clock"]?["status"] == "clocked-out", "\(begin)")
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      _ = try await world.makeApiToken(for: member)
      let feed = try await world.client.expect(
        world.call("listChanges", as: admin, query: [("after", String(known))]), 200)
      let changes = feed.json["changes"]?.elements ?? []
      world.check(changes.count == 2, feed.json.text)
      for (query, headers) in [
        ([("after", String(known))], []), ([("after", String(known)), ("epoch", epoch)], []),
        // An id of a former version, and one of this.
        ([], [("Last-Event-ID", String(known))]), ([], [("Last-Event-ID", "\(known).\(epoch)")]),
        // The header is newer than the address with which a browser connects again.
        ([("after", "0")], [("Last-Event-ID", String(known))]),
        ([("after", String(known))], [("Last-Event-ID", "")]),
      ] as [([(name: String, value: String)], [(name: String, value: String)])] {
        let events = try await world.events(as: admin, query + [("seconds", "0")], headers: headers)
        world.check(events.map(\.name) == ["snapshot", "change", "change"], "\(events)")
        world.check(events.dropFirst().map(\.data) == changes.map(Optional.some), "\(events)")
        world.check(events.first?.data?["nextAfter"]?.integer == known, "\(events)")
      }
      let clock = try await world.events(as: admin, [("seconds", "0"), ("userId", member.userID)])
      world.check(clock.first?.data?["clock"]?["timeEntry"]?["id"] == entry.json["id"], "\(clock)")
      world.check(clock.first?.epoch == epoch, "\(clock)")
      let listen = world.call("streamEvents", as: admin, query: [("seconds", "0")])
      let other =
        epoch.replacing("0", with: "1") == epoch ? String(epoch.reversed()) : epoch.replacing("0", with: "1")
      for (query, headers) in [
        ([("after", String(known + 3))], []), ([("after", "9007199254740991")], []),
        ([("after", "0"), ("epoch", other)], []), ([], [("Last-Event-ID", "\(known + 3).\(epoch)")]),
        ([], [("Last-Event-ID", String(known + 3))]), ([], [("Last-Event-ID", "\(known).\(other)")]),
        // The header counts more.
        ([("after", String(known))], [("Last-Event-ID", "\(known).\(other)")]),
      ] as [([(name: String, value: String)], [(name: String, value: String)])] {
        try await world.client.expect(
          listen.with {
            $0.query += query
            $0.headers += headers
          }, 410, code: "position_unknown", comment: "\(query) \(headers)")
      }
    },
    Scenario("a stream sends what is committed while it is open") { world in
      let (admin, member) = (world.home.admin, world.home.member)
      let known = try await world.events(as: admin, [("seconds", "0")]).first?.id ?? -1
      async let streamed = world.events(as: admin, [("seconds", "3"), ("after", String(known))])
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      world.service.clock.advance(seconds: 60)
      let closed = try await world.client.expect(world.call("clockOut", as: member), 200)
      let changes = try await streamed.filter { $0.name == "change" }
      world.check(changes.map(\.id) == [known + 1, known + 2], "\(changes)")
      world.check(changes.first?.data?["data"]?["id"] == entry.json["id"], "\(changes)")
      world.check(changes.last?.data?["data"] == closed.json, "\(changes)")
    },
    Scenario("a stream shows members what is theirs, and only the kinds that are asked for") { world in
      let (me, other) = (world.home.member, world.home.manager)
      let known = try await world.events(as: other, [("seconds", "0")]).first?.id ?? -1
      try await world.client.expect(world.call("clockIn", as: me), 201)
      try await world.client.expect(world.call("clockIn", as: other), 201)
      _ = try await world.makeApiToken(for: me)
      let since = [(name: "after", value: String(known)), ("seconds", "0")]
      func seen(by person: Person, _ query: [(name: String, value: String)] = []) async throws -> [String] {
        try await world.events(as: person, since + query).filter { $0.name == "change" }.map {
          "\($0.data?["resource"]?.string ?? "") \($0.data?["data"]?["userId"]?.string ?? "")"
        }
      }
      let (mine, others) = ("timeEntry \(me.userID)", "timeEntry \(other.userID)")
      let own = try await seen(by: me)
      world.check(own == [mine], "\(own)")
      let all = try await seen(by: other)
      world.check(all == [mine, others], "\(all)")
      let asMember = try await seen(by: other, [("userId", me.userID)])
      world.check(asMember == [mine], "\(asMember)")
      let tokens = try await seen(by: other, [("resources", "apiToken,session")])
      world.check(tokens == [], "\(tokens)")
      let ofAdmins = try await seen(by: world.home.admin, [("resources", "apiToken")])
      world.check(ofAdmins == ["apiToken \(me.userID)"], "\(ofAdmins)")
      let call = world.call("streamEvents", as: me, query: [("userId", other.userID), ("seconds", "0")])
      try await world.client.expect(call, 403, code: "forbidden")
      let spoiled = world.call("streamEvents", as: me, query: [("seconds", "0")])
      for id in ["x", "-1", "99999999999999999999", "1.", "1.x", ".0123456789abcdef", "1.0123456789ABCDEF"] {
        try await world.client.expect(
          spoiled.with { $0.headers.append(("Last-Event-ID", id)) }, 400, code: "invalid_parameter",
          comment: id)
      }
    },
    Scenario("a stream ends with the token, and with the role, of its listener") { world in
      let known = try await world.events(as: world.home.admin, [("seconds", "0")]).first?.id ?? -1
      let (id, token) = try await world.makeApiToken(for: world.home.member)
      let start = ContinuousClock.now
      let query = [(name: "seconds", value: "60"), ("after", String(known))]
      let listen = world.call("streamEvents", as: world.home.member, query: query).with { $0.token = token }
      async let ofToken = world.client.expect(listen, 200)
      async let ofRole = world.events(as: world.home.manager, query)
      let delete = world.call("deleteApiToken", as: world.home.admin, path: ["apiTokenId": id])
      let demote = world.call(
        "updateMember", as: world.home.admin, path: ["userId": world.home.manager.userID],
        body: ["role": "member"], ifMatch: "*")
      // Both may come before the streams begin, which are refused or of another role then.
      try await Task.sleep(for: .seconds(1))
      try await world.client.expect(delete, 204)
      try await world.client.expect(demote, 200)
      _ = try await (ofToken, ofRole)
      world.check(ContinuousClock.now - start < .seconds(30), "the streams went on")
    },
    Scenario("a token has eight streams at once") { world in
      let (_, token) = try await world.makeApiToken(for: world.home.member)
      let listen = world.call("streamEvents", as: world.home.member, query: [("seconds", "2")]).with {
        $0.token = token
      }
      let statuses = try await withThrowingTaskGroup { group in
        for _ in 0..<9 { group.addTask { try await world.client.expect(listen, 200, 429).status } }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      world.check(statuses.filter { $0 == 429 }.count == 1, "\(statuses)")
    },
  ]
}

extension World {
  /// The events of a stream that ends by itself.
  func events(
    as person: Person, _ query: [(name: String, value: String)], headers: [(name: String, value: String)] = []
  ) async throws -> [EventReader.Event] {
    let call = call("streamEvents", as: person, query: query).with { $0.headers += headers }
    let reply = try await client.expect(call, 200)
    let events = EventReader.events(of: reply.response.body) ?? []
    return events.filter { $0.name != nil }
  }
}
