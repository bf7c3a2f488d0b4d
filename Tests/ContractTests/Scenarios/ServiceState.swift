import Foundation

@testable import ContractDocument

extension Fixture {
  /// The service itself: its health, its contract, and its answers to paths without an operation.
  static let service = Fixture(scenarios: Scenario.service)
}

extension Scenario {
  fileprivate static let service: [Scenario] = [
    Scenario("the contract is served as it stands in the project") { world in
      let reply = try await world.client.expect(Call(operationID: "getOpenAPIDocument"), 200)
      let file = try Data(contentsOf: OpenAPIDocument.packageDirectory.appending(path: "openapi.yaml"))
      world.check(reply.response.body == Array(file), "another document is served")
    },
    Scenario("the process lives though the storage does not") { world in
      world.service.faults.inject(Faults.Fault(error: UnforeseenError(), hitsAuthentication: true))
      try await world.client.expect(Call(operationID: "getLiveness"), 200)
      try await world.client.expect(Call(operationID: "getOpenAPIDocument"), 200)
    },
    Scenario("HEAD answers what GET would, without content") { world in
      for operationID in ["getLiveness", "getOpenAPIDocument", "getMe"] {
        let call = Call(operationID: operationID, token: world.home.member.token)
        var request = call.wireRequest(for: try world.client.document.operation(operationID))
        let get = try await world.client.transport.send(request)
        request.method = "HEAD"
        let head = try await world.client.transport.send(request)
        world.check(head.status == get.status && head.body.isEmpty, "HEAD \(operationID): \(head.status)")
        let length = head.values(of: "content-length")
        world.check(length == [String(get.body.count)], "HEAD \(operationID): Content-Length is \(length)")
      }
    },
    Scenario("paths and methods without an operation are problems too") { world in
      let organization = "/v1/organizations/\(world.home.organizationID)"
      let cases: [(method: String, target: String, status: Int, code: String)] = [
        ("GET", "//", 404, "no_such_route"), ("GET", "/v1", 404, "no_such_route"),
        ("GET", "/v1/me/", 404, "no_such_route"), ("GET", "//v1/me", 404, "no_such_route"),
        ("GET", "/v1/ME", 404, "no_such_route"), ("GET", "/v1/%6De", 404, "no_such_route"),
        ("GET", "/health", 404, "no_such_route"), ("GET", "/openapi.yaml/../v1/me", 404, "no_such_route"),
        ("DELETE", "/v1/me", 405, "method_not_allowed"), ("POST", "/health/live", 405, "method_not_allowed"),
        ("PUT", organization, 405, "method_not_allowed"), ("OPTIONS", "/v1/me", 405, "method_not_allowed"),
        ("TRACE", "/v1/me", 405, "method_not_allowed"), ("QUERY", "/v1/me", 405, "method_not_allowed"),
        ("BREW", "/v1/me", 501, "method_not_implemented"),
        ("get", "/v1/me", 501, "method_not_implemented"), ("BREW", "/", 501, "method_not_implemented"),
      ]
      for (method, target, status, code) in cases {
        let request = WireRequest(
          method: method, target: target, headers: [("Authorization", "Bearer \(world.home.admin.token)")],
          body: method == "PUT" || method == "POST" ? [] : nil)
        let response = try await world.client.transport.send(request)
        let check = ResponseCheck(document: world.client.document)
        for violation in check.violations(ofServerProblem: response) {
          world.client.findings.add("\(method) \(target): \(violation)")
        }
        let answered = (try? JSONParser.parse(response.body))?["code"]?.string ?? ""
        world.check(
          response.status == status && answered == code, "\(method) \(target): \(response.status) \(answered)"
        )
        world.check((status == 405) == !response.values(of: "allow").isEmpty, "\(method) \(target): Allow")
      }
    },
  ]
}
