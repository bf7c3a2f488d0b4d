@testable import ContractDocument

extension Fixture {
  /// A member's own timer, and its commands.
  static let timers = Fixture(
    scenarios: Scenario.timers,
    baselines: [
      "pauseTimer": { try await $0.startTimer(by: $1.token) },
      "adjustTimer": { try await $0.startTimer(by: $1.token) },
      "skipTimer": { try await $0.startTimer(by: $1.token) },
      "stopTimer": { try await $0.startTimer(by: $1.token) },
      "setTimerPresence": { try await $0.startTimer(by: $1.token) },
      "resumeTimer": { world, call in
        try await world.startTimer(by: call.token)
        try await world.client.expect(world.call("pauseTimer", as: nil).with { $0.token = call.token }, 200)
      },
      "startNextTimer": { world, call in
        try await world.startTimer(by: call.token, ["type": "focus", "durationSeconds": 1])
        world.service.clock.advance(seconds: 1)
      },
      "deleteRoutine": { world, call in
        let routine = try world.client.document.operation("putRoutine").bodyExample
        try await world.client.expect(
          world.call("putRoutine", as: nil, body: routine).with { $0.token = call.token }, 200)
      },
      "putTimerSettings": { world, call in
        let read = world.call("getTimerSettings", as: nil).with { $0.token = call.token }
        call.ifMatch = try await world.client.expect(read, 200).etag
      },
    ])
}

extension Scenario {
  fileprivate static let timers: [Scenario] = [
    Scenario("a timer runs, is paused, goes on, is moved, and leaves what was really spent") { world in
      let member = world.home.member
      let empty = try await world.currentTimer(of: member)
      world.check(
        empty == [
          "state": "reset", "timer": .null, "routine": .null, "lastSession": .null,
          "serverTime": "2026-11-20T12:00:00.000Z",
        ], empty.text)
      let project = try await world.projectID()
      let started = try await world.startTimer(
        by: member.token,
        ["type": "focus", "durationSeconds": 1_500, "label": " Reading ", "projectId": project])
      let timer = started.json["timer"] ?? .null
      world.check(
        timer.removing("id")
          == [
            "type": "focus", "state": "running", "isCountdown": true,
            "startTime": "2026-11-20T12:00:00.000Z", "endTime": "2026-11-20T12:25:00.000Z",
            "lastStartTime": "2026-11-20T12:00:00.000Z", "lastPauseTime": .null, "timeSpentPausedSeconds": 0,
            "elapsedSeconds": 0, "remainingSeconds": 1_500, "originalDurationSeconds": 1_500,
            "adjustedSeconds": 0, "wasAdjusted": false, "progress": 1, "streak": 0,
            "sessionsBeforeLongBreak": 4, "autoStarted": false, "pendingAction": .null,
            "projectId": project, "taskId": .null, "label": "Reading", "subject": .null, "routine": .null,
            "version": 1, "updatedAt": "2026-11-20T12:00:00.000Z",
          ], timer.text)
      world.check(
        started.json.removing("timer") == ["started": true, "reason": .null, "session": .null],
        started.json.text)
      world.service.clock.advance(milliseconds: 600_400)
      let running = try await world.currentTimer(of: member)["timer"]
      world.checkMembers(
        running, ["elapsedSeconds": 600, "remainingSeconds": 900, "progress": .double(0.5997)])
      let paused = try await world.does("pauseTimer", as: member)
      world.checkMembers(
        paused,
        [
          "state": "paused", "lastPauseTime": "2026-11-20T12:10:00.400Z", "version": 2,
          "id": timer["id"] ?? .null,
        ])
      world.service.clock.advance(seconds: 120)
      let later = try await world.currentTimer(of: member)["timer"]
      world.check(later == paused, later?.text ?? "")
      let resumed = try await world.does("resumeTimer", as: member)
      world.checkMembers(
        resumed,
        [
          "state": "running", "timeSpentPausedSeconds": 120, "endTime": "2026-11-20T12:27:00.000Z",
          "lastStartTime": "2026-11-20T12:12:00.400Z", "lastPauseTime": .null, "remainingSeconds": 900,
        ])
      let longer = try await world.does("adjustTimer", as: member, ["seconds": 60])
      world.checkMembers(
        longer,
        [
          "endTime": "2026-11-20T12:28:00.000Z", "adjustedSeconds": 60, "wasAdjusted": true,
          "originalDurationSeconds": 1_500, "progress": .double(0.6397),
        ])
      world.service.clock.advance(seconds: 590)
      let stopped = try await world.client.expect(world.call("stopTimer", as: member), 200)
      let session = stopped.json["session"] ?? .null
      world.check(stopped.json["timer"] == .null, stopped.json.text)
      world.check(
        session == [
          "id": timer["id"] ?? .null, "type": "focus", "startTime": "2026-11-20T12:00:00.000Z",
          "endTime": "2026-11-20T12:21:50.400Z", "durationMinutes": 20, "interruptionsMinutes": 2,
          "seconds": 1_190, "isWork": true, "label": "Reading", "projectId": project, "taskId": .null,
          "outcome": "stopped", "notes": .null, "isArchived": false, "createdAt": "2026-11-20T12:21:50.400Z",
        ], session.text)
      let left = try await world.currentTimer(of: member)
      world.check(
        left["state"] == "reset" && left["lastSession"] == session && left["timer"] == .null, left.text)
    },
    Scenario("focus and breaks follow each other, and every fourth break is a long one") { world in
      let member = world.home.member
      try await world.startTimer(by: member.token, ["type": "focus", "label": "Reading"])
      for round in 1...4 {
        world.service.clock.advance(seconds: 1_500)
        let finished = try await world.currentTimer(of: member)
        world.checkMembers(
          finished["timer"],
          [
            "state": "finished", "pendingAction": "start_break", "streak": .integer(Int64(round)),
            "remainingSeconds": 0, "progress": 0,
          ])
        world.checkMembers(
          finished["lastSession"], ["type": "focus", "outcome": "finished", "durationMinutes": 25])
        let rest = try await world.does(round.isMultiple(of: 2) ? "skipTimer" : "startNextTimer", as: member)
        world.checkMembers(
          rest,
          [
            "type": round == 4 ? "longBreak" : "shortBreak", "state": "running", "label": "Reading",
            "originalDurationSeconds": round == 4 ? 900 : 300,
          ])
        world.service.clock.advance(seconds: round == 4 ? 900 : 300)
        let over = try await world.currentTimer(of: member)["timer"]
        world.checkMembers(
          over, ["pendingAction": "start_focus", "streak": round == 4 ? 0 : .integer(Int64(round))])
        world.checkMembers(try await world.does("startNextTimer", as: member), ["type": "focus"])
      }
      // A focus that is skipped counts for the streak, and leaves the time spent.
      world.service.clock.advance(seconds: 50)
      let skipped = try await world.client.expect(world.call("skipTimer", as: member), 200)
      world.checkMembers(
        skipped.json["session"], ["outcome": "skipped", "durationMinutes": 1, "seconds": 50])
      world.checkMembers(skipped.json["timer"], ["type": "shortBreak", "streak": 1])
      world.service.clock.advance(milliseconds: 49_999)
      let short = try await world.client.expect(world.call("skipTimer", as: member), 200)
      world.check(short.json["session"] == .null, short.json.text)
    },
    Scenario("a command that the timer's state does not allow is refused, with the timer") { world in
      let member = world.home.member
      let commands = ["pauseTimer", "resumeTimer", "adjustTimer", "skipTimer", "stopTimer", "startNextTimer"]
      for command in commands {
        try await world.refuses(
          world.command(command, as: member), 404, ["no_timer"], "\(command) without a timer")
      }
      try await world.refuses(
        world.call("setTimerPresence", as: member, body: ["state": "background"]), 404, ["no_timer"],
        "presence")
      func refuses(_ pairs: [(String, String)], _ state: JSONValue) async throws {
        for (command, code) in pairs {
          let call = world.command(command, as: member)
          try await world.refuses(call, 409, [code], "\(command): \(code)")
          let reply = try await world.client.expect(call, 409, code: code)
          let present = try await world.currentTimer(of: member)["timer"]
          world.check(reply.json["timer"] == present && present?["state"] == state, reply.json.text)
        }
      }
      try await world.startTimer(by: member.token)
      try await refuses(
        [("resumeTimer", "timer_not_paused"), ("startNextTimer", "timer_not_finished")], "running")
      try await world.does("pauseTimer", as: member)
      try await refuses(
        [("pauseTimer", "timer_not_running"), ("startNextTimer", "timer_not_finished")], "paused")
      try await world.startTimer(by: member.token, ["type": "focus", "durationSeconds": 1])
      world.service.clock.advance(seconds: 1)
      try await refuses(
        [
          ("pauseTimer", "timer_not_running"), ("resumeTimer", "timer_not_paused"),
          ("adjustTimer", "timer_not_running"),
        ], "finished")
      try await world.startTimer(by: member.token, ["type": "rest", "durationSeconds": 1])
      world.service.clock.advance(seconds: 1)
      try await refuses([("startNextTimer", "no_pending_action")], "finished")
      try await world.startTimer(by: member.token, ["type": "focus", "isCountdown": false])
      try await refuses([("adjustTimer", "not_a_countdown")], "running")
      try await world.startTimer(by: member.token, ["type": "focus", "durationSeconds": 28_790])
      for (seconds, code) in [(0, "invalid_duration"), (11, "timer_too_long")] {
        try await world.refuses(
          world.call("adjustTimer", as: member, body: ["seconds": .integer(Int64(seconds))]), 422, [code],
          "by \(seconds)")
      }
      world.checkMembers(
        try await world.does("adjustTimer", as: member, ["seconds": 10]), ["remainingSeconds": 28_800])
      // A timer that is used up is finished.
      world.checkMembers(
        try await world.does("adjustTimer", as: member, ["seconds": -28_800]),
        ["state": "finished", "pendingAction": "start_break"])
    },
    Scenario("a command may be meant for one version of the timer") { world in
      let member = world.home.member
      for command in ["pauseTimer", "resumeTimer", "adjustTimer", "skipTimer", "stopTimer", "startNextTimer"]
      {
        let without = world.command(command, as: member).with { $0.ifMatch = "*" }
        try await world.client.expect(without, 404, code: "no_timer")
        let call = try await world.baseline(world.client.document.operation(command))
        let timer = try await world.currentTimer(of: member)["timer"] ?? .null
        let version = timer["version"]?.integer ?? 0
        for tag in ["\"\(version + 1)\"", "W/\"\(version)\"", "\"\(version + 1)\", \"x\""] {
          let spoiled = call.with { $0.ifMatch = tag }
          try await world.refuses(spoiled, 412, ["precondition_failed"], "\(command) \(tag)")
          let reply = try await world.client.expect(spoiled, 412, code: "precondition_failed")
          world.check(reply.json["current"] == timer, reply.json.text)
        }
        try await world.refuses(
          call.with { $0.ifMatch = "\(version)" }, 400, ["invalid_parameter"], "\(command): no tag")
        try await world.client.expect(
          call.with { $0.ifMatch = "\"\(version + 1)\", \"\(version)\"" }, 200, comment: command)
        let again = try await world.baseline(world.client.document.operation(command))
        try await world.client.expect(again.with { $0.ifMatch = "*" }, 200, comment: command)
        try await world.startTimer(by: member.token)
        try await world.client.expect(world.call("stopTimer", as: member), 200)
      }
    },
    Scenario("the tag of a timer stays while only time passes") { world in
      let member = world.home.member
      let read = world.call("getCurrentTimer", as: member)
      func tag(_ known: String?, _ status: Int, _ comment: String) async throws -> String? {
        let call = read.with { call in
          if let known { call.headers.append(("If-None-Match", known)) }
        }
        let reply = try await world.client.expect(call, status, comment: comment)
        return reply.etag
      }
      let empty = try await tag(nil, 200, "without a timer")
      world.service.clock.advance(seconds: 60)
      _ = try await tag(empty, 304, "still without")
      try await world.startTimer(by: member.token, ["type": "focus", "durationSeconds": 120])
      let running = try await tag(empty, 200, "started")
      world.service.clock.advance(seconds: 119)
      _ = try await tag(running, 304, "a second before the end")
      world.service.clock.advance(seconds: 1)
      let finished = try await tag(running, 200, "finished")
      world.service.clock.advance(seconds: 1_800)
      _ = try await tag(finished, 304, "30 minutes after the end")
      world.service.clock.advance(milliseconds: 1)
      let gone = try await tag(finished, 200, "gone")
      let session = try await world.currentTimer(of: member)["lastSession"]?["id"]
      try await world.client.expect(
        world.call(
          "updateTimerSession", as: member, path: ["timerSessionId": try World.text(session)],
          body: ["notes": "Chapter 4"]), 200)
      let noted = try await tag(gone, 200, "its session was changed")
      let routine = try world.client.document.operation("putRoutine").bodyExample
      try await world.client.expect(world.call("putRoutine", as: member, body: routine), 200)
      _ = try await tag(noted, 200, "there is a routine")
    },
    Scenario("an automatic rest begins while the routine has another set") { world in
      let member = world.home.member
      let routine: JSONValue = [
        "name": " Legs ", "startTime": "2027-01-01T00:00:00Z", "currentItem": "Squats", "currentSet": 1,
        "totalSets": 2, "itemsCompleted": 0, "totalItems": 4,
      ]
      let kept = try await world.client.expect(world.call("putRoutine", as: member, body: routine), 200)
      world.check(
        kept.json
          == routine.setting("name", to: "Legs").setting("startTime", to: "2026-11-20T12:00:00.000Z"),
        kept.json.text)
      let subject: JSONValue = ["id": " squats ", "name": " Squats "]
      let start = world.call(
        "startTimer", as: member, body: ["type": "rest", "automatic": true, "subject": subject])
      let first = try await world.client.expect(start, 201)
      world.checkMembers(
        first.json["timer"],
        [
          "subject": ["id": "squats", "name": "Squats"], "originalDurationSeconds": 90, "routine": kept.json,
          "isCountdown": true,
        ])
      world.service.clock.advance(seconds: 90)
      let after = try await world.currentTimer(of: member)
      world.check(after["routine"]?["currentSet"] == 2, after.text)
      let before = try await Snapshot(of: world.home, in: world)
      let last = try await world.client.expect(start, 200)
      world.check(
        last.json
          == ["started": false, "reason": "last_set", "timer": after["timer"] ?? .null, "session": .null],
        last.json.text)
      try await world.expectUnchanged(since: before, "a start after the last set")
      try await world.client.expect(world.call("deleteRoutine", as: member), 204)
      try await world.client.expect(world.call("deleteRoutine", as: member), 204)
      let bare = try await world.client.expect(start, 201)
      world.check(bare.json["timer"]?["routine"] == .null, bare.json.text)
      try await world.client.expect(
        world.call("putTimerSettings", as: member, body: ["restEnabled": false], ifMatch: "*"), 200)
      let disabled = try await world.client.expect(start, 200)
      world.checkMembers(disabled.json, ["started": false, "reason": "disabled"])
      try await world.client.expect(start.with { $0.json = ["type": "rest"] }, 201)
      // Skipping a rest is beginning the next set.
      let skipped = try await world.client.expect(world.call("skipTimer", as: member), 200)
      world.check(skipped.json == ["timer": .null, "session": .null], skipped.json.text)
    },
    Scenario("a timer is for what its member may work for, and has the words that are allowed") { world in
      let member = world.home.member
      let others = try await world.makeProject(by: world.home.admin, owner: world.home.admin)
      for (body, code) in try await world.timerPurposeRefusals(others: others) {
        try await world.refuses(
          world.call("startTimer", as: member, body: body.setting("type", to: "focus")), 422, [code],
          body.text)
      }
      let long = JSONValue.string(String(repeating: "ä", count: 201))
      let counters: JSONValue = ["currentSet": 0, "totalSets": 0, "itemsCompleted": 0, "totalItems": 0]
      for (body, code) in [
        (["type": "focus", "label": long], "invalid_name"),
        (["type": "focus", "label": "a\nb"], "invalid_name"),
        (["type": "rest", "subject": ["id": " ", "name": "a"]], "invalid_name"),
        (
          ["type": "rest", "subject": ["id": .string(String(repeating: "x", count: 101)), "name": "a"]],
          "invalid_name"
        ),
        (["type": "rest", "subject": ["id": "a", "name": " "]], "invalid_name"),
        (["type": "rest", "routine": counters.setting("name", to: long)], "invalid_name"),
        (["type": "rest", "routine": counters.setting("totalSets", to: 1_000)], "invalid_routine"),
        (["type": "focus", "durationSeconds": 28_801], "invalid_duration"),
        (["type": "shortBreak", "isCountdown": false], "must_count_down"),
        (["type": "longBreak", "isCountdown": false], "must_count_down"),
        (["type": "rest", "isCountdown": false], "must_count_down"),
      ] as [(JSONValue, String)] {
        try await world.refuses(
          world.call("startTimer", as: member, body: body), 422, [code], body.text)
      }
      try await world.refuses(
        world.call("putRoutine", as: member, body: counters.setting("currentItem", to: "a\0b")), 422,
        ["invalid_name"], "a NUL")
      let bare = try await world.startTimer(
        by: member.token, ["type": "focus", "label": " ", "isCountdown": false, "durationSeconds": 60])
      world.checkMembers(
        bare.json["timer"],
        [
          "label": .null, "endTime": .null, "remainingSeconds": .null, "progress": .null,
          "isCountdown": false,
          "originalDurationSeconds": 28_800,
        ])
    },
    Scenario("an app that is out of sight pauses its timer after 5 minutes, if settings say so") { world in
      let member = world.home.member
      func presence(_ state: JSONValue) async throws -> JSONValue {
        let call = world.call("setTimerPresence", as: member, body: ["state": state])
        return try await world.client.expect(call, 200).json["timer"] ?? .null
      }
      try await world.client.expect(
        world.call("putTimerSettings", as: member, body: ["pauseInBackground": true], ifMatch: "*"), 200)
      try await world.startTimer(by: member.token)
      world.checkMembers(try await presence("background"), ["state": "running"])
      world.service.clock.advance(seconds: 300)
      world.checkMembers(try await world.currentTimer(of: member)["timer"], ["state": "running"])
      world.service.clock.advance(seconds: 10)
      world.checkMembers(
        try await world.currentTimer(of: member)["timer"],
        ["state": "paused", "lastPauseTime": "2026-11-20T12:05:00.000Z", "elapsedSeconds": 300])
      world.checkMembers(
        try await presence("foreground"), ["state": "running", "timeSpentPausedSeconds": 10])
      // A timer that somebody has paused stays paused.
      try await world.does("pauseTimer", as: member)
      world.checkMembers(try await presence("background"), ["state": "paused"])
      world.checkMembers(try await presence("foreground"), ["state": "paused"])
    },
    Scenario("settings are standard until they are stated, and count from the next timer on") { world in
      let member = world.home.member
      let standard: JSONValue = [
        "focusSeconds": 1_500, "shortBreakSeconds": 300, "longBreakSeconds": 900,
        "sessionsBeforeLongBreak": 4,
        "isCountdown": true, "breaksEnabled": true, "longBreaksEnabled": true, "autoStartFocus": false,
        "autoStartBreak": false, "autoStartMaximum": 8, "countUpLimitSeconds": 28_800, "restEnabled": true,
        "restSeconds": 90, "restBySubject": [:], "pauseInBackground": false, "version": 1,
      ]
      let read = try await world.client.expect(world.call("getTimerSettings", as: member), 200)
      world.check(read.json == standard && read.etag == "\"1\"", read.json.text)
      try await world.startTimer(by: member.token)
      func put(_ body: JSONValue, _ ifMatch: String = "*") -> Call {
        world.call("putTimerSettings", as: member, body: body, ifMatch: ifMatch)
      }
      let rests: JSONValue = ["squats": 180, "é": 1]
      let changed = try await world.client.expect(
        put(
          [
            "focusSeconds": 60, "autoStartBreak": true, "sessionsBeforeLongBreak": 1, "restBySubject": rests,
            "longBreakSeconds": .null,
          ], "\"1\""), 200)
      world.check(
        changed.json
          == standard.setting("focusSeconds", to: 60).setting("autoStartBreak", to: true)
          .setting("sessionsBeforeLongBreak", to: 1).setting("restBySubject", to: rests)
          .setting("version", to: 2), changed.json.text)
      let stale = try await world.client.expect(put([:], "\"1\""), 412, code: "precondition_failed")
      world.check(stale.json["current"] == changed.json && stale.etag == "\"2\"", stale.json.text)
      let same = try await world.client.expect(put(changed.json.removing("version")), 200)
      world.check(same.json == changed.json, same.json.text)
      world.checkMembers(
        try await world.currentTimer(of: member)["timer"], ["originalDurationSeconds": 1_500])
      world.checkMembers(
        try await world.startTimer(
          by: member.token, ["type": "rest", "subject": ["id": "squats", "name": "Squats"]]
        ).json["timer"], ["originalDurationSeconds": 180])
      // The break begins by itself at the end of the focus, and is the long one.
      try await world.startTimer(by: member.token, ["type": "focus"])
      world.service.clock.advance(seconds: 100)
      world.checkMembers(
        try await world.currentTimer(of: member)["timer"],
        ["type": "longBreak", "autoStarted": true, "elapsedSeconds": 40, "streak": 1])
      for body in [
        ["restBySubject": ["": 60]], ["restBySubject": ["a": 0]], ["restBySubject": ["a": 60, " a": 60]],
        ["restBySubject": .object((0...500).map { .init("s\($0)", 60) })],
        ["restBySubject": .object([.init(String(repeating: "x", count: 101), 60)])],
      ] as [JSONValue] {
        try await world.refuses(put(body), 422, ["invalid_timer_settings"], String(body.text.prefix(60)))
      }
      for rests in [["a": "60"], ["a": .double(1.5)], [1]] as [JSONValue] {
        try await world.refuses(put(["restBySubject": rests]), 400, ["invalid_body"], rests.text)
      }
      let back = try await world.client.expect(put([:]), 200)
      world.check(back.json == standard.setting("version", to: 3), back.json.text)
    },
    Scenario("a key is good for one organization's timer") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      for command in ["pauseTimer", "resumeTimer", "skipTimer", "stopTimer", "startNextTimer"] {
        var call = try await world.baseline(world.client.document.operation(command))
        let prepared = Fixture.baseline(of: command)
        call.token = person.token
        try await prepared?(world, &call)
        call.idempotencyKey = "once"
        let first = try await world.client.expect(call, 200, comment: command)
        let replay = try await world.client.expect(call, 200, comment: command)
        world.check(replay.json == first.json, "\(command) answers something else")
        call.path["organizationID"] = away.organizationID
        try await world.client.expect(call, 422, code: "idempotency_key_reused", comment: command)
      }
    },
  ]
}

extension World {
  /// Starts a timer of the token's owner; a focus of 25 minutes by default.
  @discardableResult
  func startTimer(
    by token: String?, _ body: JSONValue = ["type": "focus", "durationSeconds": 1_500]
  ) async throws -> ContractClient.Reply {
    try await client.expect(call("startTimer", as: nil, body: body).with { $0.token = token }, 201)
  }

  /// A person's present timer, with the facts around it.
  func currentTimer(of person: Person) async throws -> JSONValue {
    try await client.expect(call("getCurrentTimer", as: person), 200).json
  }

  /// A command to a person's timer, moving its end by a minute if it moves it.
  fileprivate func command(_ operationID: String, as person: Person) -> Call {
    call(operationID, as: person, body: operationID == "adjustTimer" ? ["seconds": 60] : nil)
  }

  /// Does something to a person's timer, and answers the timer after it.
  @discardableResult
  func does(_ operationID: String, as person: Person, _ body: JSONValue? = nil) async throws -> JSONValue {
    try await client.expect(call(operationID, as: person, body: body), 200).json["timer"] ?? .null
  }

  /// Adds a finding for every member that has another value.
  func checkMembers(_ value: JSONValue?, _ expected: JSONValue) {
    for member in expected.members {
      let found = value?[member.name]
      check(found == member.value, "\(member.name) is \(found?.text ?? "missing"), not \(member.value.text)")
    }
  }

  /// A person's own project.
  func makeProject(by person: Person, owner: Person) async throws -> JSONValue {
    try await makeProject(["name": "Own", "ownerId": .string(owner.userID)], by: person).json["id"] ?? .null
  }

  /// Purposes that a member's timer and its sessions cannot have, and the code of the refusal.
  ///
  /// - Parameter others: Another member's own project.
  func timerPurposeRefusals(others: JSONValue) async throws -> [(JSONValue, String)] {
    let (project, absent) = (try await projectID(), JSONValue.string(Self.absentID))
    let archived = try await makeProject(by: home.manager)
    let archivedID = archived.json["id"] ?? .null
    func task(_ body: JSONValue) async throws -> JSONValue {
      try await client.expect(
        call("createTask", as: home.manager, body: body.setting("name", to: "Pick")), 201
      ).json["id"] ?? .null
    }
    let (hidden, loose) = (try await task([:]), try await task([:]))
    let ofArchived = try await task(["projectId": archivedID])
    try await client.expect(
      call(
        "updateTask", as: home.manager, path: ["taskId": try Self.text(hidden)], body: ["hidden": true],
        ifMatch: "*"), 200)
    try await client.expect(
      call(
        "updateProject", as: home.manager, path: ["projectId": try Self.text(archivedID)],
        body: ["archived": true], ifMatch: "*"), 200)
    return [
      (["projectId": absent], "project_not_found"), (["projectId": others], "project_not_found"),
      (["projectId": archivedID], "project_archived"), (["taskId": ofArchived], "project_archived"),
      (["taskId": absent], "task_not_found"), (["taskId": hidden], "task_hidden"),
      (["projectId": project, "taskId": loose], "task_not_in_project"),
    ]
  }
}
