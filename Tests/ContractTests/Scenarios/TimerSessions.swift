@testable import ContractDocument

extension Fixture {
  /// Sessions of timers, and their sums.
  static let timerSessions = Fixture(
    scenarios: Scenario.timerSessions,
    baselines: [
      "updateTimerSession": { world, call in
        call.path["timerSessionId"] = try await world.makeTimerSession(by: call.token)
      },
      "deleteTimerSession": { world, call in
        call.path["timerSessionId"] = try await world.makeTimerSession(by: call.token)
      },
    ],
    foreignIDs: { world, away in
      // In the past, so that no clock moves.
      var ids: [String] = []
      for (number, begin) in ["10:00", "11:00"].enumerated() {
        let made = try await world.apply(
          [
            World.command(2 * number + 1, "start", at: begin, ["timer": ["type": "focus"]]),
            World.command(2 * number + 2, "stop", at: begin.replacing(":00", with: ":20")),
          ], by: away.admin.token, in: away)
        ids.append(try World.text(made.last?["session"]?["id"]))
      }
      return ["timerSessionId": ids[0]]
    })
}

extension Scenario {
  fileprivate static let timerSessions: [Scenario] = [
    Scenario("sessions are listed from the newest on, and by their dates in the member's zone") { world in
      let member = world.home.member
      // Kathmandu's 20th begins at 18:15 UTC.
      let instants = [
        "2026-11-19T17:00:00Z", "2026-11-19T18:14:59Z", "2026-11-19T18:15:00Z", "2026-11-20T09:00:00Z",
      ]
      var commands: [JSONValue] = []
      for (number, instant) in instants.enumerated() {
        commands.append(
          World.command(
            number + 1, "start", at: instant, ["timer": ["type": "focus", "durationSeconds": 1_800]]))
      }
      commands.append(World.command(9, "stop", at: "2026-11-20T09:20:00Z"))
      _ = try await world.apply(commands, by: member.token)
      let all = try await world.pages("listTimerSessions", "timerSessions", as: member, limit: 2)
      world.check(
        all.map { $0["startTime"]?.string?.prefix(19) }
          == ["2026-11-20T09:00:00", "2026-11-19T18:15:00", "2026-11-19T17:00:00"], "\(all.map(\.text))")
      for (query, count) in [
        ([("startDate", "2026-11-20")], 2), ([("endDate", "2026-11-19")], 1), ([("range", "today")], 2),
        ([("startDate", "2026-11-21")], 0),
      ] as [([(name: String, value: String)], Int)] {
        let listed = try await world.client.expect(
          world.call("listTimerSessions", as: member, query: query), 200)
        world.check(
          listed.json["timerSessions"]?.elements.count == count, "\(query): \(listed.json.text)")
      }
      let turned = [(name: "startDate", value: "2026-11-20"), ("endDate", "2026-11-19")]
      for operation in ["listTimerSessions", "getTimerStatistics"] {
        try await world.client.expect(
          world.call(operation, as: member, query: turned), 422, code: "invalid_date_range")
        let both = world.call(
          operation, as: member, query: [("range", "week"), ("startDate", "2026-11-20")])
        try await world.client.expect(both, 400, code: "invalid_parameter")
      }
    },
    Scenario("a session's words and purpose change, and its times do not") { world in
      let member = world.home.member
      let id = try await world.makeTimerSession(by: member.token)
      func update(_ body: JSONValue) -> Call {
        world.call("updateTimerSession", as: member, path: ["timerSessionId": id], body: body)
      }
      let before = try await world.client.expect(update([:]), 200).json
      let project = try await world.projectID()
      let task =
        try await world.client.expect(
          world.call("createTask", as: member, body: ["name": "Pick", "projectId": project]), 201
        ).json["id"] ?? .null
      let changed = try await world.client.expect(
        update(["label": " Reading ", "notes": " Chapter <4> ", "isArchived": true, "taskId": task]), 200)
      world.check(
        changed.json
          == before.setting("label", to: "Reading").setting("notes", to: "Chapter &lt;4&gt;")
          .setting("isArchived", to: true).setting("projectId", to: project).setting("taskId", to: task),
        changed.json.text)
      let listed = try await world.pages("listTimerSessions", "timerSessions", as: member, limit: 10)
      world.check(listed == [changed.json], "\(listed.map(\.text))")
      let other = try await world.projectID(["name": "Sowing"])
      let moved = try await world.client.expect(update(["projectId": other, "isArchived": .null]), 200)
      world.check(
        moved.json == changed.json.setting("projectId", to: other).setting("taskId", to: .null),
        moved.json.text)
      let bare = try await world.client.expect(
        update(["label": .null, "notes": .null, "projectId": .null, "isArchived": false]), 200)
      world.check(bare.json == before, bare.json.text)
      let others = try await world.makeProject(by: world.home.admin, owner: world.home.admin)
      for (body, code) in try await world.timerPurposeRefusals(others: others) {
        try await world.refuses(update(body), 422, [code], body.text)
      }
      for (body, code) in [
        (["label": "a\nb"], "invalid_name"),
        (["notes": .string(String(repeating: "x", count: 501))], "notes_too_long"),
        (["notes": "a\u{202E}b"], "notes_invalid"),
      ] as [(JSONValue, String)] {
        try await world.refuses(update(body), 422, [code], body.text)
      }
      let deletion = world.call("deleteTimerSession", as: member, path: ["timerSessionId": id])
      try await world.client.expect(deletion, 204)
      try await world.client.expect(deletion, 404, code: "timer_session_not_found")
      try await world.client.expect(update([:]), 404, code: "timer_session_not_found")
    },
    Scenario("sessions add up by day, week, month, project, task, type and label") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let timer: JSONValue = ["type": "focus", "durationSeconds": 1_500]
      _ = try await world.apply(
        [
          World.command(
            1, "start", at: "2026-11-18T09:00:00Z", ["timer": timer.setting("label", to: "Reading")]),
          World.command(2, "pause", at: "2026-11-18T09:10:00Z"),
          World.command(3, "resume", at: "2026-11-18T09:12:00Z"),
          World.command(4, "stop", at: "2026-11-18T09:22:00Z"),
          World.command(
            5, "start", at: "2026-11-19T09:00:00Z",
            ["timer": timer.setting("label", to: "Reading").setting("projectId", to: project)]),
          World.command(6, "skip", at: "2026-11-19T09:24:50Z"),
          World.command(7, "stop", at: "2026-11-19T09:26:00Z"),
        ], by: member.token)
      func statistics(_ query: [(name: String, value: String)]) async throws -> JSONValue {
        let call = world.call("getTimerStatistics", as: member, query: query)
        let reply = try await world.client.expect(call, 200)
        return reply.json
      }
      func row(_ key: JSONValue, _ minutes: Int64, _ interruptions: Int64, _ sessions: Int64) -> JSONValue {
        [
          "key": key, "minutes": .integer(minutes), "interruptionsMinutes": .integer(interruptions),
          "sessions": .integer(sessions),
        ]
      }
      let byDay = try await statistics([])
      world.check(
        byDay == [
          "groupBy": "day", "startDate": .null, "endDate": .null, "timeZone": "Asia/Kathmandu", "minutes": 46,
          "interruptionsMinutes": 2, "sessions": 3, "streak": 2,
          "rows": [row("2026-11-18", 20, 2, 1), row("2026-11-19", 26, 0, 2)],
        ], byDay.text)
      for (grouping, rows) in [
        ("week", [row("2026-W47", 46, 2, 3)]), ("month", [row("2026-11", 46, 2, 3)]),
        ("project", [row(project, 26, 0, 2), row(.null, 20, 2, 1)]), ("task", [row(.null, 46, 2, 3)]),
        ("type", [row("focus", 45, 2, 2), row("shortBreak", 1, 0, 1)]),
        ("label", [row("Reading", 46, 2, 3)]),
      ] as [(String, [JSONValue])] {
        let found = try await statistics([("groupBy", grouping)])
        world.check(found["rows"] == .array(rows), found.text)
      }
      let oneDay = try await statistics([("startDate", "2026-11-19"), ("endDate", "2026-11-19")])
      world.checkMembers(
        oneDay,
        ["startDate": "2026-11-19", "endDate": "2026-11-19", "minutes": 26, "sessions": 2, "streak": 2])
    },
    Scenario("a session is as old as the policy lets it be") { world in
      for days in [0, 3_651] as [JSONValue] {
        try await world.refuses(
          world.call(
            "updateOrganization", as: world.home.admin, body: ["policy": ["timerSessionDays": days]],
            ifMatch: "*"), 422, ["invalid_policy"], days.text)
      }
      let changed = try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin, body: ["policy": ["timerSessionDays": 1]], ifMatch: "*"),
        200)
      world.check(changed.json["policy"]?["timerSessionDays"] == 1, changed.json.text)
    },
  ]
}

extension World {
  /// Leaves a session of a minute, of the token's owner, and returns its id.
  func makeTimerSession(by token: String?) async throws -> String {
    try await startTimer(by: token, ["type": "focus", "durationSeconds": 1_500])
    service.clock.advance(seconds: 60)
    let stopped = try await client.expect(call("stopTimer", as: nil).with { $0.token = token }, 200)
    return try Self.text(stopped.json["session"]?["id"])
  }
}
