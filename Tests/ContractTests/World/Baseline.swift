extension World {
  /// A call of the operation that succeeds, with what it needs made before, and the document's own example
  /// as its body.
  func baseline(_ operation: Operation) async throws -> Call {
    var call = call(
      operation.id, as: operation.isSecured ? home.person(operation.requiredRole ?? .user) : nil)
    if operation.requiredRole == .operator { call.token = service.operatorToken }
    if operation.pathParameters.contains(where: { $0.name == "userId" }) {
      call.path["userId"] = home.member.userID
    }
    if let example = operation.bodyExample { call.json = example }
    if let text = operation.textBody {
      call.body = .bytes(Array(text.example.utf8))
      call.contentType = text.contentTypes.first
    }
    return try await prepared(call)
  }

  private func prepared(_ call: Call) async throws -> Call {
    var call = call
    switch call.operationID {
    case "createToken":
      let example = try client.document.operation("createMember").bodyExample ?? .null
      try await client.expect(self.call("createMember", as: home.admin, body: example), 201)
    case "deleteToken": call.token = try await logIn(home.member.email)
    case "updateOrganization":
      call.ifMatch = try await client.expect(self.call("getOrganization", as: home.admin), 200).etag
    case "updateMember", "deactivateMember": call.ifMatch = try await etag(of: home.member)
    case "anonymizeMember":
      let leaver = try await makePerson("leaver@home.example")
      call.path["userId"] = leaver.userID
      let deactivate = self.call(
        "deactivateMember", as: home.admin, path: ["userId": leaver.userID], ifMatch: "*")
      try await client.expect(deactivate, 204)
    case "createApiToken": call.json = call.json.setting("userId", to: .string(home.member.userID))
    case "deleteApiToken": call.path["apiTokenId"] = try await makeApiToken(for: home.member).id
    case "clockOut": try await client.expect(self.call("clockIn", as: home.member), 201)
    case "getTimeEntry", "updateTimeEntry", "deleteTimeEntry":
      let example = try client.document.operation("createTimeEntry").bodyExample ?? .null
      let created = try await client.expect(
        self.call("createTimeEntry", as: home.member, body: example), 201)
      call.path["timeEntryId"] = try Self.text(created.json["id"])
      if call.operationID != "getTimeEntry" { call.ifMatch = created.etag }
    case "createSession":
      call.json = call.json.setting("assignees", to: [["id": .string(home.member.userID)]])
    case "getSession", "updateSession", "deleteSession":
      let created = try await makeSession(assignees: [home.member])
      call.path["sessionId"] = try Self.text(created.json["id"])
      if call.operationID != "getSession" { call.ifMatch = created.etag }
      // So that an older form, put beside, is one too many.
      if call.operationID == "updateSession" { call.json = call.json.setting("assignees", to: []) }
    case "importTimeEntries": call.query = [("format", "generic")]
    case "checkOverlap":
      call.query = [("startTime", "2026-11-16T09:00:00Z"), ("endTime", "2026-11-16T17:00:00Z")]
    case "reportHours": call.query = [("startDate", "2026-11-01"), ("endDate", "2026-11-30")]
    case "getTimesheet": call.query = [("period", "weekly")]
    default: break
    }
    return call
  }

  /// Makes a session on 2026-11-20, with these members assigned to it.
  @discardableResult
  func makeSession(
    date: String = "2026-11-20", assignees: [Person], in tenant: Tenant? = nil
  ) async throws -> ContractClient.Reply {
    let tenant = tenant ?? home
    let body: JSONValue = [
      "date": .string(date), "title": "Tasting",
      "assignees": .array(assignees.map { ["id": .string($0.userID)] }),
    ]
    return try await client.expect(
      call("createSession", as: tenant.manager, in: tenant, body: body), 201)
  }

  /// Makes an API token that acts as the person.
  func makeApiToken(
    for person: Person, in tenant: Tenant? = nil, expiresAt: JSONValue = .null
  ) async throws -> (id: String, token: String) {
    let tenant = tenant ?? home
    let body: JSONValue = ["name": "Door", "userId": .string(person.userID), "expiresAt": expiresAt]
    let created = try await client.expect(
      call("createApiToken", as: tenant.admin, in: tenant, body: body), 201)
    return (try Self.text(created.json["id"]), try Self.text(created.json["token"]))
  }
}
