@testable import ContractDocument

extension Fixture {
  /// A timer is its member's own: nobody else sees it anywhere.
  static let timerPrivacy = Fixture(scenarios: Scenario.timerPrivacy)
}

extension Scenario {
  fileprivate static let timerPrivacy: [Scenario] = [
    Scenario("nothing that others read reveals a member's timer") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let secret = "Psoriasis clinic"
      let before = try await world.everythingShown()
      let id = try await world.useTimer(of: member, label: secret)
      let after = try await world.everythingShown()
      world.check(before == after, "something has changed:\n\(before)\n\(after)")
      world.check(!after.joined().contains(secret) && !after.joined().contains(id), "\(after)")
      for other in [admin, world.home.manager] {
        for call in [
          world.call("updateTimerSession", as: other, body: ["notes": "Seen"]),
          world.call("deleteTimerSession", as: other),
        ] {
          func named(_ id: String) -> Call { call.with { $0.path["timerSessionId"] = id } }
          let theirs = try await world.client.expect(named(id), 404, code: "timer_session_not_found")
          let absent = try await world.client.expect(
            named(World.absentID), 404, code: "timer_session_not_found")
          world.check(
            theirs.textWithoutRequestID == absent.textWithoutRequestID,
            "\(theirs.json.text) \(absent.json.text)")
        }
        for operation in ["getCurrentTimer", "listTimerSessions", "getTimerStatistics", "getTimerSettings"] {
          let query = [(name: "userId", value: member.userID)]
          try await world.client.expect(
            world.call(operation, as: other, query: query), 400, code: "invalid_parameter", comment: operation
          )
        }
      }
      let start = world.call(
        "startTimer", as: admin, body: ["type": "focus", "userId": .string(member.userID)])
      try await world.client.expect(start, 400, code: "invalid_body")
    },
    Scenario(
      "an API token in a member's name, which an admin has made, neither shows the timer nor commands it"
    ) { world in
      let member = world.home.member
      try await world.startTimer(by: member.token)
      let before = try await world.currentTimer(of: member)
      let token = try await world.makeApiToken(for: member).token
      let operations = world.client.document.operations.filter(\.isOfOwnTimer)
      world.check(operations.count > 20, "\(operations.map(\.id))")
      for operation in operations {
        var call = world.call(operation.id, as: member).with { $0.token = token }
        for name in ["timerSessionId", "pushTargetId"] where operation.pathTemplate.contains(name) {
          call.path[name] = World.absentID
        }
        try await world.client.expect(call, 403, code: "forbidden", comment: operation.id)
      }
      let stream = try await world.client.expect(
        world.call("streamEvents", as: member, query: [("seconds", "0")]).with { $0.token = token }, 200)
      let snapshot = EventReader.events(of: stream.response.body)?.first { $0.name == "snapshot" }
      world.check(snapshot?.data?["timer"] == .null, "\(String(describing: snapshot))")
      world.check(try await world.currentTimer(of: member) == before, "the timer has changed")
    },
    Scenario("a member's own stream reports the timer, and a manager's of the member does not") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.startTimer(by: member.token)
      let snapshot = try await world.stream(as: member, [("seconds", "0")])
      let present = try await world.currentTimer(of: member)
      world.check(snapshot.map(\.name) == ["snapshot"], "\(snapshot)")
      world.check(snapshot.first?.data?["timer"] == present, "\(snapshot)")
      let named = try await world.stream(as: member, [("seconds", "0"), ("userId", member.userID)])
      world.check(named.first?.data?["timer"] == present, "\(named)")
      let watched = try await world.stream(as: manager, [("seconds", "0"), ("userId", member.userID)])
      world.check(watched.first?.data?["timer"] == .null, "\(watched)")
      let own = try await world.stream(as: manager, [("seconds", "0")])
      world.check(own.first?.data?["timer"]?["state"] == "reset", "\(own)")

      async let mine = world.stream(as: member, [("seconds", "3"), ("resources", "session")])
      async let theirs = world.stream(as: manager, [("seconds", "3"), ("userId", member.userID)])
      async let managers = world.stream(as: manager, [("seconds", "3")])
      // Streams begin with the present timer.
      try await Task.sleep(for: .seconds(1))
      let paused = try await world.does("pauseTimer", as: member)
      // The same settings again change nothing, and announce nothing.
      try await world.client.expect(world.call("putTimerSettings", as: member, body: [:], ifMatch: "*"), 200)
      try await Task.sleep(for: .milliseconds(500))
      try await world.client.expect(world.call("stopTimer", as: member), 200)
      let told = try await mine.filter { $0.name != "snapshot" }
      world.check(told.map(\.name) == ["timer", "timer"], "\(told)")
      world.check(told.first?.data?["timer"] == paused && told.allSatisfy { $0.id == nil }, "\(told)")
      world.check(told.last?.data?["state"] == "reset", "\(told)")
      for events in try await [theirs, managers] {
        world.check(events.map(\.name) == ["snapshot"], "\(events)")
      }
    },
    Scenario("a person's data has the timer and its sessions, and only the person resets them") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let id = try await world.useTimer(of: member, label: "Reading")
      for person in [member, admin] {
        let data = try await world.client.expect(
          world.call("exportPersonalData", as: person, path: ["userId": member.userID]), 200)
        world.check(data.json["timer"] == (try await world.currentTimer(of: member))["timer"], data.json.text)
        world.check(data.json["timerSettings"]?["focusSeconds"] == 1_200, data.json.text)
        world.check(data.json["timerSessions"]?.elements.map { $0["id"]?.string } == [id], data.json.text)
      }
      let call = world.call(
        "resetHistory", as: admin, path: ["userId": member.userID],
        body: ["scope": ["timerSessions"], "reason": "Asked by mail"])
      try await world.refuses(call, 403, ["forbidden"], "an admin")
      func reset(_ before: JSONValue) async throws -> JSONValue {
        let body: JSONValue = ["scope": ["timerSessions"], "before": before]
        let own = world.call("resetHistory", as: member, path: ["userId": member.userID], body: body)
        return try await world.client.expect(own, 200).json["timerSessions"] ?? .null
      }
      let started = try await world.currentTimer(of: member)["lastSession"]?["startTime"] ?? .null
      world.check(try await reset(started) == 0, "a session that began then")
      world.check(try await reset(.null) == 1, "another count")
      world.check(try await world.currentTimer(of: member)["lastSession"] == .null, "a session is left")
      world.check(try await reset(.null) == 0, "again")
    },
    Scenario("who is anonymized leaves no timer") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      _ = try await world.useTimer(of: member, label: "Psoriasis clinic")
      let path = ["userId": member.userID]
      try await world.client.expect(world.call("deactivateMember", as: admin, path: path, ifMatch: "*"), 204)
      try await world.client.expect(world.call("anonymizeMember", as: admin, path: path), 200)
      let data = try await world.client.expect(
        world.call("exportPersonalData", as: admin, path: path), 200)
      world.checkMembers(data.json, ["timer": .null, "timerSessions": []])
      world.checkMembers(data.json["timerSettings"], ["focusSeconds": 1_500, "version": 1])
    },
  ]
}

extension World {
  /// Uses every part of a person's timer, and answers the id of the session that it leaves.
  fileprivate func useTimer(of person: Person, label: String) async throws -> String {
    try await client.expect(
      call("putTimerSettings", as: person, body: ["focusSeconds": 1_200], ifMatch: "*"), 200)
    let routine = try client.document.operation("putRoutine").bodyExample
    try await client.expect(call("putRoutine", as: person, body: routine), 200)
    let session = try await makeTimerSession(by: person.token)
    try await client.expect(
      call(
        "updateTimerSession", as: person, path: ["timerSessionId": session], body: ["label": .string(label)]),
      200)
    try await startTimer(by: person.token, ["type": "focus", "label": .string(label)])
    return session
  }

  /// Everything that the admin and the manager see of the organization, of everybody and of the member, except their
  /// own timers.
  fileprivate func everythingShown() async throws -> [String] {
    let about = [(name: "userId", value: home.member.userID)]
    let calls: [(String, [(name: String, value: String)])] = [
      ("listChanges", []), ("listAuditLog", []), ("getPresence", []), ("listMembers", []),
      ("listTimeEntries", about), ("listSegments", about), ("getClock", about), ("listWebhooks", []),
      ("reportHours", [("startDate", "2026-11-01"), ("endDate", "2026-11-30"), ("groupBy", "user")]),
      ("getHistory", about), ("getTimesheet", [("period", "monthly")]), ("listSessions", []),
      ("getCurrentTimer", []), ("listTimerSessions", []),
    ]
    var texts: [String] = []
    for person in [home.admin, home.manager] {
      for (operation, query) in calls where operation != "listAuditLog" || person.userID == home.admin.userID
      {
        guard operation != "listWebhooks" || person.userID == home.admin.userID else { continue }
        let reply = try await client.expect(
          call(operation, as: person, query: query), 200, comment: operation)
        texts.append("\(operation) \(reply.json.removing("asOf").removing("serverTime").text)")
      }
    }
    return texts
  }

  /// The events of a stream that ends by itself.
  fileprivate func stream(
    as person: Person, _ query: [(name: String, value: String)]
  ) async throws -> [EventReader.Event] {
    let reply = try await client.expect(call("streamEvents", as: person, query: query), 200)
    return (EventReader.events(of: reply.response.body) ?? []).filter { $0.name != nil }
  }
}
