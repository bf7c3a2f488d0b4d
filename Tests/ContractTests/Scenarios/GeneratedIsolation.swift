@testable import ContractDocument

extension Scenario {
  /// Ids of another organization are answered exactly as ids that never were, and change nothing there.
  static func isolation(of operation: Operation) -> [Scenario] {
    guard operation.isInOrganization else { return [] }
    return [
      Scenario("\(operation.id) knows nothing of other organizations") { world in
        let own = try await Snapshot(of: world.home, in: world)
        let away = try await world.makeTenant("away")
        let foreign = try await world.makeForeignIDs(for: operation, in: away)
        try await world.expectUnchanged(since: own, "what another organization did")
        var call = try await world.baseline(operation)
        let members = try BodySlot.all(in: operation.bodySchema ?? .null, of: world.client.document)
        // An admin has to state a reason; otherwise its lack would be refused.
        if members.contains(where: { $0.path == ["reason"] }) {
          call.json = call.json.setting("reason", to: "asked to")
        }
        let before = try await Snapshot(of: away, in: world)
        // An admin calls, so that no role is checked before the id, and so does the least role that may call.
        for token in [world.home.admin.token, call.token] {
          try await world.findsNothing(call.with { $0.token = token }, operation, foreign)
        }
        try await world.refusesForeignCursor(call, operation, away, foreign)
        world.check(
          try await before == Snapshot(of: away, in: world), "\(operation.id) changed another organization")
        try await world.refusesForeignToken(call, operation, away)
      }
    ]
  }
}

extension World {
  /// Makes two of every kind that a request may name in another organization; of each kind for a list, so that it has a
  /// second page.
  ///
  /// - Returns: An id of each kind, by the names under which requests take it.
  func makeForeignIDs(for operation: Operation, in away: Tenant) async throws -> [String: String] {
    let isList = operation.queryParameters.contains { $0.name == "cursor" }
    return try await Fixture.ids(.foreign, naming: isList ? nil : names(of: operation)) {
      try await $0.foreignIDs(self, away)
    }
  }

  /// The names under which a request takes ids.
  func names(of operation: Operation) throws -> Set<String> {
    Set(try IdentifierSlot.all(of: operation, in: client.document).map(\.name))
  }

  /// Puts a foreign and an absent id into every place of the call that takes one.
  func findsNothing(_ call: Call, _ operation: Operation, _ foreign: [String: String]) async throws {
    for slot in try IdentifierSlot.all(of: operation, in: client.document) {
      // A punch is applied without the records that it does not find (`Punches.swift`).
      if operation.id == "applyPunches", slot.name != "userId", slot.place != .path { continue }
      guard let id = foreign[slot.name] else {
        check(false, "\(operation.id) takes an id as \(slot) of which there is no foreign one")
        continue
      }
      // Of several commands each has its own answer.
      let isOfMany =
        operation.id == "applyTimerCommands" && !["userId", "organizationID"].contains(slot.name)
      let expected = slot.isFilter || isOfMany ? [200] : [404, 422]
      let found = try await client.expect(
        slot.setting(call.withNewCommands, to: id), anyOf: expected, codes: [], comment: "foreign \(slot)")
      let absent = try await client.expect(
        slot.setting(call.withNewCommands, to: Self.absentID), anyOf: expected, codes: [],
        comment: "absent \(slot)")
      check(
        found.textWithoutNames == absent.textWithoutNames,
        "\(operation.id) tells foreign from absent by \(slot)")
      check(
        slot.isFilter || (absent.firstRefusal ?? absent.code)?.hasSuffix("_not_found") == true,
        "\(operation.id) does not say that nothing is found for \(slot)")
    }
  }

  /// A place in a list of another organization is not a place in this one's.
  func refusesForeignCursor(
    _ call: Call, _ operation: Operation, _ away: Tenant, _ foreign: [String: String]
  ) async throws {
    guard operation.queryParameters.contains(where: { $0.name == "cursor" }) else { return }
    let theirs = try await client.expect(
      call.with {
        for (name, id) in foreign where $0.path[name] != nil { $0.path[name] = id }
        $0.path["organizationID"] = away.organizationID
        $0.token = away.admin.token
        $0.query.append(("limit", "1"))
      }, 200, comment: "another organization's list")
    let cursor = try Self.text(theirs.json["nextCursor"])
    try await client.expect(
      call.with { $0.query += [("limit", "1"), ("cursor", cursor)] }, 400, code: "invalid_parameter",
      comment: "foreign cursor")
  }

  /// A valid token of another organization, even its admin's, gets the 404 of an absent organization.
  func refusesForeignToken(_ call: Call, _ operation: Operation, _ away: Tenant) async throws {
    let before = try await Snapshot(of: home, in: self)
    let apiToken = try await makeApiToken(for: away.admin, in: away).token
    for token in [away.admin.token, away.member.token, apiToken] {
      let foreign = try await client.expect(
        call.with { $0.token = token }, 404, code: "organization_not_found", comment: "foreign token")
      let absent = try await client.expect(
        call.with {
          $0.token = token
          $0.path["organizationID"] = Self.absentID
        }, 404, code: "organization_not_found", comment: "foreign token, absent organization")
      check(
        foreign.textWithoutRequestID == absent.textWithoutRequestID,
        "\(operation.id) tells a foreign organization from an absent one")
    }
    try await expectUnchanged(since: before, "a foreign token")
  }
}

extension Call {
  /// The call with other ids of commands: under an id that came before, the answer is that of then.
  var withNewCommands: Call {
    guard let commands = json["commands"]?.elements else { return self }
    return with { call in
      call.json = call.json.setting(
        "commands",
        to: .array(
          commands.map { command in
            let digits = String(UInt64.random(in: 1 << 44..<1 << 48), radix: 16)
            return command.setting("id", to: .string("019aa0f2-3c00-7a10-8b20-\(digits)"))
          }))
    }
  }
}

extension ContractClient.Reply {
  /// The text but for the names of the request and of commands.
  var textWithoutNames: String {
    guard json["results"]?.elements.first?["timer"] != nil else { return textWithoutRequestID }
    return "\(json["results"]?.elements.map { $0.removing("id").text } ?? [])"
  }

  /// Why the first of several entries is refused.
  fileprivate var firstRefusal: String? { json["results"]?.elements.first?["problem"]?["code"]?.string }
}
