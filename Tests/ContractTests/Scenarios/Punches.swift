@testable import ContractDocument

extension Fixture {
  /// The punches of devices that were offline.
  static let punches = Fixture(scenarios: Scenario.punches)
}

extension Scenario {
  fileprivate static let punches: [Scenario] = [
    Scenario("a queue of punches is applied once, however often and in whichever parts it comes") { world in
      let member = world.home.member
      let project = try await world.projectID()
      // The clock stands at 2026-11-20T12:00:00Z.
      let queue: [JSONValue] = [
        World.punch(5, "clockOut", "2026-11-20T11:30:00Z", ["notes": "Done"]),
        World.punch(1, "clockIn", "2026-11-20T08:00:00Z"),
        World.punch(2, "startSegment", "2026-11-20T08:10:00Z", ["projectId": project, "name": "Rows"]),
        World.punch(3, "stopSegment", "2026-11-20T09:10:00Z"),
      ]
      let first = try await world.punch(Array(queue[1...]), as: member)
      world.check(first.map { $0["status"] } == ["applied", "applied", "applied"], "\(first.map(\.text))")
      let whole = try await world.punch(queue, as: member)
      world.check(
        whole.map { $0["status"] } == ["applied", "duplicate", "duplicate", "duplicate"],
        "\(whole.map(\.text))")
      world.check(Set(whole.map { $0["timeEntryId"] }).count == 1, "\(whole.map(\.text))")
      world.check(whole[2]["segmentId"] == first[1]["segmentId"], "\(whole.map(\.text))")
      let again = try await world.punch(queue, as: member)
      world.check(
        again.map { $0["status"] } == Array(repeating: "duplicate", count: 4), "\(again.map(\.text))")
      let entries =
        try await world.client.expect(world.call("listTimeEntries", as: member), 200)
        .json["timeEntries"]?.elements ?? []
      world.check(
        entries.map { $0["durationSeconds"] } == [12_600] && entries.first?["notes"] == "Done", "\(entries)")
      let segments =
        try await world.client.expect(world.call("listSegments", as: member), 200)
        .json["segments"]?.elements ?? []
      world.check(segments.map { $0["durationSeconds"] } == [3_600], "\(segments)")
      // Another's punch of the same id is another one, and the same id of another time is none.
      let others = try await world.punch([queue[1]], as: world.home.manager)
      world.check(others.map { $0["status"] } == ["applied"], "\(others.map(\.text))")
      let reused = try await world.punch([World.punch(1, "clockIn", "2026-11-20T07:00:00Z")], as: member)
      world.check(
        reused.map { $0["problem"]?["code"] } == ["idempotency_key_reused"], "\(reused.map(\.text))")
      world.service.clock.advance(seconds: 91 * 86_400)
    },
    Scenario("a clock-in that comes too late is entered with its clock-out, or refused") { world in
      let member = world.home.member
      // Further back than the look-back of 72 hours; the next ones are before the running entry.
      let old = [
        World.punch(1, "clockIn", "2026-11-10T08:00:00Z", ["notes": "Market"]),
        World.punch(2, "clockOut", "2026-11-10T16:00:00Z"),
      ]
      let entered = try await world.punch(old, as: member)
      world.check(entered.map { $0["status"] } == ["applied", "applied"], "\(entered.map(\.text))")
      world.check(entered[0]["timeEntryId"] == entered[1]["timeEntryId"], "\(entered.map(\.text))")
      for part in [old, [old[1]], [old[0]]] {
        let again = try await world.punch(part, as: member)
        world.check(again.allSatisfy { $0["status"] == "duplicate" }, "\(again.map(\.text))")
      }
      try await world.client.expect(world.call("clockIn", as: member), 201)
      let yesterday = [
        World.punch(3, "clockIn", "2026-11-19T08:00:00Z"), World.punch(4, "clockOut", "2026-11-19T16:00:00Z"),
      ]
      let alone = try await world.punch([yesterday[0]], as: member)
      world.check(
        alone.map { $0["status"] } == ["waiting"]
          && alone.map { $0["problem"]?["code"] } == ["already_clocked_in"],
        "\(alone.map(\.text))")
      let both = try await world.punch(yesterday, as: member)
      world.check(both.map { $0["status"] } == ["applied", "applied"], "\(both.map(\.text))")
      let project = try await world.projectID()
      let forProject = [
        World.punch(5, "clockIn", "2026-11-09T08:00:00Z", ["projectId": project]),
        World.punch(6, "clockOut", "2026-11-09T10:00:00Z"),
      ]
      let worked = try await world.punch(forProject, as: member)
      world.check(
        worked.allSatisfy { $0["segmentId"] != .null && $0["timeEntryId"] != .null }, "\(worked.map(\.text))")
      let noted = [
        World.punch(7, "clockIn", "2026-11-08T08:00:00Z", ["projectId": project, "notes": "Both"]),
        World.punch(8, "clockOut", "2026-11-08T10:00:00Z"),
      ]
      let withNotes = try await world.punch(noted, as: member)
      world.check(
        withNotes.allSatisfy { $0["status"] == "applied" && $0["segmentId"] != .null },
        "\(withNotes.map(\.text))")
      world.service.clock.advance(seconds: 3_600)
      let later = try await world.punch([World.punch(9, "clockOut", "2026-11-20T12:30:00Z")], as: member)
      world.check(later.map { $0["status"] } == ["applied"], "\(later.map(\.text))")
      // Nothing is running: refused, and judged again when it comes again.
      let stop = World.punch(10, "stopSegment", "2026-11-20T12:30:00Z")
      for _ in 0..<2 {
        let nothing = try await world.punch([stop], as: member)
        world.check(nothing.map { $0["problem"]?["code"] } == ["no_active_segment"], "\(nothing.map(\.text))")
      }
    },
    Scenario("a punch up to two minutes ahead counts as now, and its result says so") { world in
      let member = world.home.member
      let project = try await world.projectID()
      let queue = [
        World.punch(1, "clockIn", "2026-11-20T12:00:30Z"),
        World.punch(2, "startSegment", "2026-11-20T12:00:45Z", ["projectId": project]),
      ]
      let begun = try await world.punch(queue, as: member)
      world.check(begun.map { $0["status"] } == ["applied", "applied"], "\(begun.map(\.text))")
      world.check(
        begun.map { $0["clockAheadMilliseconds"] } == [30_000, 45_000], "\(begun.map(\.text))")
      let again = try await world.punch(queue, as: member)
      world.check(
        again.allSatisfy { $0["status"] == "duplicate" && $0["clockAheadMilliseconds"] == nil },
        "\(again.map(\.text))")
      world.service.clock.advance(seconds: 600)
      let ended = try await world.punch(
        [
          World.punch(3, "stopSegment", "2026-11-20T12:10:00Z"),
          World.punch(4, "clockOut", "2026-11-20T12:12:00Z"),
        ], as: member)
      world.check(
        ended.map { $0["clockAheadMilliseconds"] } == [nil, 120_000], "\(ended.map(\.text))")
      // A clock-in that comes after a later one is entered with its clock-out, which alone is ahead.
      try await world.client.expect(world.call("clockIn", as: world.home.manager), 201)
      let pair = [
        World.punch(5, "clockIn", "2026-11-20T11:00:00Z"), World.punch(6, "clockOut", "2026-11-20T12:11:00Z"),
      ]
      let entered = try await world.punch(pair, as: world.home.manager)
      world.check(entered.map { $0["status"] } == ["applied", "applied"], "\(entered.map(\.text))")
      world.check(entered.map { $0["clockAheadMilliseconds"] } == [nil, 60_000], "\(entered.map(\.text))")
    },
    Scenario("a punch has what its type has, and is for oneself, or for another by a manager") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let wrong: [JSONValue] = [
        World.punch(1, "clockIn", "2026-11-20T08:00:00Z", ["name": "x"]),
        World.punch(1, "clockOut", "2026-11-20T08:00:00Z", ["projectId": .string(World.absentID)]),
        World.punch(1, "startSegment", "2026-11-20T08:00:00Z"),
        World.punch(
          1, "startSegment", "2026-11-20T08:00:00Z",
          ["projectId": .string(World.absentID), "breakTypeId": .string(World.absentID)]),
        World.punch(1, "stopSegment", "2026-11-20T08:00:00Z", ["notes": "x"]),
        World.punch(1, "lunch", "2026-11-20T08:00:00Z"), ["id": "x", "type": "clockIn", "at": "now"],
      ]
      // An unreadable one is refused alone: nothing of it is applied, and all of its neighbors are.
      for (place, punch) in (wrong + ["clockIn", nil, [:]]).enumerated() {
        let before = try await Snapshot(of: world.home, in: world)
        let alone = try await world.punch([punch], as: member)
        try await world.expectUnchanged(since: before, punch.text)
        world.check(
          alone.map { $0["status"] } == ["refused"]
            && alone.map { $0["problem"]?["code"] } == ["invalid_body"]
            && alone.allSatisfy { $0["problem"]?["errors"]?.elements.isEmpty == false },
          "\(punch.text): \(alone.map(\.text))")
        let hour = place < 10 ? "0\(place)" : "\(place)"
        let day = [
          World.punch(100 + place, "clockIn", "2026-11-19T\(hour):00:00Z"), punch,
          World.punch(200 + place, "clockOut", "2026-11-19T\(hour):30:00Z"),
        ]
        let beside = try await world.punch(day, as: member)
        world.check(
          beside.map { $0["status"] } == ["applied", "refused", "applied"], "\(beside.map(\.text))")
        let id = punch["id"]?.string.flatMap { $0.count == 36 ? $0 : nil } ?? ""
        world.check(beside[1]["id"] == .string(id), "\(beside[1].text)")
      }
      for count in [0, 101] {
        let punches = (0..<count).map { World.punch($0, "clockIn", "2026-11-20T08:00:00Z") }
        let call = world.call("applyPunches", as: member, body: ["punches": .array(punches)])
        try await world.refuses(call, 400, ["invalid_body"], "\(count) punches")
      }
      let punches: JSONValue = [World.punch(1, "clockIn", "2026-11-20T08:00:00Z")]
      let body: JSONValue = ["userId": .string(member.userID), "punches": punches]
      let helped = try await world.client.expect(world.call("applyPunches", as: manager, body: body), 200)
      world.check(helped.json["results"]?.elements.map { $0["status"] } == ["applied"], helped.json.text)
    },
    Scenario("a queue leaves the same entries whole, in any parts and one by one, however often it is sent") {
      world in
      let names = try await world.purposes()
      for (number, queue) in QueueOfPunches.all.enumerated() {
        let punches = queue.punches.enumerated().map { place, one in
          World.punch(place, one.type, one.time, one.purpose.flatMap { names[$0] } ?? [:])
        }
        var ways = [[punches], punches.map { [$0] }]
        ways += (1..<punches.count).map { [Array(punches[..<$0]), Array(punches[$0...])] }
        for (way, parts) in ways.enumerated() {
          let person = try await world.makeDevice("queue\(number)-\(way)@home.example")
          if queue.isLater {
            try await world.client.expect(
              world.call("clockIn", as: person, body: ["clockInTime": "2026-11-20T11:30:00Z"]), 201)
          }
          for part in parts { _ = try await world.punch(part, as: person) }
          for round in ["once", "again"] {
            let left = try await world.left(of: person, names)
            world.check(
              left == queue.left,
              "\(queue.name) in \(parts.map(\.count)), \(round): \(left), not \(queue.left)")
            let again = try await world.punch(punches, as: person)
            world.check(
              !queue.isWhole || again.allSatisfy { $0["status"] == "duplicate" },
              "\(queue.name) in \(parts.map(\.count)): \(again.map(\.text))")
          }
        }
      }
    },
    Scenario("of two taps on the clock-in one counts, and the clock-out behind them") { world in
      let answers = try await world.punch(
        [
          World.punch(1, "clockIn", "2026-11-20T08:00:00Z"),
          World.punch(2, "clockIn", "2026-11-20T08:00:36Z"),
          World.punch(3, "clockOut", "2026-11-20T11:00:00Z"),
        ], as: world.home.member)
      world.check(
        answers.map { $0["status"] } == ["applied", "refused", "applied"]
          && answers[1]["problem"]?["code"] == "already_clocked_in", "\(answers.map(\.text))")
    },
    Scenario("what waits is let go by the next clock-in, and by nobody else's") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let old = World.punch(1, "clockIn", "2026-11-10T08:00:00Z")
      let first = try await world.punch([old], as: member)
      world.check(
        first.map { $0["status"] } == ["waiting"] && first[0]["problem"]?["code"] == "too_far_back",
        "\(first.map(\.text))")
      // Another member's clock-out does not end it.
      let others = try await world.punch([World.punch(2, "clockOut", "2026-11-10T16:00:00Z")], as: manager)
      world.check(others.map { $0["status"] } == ["refused"], "\(others.map(\.text))")
      let again = try await world.punch([old], as: member)
      world.check(again.map { $0["status"] } == ["waiting"], "\(again.map(\.text))")
      let today = try await world.punch([World.punch(4, "clockIn", "2026-11-20T08:00:00Z")], as: member)
      world.check(today.map { $0["status"] } == ["applied"], "\(today.map(\.text))")
      let late = try await world.punch([World.punch(5, "clockOut", "2026-11-10T16:00:00Z")], as: member)
      world.check(late.map { $0["status"] } == ["refused"], "\(late.map(\.text))")
      // An end that is still to come, by a clock that is wrong, is none.
      try await world.changePolicy(["lookBackHours": 1])
      let ended = try await world.punch(
        [
          World.punch(6, "clockIn", "2026-11-20T10:00:00Z"),
          World.punch(7, "clockOut", "2026-11-20T12:10:00Z"),
        ], as: manager)
      world.check(ended.map { $0["status"] } == ["waiting", "refused"], "\(ended.map(\.text))")
      let right = try await world.punch([World.punch(8, "clockOut", "2026-11-20T11:50:00Z")], as: manager)
      world.check(right.map { $0["status"] } == ["applied"], "\(right.map(\.text))")
    },
    Scenario("what a punch is for may be gone: its time is taken, and the answer says what was left out") {
      world in
      let stale = try await world.stalePurposes()
      let text = String(repeating: "x", count: 501)
      let session = try await world.makeSession(assignees: [world.home.manager]).json["id"] ?? .null
      let others: [(JSONValue, [JSONValue])] = [
        (["notes": .string(text)], ["notes"]), (["notes": "a\u{202E}b"], ["notes"]),
        (["timeZone": "Mars/Base"], ["timeZone"]), (["sessionId": .string(World.absentID)], ["sessionId"]),
        (["sessionId": session, "notes": .string(text)], ["sessionId", "notes"]),
      ]
      let project: JSONValue = ["projectId": try await world.projectID()]
      try await world.changePolicy(["projectRequired": true])
      for (day, at) in [("2026-11-20", 1), ("2026-11-09", 2)] {
        for (number, (more, dropped)) in (stale + others).enumerated() {
          let person = try await world.makeDevice("stale\(at)-\(number)@home.example")
          let isForWork = number >= stale.count
          let stated = JSONValue.object(more.members + (isForWork ? project.members : []))
          let notes = more.members.filter { $0.name == "notes" }
          let answers = try await world.punch(
            [
              World.punch(1, "clockIn", "\(day)T08:00:00Z", stated),
              World.punch(2, "clockOut", "\(day)T10:00:00Z", .object(notes)),
            ], as: person)
          let lost = answers.map { $0["dropped"]?.elements ?? [] }
          world.check(
            answers.allSatisfy { $0["status"] == "applied" }
              && lost == [dropped, notes.isEmpty ? [] : ["notes"]],
            "\(day) \(more.text.prefix(80)): \(answers.map(\.text))")
          let again = try await world.punch(
            [World.punch(1, "clockIn", "\(day)T08:00:00Z", stated)], as: person)
          world.check(
            again[0]["status"] == "duplicate" && again[0]["dropped"] == answers[0]["dropped"], again[0].text)
          let left = try await world.left(of: person, [:])
          world.check(left.entries == ["\(day) 08:00:00–\(day) 10:00:00"], "\(left)")
        }
        // A start with a purpose that is gone clocks in, ends the running segment, and has no purpose.
        for (number, (more, dropped)) in stale.enumerated() {
          let person = try await world.makeDevice("start\(at)-\(number)@home.example")
          let answers = try await world.punch(
            [
              World.punch(1, "startSegment", "\(day)T08:00:00Z", more),
              World.punch(2, "startSegment", "\(day)T08:10:00Z", project),
              World.punch(3, "startSegment", "\(day)T08:20:00Z", more),
              World.punch(4, "startSegment", "\(day)T08:30:00Z", more.setting("name", to: .string(text))),
              World.punch(5, "clockOut", "\(day)T10:00:00Z"),
            ], as: person)
          world.check(
            answers.allSatisfy { $0["status"] == "applied" } && answers[2]["dropped"]?.elements == dropped,
            "\(day) \(more.text): \(answers.map(\.text))")
          let left = try await world.left(of: person, [:])
          let isPartly = dropped == ["taskId"] && more["projectId"] != nil
          world.check(
            left.entries == ["\(day) 08:00:00–\(day) 10:00:00"]
              && left.segments.count == (isPartly ? 3 : 1), "\(day) \(more.text): \(left)")
        }
      }
      // Unpaid time stays unpaid even if its kind of break was archived since.
      let rest = try await world.breakTypeID()
      try await world.client.expect(
        world.call(
          "updateBreakType", as: world.home.admin, path: ["breakTypeId": try World.text(rest)],
          body: ["archived": true], ifMatch: "*"), 200)
      for day in ["2026-11-20", "2026-11-09"] {
        let person = try await world.makeDevice("break\(day)@home.example")
        let answers = try await world.punch(
          [
            World.punch(1, "startSegment", "\(day)T08:00:00Z", project),
            World.punch(2, "startSegment", "\(day)T09:00:00Z", ["breakTypeId": rest]),
            World.punch(3, "stopSegment", "\(day)T09:30:00Z"),
            World.punch(4, "startSegment", "\(day)T09:40:00Z", ["breakTypeId": .string(World.absentID)]),
            World.punch(5, "clockOut", "\(day)T10:00:00Z"),
          ], as: person)
        world.check(
          answers.allSatisfy { $0["status"] == "applied" } && answers[3]["dropped"] == ["breakTypeId"],
          "\(answers.map(\.text))")
        let left = try await world.left(of: person, ["L": ["breakTypeId": rest]])
        world.check(
          left.segments.map { $0.suffix(2) } == [" ?", " L", " ?"], "\(day): \(left)")
      }
    },
  ]
}

/// The punches that a device noted, and their result.
private struct QueueOfPunches: Sendable {
  var name: String
  /// Whether the member is in since this morning.
  var isLater = false
  /// Whether all of it is applied in the end.
  var isWhole = true
  var punches: [(type: String, time: String, purpose: String?)]
  var left: LeftByPunches

  /// - Parameters:
  ///   - punches: Each as `clockIn 10T08:00:00 P`: kind, time in November of 2026, and purpose.
  init(
    _ name: String, isLater: Bool = false, isWhole: Bool = true, _ punches: [String], entries: [String],
    segments: [String] = []
  ) {
    self.name = name
    self.isLater = isLater
    self.isWhole = isWhole
    self.punches = punches.map { text in
      let words = text.split(separator: " ").map(String.init)
      let time = words[1].contains("-") ? words[1] : "2026-11-\(words[1])"
      return (words[0], "\(time)Z", words.count > 2 ? words[2] : nil)
    }
    let running = isLater ? ["2026-11-20 11:30:00–"] : []
    left = LeftByPunches(entries: entries + running, segments: segments)
  }

  static let all: [QueueOfPunches] = [
    QueueOfPunches(
      "two taps", isWhole: false, ["clockIn 20T08:00:00", "clockIn 20T08:00:36", "clockOut 20T11:00:00"],
      entries: ["2026-11-20 08:00:00–2026-11-20 11:00:00"]),
    QueueOfPunches(
      "a day with a break before today's clock-in", isLater: true,
      [
        "clockIn 19T08:00:00", "startSegment 19T10:00:00 L", "stopSegment 19T10:30:00",
        "clockOut 19T16:00:00",
      ], entries: ["2026-11-19 08:00:00–2026-11-19 16:00:00"],
      segments: ["2026-11-19 10:00:00–2026-11-19 10:30:00 L"]),
    QueueOfPunches(
      "a day of two projects beyond the look-back",
      [
        "clockIn 10T08:00:00 P", "startSegment 10T09:00:00 Q", "startSegment 10T09:00:00 Q",
        "startSegment 10T12:00:00 L", "stopSegment 10T12:30:00", "clockOut 10T16:00:00",
      ], entries: ["2026-11-10 08:00:00–2026-11-10 16:00:00"],
      segments: [
        "2026-11-10 08:00:00–2026-11-10 09:00:00 P", "2026-11-10 09:00:00–2026-11-10 12:00:00 Q",
        "2026-11-10 12:00:00–2026-11-10 12:30:00 L", "2026-11-10 12:30:00–2026-11-10 16:00:00 Q",
      ]),
    QueueOfPunches(
      "two taps each beyond the look-back", isWhole: false,
      ["clockIn 10T08:00:00", "clockIn 10T08:00:36", "clockOut 10T16:00:00", "clockOut 10T16:00:09"],
      entries: ["2026-11-10 08:00:00–2026-11-10 16:00:00"]),
    QueueOfPunches(
      "a start that clocks in, beyond the look-back",
      ["startSegment 10T08:00:00 P", "stopSegment 10T11:00:00", "clockOut 10T12:00:00"],
      entries: ["2026-11-10 08:00:00–2026-11-10 12:00:00"],
      segments: ["2026-11-10 08:00:00–2026-11-10 11:00:00 P"]),
    QueueOfPunches(
      "a start that clocks in, before today's clock-in", isLater: true,
      ["startSegment 19T08:00:00 P", "clockOut 19T12:00:00"],
      entries: ["2026-11-19 08:00:00–2026-11-19 12:00:00"],
      segments: ["2026-11-19 08:00:00–2026-11-19 12:00:00 P"]),
    QueueOfPunches(
      "a clock-out that was forgotten", isWhole: false,
      ["clockIn 09T08:00:00", "startSegment 09T09:00:00 P", "clockIn 10T09:00:00", "clockOut 10T12:00:00"],
      entries: ["2026-11-10 09:00:00–2026-11-10 12:00:00"]),
    QueueOfPunches(
      "over midnight", ["clockIn 10T22:00:00", "startSegment 11T01:00:00 L", "clockOut 11T06:00:00"],
      entries: ["2026-11-10 22:00:00–2026-11-11 06:00:00"],
      segments: ["2026-11-11 01:00:00–2026-11-11 06:00:00 L"]),
    QueueOfPunches(
      "over the look-back, which is 72 hours",
      ["clockIn 17T11:00:00", "startSegment 17T13:00:00 P", "clockOut 17T18:00:00"],
      entries: ["2026-11-17 11:00:00–2026-11-17 18:00:00"],
      segments: ["2026-11-17 13:00:00–2026-11-17 18:00:00 P"]),
    QueueOfPunches(
      "too short and too long", isWhole: false,
      [
        "clockIn 09T08:00:00", "clockOut 09T08:00:30", "clockIn 10T08:00:00", "clockOut 11T01:00:00",
        "clockIn 11T08:00:00", "clockOut 11T12:00:00",
      ], entries: ["2026-11-11 08:00:00–2026-11-11 12:00:00"]),
    QueueOfPunches(
      "a stop where nothing runs", isWhole: false,
      ["clockIn 10T08:00:00", "stopSegment 10T09:00:00", "clockOut 10T12:00:00"],
      entries: ["2026-11-10 08:00:00–2026-11-10 12:00:00"]),
    QueueOfPunches(
      "of a clock that was reset", isWhole: false,
      ["clockIn 1970-01-01T00:05:00", "startSegment 1970-01-01T01:05:00 P", "clockOut 1970-01-01T08:00:00"],
      entries: []),
  ]
}

/// The entries and segments of a member, the oldest first.
private struct LeftByPunches: Equatable, Sendable {
  var entries: [String]
  var segments: [String]
}

extension World {
  /// A punch with an id of this number.
  static func punch(
    _ number: Int, _ type: String, _ time: String, _ more: JSONValue = [:]
  ) -> JSONValue {
    let digits = String(number)
    let id = "019aa0f2-3c00-7a10-8b20-" + String(repeating: "0", count: 12 - digits.count) + digits
    let own: [JSONValue.Member] = [
      JSONValue.Member("id", .string(id)), JSONValue.Member("type", .string(type)),
      JSONValue.Member("at", .string(time)),
    ]
    return .object(own + more.members)
  }

  /// The purposes of queues, by letters.
  fileprivate func purposes() async throws -> [String: JSONValue] {
    [
      "P": ["projectId": try await projectID()], "Q": ["projectId": try await projectID()],
      "L": ["breakTypeId": try await breakTypeID()],
    ]
  }

  /// A new member, with an API token.
  fileprivate func makeDevice(_ email: String) async throws -> Person {
    let made = try await client.expect(
      call(
        "createMember", as: home.admin, body: ["email": .string(email), "name": "A Person", "role": "member"]),
      201)
    let user = try Self.text(made.json["userId"])
    let token = try await client.expect(
      call("createApiToken", as: home.admin, body: ["name": "Phone", "userId": .string(user)]), 201)
    return Person(userID: user, email: email, password: "", token: try Self.text(token.json["token"]))
  }

  /// Purposes with deleted projects and tasks, and the members of a punch that are dropped.
  fileprivate func stalePurposes() async throws -> [(JSONValue, [JSONValue])] {
    let (archived, deleted, project) = (try await projectID(), try await projectID(), try await projectID())
    try await client.expect(
      call(
        "updateProject", as: home.manager, path: ["projectId": try Self.text(archived)],
        body: ["archived": true], ifMatch: "*"), 200)
    try await client.expect(
      call("deleteProject", as: home.manager, path: ["projectId": try Self.text(deleted)], ifMatch: "*"), 204)
    let others = try await makeProject(by: home.manager, owner: home.manager)
    let foreign = try await projectID(in: makeTenant("away"))
    let task = try await client.expect(
      call("createTask", as: home.manager, body: ["name": "Pick", "projectId": project]), 201)
    let hidden = task.json["id"] ?? .null
    try await client.expect(
      call(
        "updateTask", as: home.manager, path: ["taskId": try Self.text(hidden)], body: ["hidden": true],
        ifMatch: "*"), 200)
    let absent = JSONValue.string(Self.absentID)
    return [
      (["projectId": archived], ["projectId"]), (["projectId": deleted], ["projectId"]),
      (["projectId": others], ["projectId"]), (["projectId": foreign], ["projectId"]),
      (["projectId": absent], ["projectId"]),
      (["taskId": absent], ["taskId"]), (["taskId": hidden], ["taskId"]),
      (["projectId": project, "taskId": hidden], ["taskId"]),
      (["projectId": archived, "taskId": absent], ["projectId", "taskId"]),
    ]
  }

  /// A person's entries and segments.
  ///
  /// - Parameter names: The purposes of segments, by letters.
  fileprivate func left(of person: Person, _ names: [String: JSONValue]) async throws -> LeftByPunches {
    func span(_ one: JSONValue, _ start: String, _ end: String) -> String {
      let times = [one[start]?.string ?? "", one[end]?.string ?? ""].map { text in
        text.replacing("T", with: " ").replacing(".000Z", with: "")
      }
      return times.joined(separator: "–")
    }
    let entries = try await client.expect(call("listTimeEntries", as: person), 200).json["timeEntries"]
    let segments = try await client.expect(call("listSegments", as: person), 200).json["segments"]
    return LeftByPunches(
      entries: (entries?.elements ?? []).map { span($0, "clockInTime", "clockOutTime") }.sorted(),
      segments: (segments?.elements ?? []).map { one in
        let name = names.first { _, purpose in purpose.members.allSatisfy { one[$0.name] == $0.value } }
        return "\(span(one, "startTime", "endTime")) \(name?.key ?? "?")"
      }.sorted())
  }

  /// The outcomes of a person's punches.
  func punch(_ punches: [JSONValue], as person: Person) async throws -> [JSONValue] {
    let call = call("applyPunches", as: person, body: ["punches": .array(punches)])
    return try await client.expect(call, 200).json["results"]?.elements ?? []
  }
}
