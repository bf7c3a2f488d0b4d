@testable import ContractDocument

/// The whole content of an organization, as its admin sees it, for comparison before and after a refused request. What is
/// seen by oneself only is the admin's and the member's.
struct Snapshot: Equatable, Sendable, CustomStringConvertible {
  private var parts: [String]

  var description: String { parts.joined(separator: "\n") }

  /// Reads everything that the contract lets be read of an organization without asking for anything in particular: the
  /// organization itself, and every list of it to the last page.
  init(of tenant: Tenant, in world: World) async throws {
    parts = []
    for operation in world.client.document.operations where operation.showsOrganization {
      parts += try await Self.whole(operation, in: tenant, of: world) { call in
        try await world.client.expect(call.with { $0.token = tenant.admin.token }, 200, comment: "snapshot")
      }
      guard operation.isAboutOneself else { continue }
      // The member may be gone by now.
      parts += try await Self.whole(operation, in: tenant, of: world) { call in
        try await world.client.send(call.with { $0.token = tenant.member.token }, "snapshot")
      }
    }
  }

  /// An operation's answer, to its last page.
  private static func whole(
    _ operation: Operation, in tenant: Tenant, of world: World,
    _ answer: (Call) async throws -> ContractClient.Reply
  ) async throws -> [String] {
    var parts: [String] = []
    var cursor: JSONValue?
    repeat {
      let query = cursor?.string.map { [(name: "cursor", value: $0)] } ?? []
      let reply = try await answer(world.call(operation.id, as: nil, in: tenant, query: query))
      parts.append(withoutTimes(reply.json).text)
      cursor = reply.json["nextCursor"]
    } while cursor?.string != nil
    return parts
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

  /// Whether nobody can ask it about another person, whoever asks: what has to do with timers and phones.
  fileprivate var isAboutOneself: Bool { ["/timer", "/pushTargets"].contains(where: pathTemplate.contains) }
}
