@testable import ContractDocument

extension Fixture {
  /// Deleting a member's recorded time.
  static let historyReset = Fixture(
    scenarios: Scenario.historyReset,
    baselines: [
      "resetHistory": { world, _ in _ = try await world.makeSegment(of: world.home.member) }
    ])
}

extension Scenario {
  fileprivate static let historyReset: [Scenario] = [
    Scenario("a reset deletes work, and leaves breaks and entries") { world in
      let member = world.home.member
      let day = try await world.recordedDay(of: member)
      let theirs = try await world.makeSegment(of: world.home.manager).json
      let early = try await world.client.expect(
        world.reset(member, ["scope": ["segments"], "before": "2026-11-19T08:30:00Z"], as: member), 200)
      world.check(
        early.json == ["segments": 1, "projects": 0, "tasks": 0, "timerSessions": 0, "kept": 0],
        early.json.text)
      let rest = try await world.client.expect(
        world.reset(member, ["scope": ["segments", "segments"]], as: member), 200)
      world.check(
        rest.json == ["segments": 2, "projects": 0, "tasks": 0, "timerSessions": 0, "kept": 0], rest.json.text
      )
      let left = try await world.client.expect(world.call("listSegments", as: world.home.manager), 200)
      world.check(left.json["segments"] == .array([day.rest, theirs]), left.json.text)
      let clock = try await world.client.expect(world.call("getClock", as: member), 200)
      world.check(clock.json["status"] == "clocked-in" && clock.json["segment"] == .null, clock.json.text)
      let entries = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      world.check(entries.json["timeEntries"]?.elements.count == 2, entries.json.text)
      let none = try await world.client.expect(
        world.reset(member, ["scope": ["segments"], "before": .null, "reason": .null], as: member), 200)
      world.check(
        none.json == ["segments": 0, "projects": 0, "tasks": 0, "timerSessions": 0, "kept": 0], none.json.text
      )
      let audit = try await world.client.expect(
        world.call(
          "listAuditLog", as: world.home.admin, query: [("operation", "resetHistory")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.count == 3 && changes.allSatisfy { $0["after"] == .null && $0["resource"] == "segment" },
        audit.json.text)
    },
    Scenario("a reset deletes a member's own projects and tasks, and their segments lose them") { world in
      let member = world.home.member
      let day = try await world.recordedDay(of: member)
      let shared = try await world.makeProject(by: world.home.manager)
      let gone = try await world.client.expect(
        world.reset(member, ["scope": ["projects"]], as: member), 200)
      world.check(
        gone.json == ["segments": 0, "projects": 1, "tasks": 1, "timerSessions": 0, "kept": 0], gone.json.text
      )
      let projects = try await world.client.expect(world.call("listProjects", as: member), 200)
      world.check(projects.json["projects"] == .array([shared.json]), projects.json.text)
      let tasks = try await world.client.expect(world.call("listTasks", as: member), 200)
      world.check(tasks.json["tasks"] == [], tasks.json.text)
      let listed = try await world.client.expect(world.call("listSegments", as: member), 200)
      let segments = listed.json["segments"]?.elements ?? []
      world.check(
        segments.count == 4 && segments.allSatisfy { $0["projectId"] == .null && $0["taskId"] == .null },
        listed.json.text)
      world.check(segments.contains(day.rest), listed.json.text)
      let both = try await world.client.expect(
        world.reset(member, ["scope": ["projects", "segments"]], as: member), 200)
      world.check(
        both.json == ["segments": 3, "projects": 0, "tasks": 0, "timerSessions": 0, "kept": 0], both.json.text
      )
    },
    Scenario("a reset is for oneself, and for admins with a reason") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      _ = try await world.recordedDay(of: member)
      let all: JSONValue = ["scope": ["segments", "projects"]]
      for other in [world.home.manager, try await world.makePerson("other@home.example")] {
        try await world.refuses(
          world.reset(member, all.setting("reason", to: "x"), as: other), 403, ["forbidden"], other.email)
      }
      try await world.refuses(world.reset(member, all, as: admin), 422, ["reason_required"], "an admin")
      try await world.refuses(
        world.reset(member, all.setting("reason", to: "a\0b"), as: member), 422, ["reason_invalid"], "a NUL")
      let reset = try await world.client.expect(
        world.reset(member, all.setting("reason", to: "Asked by mail"), as: admin), 200)
      world.check(
        reset.json == ["segments": 3, "projects": 1, "tasks": 1, "timerSessions": 0, "kept": 0],
        reset.json.text)
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: admin, query: [("operation", "resetHistory")]), 200)
      let changes = audit.json["changes"]?.elements ?? []
      world.check(
        changes.count == 5
          && changes.allSatisfy {
            $0["reason"] == "Asked by mail" && $0["author"]?["userId"] == .string(admin.userID)
          }, audit.json.text)
    },
    Scenario("a reset says what it is to delete, and is done once under a key") { world in
      let member = world.home.member
      for body: JSONValue in [
        [:], ["scope": []], ["scope": .null], ["scope": "segments"], ["scope": ["timers"]],
        ["scope": ["segments", "timers"]], ["scope": [.null]], ["scope": ["segments"], "before": "today"],
        ["scope": ["segments"], "dryRun": true],
      ] {
        try await world.refuses(world.reset(member, body, as: member), 400, ["invalid_body"], body.text)
      }
      _ = try await world.recordedDay(of: member)
      let keyed = world.reset(member, ["scope": ["segments"]], as: member).with {
        $0.idempotencyKey = "once"
      }
      let first = try await world.client.expect(keyed, 200)
      world.check(first.json["segments"] == 3, first.json.text)
      _ = try await world.client.expect(
        world.start(["projectId": try await world.projectID()], as: member), 201)
      let again = try await world.client.expect(keyed, 200)
      world.check(again.response.body == first.response.body, again.json.text)
      let clock = try await world.client.expect(world.call("getClock", as: member), 200)
      world.check(clock.json["segment"] != .null, clock.json.text)
    },
  ]
}

extension World {
  /// A reset of a person's recorded time, to be sent.
  fileprivate func reset(_ person: Person, _ body: JSONValue, as caller: Person) -> Call {
    call("resetHistory", as: caller, path: ["userId": person.userID], body: body)
  }

  /// A member's work on a project and a task of their own, with a break, and other work that is running now.
  ///
  /// - Returns: The break.
  fileprivate func recordedDay(of person: Person) async throws -> (rest: JSONValue, project: JSONValue) {
    let project = try await makeProject(by: person).json["id"] ?? .null
    let task =
      try await client.expect(
        call("createTask", as: person, body: ["name": "Pick", "projectId": project]), 201
      ).json["id"] ?? .null
    try await makeEntry(of: person)
    var rest = JSONValue.null
    for (purpose, from, to) in [
      (["projectId": project], "2026-11-19T08:00:00Z", "2026-11-19T08:30:00Z"),
      (["breakTypeId": try await breakTypeID()], "2026-11-19T08:30:00Z", "2026-11-19T09:00:00Z"),
      (["taskId": task], "2026-11-19T09:00:00Z", "2026-11-19T10:00:00Z"),
    ] as [(JSONValue, String, String)] {
      let body = purpose.setting("startTime", to: .string(from)).setting("endTime", to: .string(to))
      let made = try await client.expect(call("createSegment", as: person, body: body), 201).json
      if made["kind"] == "break" { rest = made }
    }
    try await client.expect(start(["projectId": project], as: person), 201)
    return (rest, project)
  }
}
