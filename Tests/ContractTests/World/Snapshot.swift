/// What an organisation consists of, as its admin sees it, to compare before and after a refused request.
struct Snapshot: Equatable, Sendable, CustomStringConvertible {
  private var parts: [String]

  var description: String { parts.joined(separator: "\n") }

  /// Reads everything there is.
  init(of tenant: Tenant, in world: World) async throws {
    parts = []
    for operationID in ["getOrganization", "listMembers", "listApiTokens", "listTimeEntries", "listSessions"]
    {
      let reply = try await world.client.expect(
        world.call(operationID, as: tenant.admin, in: tenant), 200, comment: "snapshot")
      parts.append(Self.withoutUse(reply.json).text)
    }
  }

  /// Without the times of last use, which reading itself changes.
  private static func withoutUse(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(withoutUse))
    case .object(let members):
      .object(members.filter { $0.name != "lastUsedAt" }.map { .init($0.name, withoutUse($0.value)) })
    default: value
    }
  }
}
