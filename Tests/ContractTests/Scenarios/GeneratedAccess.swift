extension Scenario {
  /// Who is refused: everyone without a valid token, and every role below the one that is required.
  static func access(to operation: Operation) -> [Scenario] {
    guard operation.isSecured, let required = operation.requiredRole else { return [] }
    var scenarios = [
      Scenario("\(operation.id) needs a token") { world in
        let call = try await world.baseline(operation)
        let before = try await Snapshot(of: world.home, in: world)
        try await world.client.expect(call.with { $0.token = nil }, 401, code: "missing_token")
        for value in ["", "Basic YTpi", "Bearer", call.token ?? "", "Bearer\(call.token ?? "")"] {
          let spoilt = call.with {
            $0.token = nil
            $0.headers.append(("Authorization", value))
          }
          try await world.client.expect(
            spoilt, 401, code: "missing_token", "invalid_token", comment: "Authorization: \(value)")
        }
        try await world.refusesBadTokens(call)
        try await world.expectUnchanged(since: before, "without a token")
        try await world.accepts(call, operation)
      }
    ]
    let lower = Self.below(required)
    if !lower.isEmpty {
      scenarios.append(
        Scenario("\(operation.id) is forbidden to \(lower.map(\.rawValue).joined(separator: " and "))") {
          world in
          let call = try await world.baseline(operation)
          let before = try await Snapshot(of: world.home, in: world)
          for role in lower {
            let token = world.home.person(role).token
            try await world.client.expect(call.with { $0.token = token }, 403, code: "forbidden")
          }
          try await world.expectUnchanged(since: before, "too low a role")
          try await world.accepts(call, operation)
        })
    }
    if operation.isInOrganization { scenarios.append(deactivation(from: operation)) }
    return scenarios
  }

  private static func below(_ role: Operation.RequiredRole) -> [Operation.RequiredRole] {
    switch role {
    case .user, .member: []
    case .manager: [.member]
    case .admin, .operator: role == .admin ? [.member, .manager] : [.member, .manager, .admin]
    }
  }

  /// A person who was deactivated here and works elsewhere is known, and not allowed.
  private static func deactivation(from operation: Operation) -> Scenario {
    Scenario("\(operation.id) is closed to the deactivated") { world in
      let call = try await world.baseline(operation)
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      let etag = try await world.etag(of: person)
      let deactivate = world.call(
        "deactivateMember", as: world.home.admin, path: ["userId": person.userID], ifMatch: etag)
      try await world.client.expect(deactivate, 204)
      let before = try await Snapshot(of: world.home, in: world)
      try await world.client.expect(
        call.with { $0.token = person.token }, 403, code: "member_deactivated")
      try await world.expectUnchanged(since: before, "by someone deactivated")
    }
  }
}

extension World {
  /// Tokens that are nobody's: unknown, cut, in capitals, of the operator where a user is asked for.
  func refusesBadTokens(_ call: Call) async throws {
    let token = call.token ?? ""
    let unknown = String(repeating: "0", count: 64)
    let others = [unknown, String(token.dropLast()), token + "0", token.uppercased(), "nonsense", "é"]
    for other in others where other != token {
      try await client.expect(
        call.with { $0.token = other }, 401, code: "invalid_token", "missing_token", comment: "token \(other)"
      )
    }
    if token != service.operatorToken {
      try await client.expect(
        call.with { $0.token = service.operatorToken }, 401, code: "invalid_token",
        comment: "the operator's token")
    }
  }
}
