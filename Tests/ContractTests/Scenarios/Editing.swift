@testable import ContractDocument

extension Fixture {
  /// Changing and deleting entries, and asking for overlaps.
  static let editing = Fixture(
    scenarios: Scenario.editing,
    baselines: [
      "getTimeEntry": { world, call in try await world.nameEntry(in: &call) },
      "updateTimeEntry": { world, call in call.ifMatch = try await world.nameEntry(in: &call).etag },
      "deleteTimeEntry": { world, call in call.ifMatch = try await world.nameEntry(in: &call).etag },
      "checkOverlap": { _, call in
        call.query = [("startTime", "2026-11-16T09:00:00Z"), ("endTime", "2026-11-16T17:00:00Z")]
      },
    ])
}

extension Scenario {
  fileprivate static let editing: [Scenario] = [
    Scenario("a member corrects an entry, and the date follows the times") { world in
      let entry = try await world.makeOwnEntry()
      let change: JSONValue = [
        "clockInTime": "2026-11-18T20:00:00Z", "clockOutTime": "2026-11-18T23:00:00Z", "notes": " <later> ",
      ]
      let reply = try await world.client.expect(world.update(entry, change), 200)
      // Kathmandu is 5 h 45 min ahead of UTC.
      world.check(reply.json["date"] == "2026-11-19", "the date is \(reply.json["date"]?.text ?? "")")
      world.check(reply.json["durationSeconds"] == 10_800, "another duration")
      world.check(reply.json["notes"] == "&lt;later&gt;", "the notes")
      world.check(reply.json["createdAt"] == entry.json["createdAt"], "another creation")
      world.check(reply.etag != entry.etag, "the same ETag")
      let read = try await world.client.expect(world.entryCall("getTimeEntry", entry), 200)
      world.check(read.json == reply.json && read.etag == reply.etag, "it reads another way")
      let zoned = try await world.client.expect(world.update(reply, ["timeZone": "America/St_Johns"]), 200)
      world.check(zoned.json["date"] == "2026-11-18", "the date in another zone")
    },
    Scenario("what is left out stays, null takes notes away, and no change keeps the ETag") { world in
      let entry = try await world.makeOwnEntry(notes: "first")
      for body in [[:], ["notes": "first"], ["clockInTime": entry.json["clockInTime"] ?? .null]]
        as [JSONValue]
      {
        let same = try await world.client.expect(world.update(entry, body), 200)
        world.check(same.json == entry.json && same.etag == entry.etag, "\(body.text) changes something")
      }
      let none = try await world.client.expect(world.update(entry, ["notes": .null]), 200)
      world.check(none.json["notes"] == .null, "the notes stay")
      world.check(none.json["clockInTime"] == entry.json["clockInTime"], "the times change")
    },
    Scenario("an edited entry keeps every rule of a new one") { world in
      let entry = try await world.makeOwnEntry()
      try await world.makeEntry(
        of: world.home.member, from: "2026-11-19T12:00:00Z", to: "2026-11-19T14:00:00Z")
      let refused: [(JSONValue, Int, String)] = [
        (["clockOutTime": "2026-11-20T13:00:00Z"], 422, "in_future"),
        (["clockOutTime": "2026-11-19T08:00:00Z"], 422, "end_not_after_start"),
        (["clockInTime": "2026-11-18T17:59:59.999Z"], 422, "too_long"),
        (["clockOutTime": "2026-11-19T08:00:59.999Z"], 422, "too_short"),
        (["clockOutTime": "2026-11-19T12:00:00.001Z"], 409, "overlap"),
        (["notes": "\u{7}"], 422, "notes_invalid"),
        (["notes": .string(String(repeating: "ä", count: 501))], 422, "notes_too_long"),
        (["reason": .string(String(repeating: "ä", count: 501))], 422, "reason_invalid"),
        (["timeZone": "Mars/Base"], 422, "unknown_time_zone"),
        (["sessionId": .string(World.absentID)], 422, "session_not_found"),
      ]
      for (body, status, code) in refused {
        try await world.refuses(world.update(entry, body), status, [code], body.text)
      }
      for body in [
        ["clockInTime": "2026-11-18T20:00:00Z", "clockOutTime": "2026-11-19T12:00:00Z"],
        ["clockInTime": "2026-11-19T11:59:00Z", "clockOutTime": "2026-11-19T12:00:00Z"],
      ] as [JSONValue] {
        try await world.client.expect(
          world.update(entry, body).with { $0.ifMatch = "*" }, 200, comment: body.text)
      }
    },
    Scenario("an entry that runs gets other notes and another start, and no end") { world in
      let member = world.home.member
      try await world.makeEntry(of: member, from: "2026-11-20T08:00:00Z", to: "2026-11-20T09:00:00Z")
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      let noted = try await world.client.expect(world.update(entry, ["notes": "x"]), 200)
      world.check(noted.json["notes"] == "x" && noted.json["status"] == "clocked-in", "\(noted.json)")
      let end: JSONValue = ["clockOutTime": "2026-11-20T11:00:00Z"]
      try await world.refuses(world.update(noted, end), 409, ["entry_active"], "an end")
      for (time, status, code) in [
        ("2026-11-20T12:02:00.001Z", 422, "in_future"), ("2026-11-17T11:59:59.999Z", 422, "too_far_back"),
        ("2026-11-20T08:59:59.999Z", 409, "overlap"),
      ] {
        try await world.refuses(world.update(noted, ["clockInTime": .string(time)]), status, [code], time)
      }
      let moved = try await world.client.expect(
        world.update(noted, ["clockInTime": "2026-11-20T09:00:00Z", "timeZone": "Pacific/Kiritimati"]), 200)
      world.check(moved.json["clockInTime"] == "2026-11-20T09:00:00.000Z", "\(moved.json)")
      world.check(moved.json["date"] == "2026-11-20" && moved.json["clockOutTime"] == .null, "\(moved.json)")
      let later = try await world.client.expect(
        world.update(moved, ["clockInTime": "2026-11-20T11:00:00Z"]), 200)
      world.check(later.json["date"] == "2026-11-21", "the date follows the start")
      try await world.refuses(
        world.update(moved, ["notes": "y"]), 412, ["precondition_failed"], "an old version")
      world.service.clock.advance(seconds: 3_600)
      let out = try await world.client.expect(world.call("clockOut", as: member), 200)
      world.check(out.json["durationSeconds"] == 7_200, "\(out.json)")
    },
    Scenario("a clock-in is undone within two minutes, to the millisecond, and the log keeps it") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      for (seconds, milliseconds, isUndone) in [(0, 0, true), (120, 0, true), (120, 1, false)]
        as [(Int64, Int64, Bool)]
      {
        let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
        world.service.clock.advance(milliseconds: seconds * 1_000 + milliseconds)
        let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
        world.check(current.json["allowed"]?["cancel"] == .bool(isUndone), "\(current.json)")
        world.check(current.json["allowed"]?["edit"] == true, "\(current.json)")
        if isUndone {
          try await world.client.expect(world.delete(entry), 204)
          let none = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
          world.check(none.json["timeEntry"] == .null && none.json["allowed"] == .null, "\(none.json)")
          continue
        }
        try await world.refuses(world.delete(entry), 409, ["entry_active"], "too late")
        let seen = try await world.client.expect(
          world.call("getCurrentTimeEntry", as: manager, query: [("userId", member.userID)]), 200)
        world.check(
          seen.json["allowed"] == ["edit": true, "editUntil": .null, "cancel": true, "cancelUntil": .null],
          "\(seen.json)")
        let byManager = world.delete(entry).with {
          $0.token = manager.token
          $0.query = [("reason", "clocked in by mistake")]
        }
        try await world.client.expect(byManager, 204)
      }
      let feed = try await world.client.expect(world.call("listChanges", as: manager), 200)
      let kinds = (feed.json["changes"]?.elements ?? []).suffix(6).map { $0["kind"]?.string }
      world.check(kinds == ["created", "deleted", "created", "deleted", "created", "deleted"], "\(kinds)")
    },
    Scenario("changing needs the ETag, and an old one answers the present state") { world in
      let entry = try await world.makeOwnEntry()
      let changed = try await world.client.expect(world.update(entry, ["notes": "second"]), 200)
      for call in [world.update(entry, ["notes": "third"]), world.delete(entry)] {
        try await world.client.expect(call.with { $0.ifMatch = nil }, 428, code: "precondition_required")
        let stale = try await world.client.expect(call, 412, code: "precondition_failed")
        world.check(
          stale.json["current"] == changed.json && stale.etag == changed.etag, "another present state")
      }
      try await world.client.expect(world.delete(changed), 204)
      try await world.client.expect(world.entryCall("getTimeEntry", entry), 404, code: "time_entry_not_found")
      try await world.client.expect(world.delete(changed), 404, code: "time_entry_not_found")
      try await world.client.expect(world.update(changed, [:]), 404, code: "time_entry_not_found")
    },
    Scenario("a deleted entry makes room, and the feed lists the deletion") { world in
      let entry = try await world.makeOwnEntry()
      try await world.client.expect(world.delete(entry), 204)
      try await world.makeOwnEntry()
      let feed = try await world.client.expect(world.call("listChanges", as: world.home.manager), 200)
      let kinds = (feed.json["changes"]?.elements ?? []).suffix(3).map { $0["kind"]?.string }
      world.check(kinds == ["created", "deleted", "created"], "the feed is \(kinds)")
      let listed = try await world.client.expect(world.call("listTimeEntries", as: world.home.member), 200)
      world.check(listed.json["timeEntries"]?.elements.count == 1, "the list")
    },
    Scenario("what was entered today for last month is not the member's to change, nor to delete") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      // The clock stands at 2026-11-20T12:00:00Z.
      let cases: [(start: String, end: String, policy: JSONValue, isEditable: Bool)] = [
        ("2026-10-21T11:00:00Z", "2026-10-21T12:00:00Z", [:], true),
        ("2026-10-21T11:00:00Z", "2026-10-21T11:59:59.999Z", [:], false),
        ("2026-10-20T11:00:00Z", "2026-10-20T12:00:00Z", ["editWindowDays": 31], true),
        ("2026-11-20T10:00:00Z", "2026-11-20T11:59:59.999Z", ["editWindowDays": 0], false),
        ("2026-11-20T10:00:00Z", "2026-11-20T12:00:00Z", ["editWindowDays": 0], true),
        // Not further back than time is entered by hand, whichever is less.
        ("2026-11-19T12:00:00Z", "2026-11-19T13:00:00Z", ["manualEntryDays": 1], true),
        ("2026-11-19T11:59:59.999Z", "2026-11-19T13:00:00Z", ["manualEntryDays": 1], false),
        ("2026-11-20T10:00:00Z", "2026-11-20T11:30:00Z", ["manualEntryDays": 0], false),
      ]
      let project = try await world.projectID()
      for (start, end, policy, isEditable) in cases {
        let comment = "\(end) \(policy.text)"
        let entry = try await world.client.expect(
          world.call(
            "createTimeEntry", as: member,
            body: ["clockInTime": .string(start), "clockOutTime": .string(end)]),
          201)
        func segment(_ at: String) -> Call {
          world.call(
            "createSegment", as: member,
            body: ["projectId": project, "startTime": .string(start), "endTime": .string(at)])
        }
        // Made while it is allowed.
        try await world.changePolicy(["editWindowDays": 60])
        let made = try await world.client.expect(segment(end), 201)
        let days = policy["editWindowDays"] ?? 30
        try await world.changePolicy(policy.setting("editWindowDays", to: days))
        let path = ["segmentId": try World.text(made.json["id"])]
        let calls = [
          world.update(entry, ["notes": "late"]),
          world.call("updateSegment", as: member, path: path, body: ["name": "late"], ifMatch: "*"),
          world.call("deleteSegment", as: member, path: path, ifMatch: "*"),
          segment(end), world.delete(entry).with { $0.ifMatch = "*" },
        ]
        for call in calls {
          // The policy on time by hand says so of a segment that is added.
          let isAdded = call.operationID == "createSegment"
          if isEditable {
            try await world.client.expect(
              call, anyOf: isAdded ? [201] : [200, 204], codes: [], comment: comment)
          } else {
            let late =
              isAdded && policy["manualEntryDays"] != nil
              ? (422, "too_far_back") : (403, "edit_window_closed")
            try await world.client.expect(
              call, anyOf: [late.0], codes: [late.1], comment: "\(comment) \(call.operationID)")
          }
        }
        if !isEditable {
          try await world.client.expect(
            world.delete(entry).with {
              $0.token = manager.token
              $0.query = [("reason", "Entered for another month")]
            }, 204, comment: comment)
        }
        try await world.client.expect(
          world.call(
            "updateOrganization", as: world.home.admin,
            body: ["policy": ["editWindowDays": 30, "manualEntryDays": .null]], ifMatch: "*"), 200)
      }
    },
    Scenario("a running entry has no end yet, and is changed whatever the policy says of days") { world in
      let member = world.home.member
      let entry = try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-18T08:00:00Z"]), 201)
      try await world.client.expect(
        world.call(
          "updateOrganization", as: world.home.admin,
          body: ["policy": ["editWindowDays": 0, "manualEntryDays": 0]], ifMatch: "*"), 200)
      let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      world.check(current.json["allowed"]?["editUntil"] == .null, current.json.text)
      let noted = try await world.client.expect(world.update(entry, ["notes": "still here"]), 200)
      let out = try await world.client.expect(
        world.call("clockOut", as: member, body: ["clockOutTime": "2026-11-18T16:00:00Z"]), 200)
      try await world.client.expect(
        world.update(out, ["notes": "gone"]), 403, code: "edit_window_closed", comment: noted.json.text)
    },
    Scenario("members change for 30 days, to the millisecond; managers always") { world in
      let entry = try await world.makeOwnEntry()
      // It ended 26 hours ago.
      world.service.clock.advance(seconds: 30 * 86_400 - 26 * 3_600)
      let token = try await world.logIn(world.home.member.email)
      let manager = try await world.logIn(world.home.manager.email)
      let changed = try await world.client.expect(
        world.update(entry, ["notes": "day 30"]).with { $0.token = token }, 200)
      world.service.clock.advance(seconds: 1)
      for call in [world.update(changed, ["notes": "late"]), world.delete(changed)] {
        try await world.client.expect(
          call.with { $0.token = token }, 403, code: "edit_window_closed", comment: "after 30 days")
      }
      let call = world.update(changed, ["notes": "by a manager", "reason": "asked by mail"])
      try await world.client.expect(call.with { $0.token = manager }, 200)
    },
    Scenario("a manager changes another's entry with a reason, which the audit log keeps") { world in
      let entry = try await world.makeOwnEntry()
      let update = world.update(entry, ["notes": "corrected"]).with { $0.token = world.home.manager.token }
      let delete = world.delete(entry).with { $0.token = world.home.manager.token }
      try await world.refuses(update, 422, ["reason_required"], "update")
      try await world.refuses(update.with { $0.json = ["reason": " \n"] }, 422, ["reason_required"], "blank")
      try await world.refuses(delete, 422, ["reason_required"], "delete")
      try await world.refuses(
        delete.with { $0.query = [("reason", "\u{202E}")] }, 422, ["reason_invalid"], "an override")
      let changed = try await world.client.expect(
        update.with { $0.json = ["notes": "corrected", "reason": " wrong <day> "] }, 200)
      world.check(changed.json["notes"] == "corrected", "the notes")
      try await world.client.expect(
        delete.with {
          $0.ifMatch = changed.etag
          $0.query = [("reason", "twice entered")]
        }, 204)
      let id = try World.text(entry.json["id"])
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("resourceId", id)]), 200)
      let reasons = (audit.json["changes"]?.elements ?? []).map { $0["reason"] }
      world.check(reasons == ["twice entered", "wrong &lt;day&gt;", .null], "the reasons are \(reasons)")
    },
    Scenario("members neither change, delete nor ask about another's entries") { world in
      let entry = try await world.makeEntry(of: world.home.manager)
      let path = ["timeEntryId": entry]
      for (operationID, ifMatch) in [("updateTimeEntry", "*"), ("deleteTimeEntry", "\"9\"")] {
        try await world.refuses(
          world.call(operationID, as: world.home.member, path: path, ifMatch: ifMatch), 403, ["forbidden"],
          operationID)
      }
      let check = world.overlapCall(("userId", world.home.manager.userID))
      try await world.client.expect(check, 403, code: "forbidden")
    },
    Scenario("an edit ends what a flag says") { world in
      try await world.client.expect(
        world.call("clockIn", as: world.home.member, body: ["clockInTime": "2026-11-19T08:00:00Z"]), 201)
      let long = try await world.client.expect(world.call("clockOut", as: world.home.member), 200)
      world.check(long.json["flags"] == ["over_maximum"], "the flag")
      let noted = try await world.client.expect(world.update(long, ["notes": "forgot"]), 200)
      world.check(noted.json["flags"] == ["over_maximum"], "notes take the flag away")
      let right = try await world.client.expect(
        world.update(noted, ["clockOutTime": "2026-11-19T16:00:00Z"]), 200)
      world.check(right.json["flags"] == [], "the flag stays")
    },
    Scenario("an overlap is found before it is made") { world in
      let entry = try await world.makeOwnEntry()
      let id = try World.text(entry.json["id"])
      // The entry is from 8 to 10.
      let spans: [(String, String, Bool)] = [
        ("06:00:00", "08:00:00", false), ("06:00:00", "08:00:00.001", true), ("09:00:00", "09:30:00", true),
        ("10:00:00", "11:00:00", false), ("09:59:59.999", "11:00:00", true),
      ]
      for (start, end, isTaken) in spans {
        let call = world.overlapCall(("startTime", "2026-11-19T\(start)Z"), ("endTime", "2026-11-19T\(end)Z"))
        let reply = try await world.client.expect(call, 200)
        world.check(
          reply.json
            == [
              "overlaps": .bool(isTaken), "count": isTaken ? 1 : 0,
              "timeEntryIds": isTaken ? [.string(id)] : [],
            ],
          "\(start) to \(end): \(reply.json.text)")
        let own = try await world.client.expect(call.with { $0.query.append(("excludeEntryId", id)) }, 200)
        world.check(own.json["count"] == 0, "the entry is in its own way")
      }
      let backwards = world.overlapCall(
        ("startTime", "2026-11-19T10:00:00Z"), ("endTime", "2026-11-19T10:00:00Z"))
      try await world.client.expect(backwards, 422, code: "end_not_after_start")
      for missing in ["startTime", "endTime"] {
        let call = world.overlapCall().with { $0.query.removeAll { $0.name == missing } }
        try await world.client.expect(call, 400, code: "invalid_parameter")
      }
    },
  ]
}

extension World {
  /// Makes an entry that the call is about.
  @discardableResult
  fileprivate func nameEntry(in call: inout Call) async throws -> ContractClient.Reply {
    let example = try client.document.operation("createTimeEntry").bodyExample ?? .null
    let created = try await client.expect(
      self.call("createTimeEntry", as: home.member, body: example), 201)
    call.path["timeEntryId"] = try Self.text(created.json["id"])
    return created
  }

  /// Two hours of the member, from 8 to 10 in UTC.
  @discardableResult
  fileprivate func makeOwnEntry(notes: JSONValue = .null) async throws -> ContractClient.Reply {
    let body: JSONValue = [
      "clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T10:00:00Z", "notes": notes,
    ]
    return try await client.expect(call("createTimeEntry", as: home.member, body: body), 201)
  }

  /// A call about the entry of an answer, by its member.
  fileprivate func entryCall(_ operationID: String, _ entry: ContractClient.Reply) -> Call {
    call(operationID, as: home.member, path: ["timeEntryId": entry.json["id"]?.string ?? ""])
  }

  /// A change of the entry as it was answered.
  fileprivate func update(_ entry: ContractClient.Reply, _ body: JSONValue) -> Call {
    entryCall("updateTimeEntry", entry).with {
      $0.json = body
      $0.ifMatch = entry.etag
    }
  }

  fileprivate func delete(_ entry: ContractClient.Reply) -> Call {
    entryCall("deleteTimeEntry", entry).with { $0.ifMatch = entry.etag }
  }

  /// A check of the member's own span, with some parameters set.
  fileprivate func overlapCall(_ parameters: (name: String, value: String)...) -> Call {
    let standard: [(name: String, value: String)] = [
      ("startTime", "2026-11-19T08:00:00Z"), ("endTime", "2026-11-19T10:00:00Z"),
    ]
    let others = standard.filter { known in !parameters.contains { $0.name == known.name } }
    return call("checkOverlap", as: home.member, query: others + parameters)
  }
}
