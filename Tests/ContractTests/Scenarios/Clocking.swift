@testable import ContractDocument

extension Fixture {
  /// Clocking in and out.
  static let clocking = Fixture(
    scenarios: Scenario.clocking,
    baselines: [
      "clockOut": { world, _ in
        try await world.client.expect(world.call("clockIn", as: world.home.member), 201)
      }
    ],
    foreignIDs: { world, away in
      for person in [away.manager, away.admin] {
        try await world.client.expect(world.call("clockIn", as: person, in: away), 201)
      }
      return [:]
    })
}

extension Scenario {
  fileprivate static let clocking: [Scenario] = [
    Scenario("a clock-in is where Location says, and running until the clock-out") { world in
      let member = world.home.member
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      let id = try World.text(entry.json["id"])
      let path = "/v1/organizations/\(world.home.organizationID)/timeEntries/\(id)"
      world.check(entry.location == path, "Location is \(entry.location ?? "none")")
      world.check(entry.json["clockInTime"] == "2026-11-20T12:00:00.000Z", "another clock-in time")
      world.check(
        entry.json["timeZone"] == "Asia/Kathmandu" && entry.json["source"] == "api", "zone or source")
      let read = world.call("getTimeEntry", as: member, path: ["timeEntryId": id])
      let reply = try await world.client.expect(read, 200)
      world.check(reply.json == entry.json && reply.etag == entry.etag, "getTimeEntry answers something else")
      world.service.clock.advance(seconds: 90)
      let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      world.check(current.json["status"] == "clocked-in", "not clocked in")
      world.check(current.json["timeEntry"]?["durationSeconds"] == 90, "the duration does not run")
      let out = try await world.client.expect(world.call("clockOut", as: member, body: ["notes": " "]), 200)
      world.check(out.json["clockOutTime"] == "2026-11-20T12:01:30.000Z", "another clock-out time")
      world.check(out.json["status"] == "clocked-out" && out.json["flags"] == [], "status or flags")
      world.check(out.etag != entry.etag, "the entity tag has not changed")
      let after = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      world.check(
        after.json["timeEntry"] == .null && after.json["status"] == "clocked-out", "still clocked in")
    },
    Scenario("a second clock-in answers the entry that runs") { world in
      let member = world.home.member
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      for caller in [member, world.home.manager] {
        let call = world.call("clockIn", as: caller, body: ["userId": .string(member.userID)])
        let second = try await world.client.expect(call, 409, code: "already_clocked_in")
        world.check(second.json["activeTimeEntry"] == entry.json, "another active entry")
      }
    },
    Scenario("clocking out without an active entry is refused") { world in
      try await world.refuses(
        world.call("clockOut", as: world.home.member), 409, ["not_clocked_in"], "no active entry")
    },
    Scenario("managers clock others in and out, members only themselves") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let forMember: JSONValue = ["userId": .string(member.userID)]
      let forManager: JSONValue = ["userId": .string(manager.userID)]
      for (operationID, status) in [("clockIn", 201), ("clockOut", 200)] {
        let call = world.call(operationID, as: member, body: forManager)
        try await world.refuses(call, 403, ["forbidden"], "for somebody else")
        let reply = try await world.client.expect(
          world.call(operationID, as: manager, body: forMember), status)
        world.check(reply.json["source"] == "admin", "the source is not the manager")
      }
      world.service.clock.advance(seconds: 60)
      for (operationID, status) in [("clockIn", 201), ("clockOut", 200)] {
        try await world.client.expect(world.call(operationID, as: member, body: forMember), status)
      }
    },
    Scenario("a stated time up to two minutes ahead counts as now, and the answer says so") { world in
      let member = world.home.member
      func check(_ reply: ContractClient.Reply, _ ahead: Int64?, clockIn: String, clockOut: String?) {
        world.check(reply.json["clockAheadMilliseconds"] == ahead.map { .integer($0) }, "\(reply.json)")
        world.check(reply.json["clockInTime"] == .string(clockIn), "\(reply.json)")
        world.check(reply.json["clockOutTime"] == (clockOut.map { .string($0) } ?? .null), "\(reply.json)")
      }
      let noon = "2026-11-20T12:00:00.000Z"
      let begun = try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-20T12:02:00Z"]), 201)
      check(begun, 120_000, clockIn: noon, clockOut: nil)
      // It is the same as an unstated one, which ends a millisecond after the clock-in, and is followed by the next.
      let ended = try await world.client.expect(
        world.call("clockOut", as: member, body: ["clockOutTime": "2026-11-20T12:00:00.002Z"]), 200)
      check(ended, 1, clockIn: noon, clockOut: "2026-11-20T12:00:00.001Z")
      let again = try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-20T12:00:30Z"]), 201)
      check(again, 29_999, clockIn: "2026-11-20T12:00:00.001Z", clockOut: nil)
      let exact = try await world.client.expect(
        world.call(
          "updateTimeEntry", as: member, path: ["timeEntryId": try World.text(again.json["id"])],
          body: ["clockInTime": "2026-11-20T12:00:00.001Z"], ifMatch: again.etag), 200)
      check(exact, nil, clockIn: "2026-11-20T12:00:00.001Z", clockOut: nil)
      try await world.delete(exact, as: member)
      let manual = try await world.client.expect(
        world.call(
          "createTimeEntry", as: world.home.manager,
          body: ["clockInTime": "2026-11-20T11:00:00Z", "clockOutTime": "2026-11-20T12:01:00Z"]), 201)
      check(manual, 60_000, clockIn: "2026-11-20T11:00:00.000Z", clockOut: noon)
      let shown = try await world.client.expect(
        world.call(
          "getTimeEntry", as: world.home.manager, path: ["timeEntryId": try World.text(manual.json["id"])]),
        200)
      check(shown, nil, clockIn: "2026-11-20T11:00:00.000Z", clockOut: noon)
    },
    Scenario("a stated clock-in lies between the look-back and now") { world in
      let call = world.call("clockIn", as: world.home.member)
      for (time, code) in [
        ("2026-11-20T12:02:00.001Z", "in_future"), ("2026-11-17T11:59:59.999Z", "too_far_back"),
        ("1900-01-01T00:00:00Z", "too_far_back"), ("9999-12-31T23:59:59Z", "in_future"),
      ] {
        try await world.refuses(call.with { $0.json = ["clockInTime": .string(time)] }, 422, [code], time)
      }
      let oldest = call.with { $0.json = ["clockInTime": "2026-11-17T17:45:00+05:45"] }
      let entry = try await world.client.expect(oldest, 201)
      world.check(entry.json["clockInTime"] == "2026-11-17T12:00:00.000Z", "another time")
    },
    Scenario("a stated clock-in reaches over no other entry") { world in
      let member = world.home.member
      let other = try await world.makeEntry(of: member)
      let call = world.call("clockIn", as: member)
      for time in ["2026-11-19T07:00:00Z", "2026-11-19T08:00:00Z", "2026-11-19T09:59:59.999Z"] {
        let spoiled = call.with { $0.json = ["clockInTime": .string(time)] }
        let reply = try await world.client.expect(spoiled, 409, code: "overlap", comment: time)
        world.check(reply.json["count"] == 1, "count")
        world.check(reply.json["overlaps"]?.elements.first?["id"]?.string == other, "another entry")
      }
      try await world.client.expect(call.with { $0.json = ["clockInTime": "2026-11-19T10:00:00Z"] }, 201)
    },
    Scenario("a member whose clock was ahead learns until when clocking in is refused") { world in
      let member = world.home.member
      let (clockIn, clockOut) = (world.call("clockIn", as: member), world.call("clockOut", as: member))
      world.service.clock.advance(seconds: 7_200)
      try await world.client.expect(clockIn, 201)
      world.service.clock.advance(seconds: 600)
      let out = try await world.client.expect(clockOut, 200)
      // It is put right.
      world.service.clock.advance(seconds: -7_200)
      for call in [
        clockIn, clockIn.with { $0.idempotencyKey = "k" }, clockIn.with { $0.idempotencyKey = "k" },
      ] {
        let reply = try await world.client.expect(call, 409, code: "clocked_out_later")
        world.check(reply.json["clockOutTime"] == out.json["clockOutTime"], reply.json.text)
        world.check(reply.json["count"] == 1, "count")
        world.check(reply.json["overlaps"]?.elements.map { $0["id"] } == [out.json["id"]], "another entry")
      }
      try await world.client.expect(
        clockIn.with { $0.json = ["clockInTime": "2026-11-20T12:05:00Z"] }, 409, code: "clocked_out_later")
      world.service.clock.advance(seconds: 7_200)
      try await world.client.expect(clockIn, 201)
    },
    Scenario("a stated clock-out lies between the clock-in and now") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.client.expect(world.call("clockIn", as: member), 201)
      world.service.clock.advance(seconds: 80 * 3_600)
      let call = world.call("clockOut", as: member)
      for (time, code) in [
        ("2026-11-23T20:02:00.001Z", "in_future"), ("2026-11-20T13:00:00Z", "too_far_back"),
        ("2026-11-20T19:59:59.999Z", "too_far_back"),
      ] {
        try await world.refuses(call.with { $0.json = ["clockOutTime": .string(time)] }, 422, [code], time)
      }
      let byManager = world.call("clockOut", as: manager)
      for time in ["2026-11-20T12:00:00Z", "2026-11-20T11:00:00Z", "1900-01-01T00:00:00Z"] {
        let body: JSONValue = ["userId": .string(member.userID), "clockOutTime": .string(time)]
        try await world.refuses(byManager.with { $0.json = body }, 422, ["end_not_after_start"], time)
      }
      let body: JSONValue = ["userId": .string(member.userID), "clockOutTime": "2026-11-20T13:00:00Z"]
      let out = try await world.client.expect(byManager.with { $0.json = body }, 200)
      world.check(out.json["durationSeconds"] == 3_600, "another duration")
    },
    Scenario("clocking out always works; what is too long or too short is flagged") { world in
      let member = world.home.member
      for (seconds, flags): (Int64, JSONValue) in [
        (0, ["under_minimum"]), (59, ["under_minimum"]), (60, []), (57_600, []), (57_601, ["over_maximum"]),
      ] {
        try await world.client.expect(world.call("clockIn", as: member), 201)
        world.service.clock.advance(seconds: seconds)
        let out = try await world.client.expect(world.call("clockOut", as: member), 200)
        world.check(out.json["flags"] == flags, "\(seconds) s: flags \(out.json["flags"]?.text ?? "")")
        world.service.clock.advance(seconds: 60)
      }
    },
  ]
}
