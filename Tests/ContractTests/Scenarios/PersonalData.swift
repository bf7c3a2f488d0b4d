@testable import ContractDocument

extension Fixture {
  /// A person's data: all of it in a file, and none of it after anonymizing.
  static let personalData = Fixture(
    scenarios: Scenario.personalData,
    baselines: [
      "anonymizeMember": { world, call in
        let leaver = try await world.makePerson("leaver@home.example")
        call.path["userId"] = leaver.userID
        let deactivate = world.call(
          "deactivateMember", as: world.home.admin, path: ["userId": leaver.userID], ifMatch: "*")
        try await world.client.expect(deactivate, 204)
      }
    ])
}

extension Scenario {
  fileprivate static let personalData: [Scenario] = [
    Scenario("the export holds everything about a person, for the person and for admins, and no secret") {
      world in
      let member = world.home.member
      let token = try await world.makeApiToken(for: member)
      _ = try await world.makeApiToken(for: world.home.manager)
      let entry = try await world.makeEntry(of: member)
      try await world.makeEntry(of: world.home.manager)
      let active = try await world.client.expect(world.call("clockIn", as: member), 201)
      let edit = world.call(
        "updateTimeEntry", as: world.home.manager, path: ["timeEntryId": entry],
        body: ["notes": "Left early", "reason": "Asked by mail"], ifMatch: "*")
      try await world.client.expect(edit, 200)
      let call = world.call("exportPersonalData", as: member, path: ["userId": member.userID])
      let own = try await world.client.expect(call, 200)
      let file = "attachment; filename=\"personal-data-\(member.userID).json\""
      world.check(own.response.values(of: "content-disposition") == [file], "another file name")
      world.check(own.json["account"]?["email"]?.string == member.email, own.json.text)
      world.check(own.json["membership"]?["userId"]?.string == member.userID, own.json.text)
      let entries = own.json["timeEntries"]?.elements ?? []
      world.check(Set(entries.map { $0["id"]?.string }) == [entry, active.json["id"]?.string], own.json.text)
      world.check(own.json["apiTokens"]?.elements.map { $0["id"]?.string } == [token.id], own.json.text)
      let changes = own.json["changes"]?.elements ?? []
      world.check(
        changes.map { $0["operation"]?.string }
          == ["createMember", "createApiToken", "createTimeEntry", "clockIn", "updateTimeEntry"],
        own.json.text)
      world.check(changes.last?["reason"] == "Asked by mail", own.json.text)
      let text = String(decoding: own.response.body, as: UTF8.self)
      world.check(!text.contains(token.token) && !text.contains(member.token), "a secret is told")
      let byAdmin = try await world.client.expect(call.with { $0.token = world.home.admin.token }, 200)
      world.check(byAdmin.json["changes"] == own.json["changes"], byAdmin.json.text)
      world.check(byAdmin.json["timeEntries"] == own.json["timeEntries"], byAdmin.json.text)
      for (other, person) in [(world.home.manager, member), (member, world.home.admin)] {
        let forbidden = world.call("exportPersonalData", as: other, path: ["userId": person.userID])
        try await world.client.expect(forbidden, 403, code: "forbidden")
      }
    },
    Scenario("the export of an author of another's change shows that it was done, not its content") {
      world in
      let entry = try await world.makeEntry(of: world.home.member)
      let edit = world.call(
        "updateTimeEntry", as: world.home.manager, path: ["timeEntryId": entry],
        body: ["notes": "Somebody else's", "reason": "Asked by mail"], ifMatch: "*")
      try await world.client.expect(edit, 200)
      let call = world.call(
        "exportPersonalData", as: world.home.manager, path: ["userId": world.home.manager.userID])
      let reply = try await world.client.expect(call, 200)
      let change = reply.json["changes"]?.elements.last
      world.check(change?["resourceId"]?.string == entry, reply.json.text)
      world.check(change?["reason"] == "Asked by mail" && change?["erased"] == false, reply.json.text)
      world.check(change?["before"] == .null && change?["after"] == .null, reply.json.text)
    },
    Scenario("who is anonymized is nobody everywhere, for good, and the times stay") { world in
      let member = world.home.member
      let entry = try await world.makeEntry(of: member)
      let edit = world.call(
        "updateTimeEntry", as: world.home.manager, path: ["timeEntryId": entry],
        body: ["notes": "Had a cold", "reason": "Told me about the cold"], ifMatch: "*")
      let before = try await world.client.expect(edit, 200)
      let call = world.call(
        "anonymizeMember", as: world.home.admin, path: ["userId": member.userID],
        body: ["reason": "Asked for in writing"])
      try await world.refuses(call, 409, ["member_active"], "an active member")
      let deactivate = world.call(
        "deactivateMember", as: world.home.admin, path: ["userId": member.userID], ifMatch: "*")
      try await world.client.expect(deactivate, 204)
      let reply = try await world.client.expect(call, 200)
      world.check(reply.json["name"] == "Anonymous" && reply.json["active"] == false, reply.json.text)
      world.check(reply.json["email"]?.string == "anonymous+\(member.userID)@invalid", reply.json.text)
      world.check(reply.json["anonymizedAt"] == reply.json["updatedAt"], reply.json.text)
      let member2 = world.call("getMember", as: world.home.admin, path: ["userId": member.userID])
      let seen = try await world.client.expect(member2, 200)
      world.check(seen.json == reply.json && seen.etag == reply.etag, seen.json.text)
      // Once more is nothing more.
      let again = try await world.client.expect(call, 200)
      world.check(again.json == reply.json && again.etag == reply.etag, again.json.text)
      try await world.stays(member)
      // The times stay, and nothing but them.
      let left = try await world.client.expect(
        world.call("getTimeEntry", as: world.home.admin, path: ["timeEntryId": entry]), 200)
      let changed: Set = ["version", "notes", "updatedAt"]
      world.check(
        left.json.members.filter { !changed.contains($0.name) }
          == before.json.members.filter { !changed.contains($0.name) }, left.json.text)
      world.check(left.json["notes"] == .null && left.etag != before.etag, left.json.text)
      try await world.isForgotten(member, ["Had a cold", "Told me", member.email])
    },
    Scenario("the address of who was anonymized is free for a new account") { world in
      let person = try await world.makePerson("again@home.example")
      let deactivate = world.call(
        "deactivateMember", as: world.home.admin, path: ["userId": person.userID], ifMatch: "*")
      try await world.client.expect(deactivate, 204)
      let anonymize = world.call("anonymizeMember", as: world.home.admin, path: ["userId": person.userID])
      try await world.client.expect(anonymize, 200)
      let logIn: JSONValue = ["email": .string(person.email), "password": .string(person.password)]
      try await world.client.expect(
        Call(operationID: "createToken", body: .json(logIn)), 401, code: "invalid_credentials")
      let anew = try await world.makePerson("again@home.example")
      world.check(anew.userID != person.userID, "the same person")
    },
  ]
}

extension World {
  /// Adds a finding if an anonymized member can be changed.
  fileprivate func stays(_ member: Person) async throws {
    let update = call("updateMember", as: home.admin, path: ["userId": member.userID], ifMatch: "*")
    let bodies: [JSONValue] = [
      ["active": true], ["name": "Sita"], ["role": "manager"], ["timeZone": "UTC"],
      ["password": "a new password"],
    ]
    for body in bodies {
      try await refuses(update.with { $0.json = body }, 409, ["member_anonymized"], body.text)
    }
    try await client.expect(update.with { $0.json = ["active": false, "name": "Anonymous"] }, 200)
  }

  /// Adds a finding if any answer has any data of a person.
  fileprivate func isForgotten(_ member: Person, _ texts: [String]) async throws {
    let log = try await client.expect(call("listAuditLog", as: home.admin), 200)
    let changes = log.json["changes"]?.elements ?? []
    check(changes.filter { $0["operation"] == "anonymizeMember" }.count == 1, log.json.text)
    check(changes.first?["before"]?["name"] == "Anonymous", log.json.text)
    check(changes.first?["reason"] == "Asked for in writing", log.json.text)
    let erased = changes.filter { $0["erased"] == true }
    check(erased.count == 4, "\(erased.count) changes are erased")
    check(
      erased.allSatisfy { $0["before"] == .null && $0["after"] == .null && $0["reason"] == .null },
      log.json.text)
    let feed = try await client.expect(call("listChanges", as: home.admin), 200)
    let export = try await client.expect(
      call("exportPersonalData", as: home.admin, path: ["userId": member.userID]), 200)
    let members = try await client.expect(call("listMembers", as: home.admin), 200)
    let entries = try await client.expect(call("listTimeEntries", as: home.admin), 200)
    for reply in [log, feed, export, members, entries] {
      let text = String(decoding: reply.response.body, as: UTF8.self)
      for known in texts where text.contains(known) { check(false, "\(known) is still told: \(text)") }
    }
    let told = feed.json["changes"]?.elements.filter { $0["erased"] == true } ?? []
    check(told.count == 4 && told.allSatisfy { $0["data"] == .null }, feed.json.text)
  }
}
