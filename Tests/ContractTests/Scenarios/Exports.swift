@testable import ContractDocument

extension Fixture {
  /// Exporting time entries, and the calendar.
  static let exports = Fixture(scenarios: Scenario.exports)
}

extension Scenario {
  fileprivate static let exports: [Scenario] = [
    Scenario("an export has the entries of the list, member by member, oldest first, in both forms") {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let session = try await world.makeSession(date: "2026-11-19", assignees: [member])
      let sessionID = try World.text(session.json["id"])
      let newer = try await world.makeEntry(of: member)
      let other = try await world.makeEntry(
        of: manager, from: "2026-11-18T08:00:00Z", to: "2026-11-18T10:00:00Z")
      let older = try await world.client.expect(
        world.call(
          "createTimeEntry", as: manager,
          body: [
            "clockInTime": "2026-11-17T18:30:00Z", "clockOutTime": "2026-11-17T19:30:00Z",
            "userId": .string(member.userID), "sessionId": .string(sessionID), "notes": "=1+1,\n\"x\"",
          ]), 201)
      let olderID = try World.text(older.json["id"])
      try await world.client.expect(world.call("clockIn", as: world.home.admin), 201)
      let active = try await world.client.expect(
        world.call("getCurrentTimeEntry", as: world.home.admin), 200
      ).json["timeEntry"]
      let activeID = try World.text(active?["id"])
      let queries: [([(name: String, value: String)], Person, [String])] = [
        ([], world.home.admin, [activeID, other, olderID, newer]), ([], member, [olderID, newer]),
        ([("userId", member.userID)], manager, [olderID, newer]),
        ([("status", "clocked-in")], manager, [activeID]),
        ([("status", "clocked-out")], manager, [other, olderID, newer]),
        ([("sessionId", sessionID)], manager, [olderID]),
        ([("startDate", "2026-11-18"), ("endDate", "2026-11-18")], manager, [other, olderID]),
        (
          [("startDate", "2026-11-18"), ("endDate", "2026-11-18"), ("match", "overlap")], manager,
          [other, olderID]
        ),
      ]
      for (query, person, expected) in queries {
        let lines = try await world.export(as: person, query + [("format", "ndjson")], "application/x-ndjson")
        let entries = lines.split(separator: "\n").map { (try? JSONParser.parse(Array($0.utf8))) ?? .null }
        world.check(
          entries.compactMap { $0["id"]?.string } == expected, "NDJSON \(query): \(lines), not \(expected)")
        let listed = try await world.pages(
          "listTimeEntries", "timeEntries", as: person, limit: 100, query: query)
        for entry in entries {
          world.check(
            listed.contains(entry.removing("periodState").removing("objected")),
            "the list of \(query) has another \(entry)")
        }
        let table = try await world.exportedTable(as: person, query)
        world.check(table.dropFirst().map { $0[0] } == expected, "CSV \(query): \(table), not \(expected)")
      }
      let table = try await world.exportedTable(as: member, [])
      world.check(table.first == World.exportColumns, "other columns: \(table.first ?? [])")
      let created = try World.text(older.json["createdAt"])
      world.check(
        table.count > 1
          && table[1] == [
            olderID, member.userID, "A Person", member.email, "2026-11-18", "2026-11-17T18:30:00.000Z",
            "2026-11-17T19:30:00.000Z", "2026-11-18 00:15:00+05:45", "2026-11-18 01:15:00+05:45",
            "Asia/Kathmandu", "3600", "clocked-out", sessionID, "Tasting", "admin", "", "'=1+1,\n\"x\"",
            created, created, "", "2026-11-18 00:15:00", "2026-11-18 01:15:00",
            "unsubmitted", "false",
          ], "another record: \(table)")
    },
    Scenario("an export has the strongest mark on the date of each entry's start, in both forms") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      // The member's dates are Kathmandu's, which begin at 18:15 of the day before.
      let starts = [
        "2026-11-17T18:13:00Z", "2026-11-17T18:15:00Z", "2026-11-18T18:00:00Z", "2026-11-18T18:15:00Z",
      ]
      for (start, minute) in zip(starts, ["18:14:30", "18:45:00", "18:15:00", "19:00:00"]) {
        _ = try await world.makeEntry(of: member, from: start, to: "\(start.prefix(10))T\(minute)Z")
      }
      _ = try await world.makeEntry(of: manager)
      try await world.approve("2026-11-17")
      let submission = world.call(
        "submitTimesheet", as: member, body: ["through": "2026-11-18", "complete": true])
      try await world.client.expect(submission, 200)
      for person in [member, manager] {
        let query = [("userId", member.userID)]
        let table = try await world.exportedTable(as: person, query)
        world.check(
          table.dropFirst().map { $0.dropLast().last } == [
            "approved", "submitted", "submitted", "unsubmitted",
          ],
          "\(table)")
        let lines = try await world.export(
          as: person, query + [("format", "ndjson")], "application/x-ndjson")
        let states = lines.split(separator: "\n").map {
          (try? JSONParser.parse(Array($0.utf8)))?["periodState"]?.string
        }
        world.check(states == table.dropFirst().map { $0.dropLast().last }, lines)
      }
      let others = try await world.exportedTable(as: manager, [("userId", manager.userID)])
      world.check(others.last?.suffix(2) == ["unsubmitted", "false"], "\(others)")
    },
    Scenario("an export has the form that is asked for") { world in
      let (csv, ndjson) = ("text/csv; charset=utf-8", "application/x-ndjson")
      let cases: [(format: String?, accept: String?, type: String?)] = [
        (nil, nil, csv), (nil, "*/*", csv), (nil, "text/csv", csv), (nil, ndjson, ndjson),
        (nil, "text/csv;q=0.1, application/*", ndjson), ("csv", ndjson, csv), ("ndjson", "text/csv", ndjson),
        ("ndjson", "text/html", ndjson), (nil, "application/json", nil), (nil, "text/csv;q=0", nil),
      ]
      for (format, accept, type) in cases {
        var call = world.call(
          "exportTimeEntries", as: world.home.member, query: format.map { [("format", $0)] } ?? [])
        call.headers = accept.map { [("Accept", $0)] } ?? []
        guard let type else {
          try await world.client.expect(call, 406, code: "not_acceptable", comment: accept ?? "")
          continue
        }
        let reply = try await world.client.expect(call, 200)
        world.check(reply.response.values(of: "content-type") == [type], "\(accept ?? ""): another type")
        let name = "attachment; filename=\"time-entries.\(type == csv ? "csv" : "ndjson")\""
        world.check(reply.response.values(of: "content-disposition") == [name], "another file name")
      }
      let bad = world.call("exportTimeEntries", as: world.home.member, query: [("format", "xlsx")])
      try await world.client.expect(bad, 400, code: "invalid_parameter")
    },
    Scenario("an export refuses what the list refuses") { world in
      let member = world.home.member
      let range = [(name: "startDate", value: "2026-11-20"), (name: "endDate", value: "2026-11-19")]
      for operationID in ["exportTimeEntries", "getCalendar"] {
        try await world.client.expect(
          world.call(operationID, as: member, query: range), 422, code: "invalid_date_range")
      }
      let refused: [(String, String, Int, String)] = [
        ("userId", world.home.manager.userID, 403, "forbidden"),
        ("userId", World.absentID, 404, "member_not_found"),
        ("sessionId", World.absentID, 404, "session_not_found"),
      ]
      for (name, value, status, code) in refused {
        try await world.client.expect(
          world.call("exportTimeEntries", as: member, query: [(name, value)]), status, code: code)
      }
    },
    Scenario("a calendar has the caller's own entries of the last 366 days") { world in
      let member = world.home.member
      let session = try await world.makeSession(date: "2026-11-19", assignees: [member])
      let sessionID = try World.text(session.json["id"])
      try await world.makeEntry(of: world.home.manager)
      let first = try await world.makeEntry(
        of: member, from: "2025-11-20T08:00:00Z", to: "2025-11-20T10:00:00Z")
      let before = try await world.makeEntry(
        of: member, from: "2025-11-19T08:00:00Z", to: "2025-11-19T10:00:00Z")
      let clockedIn = try await world.client.expect(
        world.call(
          "clockIn", as: member, body: ["sessionId": .string(sessionID), "notes": "a; b, c\\d\nÄ <e>"]), 201)
      world.service.clock.advance(seconds: 60)
      let active = try World.text(clockedIn.json["id"])
      let calendar = try await world.calendar(as: member, [])
      world.check(calendar.events.map { $0["UID"] } == [first, active], "other events: \(calendar)")
      world.check(
        calendar.events.first?["DTSTART"] == "20251120T080000Z"
          && calendar.events.first?["DTEND"] == "20251120T100000Z"
          && calendar.events.first?["SUMMARY"] == "Work" && calendar.events.first?["SEQUENCE"] == "0",
        "another event: \(calendar)")
      world.check(
        calendar.events.last?["SUMMARY"] == "Tasting (clocked in)"
          && calendar.events.last?["DESCRIPTION"] == "a\\; b\\, c\\\\d\\nÄ &lt\\;e&gt\\;"
          && calendar.events.last?["DTEND"] != calendar.events.last?["DTSTART"], "another event: \(calendar)")
      let until = try await world.calendar(as: member, [("endDate", "2025-11-19")])
      world.check(until.events.map { $0["UID"] } == [before], "other events: \(until)")
      let from = try await world.calendar(as: member, [("startDate", "2025-11-19")])
      world.check(from.events.map { $0["UID"] } == [before, first, active], "other events: \(from)")
    },
    Scenario("a calendar and an export may be empty") { world in
      let calendar = try await world.calendar(as: world.home.member, [])
      world.check(calendar.events.isEmpty, "events: \(calendar)")
      let table = try await world.exportedTable(as: world.home.member, [])
      world.check(table == [World.exportColumns], "records: \(table)")
      let lines = try await world.export(
        as: world.home.member, [("format", "ndjson")], "application/x-ndjson")
      world.check(lines.isEmpty, "lines: \(lines)")
    },
  ]
}

/// The events of a calendar, each the values of its lines by their names.
private struct Calendar: CustomStringConvertible {
  var events: [[String: String]] = []
  let description: String

  init(_ text: String) {
    description = text
    for line in text.replacing("\r\n ", with: "").split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      if line == "BEGIN:VEVENT" {
        events.append([:])
      } else if parts.count == 2, !events.isEmpty {
        events[events.count - 1][parts[0]] = parts[1]
      }
    }
  }
}

extension World {
  fileprivate static let exportColumns = [
    "id", "userId", "userName", "userEmail", "date", "clockInTime", "clockOutTime", "clockInLocal",
    "clockOutLocal", "timeZone", "durationSeconds", "status", "sessionId", "sessionTitle", "source", "flags",
    "notes", "createdAt", "updatedAt", "personnelNumber", "clockInWallTime", "clockOutWallTime",
    "periodState", "objected",
  ]

  /// An export's content.
  fileprivate func export(
    as person: Person, _ query: [(name: String, value: String)], _ type: String
  ) async throws -> String {
    let reply = try await client.expect(call("exportTimeEntries", as: person, query: query), 200)
    check(reply.response.values(of: "content-type").first?.hasPrefix(type) == true, "not \(type)")
    return String(decoding: reply.response.body, as: UTF8.self)
  }

  /// The records of an export, the header first.
  fileprivate func exportedTable(
    as person: Person, _ query: [(name: String, value: String)]
  ) async throws -> [[String]] {
    let text = try await export(as: person, query + [("format", "csv")], "text/csv")
    return CSVReader.records(of: Array(text.utf8)) ?? []
  }

  fileprivate func calendar(
    as person: Person, _ query: [(name: String, value: String)]
  ) async throws -> Calendar {
    let reply = try await client.expect(call("getCalendar", as: person, query: query), 200)
    return Calendar(String(decoding: reply.response.body, as: UTF8.self))
  }
}
