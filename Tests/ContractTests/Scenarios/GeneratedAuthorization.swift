@testable import ContractDocument

extension Scenario {
  /// The matrix of authorization: every caller is allowed or refused as the contract says.
  static func authorization(of operation: Operation) -> [Scenario] {
    var scenarios = [
      Scenario("\(operation.id) is for whom the contract says it is") { world in
        let callers = try await world.makeCallers()
        let call = try await world.baseline(operation)
        let before = try await Snapshot(of: world.home, in: world)
        for caller in Caller.allCases where operation.verdict(on: caller) != .allowed {
          try await world.expect(
            operation.verdict(on: caller), of: world.asCaller(callers[caller], call, operation), by: caller)
        }
        try await world.expectUnchanged(since: before, "by those who may not")
        try await world.accepts(call, operation)
        for caller in Caller.allCases where operation.verdict(on: caller) == .allowed {
          try await world.expect(.allowed, of: world.asCaller(callers[caller], call, operation), by: caller)
        }
        guard operation.isInOrganization else { return }
        try await world.deactivateHome()
        try await world.expect(
          .refused(status: 403, code: "organization_deactivated"),
          of: world.asCaller(world.home.admin, call, operation), by: .admin, " of a deactivated organization")
      }
    ]
    if operation.requiredRoleForOthers != nil { scenarios.append(ofOthers(operation)) }
    return scenarios
  }

  /// The ids of records that everybody may refer to, and not everybody may change.
  private static let references: Set = ["sessionId", "projectId", "taskId"]

  /// Puts ids of a member who is not a caller into every place of a request that names an owner.
  private static func ofOthers(_ operation: Operation) -> Scenario {
    Scenario("\(operation.id) of another member is for whom the contract says it is") { world in
      let other = try await world.makePerson("other@home.example")
      let ids = try await Fixture.ids(.ofMember, naming: world.names(of: operation)) {
        try await $0.idsOfMember(world, other)
      }
      let slots = try IdentifierSlot.all(of: operation, in: world.client.document)
        .filter { ids[$0.name] != nil && (!references.contains($0.name) || $0.place == .path) }
      world.check(!slots.isEmpty, "\(operation.id) takes nothing that is another member's")
      var call = try await world.baseline(operation)
      if operation.needsIfMatch { call.ifMatch = "*" }
      let people: [(Caller, Person)] = [
        (.member, world.home.member), (.manager, world.home.manager), (.admin, world.home.admin),
      ]
      for (caller, person) in people {
        for slot in slots {
          guard let verdict = operation.verdictForOthers(on: caller) else { continue }
          let before = try await Snapshot(of: world.home, in: world)
          try await world.expect(
            verdict, of: slot.setting(call, to: ids[slot.name] ?? "").with { $0.token = person.token },
            by: caller, " for another's \(slot)")
          if verdict != .allowed { try await world.expectUnchanged(since: before, "\(caller) by \(slot)") }
        }
      }
    }
  }
}
