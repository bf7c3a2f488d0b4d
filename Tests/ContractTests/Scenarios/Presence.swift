import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// The members who are clocked in.
  static let presence = Fixture(scenarios: Scenario.presence)
}

extension Scenario {
  fileprivate static let presence: [Scenario] = [
    Scenario(
      "presence shows who is clocked in, since when and how long today, the longest first"
    ) {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      let call = world.call("getPresence", as: manager)
      let nobody = try await world.client.expect(call, 200)
      world.check(
        nobody.json == ["presence": [], "serverTime": "2026-11-20T12:00:00.000Z", "nextCursor": .null],
        nobody.json.text)
      // Kathmandu's day began at 18:15. Whole seconds are cut once: 3600, 60.5, 60.7 and 3599.6 are 7320.8.
      for (from, to) in [
        ("2026-11-19T12:00:00Z", "2026-11-19T13:00:00Z"), ("2026-11-19T17:15:00Z", "2026-11-19T19:15:00Z"),
        ("2026-11-20T06:00:00.400Z", "2026-11-20T06:01:00.900Z"),
        ("2026-11-20T07:00:00Z", "2026-11-20T07:01:00.700Z"),
      ] {
        try await world.makeEntry(of: member, from: from, to: to)
      }
      let entry = try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-20T11:00:00.400Z"]), 201)
      // A day of UTC, for a member with another zone than the organization's.
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": manager.userID],
        body: ["timeZone": "UTC", "name": "Móna <b>"], ifMatch: "*")
      try await world.client.expect(update, 200)
      let old = try await world.client.expect(
        world.call("clockIn", as: manager, body: ["clockInTime": "2026-11-18T12:00:00Z"]), 201)
      let listed: [JSONValue] = [
        [
          "userId": .string(manager.userID), "name": "Móna <b>", "timeEntryId": old.json["id"] ?? .null,
          "clockInTime": "2026-11-18T12:00:00.000Z", "sessionId": .null, "source": "api",
          "status": "clocked-in", "segment": .null, "secondsToday": 43_200, "breakSeconds": 0,
          "overMaximum": true,
        ],
        [
          "userId": .string(member.userID), "name": "A Person", "timeEntryId": entry.json["id"] ?? .null,
          "clockInTime": "2026-11-20T11:00:00.400Z", "sessionId": .null, "source": "api",
          "status": "clocked-in", "segment": .null, "secondsToday": 7_320, "breakSeconds": 0,
          "overMaximum": false,
        ],
      ]
      for (query, expected) in [
        ([], listed), ([("overMaximum", "true")], [listed[0]]), ([("overMaximum", "false")], [listed[1]]),
      ] as [([(String, String)], [JSONValue])] {
        let shown = try await world.client.expect(call.with { $0.query = query }, 200)
        world.check(shown.json["presence"]?.elements == expected, "\(query): \(shown.json.text)")
      }
      try await world.client.expect(world.call("clockOut", as: member), 200)
      let left = try await world.client.expect(call, 200)
      world.check(left.json["presence"]?.elements == [listed[0]], "who has clocked out is there")
    },
    Scenario("presence shows what runs, and the breaks of today") { world in
      let member = world.home.member
      let call = world.call("getPresence", as: world.home.manager)
      let project = try await world.projectID()
      let (unpaid, paid) = (try await world.breakTypeID(), try await world.breakTypeID(isPaid: true))
      func start(_ body: JSONValue) async throws -> JSONValue {
        try await world.client.expect(world.start(body, as: member), 201).json["segment"]?["id"] ?? .null
      }
      func check(_ status: JSONValue, _ segment: JSONValue, _ seconds: JSONValue, _ comment: String)
        async throws
      {
        let reply = try await world.client.expect(call, 200, comment: comment)
        let shown = reply.json["presence"]?.elements.first
        world.checkMembers(shown, ["status": status, "breakSeconds": seconds])
        world.checkMembers(shown?["segment"], segment)
      }
      _ = try await start(["projectId": project, "name": "Shelves"])
      let work: JSONValue = [
        "kind": "work", "projectId": project, "taskId": .null, "breakTypeId": .null, "name": "Shelves",
      ]
      try await check("clocked-in", work, 0, "at work")
      world.service.clock.advance(seconds: 600)
      let running = try await start(["breakTypeId": unpaid])
      let rest: JSONValue = [
        "id": running, "kind": "break", "projectId": .null, "taskId": .null, "breakTypeId": unpaid,
        "name": "Break",
        "startTime": "2026-11-20T12:10:00.000Z",
      ]
      try await check("on-break", rest, 0, "a break begins")
      let tag = try await world.client.expect(call, 200).etag ?? ""
      world.service.clock.advance(seconds: 754)
      try await check("on-break", rest, 754, "a break goes on")
      let asking = call.with { $0.headers.append(("If-None-Match", tag)) }
      try await world.client.expect(asking, 304, comment: "nothing but time has passed")
      try await world.client.expect(world.call("stopSegment", as: member), 200)
      try await world.client.expect(asking, 200, comment: "the break has ended")
      try await check("clocked-in", work, 754, "back at work")
      world.service.clock.advance(seconds: 60)
      try await check("clocked-in", work, 754, "work is no break")
      _ = try await start(["breakTypeId": paid])
      world.service.clock.advance(milliseconds: 2_999)
      try await check("on-break", ["kind": "break", "breakTypeId": paid], 756, "a paid one counts, too")
      // The next day begins in Kathmandu, on the same break.
      try world.advance(to: "2026-11-20T18:15:00Z")
      let manager = try await world.logIn(world.home.manager.email)
      let later = try await world.client.expect(call.with { $0.token = manager }, 200).json["presence"]?
        .elements.first
      world.check(later?["breakSeconds"] == 0, "at midnight: \(later?.text ?? "")")
      world.service.clock.advance(seconds: 61)
      let last = try await world.client.expect(call.with { $0.token = manager }, 200).json["presence"]?
        .elements.first
      world.check(last?["breakSeconds"] == 61, "a minute past midnight: \(last?.text ?? "")")
    },
    Scenario("an entry is over the maximum once it is longer, and follows the policy that is in force") {
      world in
      try await world.client.expect(world.call("clockIn", as: world.home.member), 201)
      let call = world.call("getPresence", as: world.home.manager)
      func isOver() async throws -> JSONValue? {
        let shown = try await world.client.expect(call, 200)
        let isOver = shown.json["presence"]?.elements.first?["overMaximum"]
        let query = [(name: "overMaximum", value: "true")]
        let over = try await world.client.expect(call.with { $0.query = query }, 200)
        world.check(over.json["presence"]?.elements.count == (isOver == true ? 1 : 0), "the list differs")
        return isOver
      }
      world.service.clock.advance(seconds: 57_600)
      world.check(try await isOver() == false, "over at the maximum")
      world.service.clock.advance(milliseconds: 1)
      world.check(try await isOver() == true, "not over behind the maximum")
      try await world.changePolicy(["maximumSeconds": 57_601])
      world.check(try await isOver() == false, "another policy")
    },
    Scenario("today is the date of the member's zone, of 23 hours and of 25") { world in
      let zoned = world.call(
        "updateOrganization", as: world.home.admin, body: ["timeZone": "Europe/Berlin"], ifMatch: "*")
      try await world.client.expect(zoned, 200)
      // Clocks go forward on 28 March 2027, and back on 31 October.
      for (begin, end, seconds) in [
        ("2027-03-27T22:00:00Z", "2027-03-28T21:59:59.999Z", 23 * 3_600 - 1),
        ("2027-10-30T21:00:00Z", "2027-10-31T22:59:59.999Z", 25 * 3_600 - 1),
      ] as [(String, String, Int64)] {
        try world.advance(to: begin)
        let manager = try await world.logIn(world.home.manager.email)
        let member = try await world.logIn(world.home.member.email)
        let call = world.call("getPresence", as: world.home.manager).with { $0.token = manager }
        // From an hour before midnight to half an hour after it, and on at once.
        let clockIn = world.call("clockIn", as: world.home.member).with { $0.token = member }
        try await world.client.expect(clockIn, 201)
        world.service.clock.advance(seconds: 5_400)
        try await world.client.expect(
          world.call("clockOut", as: world.home.member).with { $0.token = member }, 200)
        try await world.client.expect(clockIn, 201)
        try world.advance(to: end)
        let last = try await world.client.expect(call, 200).json["presence"]?.elements.first
        world.check(last?["secondsToday"]?.integer == seconds, "the last second: \(last?.text ?? "")")
        world.service.clock.advance(milliseconds: 1)
        let next = try await world.client.expect(call, 200).json["presence"]?.elements.first
        world.check(next?["secondsToday"] == 0, "the next day: \(next?.text ?? "")")
        world.service.clock.advance(milliseconds: 1_999)
        let later = try await world.client.expect(call, 200).json["presence"]?.elements.first
        world.check(later?["secondsToday"] == 1, "two seconds less one millisecond: \(later?.text ?? "")")
        try await world.client.expect(
          world.call("clockOut", as: world.home.member).with { $0.token = member }, 200)
      }
    },
    Scenario("presence comes in pages, and a page goes on though people come and go meanwhile") { world in
      let (member, manager, admin) = (world.home.member, world.home.manager, world.home.admin)
      for (person, time) in [(member, "09"), (manager, "07"), (admin, "08")] {
        let body: JSONValue = ["clockInTime": .string("2026-11-20T\(time):00:00Z")]
        try await world.client.expect(world.call("clockIn", as: person, body: body), 201)
      }
      for limit in [1, 2, 3, 1_000] {
        let shown = try await world.pages("getPresence", "presence", as: manager, limit: limit)
        let people = shown.compactMap { $0["userId"]?.string }
        world.check(people == [manager.userID, admin.userID, member.userID], "limit \(limit): \(people)")
      }
      let call = world.call("getPresence", as: manager, query: [("limit", "1")])
      let first = try await world.client.expect(call, 200)
      try await world.client.expect(world.call("clockOut", as: manager), 200)
      try await world.client.expect(world.call("clockIn", as: manager), 201)
      let cursor = (name: "cursor", value: try World.text(first.json["nextCursor"]))
      let rest = try await world.client.expect(
        call.with { $0.query = [("limit", "3"), cursor] }, 200)
      let people = rest.json["presence"]?.elements.compactMap { $0["userId"]?.string }
      world.check(people == [admin.userID, member.userID, manager.userID], "\(people ?? [])")
      let other = call.with { $0.query = [("overMaximum", "true"), cursor] }
      try await world.client.expect(
        other, 400, code: "invalid_parameter", comment: "a cursor of another list")
    },
  ]
}

extension World {
  /// Lets time pass until an instant.
  func advance(to text: String) throws {
    guard let instant = Instant(rfc3339: text) else { throw DocumentError("\(text) is no instant") }
    service.clock.advance(to: instant)
  }
}
