import Testing

@testable import ContractDocument

/// Faults planted in answers, each of which the harness must find. Without these a suite that checks nothing
/// would pass as well.
struct HarnessControlTests {
  /// An answer with one fault, and a word of the finding it must lead to.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var response: WireResponse
    var finding: String

    init(_ name: String, _ response: WireResponse, finds finding: String) {
      testDescription = name
      self.response = response
      self.finding = finding
    }
  }

  static let faults: [Fault] = [
    Fault("undeclared member", .member.setting("secret", to: 1), finds: "/secret: undeclared"),
    Fault("missing member", .member.changingJSON { $0.removing("active") }, finds: "/active: missing"),
    Fault("member of another type", .member.setting("active", to: "true"), finds: "/active: string"),
    Fault("value beyond an enum", .member.setting("role", to: "owner"), finds: "not in the enum"),
    Fault(
      "instant without milliseconds", .member.setting("createdAt", to: "2026-11-20T09:00:00Z"), finds: "match"
    ),
    Fault(
      "repeated member", .member.changingJSON { .object($0.members + [.init("active", true)]) },
      finds: "/active: repeated"),
    Fault("no JSON", .member.changing { $0.body.removeLast() }, finds: "not JSON"),
    Fault("no content", .member.changing { $0.body = [] }, finds: "not JSON"),
    Fault("undocumented status", .member.changing { $0.status = 202 }, finds: "202 is not documented"),
    Fault("internal error", .memberNotFound.changing { $0.status = 500 }, finds: "500 is not documented"),
    Fault("missing ETag", .member.setting(header: "ETag", to: nil), finds: "ETag is missing"),
    Fault("weak ETag", .member.setting(header: "ETag", to: #"W/"1""#), finds: "ETag:"),
    Fault("undeclared header", .member.setting(header: "X-Debug", to: "1"), finds: "x-debug is undeclared"),
    Fault("cacheable", .member.setting(header: "Cache-Control", to: nil), finds: "cache-control"),
    Fault("sniffable", .member.setting(header: "X-Content-Type-Options", to: ""), finds: "x-content-type"),
    Fault("framed", .member.setting(header: "Content-Security-Policy", to: nil), finds: "content-security"),
    Fault(
      "limited", .member.setting(header: "RateLimit-Limit", to: "1"), finds: "ratelimit-limit is undeclared"),
    Fault("shared", .member.setting(header: "Vary", to: "Origin"), finds: "vary is undeclared"),
    Fault(
      "another content type", .member.setting(header: "Content-Type", to: "text/html"), finds: "content type"),
    Fault("no content type", .member.setting(header: "Content-Type", to: nil), finds: "content type"),
    Fault(
      "problem as JSON", .memberNotFound.setting(header: "Content-Type", to: "application/json"),
      finds: "content type"),
    Fault(
      "code of another operation", .memberNotFound.setting("code", to: "overlap"), finds: "not documented"),
    Fault(
      "code that the contract does not list", .memberNotFound.setting("code", to: "brand_new"),
      finds: "/code: \"brand_new\" is not in the enum"),
    Fault("status member", .memberNotFound.setting("status", to: 410), finds: "status is not 404"),
    Fault("type member", .memberNotFound.setting("type", to: "about:blank"), finds: "type"),
    Fault("stack trace", .memberNotFound.setting("trace", to: "at …"), finds: "/trace: undeclared"),
    Fault(
      "missing detail", .memberNotFound.changingJSON { $0.removing("detail") }, finds: "/detail: missing"),
  ]

  @Test("finds nothing in answers that keep the contract")
  func twinsPass() async throws {
    #expect(try await CannedTransport(response: .member).findings("getMember") == [])
    #expect(try await CannedTransport(response: .memberNotFound).findings("getMember") == [])
  }

  @Test("finds what is planted", arguments: faults)
  func findsFaults(_ fault: Fault) async throws {
    let findings = try await CannedTransport(response: fault.response).findings("getMember")
    #expect(findings.contains { $0.contains(fault.finding) }, "\(findings)")
  }

  @Test("finds content and a missing WWW-Authenticate if the contract says otherwise")
  func findsFaultsOfOtherOperations() async throws {
    let content = WireResponse.member.changing { $0.status = 204 }.setting(header: "ETag", to: nil)
    #expect(try await CannedTransport(response: content).findings("deleteToken").count == 1)
    let unchallenged = WireResponse.memberNotFound.changing { $0.status = 401 }
      .setting("status", to: 401).setting("code", to: "invalid_token")
      .setting("type", to: "urn:timeclock:problem:invalid_token")
    let findings = try await CannedTransport(response: unchallenged).findings("getMe")
    #expect(findings.count == 1 && findings[0].contains("WWW-Authenticate is missing"))
  }

  @Test("an expectation that is not met is a finding, and an answer at fault counts as unseen")
  func expectations() async throws {
    let (findings, recorder) = (Findings(), Recorder())
    let document = try OpenAPIDocument.contract.get()
    let found = ContractClient(
      document: document, transport: CannedTransport(response: .member), recorder: recorder,
      findings: findings)
    try await found.expect(Call(operationID: "getMember"), 404)
    #expect(findings.all.count == 1)
    let faulty = ContractClient(
      document: document, transport: CannedTransport(response: .memberNotFound.setting("trace", to: 1)),
      recorder: recorder, findings: findings)
    try await faulty.expect(Call(operationID: "getMember"), 404, code: "member_not_found")
    #expect(findings.all.count == 2)
    let missing = recorder.missing(from: document).map(\.description)
    #expect(!missing.contains("getMember 200"))
    #expect(missing.contains("getMember 404") && missing.contains("getMember 404 member_not_found"))
    #expect(missing.contains("clockIn 409 already_clocked_in") && missing.contains("clockIn 201"))
  }

  /// The service of the scenarios below; the harness's findings do not depend on it.
  private static let kind = ServiceKind(storage: .sqlite, transport: .inProcess)

  @Test("a scenario that cannot finish is a finding")
  func stoppedScenario() async {
    let scenario = Scenario("stops") { _ in throw DocumentError("on purpose") }
    let outcome = await ContractRun.run(scenario, Self.kind)
    #expect(outcome.findings == ["stopped by on purpose"])
  }

  /// Every operation that writes in an organization.
  private static let writes =
    (try? OpenAPIDocument.contract.get().operations.filter {
      // A ping only adds to the webhook's own list of attempts, and no answer shows where a phone is.
      $0.isInOrganization && $0.method != "GET" && !["pingWebhook", "setTimerPresence"].contains($0.id)
    }) ?? []

  @Test("there are operations that write in an organization")
  func writesAreKnown() {
    #expect(Self.writes.count > 15)
  }

  @Test("a change of anything in an organization is seen", arguments: writes.map(\.id))
  func changesAreSeen(_ operationID: String) async {
    let scenario = Scenario("changes") { world in
      let call = try await world.baseline(world.client.document.operation(operationID))
      let before = try await Snapshot(of: world.home, in: world)
      _ = try await world.client.send(call)
      try await world.expectUnchanged(since: before, "on purpose")
    }
    let outcome = await ContractRun.run(scenario, Self.kind)
    #expect(outcome.findings.count == 1 && outcome.findings[0].contains("changed something"))
  }
}

extension WireResponse {
  /// The response with `change` applied.
  fileprivate func changing(_ change: (inout WireResponse) -> Void) -> WireResponse {
    var response = self
    change(&response)
    return response
  }
}
