import Procedures
import TimeclockDomain

@testable import ContractDocument

extension World {
  /// One caller of each kind. They are made before the records they call about, and some time passes.
  func makeCallers() async throws -> [Caller: Person] {
    let away = try await makeTenant("away")
    var expired = home.admin
    expired.token = try await makeApiToken(for: home.admin, expiresAt: "2026-11-20T12:01:00Z").token
    var revoked = home.admin
    let apiToken = try await makeApiToken(for: home.admin)
    revoked.token = apiToken.token
    let revoke = call("deleteApiToken", as: home.admin, path: ["apiTokenId": apiToken.id])
    try await client.expect(revoke, 204)
    let deactivated = try await makeSharedPerson(away)
    try await deactivate(deactivated)
    var runner = home.admin
    runner.token = service.operatorToken
    let newcomer = try await makePerson("newcomer@home.example", role: "admin", mustChangePassword: true)
    var reader = home.admin
    reader.token = try await makeApiToken(for: home.admin, scope: "read").token
    service.clock.advance(seconds: 60)
    return [
      .expired: expired, .revoked: revoked, .deactivated: deactivated, .foreign: away.admin,
      .member: home.member, .manager: home.manager, .admin: home.admin, .reader: reader,
      .newcomer: newcomer,
      .operator: runner,
    ]
  }

  /// Closes the organization to everybody, as the operator's command does.
  func deactivateHome() async throws {
    let storage = service.storage
    for (key, id) in try await storage.organizations() where id.text == home.organizationID {
      _ = try await Timeclock(storage: storage).setActive(false, key)
    }
  }

  /// The call made by somebody, about their own if it names whose it is about.
  func asCaller(_ person: Person?, _ call: Call, _ operation: Operation) -> Call {
    call.with { call in
      call.token = person?.token
      guard let person else { return }
      if operation.requiredRoleForOthers != nil, call.path["userId"] != nil {
        call.path["userId"] = person.userID
      }
    }
  }

  /// Adds a finding unless the answer agrees with the verdict.
  func expect(_ verdict: Verdict, of call: Call, by caller: Caller, _ place: String = "") async throws {
    let comment = "by \(caller)\(place)"
    switch verdict {
    case .refused(let status, let code):
      try await client.expect(call, status, code: code, comment: comment)
    case .allowed:
      let reply = try await client.send(call, comment)
      check(
        !reply.refusesCaller, "\(call.operationID) \(comment): refused \(reply.status) \(reply.code ?? "")")
    }
  }
}

extension ContractClient.Reply {
  /// Whether the answer is due to the caller; no other answer is about the caller's rights.
  var refusesCaller: Bool {
    [
      "missing_token", "invalid_token", "forbidden", "read_only_token", "password_change_required",
      "member_deactivated",
      "organization_not_found",
    ].contains(code) && [401, 403, 404].contains(status)
  }
}
