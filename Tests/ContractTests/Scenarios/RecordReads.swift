@testable import ContractDocument

extension Fixture {
  /// Representatives' reading of their groups, and the record of it.
  static let recordReads = Fixture(
    scenarios: Scenario.recordReads,
    foreignIDs: { world, away in
      let group = try await world.makeRepresentedGroup(of: [away.admin], by: away.member, in: away)
      for _ in 0..<2 {
        try await world.client.expect(
          world.call("listTimeEntries", as: away.member, in: away, query: [("groupId", group)]), 200)
      }
      return ["readerId": away.member.userID]
    },
    idsOfMember: { world, person in ["readerId": person.userID] })
}

extension Scenario {
  fileprivate static let recordReads: [Scenario] = [
    Scenario("a representative reads the times and sums of a group's members, and nothing else") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let speaker = try await world.makePerson("speaker@home.example")
      let secrets = try await world.giveSecrets(to: member)
      let group = try await world.makeRepresentedGroup(of: [member], by: speaker)
      func text(_ call: Call, as person: Person) async throws -> String {
        let reply = try await world.client.expect(call.with { $0.token = person.token }, 200)
        return String(decoding: reply.response.body, as: UTF8.self)
      }
      // Managers and admins find each of them, so that they are there to be found.
      var known = ""
      for (operation, query) in [
        ("listTimeEntries", []), ("exportTimeEntries", []), ("listSegments", []), ("listTasks", []),
        ("listAbsences", []),
        ("reportHours", World.november + [("groupBy", "session,project,client"), ("format", "json")]),
      ] as [(String, [(name: String, value: String)])] {
        known += try await text(world.call(operation, as: manager, query: query), as: world.home.admin)
      }
      for secret in secrets { world.check(known.contains(secret), "nobody finds \(secret)") }
      let forms = World.representedCalls(of: group)
      let operations = world.client.document.operations.filter { $0.requiredPartForGroup != nil }
      world.check(Set(forms.map(\.operation)) == Set(operations.map(\.id)), "\(operations.map(\.id))")
      for form in forms {
        for more in [[], [(name: "userId", value: member.userID)]] {
          let call = world.call(form.operation, as: speaker, query: form.query + more)
          let shown = try await text(call, as: speaker)
          world.check(shown.contains(member.userID), "\(form) shows no member: \(shown)")
          for secret in secrets { world.check(!shown.contains(secret), "\(form) shows \(secret): \(shown)") }
        }
      }
      let list = try await world.client.expect(
        world.call("listTimeEntries", as: speaker, query: [("groupId", group)]), 200)
      let whole = try await world.client.expect(
        world.call("listTimeEntries", as: manager, query: [("groupId", group)]), 200)
      let masked: JSONValue = [
        "notes": .null, "sessionId": .null, "source": "withheld", "flags": [], "startedBy": "clockIn",
      ]
      let expected = (whole.json["timeEntries"]?.elements ?? []).map { entry in
        masked.members.reduce(entry) { $0.setting($1.name, to: $1.value) }
      }
      world.check(expected.count == 2 && list.json["timeEntries"]?.elements == expected, list.json.text)
      let balance = world.call(
        "reportBalance", as: speaker,
        query: World.november + [("groupId", group), ("groupBy", "user,day")])
      let (sums, all) = (
        try await world.client.expect(balance, 200).json,
        try await world.client.expect(balance.with { $0.token = manager.token }, 200).json
      )
      world.check(sums["totals"]?["creditedSeconds"] == .null, sums.text)
      world.check(sums["totals"] == all["totals"]?.setting("creditedSeconds", to: .null), sums.text)
      world.check(sums["rows"]?.elements.allSatisfy { $0["creditedSeconds"] == .null } == true, sums.text)
      let hours = try await world.client.expect(
        world.call(
          "reportHours", as: speaker, query: World.november + [("groupId", group), ("format", "json")]), 200
      ).json
      world.check(hours["anomalies"] == [] && hours["anomalyCounts"] == [], hours.text)
      world.check(hours["totals"]?["seconds"]?.integer ?? 0 > 7_200, hours.text)
    },
    Scenario("what a representative is not shown chooses and divides no time for them") { world in
      let speaker = try await world.makePerson("speaker@home.example")
      let group = try await world.makeRepresentedGroup(of: [world.home.member], by: speaker)
      let project = try World.text(try await world.projectID())
      let lists = [
        ("sessionId", World.absentID), ("source", "web"), ("flags", "auto_closed"),
      ]
      let reports =
        [
          "group", "week", "month", "session", "status", "source", "project", "task", "client", "kind",
          "user,project",
        ].map { ("groupBy", $0) } + [
          ("sessionId", World.absentID), ("projectId", World.absentID), ("projectId", project),
          ("taskId", World.absentID), ("client", "Acme"), ("tag", "late"), ("billable", "true"),
          ("kind", "work"),
        ]
      for (operation, query, filters) in [
        ("listTimeEntries", [], lists), ("exportTimeEntries", [], lists),
        ("reportHours", World.november, reports),
      ] as [(String, [(name: String, value: String)], [(String, String)])] {
        for (name, value) in filters {
          let call = world.call(
            operation, as: speaker, query: query + [("groupId", group), (name: name, value: value)])
          try await world.client.expect(call, 403, code: "forbidden", comment: "\(name)=\(value)")
        }
      }
      for (name, value) in [("status", "clocked-in"), ("updatedSince", "2026-11-20T09:00:00Z")] {
        try await world.client.expect(
          world.call(
            "listTimeEntries", as: speaker, query: [("groupId", group), (name: name, value: value)]), 200)
      }
    },
    Scenario("a representative reads no other group, by no other operation, and no longer than they are one")
    {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let speaker = try await world.makePerson("speaker@home.example")
      let secrets = try await world.giveSecrets(to: member)
      try await world.makeEntry(of: speaker)
      let group = try await world.makeRepresentedGroup(of: [member], by: speaker)
      let other = try await world.makeRepresentedGroup(of: [member, speaker], by: manager)
      for operation in world.client.document.operations
      where operation.requiredRole == .member
        && operation.queryParameters.contains(where: { $0.name == "groupId" })
      {
        var call = try await world.baseline(operation)
        call.token = speaker.token
        call.query.removeAll { $0.name == "userId" }
        let asked = call
        func refuses(_ query: [(name: String, value: String)], _ status: Int, _ code: String) async throws {
          let reply = try await world.client.expect(
            asked.with { $0.query += query }, status, code: code, comment: "\(query)")
          for secret in secrets {
            world.check(!reply.json.text.contains(secret), "\(operation.id): \(reply.json.text)")
          }
        }
        try await refuses([("groupId", other)], 403, "forbidden")
        try await refuses([("groupId", World.absentID)], 404, "group_not_found")
        guard operation.requiredPartForGroup != nil else {
          try await refuses([("groupId", group)], 403, "forbidden")
          continue
        }
        let own = try await world.client.expect(asked, 200)
        let text = String(decoding: own.response.body, as: UTF8.self)
        world.check(!text.contains(member.userID), "\(operation.id) shows others without a group: \(text)")
        try await refuses([("userId", member.userID)], 403, "forbidden")
        for id in [manager.userID, speaker.userID, World.absentID] {
          try await refuses([("groupId", group), ("userId", id)], 404, "member_not_found")
        }
      }
      let calls = World.representedCalls(of: group).map {
        world.call($0.operation, as: speaker, query: $0.query)
      }
      for call in calls { try await world.client.expect(call, 200) }
      let leave = world.call(
        "updateGroup", as: world.home.admin, path: ["groupId": group], body: ["representativeIds": []],
        ifMatch: "*")
      try await world.client.expect(leave, 200)
      for call in calls { try await world.client.expect(call, 403, code: "forbidden") }
    },
    Scenario("a manager who represents a group reads as a manager, and not on record") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let secrets = try await world.giveSecrets(to: member)
      let group = try await world.makeRepresentedGroup(of: [member], by: manager)
      for form in World.representedCalls(of: group) {
        try await world.client.expect(world.call(form.operation, as: manager, query: form.query), 200)
      }
      let list = try await world.client.expect(
        world.call("listTimeEntries", as: manager, query: [("groupId", group)]), 200)
      world.check(secrets.contains { list.json.text.contains($0) }, list.json.text)
      let reads = try await world.client.expect(world.call("listRecordReads", as: world.home.admin), 200)
      world.check(reads.json["recordReads"] == [], reads.json.text)
    },
    Scenario("each request of a representative is on record, for admins and for those whose time was read") {
      world in
      let (member, admin) = (world.home.member, world.home.admin)
      let speaker = try await world.makePerson("speaker@home.example")
      let other = try await world.makePerson("other@home.example")
      let group = try await world.makeRepresentedGroup(of: [member, other], by: speaker)
      for person in [member, other] { try await world.makeEntry(of: person) }
      let pages = try await world.pages(
        "listTimeEntries", "timeEntries", as: speaker, limit: 1, query: [("groupId", group)])
      world.check(pages.count == 2, "\(pages)")
      world.check(pages.allSatisfy { $0["source"] == "withheld" }, "\(pages)")
      world.service.clock.advance(seconds: 60)
      let one = [(name: "groupId", value: group), ("userId", other.userID)]
      let hours = world.call("reportHours", as: speaker, query: World.november + one)
      try await world.client.expect(hours, 200)
      // Refused requests read nothing.
      try await world.client.expect(
        hours.with { $0.query.append(("groupBy", "project")) }, 403, code: "forbidden")
      try await world.client.expect(
        world.call("listTimeEntries", as: speaker, query: [("groupId", World.absentID)]), 404,
        code: "group_not_found")
      let list = try await world.client.expect(world.call("listRecordReads", as: admin), 200)
      let reads = list.json["recordReads"]?.elements ?? []
      let of = { (place: Int, operation: JSONValue, at: JSONValue, userID: JSONValue, from: JSONValue) in
        [
          "id": reads.indices.contains(place) ? reads[place]["id"] ?? .null : .null, "at": at,
          "readerId": .string(speaker.userID), "groupId": .string(group), "groupName": "Represented",
          "operation": operation, "userId": userID, "from": from,
          "to": from == .null ? .null : "2026-11-30",
        ] as JSONValue
      }
      let entries = (1...2).map { of($0, "listTimeEntries", "2026-11-20T12:00:00.000Z", .null, .null) }
      let expected =
        [of(0, "reportHours", "2026-11-20T12:01:00.000Z", .string(other.userID), "2026-11-01")] + entries
      world.check(reads == expected, list.json.text)
      func shown(_ query: [(name: String, value: String)], as person: Person) async throws -> [JSONValue] {
        try await world.pages("listRecordReads", "recordReads", as: person, limit: 1, query: query)
      }
      for (query, person, some) in [
        ([], member, entries), ([], other, expected), ([], speaker, []), ([], world.home.manager, []),
        ([("userId", member.userID)], member, entries), ([("userId", member.userID)], admin, entries),
        ([("readerId", speaker.userID)], admin, expected), ([("readerId", member.userID)], admin, []),
        ([("groupId", group)], admin, expected),
        ([("startTime", "2026-11-20T12:01:00Z")], admin, Array(expected.prefix(1))),
        ([("endTime", "2026-11-20T12:01:00Z")], other, entries),
      ] as [([(name: String, value: String)], Person, [JSONValue])] {
        world.check(try await shown(query, as: person) == some, "\(query) by \(person.email)")
      }
      let audit = try await world.client.expect(world.call("listAuditLog", as: admin), 200)
      world.check(!audit.json.text.contains("reportHours"), audit.json.text)
      let path = ["groupId": group]
      let empty = world.call("updateGroup", as: admin, path: path, body: ["memberIds": []], ifMatch: "*")
      try await world.client.expect(empty, 200)
      try await world.client.expect(hours.with { $0.query.removeLast() }, 200)
      world.check(try await shown([], as: member) == entries, "somebody who has left is read")
      try await world.client.expect(world.call("deleteGroup", as: admin, path: path, ifMatch: "*"), 204)
      world.check(try await shown([("groupId", group)], as: admin).count == 4, "the group is gone")
      world.check(try await shown([], as: other) == expected, "the group is gone")
    },
    Scenario("personal data has the reads of somebody's time, and those by them") { world in
      let member = world.home.member
      let speaker = try await world.makePerson("speaker@home.example")
      let group = try await world.makeRepresentedGroup(of: [member], by: speaker)
      let call = world.call("listTimeEntries", as: speaker, query: [("groupId", group)])
      let list = try await world.client.expect(call, 200)
      try await world.client.expect(
        call.with { $0.headers.append(("If-None-Match", list.etag ?? "")) }, 304)
      for (person, names) in [
        (member, ["recordReads", "ownRecordReads"]), (speaker, ["ownRecordReads", "recordReads"]),
      ] {
        let data = try await world.client.expect(
          world.call("exportPersonalData", as: person, path: ["userId": person.userID]), 200)
        world.check(data.json[names[0]]?.elements.count == 2, data.json.text)
        world.check(data.json[names[0]]?.elements.first?["groupId"] == .string(group), data.json.text)
        world.check(data.json[names[1]] == [], data.json.text)
      }
    },
  ]
}

extension World {
  fileprivate static let november = [("startDate", "2026-11-01"), ("endDate", "2026-11-30")].map {
    (name: $0, value: $1)
  }

  /// The requests that a representative may make about a group, in all their forms.
  fileprivate static func representedCalls(
    of group: String
  ) -> [(operation: String, query: [(name: String, value: String)])] {
    let forms: [(String, [[(name: String, value: String)]])] = [
      ("listTimeEntries", [[], [("match", "overlap"), ("range", "thisMonth")]]),
      (
        "exportTimeEntries",
        ["csv", "ndjson"].flatMap { format in
          [[("format", format)], [("format", format), ("timeZone", "payroll")] + november]
        }
      ),
      (
        "reportHours",
        ["json", "csv"].flatMap { format in
          ["user", "user,day"].map { november + [("format", format), ("groupBy", $0)] }
        }
      ),
      (
        "reportBalance",
        ["json", "csv"].flatMap { format in
          ["user", "user,month", "user,week", "user,day"].map {
            november + [("format", format), ("groupBy", $0)]
          }
        }
      ),
    ]
    return forms.flatMap { operation, queries in
      queries.map { (operation, $0 + [(name: "groupId", value: group)]) }
    }
  }

  /// Makes a group of some members that somebody represents, and gives its id.
  fileprivate func makeRepresentedGroup(
    of members: [Person], by representative: Person, in tenant: Tenant? = nil
  ) async throws -> String {
    let tenant = tenant ?? home
    let body: JSONValue = [
      "name": "Represented", "memberIds": .array(members.map { .string($0.userID) }),
      "representativeIds": [.string(representative.userID)],
    ]
    return try Self.text(
      try await client.expect(call("createGroup", as: tenant.admin, in: tenant, body: body), 201).json["id"])
  }

  /// Gives somebody time with notes, a session, a project, a task and a tag, entered on the page, and an absence.
  ///
  /// - Returns: The texts of all that is not for a representative.
  fileprivate func giveSecrets(to person: Person) async throws -> [String] {
    let admin = home.admin
    let logIn: JSONValue = [
      "email": .string(person.email), "password": .string(Self.password), "client": "web",
    ]
    let page = try Self.text(
      try await client.expect(Call(operationID: "createToken", body: .json(logIn)), 200).json["token"])
    let session = try await makeSession(date: "2026-11-19", assignees: [person]).json["id"] ?? .null
    let project =
      try await makeProject(["name": "Hideaway", "client": "Hush & Co"], by: admin).json["id"] ?? .null
    let task = try await makeTask(["name": "Whisper", "projectId": project], by: admin).json["id"] ?? .null
    let entry: JSONValue = [
      "clockInTime": "2026-11-19T06:00:00Z", "clockOutTime": "2026-11-19T08:00:00Z",
      "notes": "Told nobody", "sessionId": session,
    ]
    try await client.expect(
      call("createTimeEntry", as: person, body: entry).with { $0.token = page }, 201)
    let work: JSONValue = ["projectId": project, "taskId": task, "tags": ["confidential"]]
    try await client.expect(call("startSegment", as: person, body: work).with { $0.token = page }, 201)
    service.clock.advance(seconds: 1)
    try await client.expect(call("clockOut", as: person, body: ["notes": "Told nobody else"]), 200)
    service.clock.advance(seconds: 600)
    let week: JSONValue = [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0]
    for (operation, body) in [
      ("createWorkSchedule", ["from": "2026-01-01", "secondsByWeekday": week]),
      (
        "requestAbsence",
        [
          "kind": "parental", "startDate": "2026-11-02", "endDate": "2026-11-03", "portion": "day",
          "note": "Told nobody either",
        ]
      ),
    ] as [(String, JSONValue)] {
      try await client.expect(
        call(operation, as: admin, body: body.setting("userId", to: .string(person.userID))), 201)
    }
    return [
      "Told nobody", "Tasting", "Hideaway", "Hush & Co", "Whisper", "confidential", "parental",
      "under_minimum", "\"web\"", ",web,", person.email,
    ] + (try [session, project, task].map { try Self.text($0) })
  }
}
