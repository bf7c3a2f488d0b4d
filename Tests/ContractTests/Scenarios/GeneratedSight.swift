@testable import ContractDocument

extension Scenario {
  /// To a manager who sees own groups alone, a member of none of them is as nobody, in every place of a request and in
  /// every answer.
  static func sight(of operation: Operation) -> [Scenario] {
    guard operation.isInOrganization, operation.verdict(on: .manager) == .allowed,
      operation.verdictForOthers(on: .manager) ?? .allowed == .allowed
    else { return [] }
    return [
      Scenario("\(operation.id) shows a manager of own groups nobody else") { world in
        let other = try await world.makePerson("other@home.example")
        var ids = try await Fixture.ids(.ofMember, naming: nil) { try await $0.idsOfMember(world, other) }
        // Sessions are the organization's.
        ids["sessionId"] = nil
        ids["projectId"] = try World.text(try await world.makeProject(by: other).json["id"])
        ids["taskId"] = try World.text(try await world.makeTask(by: other).json["id"])
        for name in ["assignedTo", "managerIds", "memberIds"] { ids[name] = other.userID }
        var call = try await world.baseline(operation)
        if operation.needsIfMatch { call.ifMatch = "*" }
        call.token = world.home.manager.token
        try await world.showOwnGroups(of: [world.home.member])
        let slots = try IdentifierSlot.all(of: operation, in: world.client.document)
          .filter { ids[$0.name] != nil }
        for slot in slots
        where !(operation.id == "applyPunches" && slot.name != "userId" && slot.place != .path) {
          let found = try await world.client.send(
            slot.setting(call.withNewCommands, to: ids[slot.name] ?? ""), "\(slot)")
          let absent = try await world.client.send(
            slot.setting(call.withNewCommands, to: World.absentID), "absent \(slot)")
          world.check(
            found.status == absent.status && found.textWithoutNames == absent.textWithoutNames,
            "\(operation.id) tells an unseen member from an absent one by \(slot): \(found.status) \(absent.status)"
          )
        }
        let reply = try await world.client.send(call, "by the manager")
        let text = String(decoding: reply.response.body, as: UTF8.self)
        for secret in Set(ids.values).union([other.email]) {
          world.check(!text.contains(secret), "\(operation.id) shows an unseen member's \(secret)")
        }
      }
    ]
  }
}

extension World {
  /// Lets managers see own groups alone, of which the manager has one.
  func showOwnGroups(of members: [Person]) async throws {
    let group: JSONValue = [
      "name": "Own", "managerIds": .array([.string(home.manager.userID)]),
      "memberIds": .array(members.map { .string($0.userID) }),
    ]
    try await client.expect(call("createGroup", as: home.admin, body: group), 201)
    let policy: JSONValue = ["policy": ["managersSee": "ownGroups"]]
    try await client.expect(call("updateOrganization", as: home.admin, body: policy, ifMatch: "*"), 200)
  }
}
