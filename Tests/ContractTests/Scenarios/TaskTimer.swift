@testable import ContractDocument

extension Fixture {
  /// The contract of a timer app, at its own paths.
  static let taskTimer = Fixture(
    scenarios: Scenario.taskTimer,
    baselines: [
      "taskTimerCreateToken": { world, _ in
        let example = try world.client.document.operation("createMember").bodyExample ?? .null
        try await world.client.expect(world.call("createMember", as: world.home.admin, body: example), 201)
      },
      "taskTimerDeleteToken": { world, call in call.token = try await world.logIn(world.home.member.email) },
      "taskTimerGetTask": { world, call in call.path["taskId"] = try await world.timerTask() },
      "taskTimerUpdateTask": { world, call in call.path["taskId"] = try await world.timerTask() },
      "taskTimerHideTask": { world, call in call.path["taskId"] = try await world.timerTask() },
      "taskTimerCreateEvent": { world, call in
        call.json = call.json.setting("taskId", to: .string(try await world.timerTask()))
      },
      "taskTimerUpdateEvent": { world, call in call.path["eventId"] = try await world.timerEvent() },
      "taskTimerDeleteEvent": { world, call in call.path["eventId"] = try await world.timerEvent() },
    ])
}

extension Scenario {
  fileprivate static let taskTimer: [Scenario] = [
    Scenario("a timer app logs in, keeps tasks and events, and logs out") { world in
      let member = world.home.member
      let logIn: JSONValue = [
        "email": .string(member.email), "password": .string(member.password), "device": 7,
      ]
      let granted = try await world.client.expect(
        Call(operationID: "taskTimerCreateToken", body: .json(logIn)), 200)
      let token = try World.text(granted.json["token"])
      world.check(
        granted.json["user"] == ["id": .string(member.userID), "email": .string(member.email)], "the user")
      func timer(_ id: String, _ path: [String: String] = [:], body: JSONValue? = nil) -> Call {
        Call(operationID: id, path: path, body: body.map { .json($0) } ?? .none, token: token)
      }
      let task = try await world.client.expect(
        timer("taskTimerCreateTask", body: ["name": "Project Alpha"]), 201)
      let id = try World.text(task.json["id"])
      world.check(task.json["userId"] == .string(member.userID) && task.json["events"] == [], task.json.text)
      let event = try await world.client.expect(
        timer(
          "taskTimerCreateEvent",
          body: ["taskId": .string(id), "duration": 3_600_000, "createdAt": "2026-11-19T09:00:00.000Z"]), 201)
      world.check(
        event.json["name"] == "Time entry" && event.json["task"] == ["name": "Project Alpha"]
          && event.json["createdAt"] == "2026-11-19T09:00:00.000Z" && event.json["duration"] == 3_600_000,
        event.json.text)
      let eventID = ["eventId": try World.text(event.json["id"])]
      let changed = try await world.client.expect(
        timer(
          "taskTimerUpdateEvent", eventID,
          body: ["name": "Rows", "duration": 1_800_000, "task": ["name": "?"]]),
        200)
      world.check(changed.json["name"] == "Rows" && changed.json["duration"] == 1_800_000, changed.json.text)
      let tasks = try await world.client.expect(timer("taskTimerListTasks"), 200)
      world.check(tasks.json.elements.count == 1, tasks.json.text)
      world.check(
        tasks.json.elements.first?["events"]?.elements.first?["id"] == event.json["id"], tasks.json.text)
      let events = try await world.client.expect(timer("taskTimerListEvents"), 200)
      world.check(events.json.elements == [changed.json], events.json.text)
      let stats = try await world.client.expect(
        timer("taskTimerGetStats").with { $0.query = [("timezone", "Asia/Tokyo")] }, 200)
      world.check(
        stats.json["grandTotal"] == 1_800_000 && stats.json["todayTotal"] == 0
          && stats.json["tasks"]?.elements.map { $0["totalTime"] } == [1_800_000], stats.json.text)
      // Everything is there for the rest of the service too.
      let segments = try await world.client.expect(world.call("listSegments", as: member), 200)
      world.check(
        segments.json["segments"]?.elements.map { $0["id"] } == [event.json["id"]], segments.json.text)
      try await world.client.expect(timer("taskTimerHideTask", ["taskId": id]), 200)
      world.check(
        try await world.client.expect(timer("taskTimerListTasks"), 200).json == [], "the hidden task")
      let hidden = try await world.client.expect(
        timer("taskTimerListTasks").with { $0.query = [("hidden", "true")] }, 200)
      world.check(hidden.json.elements.map { $0["hidden"] } == [true], hidden.json.text)
      try await world.client.expect(timer("taskTimerDeleteEvent", eventID), 200)
      world.check(
        try await world.client.expect(timer("taskTimerListEvents"), 200).json == [], "the deleted event")
      try await world.client.expect(timer("taskTimerDeleteToken"), 200)
      let refused = try await world.client.expect(timer("taskTimerListTasks"), 401, code: "invalid_token")
      world.check(refused.json["error"] == "Unauthorized", refused.json.text)
    },
    Scenario("an event of a timer is that timer's, running or just stopped, however often it comes") {
      world in
      let member = world.home.member
      let task = try await world.timerTask()
      let start = world.call("startSegment", as: member, body: ["taskId": .string(task)])
      let started = try await world.client.expect(start, 201)
      world.service.clock.advance(seconds: 3_600)
      let body: JSONValue = [
        "taskId": .string(task), "name": "Digging", "duration": 3_590_000,
        "createdAt": "2026-11-20T12:00:04.000Z",
      ]
      let post = Call(operationID: "taskTimerCreateEvent", body: .json(body), token: member.token)
      let event = try await world.client.expect(post, 201)
      world.check(event.json["id"] == started.json["segment"]?["id"], event.json.text)
      world.check(event.json["duration"] == 3_600_000 && event.json["name"] == "Digging", event.json.text)
      let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      world.check(
        current.json["timeEntry"] == .null, "a timer that clocked in clocks out: \(current.json.text)")
      world.service.clock.advance(seconds: 300)
      for _ in 0..<2 {
        let again = try await world.client.expect(post, 201)
        world.check(again.json == event.json, again.json.text)
      }
      world.service.clock.advance(seconds: 400)
      let late = try await world.client.expect(post, 409, code: "segment_overlap")
      world.check(
        late.json["error"]?.string?.hasPrefix("This would overlap with \"") == true
          && late.json["error"]?.string?.hasSuffix(": Digging\"") == true, late.json.text)
      // The time entry, which the timer began, follows the event.
      let change = Call(
        operationID: "taskTimerUpdateEvent", path: ["eventId": try World.text(event.json["id"])],
        body: .json(["duration": 3_000_000]), token: member.token)
      try await world.client.expect(change, 200)
      let entry = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
        .json["timeEntries"]?.elements.first
      world.check(entry?["durationSeconds"] == 3_000, "\(entry?.text ?? "")")
      try await world.client.expect(
        Call(
          operationID: "taskTimerDeleteEvent", path: ["eventId": try World.text(event.json["id"])],
          token: member.token),
        200)
      let left = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      world.check(left.json["timeEntries"] == [], left.json.text)
    },
    Scenario("an event without a start begins now, and is in no clock-in's way") { world in
      let member = world.home.member
      let task = try await world.timerTask()
      func post(_ task: String, _ duration: JSONValue = 3_600_000) -> Call {
        Call(
          operationID: "taskTimerCreateEvent", body: .json(["taskId": .string(task), "duration": duration]),
          token: member.token)
      }
      for tooLong in [86_400_001, 3_155_760_000_000] as [JSONValue] {
        try await world.refuses(post(task, tooLong), 400, ["refused"], tooLong.text)
      }
      let event = try await world.client.expect(post(task), 201)
      world.check(
        event.json["createdAt"] == "2026-11-20T12:00:00.000Z" && event.json["duration"] == 3_600_000,
        event.json.text)
      // A repetition is the same event; another task's would overlap.
      world.service.clock.advance(seconds: 1)
      let again = try await world.client.expect(post(task), 201)
      world.check(again.json == event.json, again.json.text)
      try await world.refuses(post(try await world.timerTask()), 409, ["segment_overlap"], "another task")
      let entries = try await world.client.expect(world.call("listTimeEntries", as: member), 200)
      world.check(entries.json["timeEntries"] == [], entries.json.text)
      try await world.client.expect(world.call("clockIn", as: member), 201)
      let delete = Call(
        operationID: "taskTimerDeleteEvent", path: ["eventId": try World.text(event.json["id"])],
        token: member.token)
      try await world.client.expect(delete, 200)
      // Inside a time entry it ends with that at the latest.
      try await world.client.expect(post(task), 201)
      world.service.clock.advance(seconds: 600)
      try await world.client.expect(world.call("clockOut", as: member), 200)
      let cut = try await world.client.expect(
        Call(operationID: "taskTimerListEvents", token: member.token), 200)
      world.check(cut.json.elements.map { $0["duration"] } == [600_000], cut.json.text)
    },
    Scenario("a text that looks like an id and is none of the service's is not found") { world in
      let operations = world.client.document.operations.filter { $0.pathTemplate.hasPrefix("/api/") }
      let ids = [
        "7b3c9f0e-8a44-4c0e-9d0f-2f6c1e1a9b11", "7B3C9F0E-8A44-4C0E-9D0F-2F6C1E1A9B11", World.absentID,
      ]
      var count = 0
      for operation in operations {
        for slot in try IdentifierSlot.all(of: operation, in: world.client.document) {
          let call = try await world.baseline(operation)
          for id in ids {
            let reply = try await world.client.expect(
              slot.setting(call, to: id), 404, code: "task_not_found", "segment_not_found",
              comment: "\(slot) \(id)")
            let word = slot.name == "eventId" ? "Event" : "Task"
            world.check(reply.json["error"]?.string == "\(word) not found", reply.json.text)
          }
          count += 1
        }
      }
      world.check(count == 7, "\(count) places of ids")
    },
    Scenario("what a timer app may not do is refused in its words") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let event = try await world.timerEvent()
      func call(_ id: String, _ path: [String: String] = [:], _ body: JSONValue? = nil) -> Call {
        Call(operationID: id, path: path, body: body.map { .json($0) } ?? .none, token: member.token)
      }
      let shared = try await world.client.expect(
        world.call("createTask", as: world.home.manager, body: ["name": "Shared"]), 201)
      let others = try await world.client.expect(
        world.call("createTask", as: admin, body: ["name": "Own", "ownerId": .string(admin.userID)]), 201)
      let (sharedID, foreignID) = (try World.text(shared.json["id"]), try World.text(others.json["id"]))
      try await world.client.expect(call("taskTimerGetTask", ["taskId": sharedID]), 200)
      for id in [foreignID, World.absentID, "nonsense"] {
        let found = try await world.client.expect(
          call("taskTimerGetTask", ["taskId": id]), 404, code: "task_not_found")
        world.check(found.json["error"] == "Task not found", found.json.text)
      }
      for id in [sharedID, foreignID] {
        try await world.client.expect(
          call("taskTimerUpdateTask", ["taskId": id], [:]), 404, code: "task_not_found")
        try await world.client.expect(call("taskTimerHideTask", ["taskId": id]), 404, code: "task_not_found")
      }
      // A manager sees everybody's tasks elsewhere, and their own here.
      try await world.client.expect(
        call("taskTimerGetTask", ["taskId": foreignID]).with { $0.token = world.home.manager.token }, 404,
        code: "task_not_found")
      try await world.client.expect(
        call("taskTimerListEvents").with { $0.query = [("taskId", foreignID)] }, 404, code: "task_not_found")
      let new: JSONValue = ["taskId": .string(foreignID), "duration": 1]
      try await world.client.expect(call("taskTimerCreateEvent", [:], new), 404, code: "task_not_found")
      for id in ["taskTimerUpdateEvent", "taskTimerDeleteEvent"] {
        let body: JSONValue? = id == "taskTimerUpdateEvent" ? [:] : nil
        let found = try await world.client.expect(
          call(id, ["eventId": event], body).with { $0.token = admin.token }, 404, code: "segment_not_found")
        world.check(found.json["error"] == "Event not found", found.json.text)
      }
      let taken: JSONValue = ["newStartTime": "2026-11-19T08:30:00Z"]
      let overlap = try await world.client.expect(
        call("taskTimerValidateStart", [:], taken), 409, code: "segment_overlap")
      world.check(overlap.json["error"]?.string?.hasPrefix("This would overlap") == true, overlap.json.text)
      let future = try await world.client.expect(
        call("taskTimerValidateStart", [:], ["newStartTime": "2026-11-20T12:02:00.001Z"]), 400,
        code: "refused")
      // A clock that is fast by less is no reason.
      try await world.client.expect(
        call("taskTimerValidateStart", [:], ["newStartTime": "2026-11-20T12:02:00Z"]), 200)
      world.check(future.json["error"] == "Start time cannot be in the future", future.json.text)
      try await world.client.expect(
        call("taskTimerGetStats").with { $0.query = [("timezone", "Mars/Olympus")] }, 400, code: "refused")
      let task = try await world.timerTask()
      let next: JSONValue = [
        "taskId": .string(task), "duration": 60_000, "createdAt": "2026-11-19T10:00:00Z",
      ]
      try await world.client.expect(call("taskTimerCreateEvent", [:], next), 201)
      try await world.makeEntry(of: member, from: "2024-01-15T09:00:00Z", to: "2024-01-15T17:00:00Z")
      let old = next.setting("createdAt", to: "2024-01-15T10:00:00Z")
      try await world.client.expect(call("taskTimerCreateEvent", [:], old), 403, code: "edit_window_closed")
      let longer = try await world.client.expect(
        call("taskTimerUpdateEvent", ["eventId": event], ["duration": 7_200_000]), 409,
        code: "segment_overlap")
      world.check(longer.json["error"]?.string?.hasPrefix("This would overlap") == true, longer.json.text)
      // Time entries are in the way too.
      let (alone, between) = (try await world.timerEvent(), "2026-11-17T09:30:00Z")
      try await world.makeEntry(of: member, from: between, to: "2026-11-17T10:00:00Z")
      try await world.client.expect(
        call("taskTimerUpdateEvent", ["eventId": alone], ["duration": 7_200_000]), 409, code: "overlap")
      for duration in [0, -1] as [JSONValue] {
        let wrong: JSONValue = ["taskId": .string(task), "duration": duration]
        try await world.client.expect(call("taskTimerCreateEvent", [:], wrong), 400, code: "invalid_body")
      }
      try await world.client.expect(
        world.call(
          "updateOrganization", as: admin,
          body: ["policy": ["membersMayCreateProjects": false, "editWindowDays": 1]], ifMatch: "*"
        ), 200)
      try await world.client.expect(call("taskTimerCreateTask", [:], ["name": "No"]), 403, code: "forbidden")
      world.service.clock.advance(seconds: 2 * 86_400)
      for (id, body) in [("taskTimerUpdateEvent", ["name": "Late"]), ("taskTimerDeleteEvent", nil)]
        as [(String, JSONValue?)]
      {
        try await world.client.expect(call(id, ["eventId": event], body), 403, code: "edit_window_closed")
      }
      let wrong: JSONValue = ["email": .string(member.email), "password": "not this"]
      let logIn = Call(operationID: "taskTimerCreateToken", body: .json(wrong))
      let refused = try await world.client.expect(logIn, 401, code: "invalid_credentials")
      world.check(refused.json["error"] == "Invalid email or password", refused.json.text)
      for _ in 0..<5 { try await world.client.expect(logIn, 401, 429) }
      try await world.client.expect(logIn, 429, code: "too_many_attempts")
    },
    Scenario("a timer is in one organization: the only one, or the one that is named") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      let calls = world.client.document.operations.filter {
        $0.pathTemplate.hasPrefix("/api/") && $0.isSecured && $0.id != "taskTimerDeleteToken"
      }
      world.check(calls.count == 11, "\(calls.map(\.id))")
      for operation in calls {
        func call(_ organization: String?) async throws -> Call {
          try await world.baseline(operation).with { call in
            call.token = person.token
            if let organization { call.headers.append(("Timeclock-Organization", organization)) }
          }
        }
        let several = try await world.client.expect(call(nil), 400, code: "invalid_parameter")
        world.check(
          several.json["errors"]?.elements.first?["detail"] == "is missing: you are in several organizations",
          several.json.text)
        let named = try await world.client.send(call(away.organizationID))
        world.check(
          named.status < 300 || named.status == 404,
          "\(operation.id) in one that is named: \(named.json.text)")
        for id in [World.absentID, "nonsense"] {
          try await world.client.expect(call(id), 404, code: "organization_not_found", comment: id)
        }
      }
      try await world.deactivate(person)
      for operation in calls {
        let call = try await world.baseline(operation).with { call in
          call.token = person.token
          call.headers.append(("Timeclock-Organization", world.home.organizationID))
        }
        try await world.client.expect(call, 403, code: "member_deactivated")
        // Of two there is one left.
        let other = try await world.client.send(call.with { $0.headers = [] })
        world.check(other.status < 300 || other.status == 404, "\(operation.id): \(other.json.text)")
      }
      let baselines = try await world.baselines(calls)
      try await world.deactivateHome()
      for call in baselines {
        try await world.client.expect(call, 403, code: "organization_deactivated")
      }
    },
  ]
}

extension World {
  /// A new task of the member's own.
  fileprivate func timerTask() async throws -> String {
    let call = call("createTask", as: home.member, body: ["name": "Project Alpha"])
    return try Self.text(try await client.expect(call, 201).json["id"])
  }

  /// A new event of the member's, of an hour, each a day before the last one.
  fileprivate func timerEvent() async throws -> String {
    let others = try await client.expect(
      Call(operationID: "taskTimerListEvents", token: home.member.token), 200)
    let day = 19 - others.json.elements.count
    let body: JSONValue = [
      "taskId": .string(try await timerTask()), "duration": 3_600_000,
      "createdAt": .string("2026-11-\(day < 10 ? "0" : "")\(day)T08:30:00Z"),
    ]
    let call = Call(operationID: "taskTimerCreateEvent", body: .json(body), token: home.member.token)
    return try Self.text(try await client.expect(call, 201).json["id"])
  }

  fileprivate func baselines(_ operations: [Operation]) async throws -> [Call] {
    var calls: [Call] = []
    for operation in operations {
      calls.append(try await baseline(operation))
    }
    return calls
  }
}
