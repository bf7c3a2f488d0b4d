@testable import ContractDocument

extension Fixture {
  /// The timer commands of a phone that was offline.
  static let timerCommands = Fixture(scenarios: Scenario.timerCommands)
}

extension Scenario {
  fileprivate static let timerCommands: [Scenario] = [
    Scenario("a queue of commands is applied once, in its order and as of its times") { world in
      let member = world.home.member
      // The clock stands at 2026-11-20T12:00:00Z.
      let queue: [JSONValue] = [
        World.command(1, "start", at: "09:00", ["timer": ["type": "focus", "durationSeconds": 1_500]]),
        World.command(2, "pause", at: "09:10"), World.command(3, "resume", at: "09:12"),
        World.command(4, "adjust", at: "09:13", ["seconds": 60]),
        World.command(5, "skip", at: "09:20"), World.command(6, "next", at: "09:26"),
        World.command(7, "stop", at: "09:27"),
      ]
      let first = try await world.apply(Array(queue[..<4]), by: member.token)
      world.check(first.map { $0["status"] } == Array(repeating: "applied", count: 4), "\(first.map(\.text))")
      world.checkMembers(
        first[3]["timer"],
        ["endTime": "2026-11-20T09:28:00.000Z", "elapsedSeconds": 660, "timeSpentPausedSeconds": 120])
      let whole = try await world.apply(queue, by: member.token)
      world.check(Array(whole[..<4]) == first, "\(whole.map(\.text))")
      // The focus had reached its end by then: the rest of the queue, which is older, takes that back.
      world.check(
        whole[4...].map { $0["status"] } == ["applied", "applied", "applied"], "\(whole[4...].map(\.text))")
      let left = try await world.pages("listTimerSessions", "timerSessions", as: member, limit: 9)
      world.check(left.map { $0["durationMinutes"] } == [1, 5, 18], "\(left.map(\.text))")
      world.checkMembers(left.last, ["outcome": "skipped", "interruptionsMinutes": 2])
      let again = try await world.apply(queue, by: member.token)
      world.check(again == whole, "\(again.map(\.text))")
    },
    Scenario("one queue is one sequence, though parts of it are refused") { world in
      let member = world.home.member
      let results = try await world.apply(
        [
          World.command(1, "pause", at: "09:00"),
          World.command(2, "start", at: "09:01", ["timer": ["type": "focus"]]),
          World.command(3, "resume", at: "09:02"), World.command(4, "adjust", at: "09:02", ["seconds": 0]),
          World.command(5, "pause", at: "09:03"), World.command(6, "stop", at: "09:04"),
        ], by: member.token)
      world.check(
        results.map { $0["status"] } == ["404", "applied", "409", "422", "applied", "applied"],
        "\(results.map(\.text))")
      world.check(
        results.map { $0["problem"]?["code"] ?? .null }
          == ["no_timer", .null, "timer_not_paused", "invalid_duration", .null, .null],
        "\(results.map(\.text))")
      world.checkMembers(results[2]["timer"], ["state": "running", "elapsedSeconds": 60])
      world.check(results[2]["problem"]?["timer"] == nil, results[2].text)
      world.check(results[5]["timer"] == .null, results[5].text)
      world.checkMembers(results[5]["session"], ["durationMinutes": 2, "outcome": "stopped"])
    },
    Scenario("a command that is older than another device's is stale") { world in
      let member = world.home.member
      let started = try await world.startTimer(by: member.token)
      let results = try await world.apply(
        [
          World.command(1, "stop", at: "2026-11-20T11:59:59.999Z"),
          World.command(2, "pause", at: "2026-11-20T12:00:00.000Z"),
        ], by: member.token)
      world.check(results.map { $0["status"] } == ["stale", "applied"], "\(results.map(\.text))")
      world.check(results[0]["timer"] == started.json["timer"], results[0].text)
      world.check(results[0]["problem"] == .null && results[0]["session"] == .null, results[0].text)
    },
    Scenario("a time lies in what the policy looks back on, and hardly ahead") { world in
      let member = world.home.member
      let results = try await world.apply(
        [
          World.command(
            1, "start", at: "2026-11-17T11:59:59.999Z", ["timer": ["type": "focus", "durationSeconds": 60]]),
          World.command(
            2, "start", at: "2026-11-17T12:00:00Z", ["timer": ["type": "focus", "durationSeconds": 60]]),
          World.command(3, "start", at: "2026-11-20T12:02:00Z", ["timer": ["type": "focus"]]),
          World.command(4, "pause", at: "2026-11-20T12:02:00.001Z"),
        ], by: member.token)
      world.check(
        results.map { $0["problem"]?["code"] ?? .null } == ["too_far_back", .null, .null, "in_future"],
        "\(results.map(\.text))")
      world.checkMembers(results[2]["timer"], ["startTime": "2026-11-20T12:00:00.000Z"])
    },
    Scenario("an id is for one command of one member") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      let start = World.command(1, "start", at: "11:59", ["timer": ["type": "focus"]])
      let first = try await world.apply([start, start], by: member.token)
      world.check(first[0] == first[1] && first[0]["status"] == "applied", "\(first.map(\.text))")
      let upper = start.setting("id", to: .string((start["id"]?.string ?? "").uppercased()))
      let same = try await world.apply([upper], by: member.token)
      world.check(same == [first[0]], "\(same.map(\.text))")
      let other = World.command(1, "pause", at: "12:00")
      let reused = try await world.apply([other], by: member.token)
      world.check(reused[0]["problem"]?["code"] == "idempotency_key_reused", "\(reused.map(\.text))")
      let theirs = try await world.apply([other], by: manager.token)
      world.check(theirs[0]["problem"]?["code"] == "no_timer", "\(theirs.map(\.text))")
    },
    Scenario("a queue has commands, each with what belongs to it") { world in
      let member = world.home.member
      let timer: JSONValue = ["type": "focus"]
      for command in [
        World.command(1, "start", at: "11:00"),
        World.command(1, "start", at: "11:00", ["timer": ["type": "x"]]),
        World.command(1, "start", at: "11:00", ["timer": timer, "seconds": 1]),
        World.command(1, "adjust", at: "11:00"), World.command(1, "pause", at: "11:00", ["timer": timer]),
        World.command(1, "pause", at: "11:00", ["seconds": 60]), World.command(1, "presence", at: "11:00"),
        ["id": "x", "type": "pause", "at": "2026-11-20T11:00:00Z"],
        World.command(1, "pause", at: "now"),
      ] {
        let call = world.call("applyTimerCommands", as: member, body: ["commands": [command]])
        try await world.refuses(call, 400, ["invalid_body"], command.text)
      }
      for count in [0, 101] {
        let commands = (0..<count).map { World.command($0, "pause", at: "11:00") }
        let call = world.call("applyTimerCommands", as: member, body: ["commands": .array(commands)])
        try await world.refuses(call, 400, ["invalid_body"], "\(count) commands")
      }
    },
  ]
}

extension World {
  /// A command with an id of this number.
  ///
  /// - Parameter time: Hours and minutes of 2026-11-20 in UTC, or any text.
  static func command(_ number: Int, _ type: String, at time: String, _ more: JSONValue = [:]) -> JSONValue {
    let digits = String(number)
    let id = "019aa0f2-3c00-7a10-8b20-" + String(repeating: "0", count: 12 - digits.count) + digits
    let instant = time.utf8.count == 5 ? "2026-11-20T\(time):00Z" : time
    let own: [JSONValue.Member] = [
      JSONValue.Member("id", .string(id)), JSONValue.Member("type", .string(type)),
      JSONValue.Member("at", .string(instant)),
    ]
    return .object(own + more.members)
  }

  /// The outcomes of a person's commands.
  func apply(
    _ commands: [JSONValue], by token: String?, in tenant: Tenant? = nil
  ) async throws -> [JSONValue] {
    let call = call("applyTimerCommands", as: nil, in: tenant, body: ["commands": .array(commands)])
    return try await client.expect(call.with { $0.token = token }, 200).json["results"]?.elements ?? []
  }
}
