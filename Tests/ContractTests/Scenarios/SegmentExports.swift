@testable import ContractDocument

extension Fixture {
  /// Segments of tasks, the deletion of segments' purposes, and exports of segments.
  static let segmentExports = Fixture(scenarios: Scenario.segmentExports)
}

extension Scenario {
  fileprivate static let segmentExports: [Scenario] = [
    Scenario("a segment of a task is of its project, and of no other") { world in
      let (member, admin) = (world.home.member, world.home.admin)
      let (project, other) = (try await world.projectID(), try await world.projectID())
      let task = try await world.taskID(["name": "Pick", "projectId": project])
      let begun = try await world.client.expect(world.begin(["taskId": task], as: member), 201)
      let segment = begun.json["segment"] ?? .null
      world.check(segment["projectId"] == project && segment["taskId"] == task, begun.json.text)
      let own = try await world.client.expect(
        world.call("createTask", as: admin, body: ["name": "Own", "ownerId": .string(admin.userID)]), 201)
      let hidden = try await world.taskID(["name": "Hidden"], hidden: true)
      let refused: [(JSONValue, String)] = [
        (["taskId": task, "projectId": other], "task_not_in_project"), (["taskId": hidden], "task_hidden"),
        (["taskId": .string(World.absentID)], "task_not_found"),
        (["taskId": .string(try World.text(own.json["id"]))], "task_not_found"),
      ]
      let kept = try await world.client.expect(
        world.create(["taskId": task, "timeEntry": "none"], as: member), 201)
      for (body, code) in refused {
        try await world.client.expect(world.begin(body, as: member), 422, code: code)
        try await world.client.expect(
          world.create(
            body.setting("timeEntry", to: "none"), as: member, from: "2026-11-19T10:00:00Z",
            to: "2026-11-19T11:00:00Z"), 422, code: code)
        try await world.client.expect(
          world.call(
            "updateSegment", as: member, path: ["segmentId": try World.text(kept.json["id"])], body: body,
            ifMatch: kept.etag), 422, code: code)
      }
    },
    Scenario("a task and a project with segments are kept, until it is said what becomes of these") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let project = try await world.projectID()
      let task = try await world.taskID(["name": "Pick", "projectId": project])
      try await world.client.expect(world.create(["taskId": task, "timeEntry": "none"], as: member), 201)
      let taskPath = ["taskId": try World.text(task)]
      let inUse = try await world.client.expect(
        world.call("deleteTask", as: manager, path: taskPath, ifMatch: "*"), 409, code: "task_in_use")
      world.check(inUse.json["count"] == 1, inUse.json.text)
      func delete(_ query: [(name: String, value: String)]) throws -> Call {
        world.call(
          "deleteProject", as: manager, path: ["projectId": try World.text(project)], query: query,
          ifMatch: "*")
      }
      let refused = try await world.client.expect(delete([]), 409, code: "project_in_use")
      world.check(refused.json["count"] == 1, refused.json.text)
      try await world.client.expect(
        delete([("segments", "delete")]), 422, code: "reason_required")
      try await world.client.expect(
        delete([("segments", "delete"), ("reason", "a\u{7}b")]), 422, code: "reason_invalid")
      try await world.client.expect(delete([("segments", "delete"), ("reason", "Entered twice")]), 204)
      let left = try await world.client.expect(world.call("listSegments", as: manager), 200)
      world.check(left.json["segments"] == [], left.json.text)
    },
    Scenario("an export has the segments of the list, with names, in both forms and in six columns") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let project = try await world.projectID(["name": "=Harvest", "client": "Tea, garden", "billable": true])
      let task = try await world.taskID(["name": "Pick", "projectId": project])
      let created = try await world.client.expect(
        world.create(
          ["taskId": task, "timeEntry": "create", "name": "Rows", "tags": ["a", "b"]], as: member), 201)
      try await world.client.expect(
        world.create(
          ["projectId": project, "timeEntry": "none"], as: manager, from: "2026-11-18T08:00:00Z",
          to: "2026-11-18T08:00:20Z"), 201)
      let (csv, ndjson) = ("text/csv; charset=utf-8", "application/x-ndjson")
      let (id, entry) = (try World.text(created.json["id"]), try World.text(created.json["timeEntryId"]))
      let table = try await world.segmentTable(as: member, [])
      world.check(table.first == World.segmentColumns, "\(table)")
      world.check(
        table.dropFirst() == [
          [
            id, member.userID, "A Person", "2026-11-19", "2026-11-19T08:00:00.000Z",
            "2026-11-19T08:30:00.000Z",
            "2026-11-19 13:45:00+05:45", "2026-11-19 14:15:00+05:45", "1800", "work",
            try World.text(project), "'=Harvest", "Tea, garden", try World.text(task), "Pick", "Rows", "a, b",
            "true", "true", entry,
          ]
        ], "\(table)")
      let everybody = try await world.segmentTable(as: manager, [])
      world.check(everybody.count == 3, "\(everybody)")
      let simple = try await world.segmentTable(as: member, [("layout", "simple")])
      world.check(
        simple == [
          ["Date", "Start Time", "End Time", "Duration (minutes)", "Project", "Type"],
          ["2026-11-19", "13:45:00", "14:15:00", "30.0", "", "Work"],
          ["2026-11-19", "13:45:00", "14:15:00", "30.0", "'=Harvest", "Project"],
        ], "\(simple)")
      let seconds = try await world.segmentTable(
        as: manager, [("layout", "simple"), ("userId", manager.userID)])
      world.check(seconds.last?[3] == "0.3", "\(seconds)")
      try await world.client.expect(world.begin(["projectId": project], as: member), 201)
      let running = try await world.segmentTable(as: member, [("layout", "simple")])
      world.check(running.filter { $0[2] == "Running" }.map { $0[5] } == ["Work", "Project"], "\(running)")
      for (query, type) in [
        ([], csv), ([("format", "ndjson")], ndjson), ([("layout", "full")], csv),
      ] as [([(name: String, value: String)], String)] {
        let reply = try await world.client.expect(
          world.call("exportSegments", as: member, query: query), 200)
        world.check(reply.response.values(of: "content-type") == [type], "not \(type)")
      }
      let lines = try await world.client.expect(
        world.call(
          "exportSegments", as: member, query: [("format", "ndjson"), ("endDate", "2026-11-19")]), 200)
      let line = try? JSONParser.parse(lines.response.body.dropLast())
      world.check(line?["id"] == .string(id), String(decoding: lines.response.body, as: UTF8.self))
    },
    Scenario("an export of segments refuses what the list refuses") { world in
      let member = world.home.member
      let refused: [([(name: String, value: String)], Int, String)] = [
        ([("userId", world.home.manager.userID)], 403, "forbidden"),
        ([("userId", World.absentID)], 404, "member_not_found"),
        ([("startDate", "2026-11-20"), ("endDate", "2026-11-19")], 422, "invalid_date_range"),
        ([("format", "ndjson"), ("layout", "simple")], 400, "invalid_parameter"),
      ]
      for (query, status, code) in refused {
        try await world.client.expect(
          world.call("exportSegments", as: member, query: query), status, code: code)
      }
      var call = world.call("exportSegments", as: member)
      call.headers = [("Accept", "text/html")]
      try await world.client.expect(call, 406, code: "not_acceptable")
    },
  ]
}

extension World {
  static let segmentColumns = [
    "id", "userId", "userName", "date", "startTime", "endTime", "startLocal", "endLocal", "durationSeconds",
    "kind", "projectId", "projectName", "client", "taskId", "taskName", "name", "tags", "isPaid", "billable",
    "timeEntryId",
  ]

  /// The id of a new task of the organization.
  fileprivate func taskID(_ body: JSONValue, hidden: Bool = false) async throws -> JSONValue {
    let made = try await client.expect(call("createTask", as: home.manager, body: body), 201)
    let id = try Self.text(made.json["id"])
    if hidden {
      try await client.expect(
        call(
          "updateTask", as: home.manager, path: ["taskId": id], body: ["hidden": true], ifMatch: made.etag),
        200)
    }
    return .string(id)
  }

  fileprivate func begin(_ body: JSONValue, as person: Person) -> Call {
    call("startSegment", as: person, body: body)
  }

  /// The records of an export of segments, the header first.
  fileprivate func segmentTable(
    as person: Person, _ query: [(name: String, value: String)]
  ) async throws -> [[String]] {
    let reply = try await client.expect(call("exportSegments", as: person, query: query), 200)
    return CSVReader.records(of: reply.response.body) ?? []
  }
}
