@testable import ContractDocument

extension Scenario {
  /// Everyone without a valid token is refused, however the token is spelled.
  static func access(to operation: Operation) -> [Scenario] {
    guard operation.isSecured else { return [] }
    return [
      Scenario("\(operation.id) needs a token") { world in
        let call = try await world.baseline(operation)
        let before = try await Snapshot(of: world.home, in: world)
        try await world.client.expect(call.with { $0.token = nil }, 401, code: "missing_token")
        for value in ["", "Basic YTpi", "Bearer", call.token ?? "", "Bearer\(call.token ?? "")"] {
          let spoiled = call.with {
            $0.token = nil
            $0.headers.append(("Authorization", value))
          }
          try await world.client.expect(
            spoiled, 401, code: "missing_token", "invalid_token", comment: "Authorization: \(value)")
        }
        try await world.refusesBadTokens(call)
        try await world.expectUnchanged(since: before, "without a token")
        try await world.accepts(call, operation)
      }
    ]
  }
}

extension World {
  /// Invalid tokens: unknown, cut, in capitals, the operator's for an operation of users.
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
