@testable import ContractDocument

extension Fixture {
  /// The content of a lock screen.
  static let liveActivities = Fixture(
    scenarios: Scenario.liveActivities,
    baselines: ["getLiveActivity": { _, call in call.query.append(("form", "work")) }])
}

extension Scenario {
  fileprivate static let liveActivities: [Scenario] = [
    Scenario("a lock screen shows the task, and the day with its project, in each way of writing dates") {
      world in
      let member = world.home.member
      let out = try await world.activity("task", as: member)
      world.check(
        out.json["active"] == false && out.json["attributes"] == .null && out.json["contentState"] == .null
          && out.json["staleDate"] == .null && out.json["dismissal"] == "immediate", out.json.text)
      let project = try await world.projectID(["name": "Harvest", "color": "#ff8800"])
      let task = try await world.client.expect(
        world.call(
          "createTask", as: world.home.manager, body: ["name": "Pruning", "projectId": project]), 201)
      try await world.client.expect(
        world.start(
          ["taskId": task.json["id"] ?? .null, "startTime": "2026-11-20T11:00:00.500Z"], as: member),
        201)
      for (dates, start, stale): (String?, JSONValue, JSONValue) in [
        (nil, .double(816_865_200.5), .double(816_894_000.5)),
        ("reference", .double(816_865_200.5), .double(816_894_000.5)),
        ("unix", .double(1_795_172_400.5), .double(1_795_201_200.5)),
        ("iso8601", "2026-11-20T11:00:00Z", "2026-11-20T19:00:00Z"),
      ] {
        let shown = try await world.activity("task", dates, as: member)
        world.check(
          shown.json["active"] == true && shown.json["attributesType"] == "TimerActivityAttributes"
            && shown.json["attributes"] == ["taskId": task.json["id"] ?? .null, "taskName": "Pruning"]
            && shown.json["contentState"] == ["startTime": start, "elapsedSeconds": 3_599]
            && shown.json["staleDate"] == stale && shown.json["dismissal"] == .null, shown.json.text)
      }
      let day = try await world.activity("work", "unix", as: member)
      world.check(
        day.json["attributes"] == ["timerName": "Work"]
          && day.json["contentState"] == [
            "startTime": .double(1_795_172_400.5), "isRunning": true, "activeProjectName": "Harvest",
            "activeProjectColor": "#FF8800", "currentSessionTime": 3_599, "dailyTotalTime": 3_599,
          ], day.json.text)
      let other = try await world.activity("work", as: world.home.manager)
      world.check(other.json["active"] == false, "a manager is shown a member's day: \(other.json.text)")
      try await world.client.expect(
        world.start(["breakTypeId": try await world.breakTypeID()], as: member), 201)
      let onBreak = try await world.activity("work", "unix", as: member)
      world.check(
        onBreak.json["active"] == true && onBreak.json["contentState"]?["activeProjectName"] == nil
          && onBreak.json["contentState"]?["isRunning"] == true, onBreak.json.text)
      let noTask = try await world.activity("task", as: member)
      world.check(noTask.json["active"] == false, noTask.json.text)
    },
    Scenario("a lock screen shows a focus until the next step, and a rest until its end") { world in
      let member = world.home.member
      let focus: JSONValue = ["type": "focus", "durationSeconds": 1_500, "label": "Thesis"]
      try await world.client.expect(world.call("startTimer", as: member, body: focus), 201)
      world.service.clock.advance(seconds: 600)
      try await world.client.expect(world.call("pauseTimer", as: member), 200)
      world.service.clock.advance(seconds: 60)
      let paused = try await world.activity("focus", "unix", as: member)
      world.check(
        paused.json["attributesType"] == "GoodtimeActivityAttributes"
          && paused.json["attributes"] == [
            "label": "Thesis", "labelColor": "#007AFF", "isFocus": true, "isCountdown": true,
          ]
          && paused.json["contentState"] == [
            "timerStartDate": 1_795_176_000, "timerEndDate": 1_795_177_500, "isPaused": true,
            "isRunning": false, "pausedTimeRemaining": 900,
          ] && paused.json["staleDate"] == .null, paused.json.text)
      try await world.client.expect(world.call("resumeTimer", as: member), 200)
      let running = try await world.activity("focus", "unix", as: member)
      world.check(
        running.json["staleDate"] == 1_795_177_560 && running.json["contentState"]?["isRunning"] == true
          && running.json["contentState"]?["pausedTimeRemaining"] == nil, running.json.text)
      world.service.clock.advance(seconds: 900)
      let over = try await world.activity("focus", "unix", as: member)
      world.check(
        over.json["active"] == true && over.json["contentState"]?["isRunning"] == false
          && over.json["contentState"]?["isPaused"] == false
          && over.json["contentState"]?["timerEndDate"] == 1_795_177_560, over.json.text)
      let rest: JSONValue = [
        "type": "rest", "durationSeconds": 90, "subject": ["id": "bench", "name": "Bench press"],
        "routine": [
          "name": "Push day", "currentItem": "Bench press", "currentSet": 1, "totalSets": 3,
          "itemsCompleted": 0, "totalItems": 5,
        ],
      ]
      try await world.client.expect(world.call("startTimer", as: member, body: rest), 201)
      let noFocus = try await world.activity("focus", as: member)
      world.check(
        noFocus.json["active"] == false && noFocus.json["dismissal"] == "immediate", noFocus.json.text)
      world.service.clock.advance(seconds: 45)
      let resting = try await world.activity("rest", "unix", as: member)
      world.check(
        resting.json["attributes"] == [
          "exerciseName": "Bench press", "originalDuration": 90, "exerciseID": "bench",
        ]
          && resting.json["contentState"] == [
            "remainingSeconds": 45, "endDate": 1_795_177_650, "isPaused": false, "progress": .double(0.5),
            "wasAdjusted": false,
          ], resting.json.text)
      let workout = try await world.activity("routine", "unix", as: member)
      world.check(
        workout.json["attributes"] == ["workoutName": "Push day", "startTime": 1_795_177_560]
          && workout.json["contentState"] == [
            "currentExercise": "Bench press", "currentSet": 1, "totalSets": 3, "exercisesCompleted": 0,
            "totalExercises": 5, "elapsedTime": 45, "isResting": true, "restRemaining": 45,
          ], workout.json.text)
      world.service.clock.advance(seconds: 45)
      let rested = try await world.activity("rest", as: member)
      world.check(rested.json["active"] == false && rested.json["dismissal"] == "immediate", rested.json.text)
      let counted = try await world.activity("routine", as: member)
      world.check(
        counted.json["contentState"]?["currentSet"] == 2
          && counted.json["contentState"]?["isResting"] == false
          && counted.json["contentState"]?["restRemaining"] == nil, counted.json.text)
      try await world.client.expect(world.call("deleteRoutine", as: member), 204)
      let done = try await world.activity("routine", as: member)
      world.check(done.json["active"] == false && done.json["dismissal"] == "default", done.json.text)
    },
    Scenario("the ETag of a lock screen changes by somebody's doing, not with the seconds") { world in
      let member = world.home.member
      let call = world.call("getLiveActivity", as: member, query: [("form", "rest")])
      var seen: [String] = []
      func changed(_ comment: String) async throws {
        let tag = try await world.client.expect(call, 200, comment: comment).etag ?? ""
        world.check(!seen.contains(tag), "\(comment): the tag is an older one, \(tag)")
        seen.append(tag)
        world.service.clock.advance(seconds: 5)
        let same = try await world.client.expect(
          call.with { $0.headers.append(("If-None-Match", tag)) }, 304, comment: comment)
        world.check(same.etag == tag, "\(comment): \(same.etag ?? "none")")
      }
      try await changed("no rest")
      let rest: JSONValue = ["type": "rest", "durationSeconds": 90]
      try await world.client.expect(world.call("startTimer", as: member, body: rest), 201)
      try await changed("a rest")
      try await world.client.expect(world.call("adjustTimer", as: member, body: ["seconds": 15]), 200)
      try await changed("a longer one")
      try await world.client.expect(world.call("pauseTimer", as: member), 200)
      try await changed("paused")
      try await world.client.expect(world.call("resumeTimer", as: member), 200)
      try await changed("resumed")
    },
    Scenario("a form and a way of writing dates are known ones") { world in
      let member = world.home.member
      for query in [
        [], [("form", "Focus")], [("form", "focus"), ("dates", "apple")],
        [("form", "task"), ("userId", member.userID)],
      ]
        as [[(name: String, value: String)]]
      {
        try await world.client.expect(
          world.call("getLiveActivity", as: member, query: query), 400, code: "invalid_parameter")
      }
    },
  ]
}

extension World {
  /// The answer for a member's lock screen.
  fileprivate func activity(
    _ form: String, _ dates: String? = nil, as person: Person
  ) async throws -> ContractClient.Reply {
    try await client.expect(
      call(
        "getLiveActivity", as: person, query: [("form", form)] + (dates.map { [("dates", $0)] } ?? [])), 200)
  }
}
