import TimeclockDomain

@testable import ContractDocument

/// A refusal as a client gets it: its status, its code and its message. Nil means that the request is allowed.
private struct Refusal: Sendable {
  var status: Int
  var code: String
  var message: String

  static let notesTooLong = Refusal(
    status: 422, code: "notes_too_long", message: "Notes cannot exceed 500 characters")
  static let notesInvalid = Refusal(
    status: 422, code: "notes_invalid",
    message: "Notes cannot hold control characters or bidirectional overrides")
  static let inFuture = Refusal(
    status: 422, code: "in_future", message: "Cannot create time entries for future dates")
  static let endNotAfterStart = Refusal(
    status: 422, code: "end_not_after_start", message: "End time must be after start time")
  static let tooLong = Refusal(
    status: 422, code: "too_long", message: "Time entry cannot exceed 16 hours")
  static let tooShort = Refusal(
    status: 422, code: "too_short", message: "Time entry must be at least 1 minute long")
  static let tooFarBack = Refusal(
    status: 422, code: "too_far_back", message: "The time cannot be more than 72 hours ago")
  static let entryActive = Refusal(
    status: 409, code: "entry_active", message: "The time entry is still active. Please clock out first.")
  static let editWindowClosed = Refusal(
    status: 403, code: "edit_window_closed",
    message: "This entry can no longer be changed. Ask a manager.")
  static let alreadyClockedIn = Refusal(
    status: 409, code: "already_clocked_in",
    message: "You already have an active time entry. Please clock out first.")
  static let notClockedIn = Refusal(
    status: 409, code: "not_clocked_in", message: "No active time entry found. Please clock in first.")
  static let sessionNotFound = Refusal(
    status: 422, code: "session_not_found", message: "There is no such session in this organization.")
  static let reasonRequired = Refusal(
    status: 422, code: "reason_required",
    message: "State a reason for changing or deleting another member's record.")
  static let reasonInvalid = Refusal(
    status: 422, code: "reason_invalid",
    message:
      "The reason cannot exceed 500 characters, nor hold control characters or bidirectional overrides")

  static func overlap(_ count: Int) -> Refusal {
    Refusal(
      status: 409, code: "overlap",
      message: "The time overlaps \(count) other time \(count == 1 ? "entry" : "entries") of the same member."
    )
  }
}

extension Fixture {
  /// Every refusal of the rules of time, at its limit, one below and one above, with its code and its message.
  static let refusalLimits = Fixture(scenarios: Scenario.refusalLimits)
}

extension Scenario {
  fileprivate static let refusalLimits: [Scenario] = [
    Scenario("at the limit: notes and reasons have at most 500 code points, and not every one of them") {
      world in
      let id = try await world.makeEntry(of: world.home.manager)
      for (text, notes, reason) in world.limitTexts {
        for (name, refusal) in [("notes", notes), ("reason", reason)] {
          let update = world.call(
            "updateTimeEntry", as: world.home.manager, path: ["timeEntryId": id],
            body: .object([JSONValue.Member(name, .string(text))]), ifMatch: "*")
          try await world.expect(update, 200, or: refusal, "\(name) \(text.debugDescription.suffix(60))")
        }
      }
      let other = try await world.makeEntry(of: world.home.member)
      for (body, refusal) in [
        (["notes": "a"], .reasonRequired), (["reason": " \t\n"], .reasonRequired), (["reason": "b"], nil),
      ] as [(JSONValue, Refusal?)] {
        let update = world.call(
          "updateTimeEntry", as: world.home.manager, path: ["timeEntryId": other], body: body, ifMatch: "*")
        try await world.expect(update, 200, or: refusal, body.text)
      }
    },
    Scenario("at the limit: times of manual and edited entries") { world in
      let edited = try await world.makeEntry(
        of: world.home.manager, from: "2026-11-01T08:00:00Z", to: "2026-11-01T09:00:00Z")
      // Now is noon of the 20th.
      let cases: [(from: String, to: String, refusal: Refusal?)] = [
        ("20T11:00:00", "20T12:01:59.999", nil), ("20T11:00:00", "20T12:02:00", nil),
        ("20T11:00:00", "20T12:02:00.001", .inFuture), ("20T11:59:00.001", "20T12:02:00", .tooShort),
        ("20T13:00:00", "20T12:30:00", .inFuture),
        ("19T10:00:00", "19T09:59:59.999", .endNotAfterStart),
        ("19T10:00:00", "19T10:00:00", .endNotAfterStart),
        ("19T10:00:00", "19T10:00:00.001", .tooShort), ("19T10:00:00", "19T10:00:59.999", .tooShort),
        ("19T10:00:00", "19T10:01:00", nil), ("19T10:00:00", "19T10:01:00.001", nil),
        ("18T10:00:00", "19T01:59:59.999", nil), ("18T10:00:00", "19T02:00:00", nil),
        ("18T10:00:00", "19T02:00:00.001", .tooLong),
      ]
      for (from, to, refusal) in cases {
        let body: JSONValue = [
          "clockInTime": .string("2026-11-\(from)Z"), "clockOutTime": .string("2026-11-\(to)Z"),
        ]
        let create = world.call("createTimeEntry", as: world.home.member, body: body)
        let reply = try await world.expect(create, 201, or: refusal, "a new entry from \(from) to \(to)")
        if refusal == nil { try await world.delete(reply, as: world.home.member) }
        let update = world.call(
          "updateTimeEntry", as: world.home.manager, path: ["timeEntryId": edited], body: body, ifMatch: "*")
        try await world.expect(update, 200, or: refusal, "an edited entry from \(from) to \(to)")
      }
    },
    Scenario("at the limit: entries touch, and never share a millisecond") { world in
      let member = world.home.member
      try await world.makeEntry(of: member, from: "2026-11-18T22:00:00Z", to: "2026-11-19T02:00:00Z")
      try await world.makeEntry(of: member, from: "2026-11-19T08:00:00Z", to: "2026-11-19T10:00:00Z")
      try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-20T08:00:00Z"]), 201)
      let cases: [(from: String, to: String, refusal: Refusal?)] = [
        ("19T02:00:00", "19T08:00:00", nil), ("19T01:59:59.999", "19T08:00:00", .overlap(1)),
        ("19T02:00:00", "19T08:00:00.001", .overlap(1)), ("19T01:59:59.999", "19T08:00:00.001", .overlap(2)),
        ("18T21:00:00", "18T22:00:00", nil), ("18T21:00:00", "18T22:00:00.001", .overlap(1)),
        ("19T10:00:00", "19T11:00:00", nil), ("19T09:59:59.999", "19T11:00:00", .overlap(1)),
        ("19T08:30:00", "19T09:30:00", .overlap(1)), ("19T08:00:00", "19T10:00:00", .overlap(1)),
        // An active entry has no end.
        ("20T07:00:00", "20T08:00:00", nil), ("20T07:00:00", "20T08:00:00.001", .overlap(1)),
        ("20T11:00:00", "20T12:00:00", .overlap(1)),
      ]
      for (from, to, refusal) in cases {
        let body: JSONValue = [
          "clockInTime": .string("2026-11-\(from)Z"), "clockOutTime": .string("2026-11-\(to)Z"),
        ]
        let create = world.call("createTimeEntry", as: member, body: body)
        let reply = try await world.expect(create, 201, or: refusal, "\(from) to \(to)")
        guard refusal == nil else { continue }
        // The entry that is edited is not in its own way.
        let id = try World.text(reply.json["id"])
        let update = world.call(
          "updateTimeEntry", as: member, path: ["timeEntryId": id],
          body: body.setting("timeZone", to: "UTC"), ifMatch: reply.etag)
        try await world.delete(try await world.client.expect(update, 200), as: member)
      }
    },
    Scenario("at the limit: stated clock-ins and clock-outs lie between the look-back and now") { world in
      let member = world.home.member
      // Now is noon of the 20th, and the look-back 72 hours.
      let cases: [(time: String, refusal: Refusal?)] = [
        ("2026-11-20T12:02:00.001Z", .inFuture), ("2026-11-20T12:02:00Z", nil),
        ("2026-11-20T12:00:00.001Z", nil), ("2026-11-20T12:00:00Z", nil),
        ("2026-11-20T11:59:59.999Z", nil), ("2026-11-17T12:00:00.001Z", nil), ("2026-11-17T12:00:00Z", nil),
        ("2026-11-17T11:59:59.999Z", .tooFarBack),
      ]
      for (time, refusal) in cases {
        let clockIn = world.call("clockIn", as: member, body: ["clockInTime": .string(time)])
        try await world.expect(clockIn, 201, or: refusal, "clock-in \(time)")
        if refusal == nil {
          let out = try await world.client.expect(world.call("clockOut", as: member), 200)
          try await world.delete(out, as: member)
        }
      }
      for (time, refusal) in cases {
        // The entry began before the look-back: an hour has passed since, and the clock goes back again.
        let begin = "2026-11-17T11:30:00Z"
        world.service.clock.advance(seconds: -3_600)
        try await world.client.expect(
          world.call("clockIn", as: member, body: ["clockInTime": .string(begin)]), 201)
        world.service.clock.advance(seconds: 3_600)
        let clockOut = world.call("clockOut", as: member, body: ["clockOutTime": .string(time)])
        var out = try await world.expect(clockOut, 200, or: refusal, "clock-out \(time)")
        if refusal != nil {
          let byManager = world.call(
            "clockOut", as: world.home.manager,
            body: ["userId": .string(member.userID), "clockOutTime": .string(time)])
          // The limit of look-back does not apply to managers.
          let isAllowed = refusal?.code == "too_far_back"
          out = try await world.expect(byManager, 200, or: isAllowed ? nil : refusal, "a manager's \(time)")
          if !isAllowed { out = try await world.client.expect(world.call("clockOut", as: member), 200) }
        }
        try await world.delete(out, as: member)
      }
    },
    Scenario(
      "at the limit: a stated clock-out is after the clock-in, and a clock-in not before an entry's end"
    ) {
      world in
      let member = world.home.member
      try await world.makeEntry(of: member, from: "2026-11-20T08:00:00Z", to: "2026-11-20T10:00:00Z")
      for (time, refusal) in [
        ("2026-11-20T07:59:59.999Z", .overlap(1)), ("2026-11-20T09:59:59.999Z", .overlap(1)),
        ("2026-11-20T10:00:00Z", nil),
      ] as [(String, Refusal?)] {
        let clockIn = world.call("clockIn", as: member, body: ["clockInTime": .string(time)])
        try await world.expect(clockIn, 201, or: refusal, "clock-in \(time)")
      }
      for (time, refusal) in [
        ("2026-11-20T09:59:59.999Z", .endNotAfterStart), ("2026-11-20T10:00:00Z", .endNotAfterStart),
        ("2026-11-20T10:00:00.001Z", nil),
      ] as [(String, Refusal?)] {
        let clockOut = world.call("clockOut", as: member, body: ["clockOutTime": .string(time)])
        let out = try await world.expect(clockOut, 200, or: refusal, "clock-out \(time)")
        if refusal == nil { world.check(out.json["flags"] == ["under_minimum"], "a millisecond is flagged") }
      }
    },
    Scenario("at the limit: members change entries until 30 days after their end, to the millisecond") {
      world in
      // The first ends now, the other one an hour before.
      let ids = [
        try await world.makeEntry(
          of: world.home.member, from: "2026-11-20T11:00:00Z", to: "2026-11-20T12:00:00Z"),
        try await world.makeEntry(
          of: world.home.member, from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z"),
      ]
      func change(_ operationID: String, _ id: String, _ token: String) -> Call {
        world.call(operationID, as: world.home.member, path: ["timeEntryId": id], ifMatch: "*").with {
          $0.token = token
        }
      }
      world.service.clock.advance(milliseconds: 30 * 86_400_000 - 3_600_000)
      var token = try await world.logIn(world.home.member.email)
      try await world.expect(change("deleteTimeEntry", ids[1], token), 204, or: nil, "at the limit")
      world.service.clock.advance(milliseconds: 3_600_000 - 1)
      token = try await world.logIn(world.home.member.email)
      try await world.expect(change("updateTimeEntry", ids[0], token), 200, or: nil, "one below")
      world.service.clock.advance(milliseconds: 1)
      token = try await world.logIn(world.home.member.email)
      try await world.expect(change("updateTimeEntry", ids[0], token), 200, or: nil, "at the limit")
      world.service.clock.advance(milliseconds: 1)
      for operationID in ["updateTimeEntry", "deleteTimeEntry"] {
        try await world.expect(change(operationID, ids[0], token), 0, or: .editWindowClosed, operationID)
        let byManager = change(operationID, ids[0], try await world.logIn(world.home.manager.email)).with {
          if operationID == "updateTimeEntry" {
            $0.json = ["reason": "a"]
          } else {
            $0.query = [("reason", "a")]
          }
        }
        try await world.expect(
          byManager, operationID == "updateTimeEntry" ? 200 : 204, or: nil, "a manager, \(operationID)")
      }
    },
    Scenario("at the limit: what needs an active entry, and what needs none") { world in
      let member = world.home.member
      try await world.expect(world.call("clockOut", as: member), 200, or: .notClockedIn, "nothing is active")
      let active = try await world.expect(world.call("clockIn", as: member), 201, or: nil, "the first")
      try await world.expect(world.call("clockIn", as: member), 201, or: .alreadyClockedIn, "the second")
      let path = ["timeEntryId": try World.text(active.json["id"])]
      let update = world.call("updateTimeEntry", as: member, path: path, ifMatch: "*")
      let delete = world.call("deleteTimeEntry", as: member, path: path, ifMatch: "*")
      let ended = update.with { $0.json = ["clockOutTime": "2026-11-20T11:00:00Z"] }
      for call in [ended, delete] {
        if call.operationID == "deleteTimeEntry" { world.service.clock.advance(seconds: 121) }
        try await world.expect(call, 0, or: .entryActive, call.operationID)
      }
      try await world.expect(world.call("clockOut", as: member), 200, or: nil, "the active one")
      try await world.expect(world.call("clockOut", as: member), 200, or: .notClockedIn, "again")
      try await world.expect(update, 200, or: nil, "closed")
      try await world.expect(delete, 204, or: nil, "closed")
      let body: JSONValue = ["sessionId": .string(World.absentID)]
      try await world.expect(
        world.call("clockIn", as: member, body: body), 201, or: .sessionNotFound, "an absent session")
    },
  ]
}

extension World {
  /// Texts, and their refusals as notes and as a reason.
  fileprivate var limitTexts: [(text: String, notes: Refusal?, reason: Refusal?)] {
    var texts: [(String, Refusal?, Refusal?)] = []
    // Of 1, 2, 3 and 4 bytes, of two code points that look like one, and one that becomes four characters.
    for unit in ["x", "é", "€", "𝄞", "e\u{301}", "<"] {
      let size = unit.unicodeScalars.count
      let longest = String(repeating: unit, count: 500 / size)
      texts.append((String(repeating: "y", count: size - 1) + longest.dropLast() + "z", nil, nil))
      texts.append((" \n" + longest + "\t ", nil, nil))
      texts.append((longest + "x", .notesTooLong, .reasonInvalid))
    }
    for value in [0, 8, 0xB, 0xC, 0xD, 0x1F, 0x7F, 0x80, 0x85, 0x9F] + Array(0x202A...0x202E)
      + Array(0x2066...0x2069)
      as [UInt32]
    {
      guard let scalar = Unicode.Scalar(value) else { continue }
      texts.append(("a\(scalar)b", .notesInvalid, .reasonInvalid))
    }
    for value in [9, 0xA, 0x20, 0x7E, 0xA0, 0x2029, 0x202F, 0x2065, 0x206A] as [UInt32] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      texts.append(("a\(scalar)b", nil, nil))
    }
    return texts
  }

  /// Notes a finding unless the call succeeds, or is refused with the code and message of the stated refusal.
  @discardableResult
  fileprivate func expect(
    _ call: Call, _ status: Int, or refusal: Refusal?, _ comment: String
  ) async throws -> ContractClient.Reply {
    guard let refusal else { return try await client.expect(call, status, comment: comment) }
    let reply = try await client.expect(call, refusal.status, code: refusal.code, comment: comment)
    check(
      reply.json["detail"]?.string == refusal.message,
      "\(comment): the message is \(reply.json["detail"]?.text ?? "")")
    return reply
  }

  /// Deletes the entry of an answer.
  func delete(_ entry: ContractClient.Reply, as person: Person) async throws {
    let id = try Self.text(entry.json["id"])
    try await client.expect(
      call("deleteTimeEntry", as: person, path: ["timeEntryId": id], ifMatch: entry.etag), 204)
  }
}
