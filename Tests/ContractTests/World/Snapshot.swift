@testable import ContractDocument

/// The whole content of an organization, as its admin sees it, for comparison before and after a refused request.
struct Snapshot: Equatable, Sendable, CustomStringConvertible {
  private var parts: [String]

  var description: String { parts.joined(separator: "\n") }

  /// Reads everything that the contract lets be read of an organization without asking for anything in particular: the
  /// organization itself, and every list of it to the last page.
  init(of tenant: Tenant, in world: World) async throws {
    parts = []
    for operation in world.client.document.operations where operation.showsOrganization {
      var cursor: JSONValue?
      repeat {
        let query = cursor?.string.map { [(name: "cursor", value: $0)] } ?? []
        let reply = try await world.client.expect(
          world.call(operation.id, as: tenant.admin, in: tenant, query: query), 200, comment: "snapshot")
        parts.append(Self.withoutTimes(reply.json).text)
        cursor = reply.json["nextCursor"]
      } while cursor?.string != nil
    }
  }

  /// Without the times of reading, and of last use, which reading itself changes.
  private static func withoutTimes(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(withoutTimes))
    case .object(let members):
      .object(
        members.filter { !["lastUsedAt", "serverTime"].contains($0.name) }
          .map { .init($0.name, withoutTimes($0.value)) })
    default: value
    }
  }
}

extension Operation {
  /// Whether the operation answers JSON about an organization to a request that names only the organization.
  fileprivate var showsOrganization: Bool {
    method == "GET" && isInOrganization && responses[200]?.content["application/json"] != nil
      && parameters.allSatisfy { !$0.isRequired || $0.name == "organizationID" }
  }
}
