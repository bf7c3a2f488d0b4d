import Credentials
import Testing

@testable import ContractDocument

/// Hashing a password costs far more than everything else, so it comes last. Here it always answers 503: every other
/// refusal came without hashing.
struct HashingOrderTests {
  private struct Case {
    var call: Call
    /// The answer before hashing; nil for a request without a fault.
    var code: String?
  }

  @Test("A password is hashed after all else has been checked", arguments: StorageKind.allCases)
  func hashesLast(_ storage: StorageKind) async throws {
    let full = try PasswordHasher(cost: .minimal, threadCount: 1, queueLimit: 0)
    let service = try await Service.start(
      ServiceKind(storage: storage, transport: .inProcess), passwords: full)
    let findings = Findings()
    do {
      let client = ContractClient(
        document: try OpenAPIDocument.contract.get(), transport: service.transport, recorder: Recorder(),
        findings: findings)
      for testCase in try await Self.cases(client, operatorToken: service.operatorToken) {
        let status = testCase.code == nil ? [503] : [404, 409, 412, 422]
        try await client.expect(
          testCase.call, anyOf: status, codes: [testCase.code ?? "unavailable"],
          comment: testCase.call.json.text)
      }
    } catch {
      findings.add("stopped by \(error)")
    }
    await service.stop()
    #expect(findings.all == [])
  }

  private static func cases(_ client: ContractClient, operatorToken: String) async throws -> [Case] {
    let plain: JSONValue = ["email": "ana@home.example", "name": "Ana"]
    let admin = plain.setting("password", to: "correct horse")
    let body: JSONValue = ["name": "Home", "timeZone": "UTC", "admin": plain]
    let create = Call(operationID: "createOrganization", body: .json(body), token: operatorToken)
    let home = try await client.expect(create, 201)
    for email in ["ben@away.example", "cem@away.example"] {
      let other = body.setting("admin", to: plain.setting("email", to: .string(email)))
      try await client.expect(create.with { $0.json = other }, 201)
    }
    func organization(_ name: String, _ value: JSONValue, _ admin: JSONValue) -> Call {
      create.with { $0.json = body.setting("admin", to: admin).setting(name, to: value) }
    }
    let new = admin.setting("email", to: "new@home.example")
    var cases = [
      Case(call: organization("name", " ", new), code: "invalid_name"),
      Case(call: organization("timeZone", "Mars/Olympus", new), code: "unknown_time_zone"),
      Case(call: organization("name", "New", new.setting("email", to: "none")), code: "invalid_email"),
      Case(call: organization("name", "New", new.setting("name", to: "")), code: "invalid_name"),
      Case(call: organization("name", "New", admin), code: "email_in_use"),
      Case(call: organization("name", "New", new)),
    ]
    let add = Call(
      operationID: "createMember", path: ["organizationID": try World.text(home.json["organization"]?["id"])],
      body: .json(new.setting("role", to: "member")), token: try World.text(home.json["token"]))
    for (name, value, code): (String, JSONValue, String?) in [
      ("name", " ", "invalid_name"), ("email", "none", "invalid_email"),
      ("timeZone", "Mars/Olympus", "unknown_time_zone"), ("email", "Ana@home.example", "member_exists"),
      ("email", "ben@away.example", "email_in_use"), ("password", "short", "invalid_password"),
      ("name", "New", nil),
    ] {
      cases.append(Case(call: add.with { $0.json = $0.json.setting(name, to: value) }, code: code))
    }
    let update = add.with {
      $0.operationID = "updateMember"
      $0.path["userId"] = home.json["user"]?["id"]?.string
      $0.json = ["password": "correct horse"]
      $0.ifMatch = "*"
    }
    let shared = plain.setting("email", to: "cem@away.example").setting("role", to: "member")
    let cem = try await client.expect(add.with { $0.json = shared }, 201)
    return cases + [
      Case(call: update.with { $0.path["userId"] = cem.json["userId"]?.string }, code: "account_shared"),
      Case(call: update.with { $0.json = $0.json.setting("name", to: " ") }, code: "invalid_name"),
      Case(
        call: update.with { $0.json = $0.json.setting("timeZone", to: "Mars") }, code: "unknown_time_zone"),
      Case(call: update.with { $0.ifMatch = "\"7\"" }, code: "precondition_failed"),
      Case(call: update.with { $0.path["userId"] = World.absentID }, code: "member_not_found"),
      Case(call: update),
    ]
  }
}
