extension Scenario {
  /// Ids of another organisation are answered exactly as ids that never were, and change nothing there.
  static func isolation(of operation: Operation) -> [Scenario] {
    guard operation.isInOrganization else { return [] }
    return [
      Scenario("\(operation.id) knows nothing of other organisations") { world in
        let own = try await Snapshot(of: world.home, in: world)
        let away = try await world.makeTenant("away")
        let entry = try await world.makeEntry(of: away.member, in: away)
        let apiToken = try await world.makeApiToken(for: away.member, in: away).id
        let session = try await world.makeSession(assignees: [away.member], in: away)
        try await world.expectUnchanged(since: own, "what another organisation did")
        let call = try await world.baseline(operation)
        let before = try await Snapshot(of: away, in: world)
        let foreign = [
          "organizationID": away.organizationID, "userId": away.member.userID, "timeEntryId": entry,
          "apiTokenId": apiToken, "assignedTo": away.member.userID,
          "sessionId": try World.text(session.json["id"]),
        ]
        // As an admin, so that no role stands before the id, and as the least who may call.
        for token in [world.home.admin.token, call.token] {
          try await world.findsNothing(call.with { $0.token = token }, operation, foreign)
        }
        world.check(
          try await before == Snapshot(of: away, in: world), "\(operation.id) changed another organisation")
        try await world.refusesForeignToken(call, operation, away)
      }
    ]
  }
}

extension World {
  /// Puts a foreign and an absent id into every place of the call that takes one.
  func findsNothing(_ call: Call, _ operation: Operation, _ foreign: [String: String]) async throws {
    for parameter in operation.pathParameters {
      let name = parameter.name
      try await answersAlike(operation.id, "path \(name)") { id in
        call.with { $0.path[name] = id ?? foreign[name] ?? "" }
      }
    }
    for name in operation.queryParameters.map(\.name) where foreign[name] != nil {
      try await answersAlike(operation.id, "query \(name)") { id in
        call.with { $0.query.append((name, id ?? foreign[name] ?? "")) }
      }
    }
    for slot in try BodySlot.all(in: operation.bodySchema ?? .null, of: client.document)
    where slot.path.last == "userId" {
      try await answersAlike(operation.id, "body userId") { id in
        call.with { $0.json = call.json.setting("userId", to: .string(id ?? foreign["userId"] ?? "")) }
      }
    }
  }

  /// Calls with a foreign id (nil asks for it) and with an absent one, and compares the answers byte by byte.
  func answersAlike(_ operationID: String, _ slot: String, _ call: (String?) -> Call) async throws {
    let foreign = try await client.expect(call(nil), 404, comment: "foreign \(slot)")
    let absent = try await client.expect(call(Self.absentID), 404, comment: "absent \(slot)")
    check(
      foreign.textWithoutRequestID == absent.textWithoutRequestID,
      "\(operationID) tells foreign from absent by \(slot)")
  }

  /// A valid token of another organisation, even its admin's, gets the 404 of an absent organisation.
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
        }, 404, code: "organization_not_found", comment: "foreign token, absent organisation")
      check(
        foreign.textWithoutRequestID == absent.textWithoutRequestID,
        "\(operation.id) tells a foreign organisation from an absent one")
    }
    try await expectUnchanged(since: before, "a foreign token")
  }

  /// Enters two hours by hand and answers the entry's id.
  @discardableResult
  func makeEntry(
    of person: Person, in tenant: Tenant? = nil, from: String = "2026-11-19T08:00:00Z",
    to: String = "2026-11-19T10:00:00Z"
  ) async throws -> String {
    let body: JSONValue = ["clockInTime": .string(from), "clockOutTime": .string(to)]
    let reply = try await client.expect(call("createTimeEntry", as: person, in: tenant, body: body), 201)
    return try Self.text(reply.json["id"])
  }
}
