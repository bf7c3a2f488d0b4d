import TimeclockAPI

@testable import ContractDocument

extension Fixture {
  /// The abilities of web pages of other origins if the operator allows some.
  static let crossOrigins = Fixture(scenarios: Scenario.crossOrigins)
}

extension Scenario {
  fileprivate static let crossOrigins: [Scenario] = [
    Scenario("a page of an allowed origin reads every kind of answer, and no other page does") { world in
      try await world.withOrigins { client in
        let me = Call(operationID: "getMe", token: world.home.member.token)
        let refused = world.call("listMembers", as: world.home.member)
        for call in [me, me.with { $0.token = nil }, refused, Call(operationID: "getLiveness")] {
          for origin in World.origins + ["https://other.example", "null", "*", ""] {
            let reply = try await client.send(call.with { $0.headers = [("Origin", origin)] }, origin)
            let isAllowed = World.origins.contains(origin)
            world.check(
              reply.response.values(of: "access-control-allow-origin") == (isAllowed ? [origin] : []),
              "\(call.operationID) \(reply.status) to \(origin)")
            world.check(reply.response.values(of: "vary") == ["Origin"], "no Vary")
          }
        }
      }
    },
    Scenario("a preflight request is answered with the methods of its path, and without a token") { world in
      try await world.withOrigins { client in
        let members = "/v1/organizations/\(world.home.organizationID)/members"
        for (path, methods) in [
          ("/v1/me", "GET, HEAD, PATCH"), (members, "GET, HEAD, POST"),
          (members + "/x", "DELETE, GET, HEAD, PATCH"),
          ("/v1/me/password", "PUT"),
        ] {
          let answer = try await world.preflight(path, from: World.origins[0], to: client)
          world.check(answer.status == 204 && answer.body.isEmpty, "\(path) answers \(answer.status)")
          let expected = [
            "access-control-allow-origin": World.origins[0], "access-control-allow-methods": methods,
            "access-control-allow-headers":
              "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match",
            "access-control-max-age": "7200", "vary": "Origin",
          ]
          for (name, value) in expected {
            world.check(answer.values(of: name) == [value], "\(path): \(name) is \(answer.values(of: name))")
          }
          world.check(
            answer.values(of: "access-control-allow-credentials").isEmpty, "credentials are allowed")
        }
      }
    },
    Scenario("an OPTIONS that is no preflight request of an allowed origin is answered as it always is") {
      world in
      try await world.withOrigins { client in
        for (origin, path, status) in [
          ("https://other.example", "/v1/me", 405), ("null", "/v1/me", 405),
          (World.origins[0], "/nothing", 404),
        ] {
          let answer = try await world.preflight(path, from: origin, to: client)
          world.check(answer.status == status, "\(origin) \(path) answers \(answer.status)")
          world.check(
            answer.values(of: "access-control-allow-methods").isEmpty, "\(origin) learns the methods")
        }
        let plain = try await client.transport.send(
          WireRequest(method: "OPTIONS", target: "/v1/me", headers: [("Origin", World.origins[0])]))
        world.check(plain.status == 405, "without a method it answers \(plain.status)")
      }
    },
    Scenario("if no origin is allowed, no page of any is") { world in
      let answer = try await world.preflight("/v1/me", from: World.origins[0], to: world.client)
      world.check(answer.status == 405, "answers \(answer.status)")
      let call = Call(
        operationID: "getMe", token: world.home.member.token, headers: [("Origin", World.origins[0])])
      // A header that is not declared would be found.
      try await world.client.expect(call, 200)
    },
  ]
}

extension World {
  fileprivate static let origins = ["https://app.example.com", "http://localhost:3000"]

  /// Calls the service while pages of these origins may.
  fileprivate func withOrigins(_ body: (ContractClient) async throws -> Void) async throws {
    try await service.withEdge {
      $0.crossOrigin = CrossOriginPolicy(Self.origins.compactMap(WebOrigin.init))
    } _: { transport in
      try await body(
        ContractClient(
          document: client.document, transport: transport, recorder: client.recorder,
          findings: client.findings,
          edgeHeaders: ["vary", "access-control-allow-origin", "access-control-expose-headers"]))
    }
  }

  /// Sends a preflight request as a browser does before a page's request, and returns the reply.
  fileprivate func preflight(
    _ path: String, from origin: String, to client: ContractClient
  ) async throws -> WireResponse {
    try await client.transport.send(
      WireRequest(
        method: "OPTIONS", target: path,
        headers: [
          ("Origin", origin), ("Access-Control-Request-Method", "GET"),
          ("Access-Control-Request-Headers", "authorization"),
        ]))
  }
}
