@testable import ContractDocument

extension Fixture {
  /// Files of other services.
  static let imports = Fixture(
    scenarios: Scenario.imports,
    baselines: ["importTimeEntries": { _, call in call.query = [("format", "generic")] }])
}

extension Scenario {
  fileprivate static let imports: [Scenario] = [
    Scenario("a file's rows become entries, its people deactivated members, and again nothing changes") {
      world in
      let member = world.home.member
      let call = world.importCall(
        """
        email,name,clockInTime,clockOutTime,notes,timeZone
        \(member.email.uppercased()),Somebody,2026-11-16T09:00:00+05:45,2026-11-16T17:30:00+05:45,<b>,
        bo@example.com,Bo Adler,2026-11-16 09:00,2026-11-16 17:00:30,"Two
        lines",Europe/Berlin
        bo@example.com,Bo,2026-11-17 09:00,2026-11-17 17:00,,
        """)
      let before = try await Snapshot(of: world.home, in: world)
      let judged = try await world.client.expect(call.with { $0.query += [("dryRun", "true")] }, 200)
      try await world.expectUnchanged(since: before, "a dry run")
      let first = try await world.client.expect(call, 200)
      world.check(
        judged.json.setting("dryRun", to: false).removing("membersCreated")
          == first.json.removing("membersCreated"), judged.json.text)
      world.check(first.json["taken"] == 3 && first.json["rows"] == [], first.json.text)
      let created = first.json["membersCreated"]?.elements ?? []
      world.check(created.map { $0["email"] } == ["bo@example.com"], first.json.text)
      world.check(created.map { $0["name"] } == ["Bo Adler"], first.json.text)
      let bo = try World.text(created.first?["userId"])
      let membership = try await world.client.expect(
        world.call("getMember", as: world.home.admin, path: ["userId": bo]), 200)
      world.check(
        membership.json["active"] == false && membership.json["role"] == "member", membership.json.text)
      let entries = try await world.entries(as: world.home.admin)
      world.check(
        entries.map { $0["clockInTime"]?.string } == [
          // The member's zone is the organization's, in Kathmandu.
          "2026-11-17T03:15:00.000Z", "2026-11-16T08:00:00.000Z", "2026-11-16T03:15:00.000Z",
        ], JSONValue.array(entries).text)
      world.check(entries.allSatisfy { $0["source"] == "import" }, JSONValue.array(entries).text)
      world.check(entries.map { $0["userId"]?.string } == [bo, bo, member.userID], "whose they are")
      world.check(
        entries.map { $0["notes"] ?? .null } == [.null, "Two\nlines", "&lt;b&gt;"], "the notes")
      world.check(
        entries.map { $0["timeZone"] } == ["Asia/Kathmandu", "Europe/Berlin", "Asia/Kathmandu"], "the zones")
      let after = try await Snapshot(of: world.home, in: world)
      for dryRun in ["false", "true"] {
        let again = try await world.client.expect(call.with { $0.query += [("dryRun", dryRun)] }, 200)
        world.check(
          again.json["taken"] == 0 && again.json["alreadyThere"] == 3 && again.json["refused"] == 0
            && again.json["membersCreated"] == [], again.json.text)
        try await world.expectUnchanged(since: after, "importing again")
      }
      let log = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "importTimeEntries")]), 200)
      world.check(log.json["changes"]?.elements.count == 4, log.json.text)
    },
    Scenario("every row that is not taken is reported with its line and its reason") { world in
      try await world.makeEntry(
        of: world.home.member, from: "2026-11-01T10:00:00Z", to: "2026-11-01T11:00:00Z")
      let email = world.home.member.email
      let long = String(repeating: "x", count: 501)
      let rows: [(String, String)] = [
        ("2026-11-01T10:30:00Z,2026-11-01T12:00:00Z,,,", "overlap"),
        ("2026-11-02T10:00:00Z,2026-11-02T10:00:00Z,,,", "end_not_after_start"),
        ("2026-11-02T10:00:00Z,2026-11-02T10:00:59Z,,,", "too_short"),
        ("2026-11-02T10:00:00Z,2026-11-03T02:00:01Z,,,", "too_long"),
        ("2026-11-21T10:00:00Z,2026-11-21T11:00:00Z,,,", "in_future"),
        ("2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,\(long),,", "notes_too_long"),
        ("2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,\u{202E}evil,,", "notes_invalid"),
        ("2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,,Mars/Base,", "unknown_time_zone"),
        ("2026-03-29 02:30,2026-03-29 05:00,,Europe/Berlin,", "time_skipped"),
        ("2026-11-02T10:00:00Z,,,,", "entry_active"), (",,,,", "time_missing"),
        ("2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,,,break", "not_work"), (",,,,time off", "not_work"),
        ("yesterday,today,,,", "row_malformed"), ("2026-11-02T10:00:00Z,,,,,,x", "row_malformed"),
      ]
      var lines = ["email,clockInTime,clockOutTime,notes,timeZone,kind"] + rows.map { "\(email),\($0.0)" }
      var codes = rows.map(\.1)
      for (person, code) in [("nobody", "invalid_email"), ("", "member_unknown")] {
        lines.append("\(person),2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,,,")
        codes.append(code)
      }
      let before = try await Snapshot(of: world.home, in: world)
      for query in [("dryRun", "true"), ("dryRun", "false")] {
        let call = world.importCall(lines.joined(separator: "\r\n")).with { $0.query.append(query) }
        let reply = try await world.client.expect(call, 200)
        let refused = reply.json["rows"]?.elements ?? []
        world.check(refused.map { $0["code"]?.string } == codes, reply.json.text)
        world.check(
          refused.map { $0["line"]?.integer } == codes.indices.map { Int64($0 + 2) }, reply.json.text)
        world.check(reply.json["refused"]?.integer == Int64(codes.count), reply.json.text)
        try await world.expectUnchanged(since: before, "refused rows")
      }
    },
    Scenario("a file that is not of its format is refused as a whole, and so are dates in no clear order") {
      world in
      let toggl = "User,Email,Start date,Start time,End date,End time,Duration\n"
      let row = "Bo,bo@example.com,03/04/2026,09:00,03/04/2026,10:00,01:00:00\n"
      let before = try await Snapshot(of: world.home, in: world)
      for text in [
        "", "\n", "email,name\n", "\"email", "User,Email,Duration\n",
        "clockInTime,clockOutTime,email,email\n",
      ] {
        try await world.client.expect(
          world.importCall(text), 400, code: "malformed_csv", comment: text.debugDescription)
      }
      let call = world.importCall(toggl + row).with { $0.query = [("format", "toggl")] }
      try await world.client.expect(call, 422, code: "date_order_unknown")
      try await world.client.expect(
        call.with { $0.query = [("format", "timetagger")] }, 400, code: "invalid_parameter",
        comment: "nobody's")
      try await world.client.expect(
        call.with { $0.query = [] }, 400, code: "invalid_parameter", comment: "no format")
      try await world.client.expect(
        call.with { $0.query += [("timeZone", "Mars/Base"), ("dateOrder", "dmy")] }, 422,
        code: "unknown_time_zone")
      try await world.expectUnchanged(since: before, "refused files")
      for (order, date) in [("dmy", "2026-04-03"), ("mdy", "2026-03-04")] {
        let ordered = call.with { $0.query += [("dateOrder", order), ("timeZone", "Europe/Berlin")] }
        let reply = try await world.client.expect(ordered, 200)
        world.check(reply.json["taken"] == 1, reply.json.text)
        let dates = try await world.entries(as: world.home.admin).map { $0["date"]?.string }
        world.check(dates.contains(date), "\(dates)")
      }
    },
    Scenario("rows without a person are the stated member's, unless that one is anonymous") { world in
      let leaver = try await world.makePerson("leaver@home.example")
      let text =
        "key\tstart\tstop\ttags\tdescription\na\t2026-11-02T10:00:00Z\t2026-11-02T11:00:00Z\t\t\"#a\"\n"
      let call = world.importCall(text).with {
        $0.contentType = "text/tab-separated-values"
        $0.query = [("format", "timetagger"), ("userId", leaver.userID)]
      }
      let deactivate = world.call(
        "deactivateMember", as: world.home.admin, path: ["userId": leaver.userID], ifMatch: "*")
      try await world.client.expect(deactivate, 204)
      let reply = try await world.client.expect(call, 200)
      world.check(reply.json["taken"] == 1, reply.json.text)
      let entries = try await world.entries(as: world.home.admin)
      world.check(entries.map { $0["notes"] } == ["\"#a\""], JSONValue.array(entries).text)
      world.check(entries.map { $0["userId"]?.string } == [leaver.userID], "whose it is")
      let forget = world.call("anonymizeMember", as: world.home.admin, path: ["userId": leaver.userID])
      try await world.client.expect(forget, 200)
      try await world.client.expect(call, 409, code: "member_anonymized")
    },
    Scenario("rows without addresses are of the member with their name, or of the stated one") {
      world in
      // Two members are called "A Person".
      let rows = [
        "Admin,2026-11-02,10:00:00,2026-11-02,11:00:00,-", "Admin,2026-11-02,12:00:00,2026-11-02,13:30:00,-",
        "A Person,2026-11-02,14:00:00,2026-11-02,15:30:00,01:30:00",
        "-,2026-11-02,16:00:00,2026-11-02,17:00:00,01:00:00",
      ]
      let text = (["User,Start date,Start time,End date,End time,Duration"] + rows).joined(separator: "\n")
      let trial = [("format", "toggl"), ("dryRun", "true")]
      let byName = try await world.imported(text, trial)
      world.check(byName["taken"] == 2, byName.text)
      let refused = byName["rows"]?.elements ?? []
      world.check(refused.map { $0["line"]?.integer } == [4, 5], byName.text)
      world.check(refused.allSatisfy { $0["code"] == "member_unknown" }, byName.text)
      world.check(refused.allSatisfy { $0["detail"]?.string?.contains("userId") == true }, byName.text)
      // One member was stated, and the file is of two.
      let told = try await world.imported(text, trial + [("userId", world.home.member.userID)])
      world.check(told["taken"] == 3, told.text)
      world.check(told["rows"]?.elements.map { $0["line"]?.integer } == [4], told.text)
      let others = text.split(separator: "\n").filter { !$0.hasPrefix("Admin") }.joined(separator: "\n")
      let all = try await world.imported(others, trial + [("userId", world.home.member.userID)])
      world.check(all["taken"] == 2 && all["rows"] == [], all.text)
    },
    Scenario("a file may say its encoding, and rows that name people by ids alone say what to do") { world in
      let email = world.home.member.email
      let text = "email,start,end,notes\n\(email),2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,Müsli\n"
      let windows: [UInt8] = text.unicodeScalars.map { UInt8($0.value) }
      let utf16: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      for (bytes, charset) in [(windows, "windows-1252"), (utf16, "UTF-16"), (Array(text.utf8), "utf-8")] {
        let call = world.importCall("").with {
          $0.body = .bytes(bytes)
          $0.contentType = "text/csv; charset=\(charset)"
          $0.query += [("dryRun", "true")]
        }
        let reply = try await world.client.expect(call, 200, comment: charset)
        world.check(reply.json["taken"] == 1, reply.json.text)
      }
      try await world.client.expect(
        world.importCall(text).with { $0.contentType = "text/csv; charset=koi8-r" }, 415,
        code: "unsupported_media_type")
      let rows = "start,end,user_id\n2026-11-02T10:00:00Z,2026-11-02T11:00:00Z,0446cdd8\n"
      let trial = [("format", "solidtime"), ("dryRun", "true")]
      let refused = try await world.imported(rows, trial)
      let detail = refused["rows"]?.elements.first?["detail"]?.string ?? ""
      world.check(
        refused["rows"]?.elements.map { $0["code"] } == ["member_unknown"]
          && detail.contains("0446cdd8") && detail.contains("report") && detail.contains("userId"),
        refused.text)
      let told = try await world.imported(rows, trial + [("userId", world.home.member.userID)])
      world.check(told["taken"] == 1, told.text)
    },
    Scenario("entries out of the policy are kept and flagged if the import is asked to keep them") {
      world in
      let email = world.home.member.email
      let rows = [
        "2026-11-02T10:00:00Z,2026-11-02T10:00:59Z", "2026-11-02T11:00:00Z,2026-11-02T11:01:00Z",
        "2026-11-03T00:00:00Z,2026-11-03T16:00:00Z", "2026-11-03T16:00:00Z,2026-11-04T08:00:01Z",
        "2026-11-05T10:00:00Z,2026-11-05T10:00:00Z", "2026-11-19T10:00:00Z,2026-11-22T10:00:00Z",
      ]
      let text = (["email,start,end"] + rows.map { "\(email),\($0)" }).joined(separator: "\n")
      let format = ("format", "generic")
      let refused = try await world.imported(text, [format, ("dryRun", "true")])
      world.check(refused["taken"] == 2, refused.text)
      let details = refused["rows"]?.elements.map { $0["detail"]?.string ?? "" } ?? []
      world.check(details.map { $0.contains("keepOutOfPolicy") } == [true, true, false, false], refused.text)
      let keeping = [format, ("keepOutOfPolicy", "true")]
      let kept = try await world.imported(text, keeping)
      world.check(kept["taken"] == 4, kept.text)
      world.check(
        kept["rows"]?.elements.map { $0["code"]?.string } == ["end_not_after_start", "in_future"], kept.text)
      let entries = try await world.entries(as: world.home.admin)
      world.check(
        entries.map { $0["flags"] ?? .null } == [["over_maximum"], [], [], ["under_minimum"]],
        JSONValue.array(entries).text)
      let log = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "importTimeEntries")]), 200)
      world.check(log.json["changes"]?.elements.count == 4, log.json.text)
      let again = try await world.imported(text, keeping)
      world.check(again["taken"] == 0 && again["alreadyThere"] == 4, again.text)
    },
    Scenario("a row that states less than its times is refused, or kept so and reported") { world in
      let email = world.home.member.email
      let text = """
        email,start,end,hours,break,Shoe size
        \(email),2026-11-02T09:00:00Z,2026-11-02T17:00:00Z,7.5,,42
        \(email),2026-11-03T09:00:00Z,2026-11-03T17:00:00Z,8,,42
        \(email),2026-11-04T09:00:00Z,2026-11-04T17:00:00Z,,0:30,42
        """
      let format = ("format", "generic")
      let refused = try await world.imported(text, [format])
      world.check(
        refused["taken"] == 1 && refused["shortened"] == [] && refused["ignoredColumns"] == ["Shoe size"],
        refused.text)
      world.check(
        refused["rows"]?.elements.map { $0["code"] } == ["duration_mismatch", "break_unplaced"], refused.text)
      world.check(
        refused["rows"]?.elements.allSatisfy { $0["detail"]?.string?.contains("lengthFromDuration") == true }
          == true, refused.text)
      let kept = try await world.imported(text, [format, ("lengthFromDuration", "true")])
      world.check(kept["taken"] == 2 && kept["alreadyThere"] == 1 && kept["shortened"] == [2, 4], kept.text)
      let entries = try await world.entries(as: world.home.admin)
      world.check(
        entries.map { $0["durationSeconds"] } == [27_000, 28_800, 27_000], JSONValue.array(entries).text)
      let again = try await world.imported(text, [format, ("lengthFromDuration", "true")])
      world.check(again["alreadyThere"] == 3 && again["shortened"] == [], again.text)
    },
    Scenario("projects, tasks and segments are made of a file if the import is asked to, and only once") {
      world in
      let email = world.home.member.email
      let text = """
        Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
        \(email),Client,Project,Task,Soup,Yes,2026-11-02,09:00:00,2026-11-02,10:00:00,01:00:00,"a, b"
        \(email),Client,Project,,Bread,No,2026-11-02,10:00:00,2026-11-02,11:00:00,01:00:00,
        \(email),Client,,,Nothing,No,2026-11-02,11:00:00,2026-11-02,12:00:00,01:00:00,
        \(email),Client,Project,,Bread,Maybe,2026-11-02,12:00:00,2026-11-02,13:00:00,01:00:00,
        """
      let query = [("format", "toggl"), ("projects", "create"), ("timeZone", "UTC")]
      let before = try await Snapshot(of: world.home, in: world)
      let judged = try await world.imported(text, query + [("dryRun", "true")])
      try await world.expectUnchanged(since: before, "a dry run")
      let first = try await world.imported(text, query)
      for report in [judged, first] {
        world.check(
          report["taken"] == 3 && report["projectsCreated"] == 1 && report["tasksCreated"] == 1
            && report["segmentsCreated"] == 2, report.text)
        world.check(report["rows"]?.elements.map { $0["code"] } == ["row_malformed"], report.text)
      }
      let listed = try await world.client.expect(world.call("listSegments", as: world.home.admin), 200)
      let segments = listed.json["segments"]?.elements ?? []
      world.check(segments.map { $0["name"] } == ["Bread", "Soup"], listed.json.text)
      world.check(segments.map { $0["billable"] } == [false, true], listed.json.text)
      world.check(segments.map { $0["tags"] ?? .null } == [[], ["a", "b"]], listed.json.text)
      world.check(segments.allSatisfy { $0["source"] == "import" }, listed.json.text)
      let entries = try await world.entries(as: world.home.admin)
      world.check(
        entries.map { $0["notes"] } == ["Client: Nothing", "Bread", "Soup"], JSONValue.array(entries).text)
      let projects = try await world.client.expect(world.call("listProjects", as: world.home.member), 200)
      let project = projects.json["projects"]?.elements.first ?? .null
      world.check(
        project["name"] == "Project" && project["client"] == "Client" && project["billable"] == true
          && project["ownerId"] == .null, projects.json.text)
      let after = try await Snapshot(of: world.home, in: world)
      let again = try await world.imported(text, query)
      world.check(
        again["alreadyThere"] == 3 && again["projectsCreated"] == 0 && again["tasksCreated"] == 0
          && again["segmentsCreated"] == 0, again.text)
      try await world.expectUnchanged(since: after, "importing again")
      let log = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "importTimeEntries")]), 200)
      world.check(log.json["changes"]?.elements.count == 3 + 1 + 1 + 2, log.json.text)
      try await world.client.expect(
        world.importCall(text).with { $0.query = [("format", "toggl"), ("projects", "make")] }, 400,
        code: "invalid_parameter")
    },
    Scenario("a file that is longer than other bodies is read whole, and under its key only once") { world in
      let email = world.home.member.email
      // In another encoding, so that it is decoded across the parts in which it is read.
      let rows = (1...9).map { day in
        "\(email),2026-11-0\(day)T10:00:00Z,2026-11-0\(day)T11:00:00Z,Küche,\(String(repeating: "é", count: 15_000 + day))"
      }
      let text = (["email,start,end,notes,other"] + rows).joined(separator: "\n")
      let units = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      let bytes: [UInt8] = [0xFF, 0xFE] + units
      world.check(bytes.count > 262_144 && bytes.count < 524_288, "the length \(bytes.count)")
      let call = world.importCall("").with {
        $0.body = .bytes(bytes)
        $0.idempotencyKey = "long"
      }
      let first = try await world.client.expect(call, 200)
      world.check(first.json["taken"] == 9 && first.json["refused"] == 0, first.json.text)
      let entries = try await world.entries(as: world.home.admin)
      world.check(entries.map { $0["notes"] } == Array(repeating: "Küche", count: 9), "the notes")
      let again = try await world.client.expect(call, 200)
      world.check(again.response.body == first.response.body, "another answer")
      world.check(again.response.values(of: "idempotency-replayed") == ["true"], "not marked as a replay")
      try await world.refuses(
        call.with { $0.body = .bytes(bytes.dropLast(2) + [0x78, 0]) }, 422, ["idempotency_key_reused"],
        "another file under the key")
    },
    Scenario("another query under the key of an import is another request, and a dry run's answer is kept") {
      world in
      let operation = try world.client.document.operation("importTimeEntries")
      let call = try await world.baseline(operation).with {
        $0.idempotencyKey = "trial"
        $0.query += [("dryRun", "true")]
      }
      let first = try await world.client.expect(call, 200)
      let again = try await world.client.expect(call, 200)
      world.check(again.response.body == first.response.body, "another answer")
      world.check(again.response.values(of: "idempotency-replayed") == ["true"], "not marked as a replay")
      try await world.refuses(
        call.with { $0.query = [("format", "generic")] }, 422, ["idempotency_key_reused"], "the run itself")
    },
  ]
}

extension World {
  /// An admin's import of a file of the generic format.
  fileprivate func importCall(_ text: String) -> Call {
    call("importTimeEntries", as: home.admin, query: [("format", "generic")]).with {
      $0.body = .bytes(Array(text.utf8))
      $0.contentType = "text/csv"
    }
  }

  /// The report of an admin's import.
  fileprivate func imported(_ text: String, _ query: [(String, String)]) async throws -> JSONValue {
    try await client.expect(importCall(text).with { $0.query = query }, 200).json
  }

  /// Everybody's entries, the newest first.
  fileprivate func entries(as person: Person) async throws -> [JSONValue] {
    let reply = try await client.expect(call("listTimeEntries", as: person), 200)
    let entries = reply.json["timeEntries"]?.elements ?? []
    return entries.sorted { ($0["clockInTime"]?.string ?? "") > ($1["clockInTime"]?.string ?? "") }
  }
}
