import TimeclockAPI

@testable import ContractDocument

extension Fixture {
  /// The effects of a rate limit on any operation.
  static let rateLimits = Fixture(scenarios: Scenario.rateLimits)
}

extension Scenario {
  fileprivate static let rateLimits: [Scenario] = [
    Scenario("answers state what is left of a rate limit, of each token apart") { world in
      try await world.withRateLimit(3) { client in
        for person in [world.home.member, world.home.manager] {
          let call = Call(operationID: "getMe", token: person.token)
          for remaining in ["2", "1", "0", "0"] {
            let reply = try await client.expect(call, anyOf: [200, 429], codes: [], comment: "")
            world.check(reply.response.values(of: "ratelimit-limit") == ["3"], "another limit")
            world.check(
              reply.response.values(of: "ratelimit-remaining") == [remaining], "not \(remaining) left")
          }
          try await client.expect(call, 429, code: "rate_limited")
        }
      }
    },
    Scenario("refusals count against a rate limit") { world in
      let away = try await world.makeTenant("away")
      try await world.withRateLimit(2) { client in
        let call = world.call("listMembers", as: world.home.member)
        try await client.expect(call, 403, code: "forbidden")
        let foreign = world.call("listMembers", as: world.home.member, in: away)
        try await client.expect(foreign, 404, code: "organization_not_found")
        try await client.expect(call, 429, code: "rate_limited")
      }
    },
    Scenario(
      "requests without a token, or with nobody's, count for their address, and take nothing from tokens"
    ) {
      world in
      try await world.withRateLimit(2) { client in
        try await client.expect(Call(operationID: "getMe"), 401, code: "missing_token")
        let unknown = Call(operationID: "getMe", token: String(repeating: "0", count: 64))
        try await client.expect(unknown, 401, code: "invalid_token")
        for call in [unknown, Call(operationID: "getMe"), Call(operationID: "getOpenAPIDocument")] {
          try await client.expect(call, 429, code: "rate_limited")
        }
        try await client.expect(Call(operationID: "getMe", token: world.home.member.token), 200)
      }
    },
    Scenario("entries of one request count as one request for each ten, and are refused before any is kept") {
      world in
      let entries = (0..<30).map { number -> JSONValue in
        let hour = number < 20 ? "0\(number / 2)" : "\(number / 2)"
        let (from, to) = number % 2 == 0 ? ("00", "20") : ("30", "50")
        return [
          "clockInTime": .string("2026-11-02T\(hour):\(from):00Z"),
          "clockOutTime": .string("2026-11-02T\(hour):\(to):00Z"),
        ]
      }
      let body: JSONValue = ["mode": "partial", "timeEntries": .array(entries)]
      let call = world.call("createTimeEntries", as: world.home.member, body: body)
      try await world.withRateLimit(5) { client in
        let kept = try await client.expect(call, 200)
        world.check(kept.json["created"] == 30, kept.json.text)
        world.check(kept.response.values(of: "ratelimit-remaining") == ["2"], "not 2 left")
        // The request itself is counted.
        let refused = try await client.expect(call, 429, code: "rate_limited")
        world.check(refused.response.values(of: "ratelimit-remaining") == ["1"], "not 1 left")
        world.check(refused.response.values(of: "retry-after") == ["24"], "another Retry-After")
      }
      let file =
        "email,clockInTime,clockOutTime\n"
        + (0..<21).map {
          "\(world.home.member.email),2026-10-\(10 + $0 % 20)T0\($0 / 20):00:00Z,2026-10-\(10 + $0 % 20)T0\($0 / 20):30:00Z\n"
        }.joined()
      let importing = world.call(
        "importTimeEntries", as: world.home.admin, query: [(name: "format", value: "generic")]
      ).with {
        $0.body = .bytes(Array(file.utf8))
        $0.contentType = "text/csv"
      }
      try await world.withRateLimit(2) { client in
        // Three requests' rows are all that a minute has.
        let reply = try await client.expect(importing, 200)
        world.check(reply.response.values(of: "ratelimit-remaining") == ["0"], "something is left")
        try await client.expect(importing, 429, code: "rate_limited")
      }
    },
    Scenario("health checks are not counted") { world in
      try await world.withRateLimit(1) { client in
        for _ in 0..<3 {
          for operation in ["getLiveness", "getReadiness"] {
            let reply = try await client.expect(Call(operationID: operation), 200)
            world.check(reply.response.values(of: "ratelimit-limit").isEmpty, "\(operation) is counted")
          }
        }
        try await client.expect(Call(operationID: "getOpenAPIDocument"), 200)
      }
    },
  ]

  /// The operation is refused to a caller who has used up the rate limit, and is not performed.
  static func rateLimits(of operation: Operation) -> [Scenario] {
    guard operation.responses[429] != nil else { return [] }
    return [
      Scenario("\(operation.id) is refused to who has made too many requests, and not done") { world in
        let call = try await world.baseline(operation)
        try await world.withRateLimit(1) { client in
          switch operation.requiredRole {
          case nil: try await client.expect(Call(operationID: "getOpenAPIDocument"), 200)
          // The operator's token opens nothing else.
          case .operator: try await client.expect(call.with { $0.body = .none }, 400, code: "invalid_body")
          default: try await client.expect(Call(operationID: "getMe", token: call.token), 200)
          }
          let reply = try await client.expect(call, 429, code: "rate_limited")
          world.check(reply.response.values(of: "ratelimit-remaining") == ["0"], "something is left")
        }
        try await world.accepts(call, operation)
      }
    ]
  }
}

extension World {
  /// Calls the service while each caller may make this number of requests a minute.
  fileprivate func withRateLimit(
    _ count: Int, _ body: (ContractClient) async throws -> Void
  ) async throws {
    try await service.withEdge {
      $0.rateLimit = RateLimit(requestsPerMinute: count)
    } _: { transport in
      try await body(
        ContractClient(
          document: client.document, transport: transport, recorder: client.recorder,
          findings: client.findings,
          edgeHeaders: ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]))
    }
  }
}
