@testable import ContractDocument

extension Fixture {
  /// The effects of deactivation and reactivation.
  static let memberAccess = Fixture(scenarios: Scenario.memberAccess)
}

extension Scenario {
  fileprivate static let memberAccess: [Scenario] = [
    Scenario("a deactivated member's next request is refused, and the open entry is closed") { world in
      let member = world.home.member
      let apiToken = try await world.makeApiToken(for: member).token
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      world.service.clock.advance(seconds: 3_600)
      try await world.deactivate(member)
      for token in [member.token, apiToken] {
        for operationID in ["getCurrentTimeEntry", "clockOut", "getOrganization"] {
          let call = world.call(operationID, as: member).with { $0.token = token }
          try await world.client.expect(call, 401, code: "invalid_token")
        }
        try await world.client.expect(Call(operationID: "getMe", token: token), 401, code: "invalid_token")
      }
      let read = world.call(
        "getTimeEntry", as: world.home.manager, path: ["timeEntryId": try World.text(entry.json["id"])])
      let closed = try await world.client.expect(read, 200)
      world.check(closed.json["status"] == "clocked-out", "the entry still runs")
      world.check(closed.json["flags"] == ["auto_closed"], "flags \(closed.json["flags"]?.text ?? "")")
      world.check(closed.json["durationSeconds"] == 3_600, "another duration")
    },
    Scenario("deactivating a deactivated member changes nothing, and both ways do the same") { world in
      let member = world.home.member
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID], body: ["active": false],
        ifMatch: "*")
      let reply = try await world.client.expect(update, 200)
      world.check(reply.json["active"] == false, "the member is still active")
      try await world.client.expect(world.call("getOrganization", as: member), 401, code: "invalid_token")
      world.service.clock.advance(seconds: 1)
      try await world.deactivate(member)
      let again = try await world.client.expect(
        world.call("getMember", as: world.home.admin, path: ["userId": member.userID]), 200)
      world.check(again.json == reply.json && again.etag == reply.etag, "something has changed")
    },
    Scenario("a member who comes back logs in again") { world in
      let member = world.home.member
      try await world.deactivate(member)
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": member.userID], body: ["active": true],
        ifMatch: "*")
      try await world.client.expect(update, 200)
      try await world.client.expect(world.call("getOrganization", as: member), 401, code: "invalid_token")
      let token = try await world.logIn(member.email)
      try await world.client.expect(world.call("getOrganization", as: member).with { $0.token = token }, 200)
    },
    Scenario("nothing is entered for a deactivated member") { world in
      let member = world.home.member
      try await world.deactivate(member)
      let userID = JSONValue.string(member.userID)
      let times: JSONValue = [
        "userId": userID, "clockInTime": "2026-11-19T08:00:00Z", "clockOutTime": "2026-11-19T09:00:00Z",
      ]
      let bodies: [(String, JSONValue)] = [
        ("clockIn", ["userId": userID]), ("createTimeEntry", times),
        ("createApiToken", ["name": "Door", "userId": userID]),
      ]
      for (operationID, body) in bodies {
        let call = world.call(operationID, as: world.home.admin, body: body)
        try await world.refuses(call, 409, ["member_deactivated"], operationID)
      }
      try await world.client.expect(
        world.call("clockOut", as: world.home.admin, body: ["userId": userID]), 409, code: "not_clocked_in")
    },
    Scenario("someone of two organizations has the time, the role and the end of each apart") { world in
      let away = try await world.makeTenant("away")
      let person = try await world.makeSharedPerson(away)
      let body: JSONValue = ["clockInTime": "2026-11-20T08:00:00Z"]
      let first = try await world.client.expect(world.call("clockIn", as: person, body: body), 201)
      let current = world.call("getCurrentTimeEntry", as: person, in: away)
      let elsewhere = try await world.client.expect(current, 200)
      world.check(elsewhere.json["status"] == "clocked-out", "clocked in where nobody clocked in")
      try await world.client.expect(world.call("clockOut", as: person, in: away), 409, code: "not_clocked_in")
      let second = try await world.client.expect(world.call("clockIn", as: person, in: away, body: body), 201)
      world.check(first.json["id"] != second.json["id"], "one entry in two organizations")
      try await world.client.expect(world.call("listMembers", as: person), 200)
      try await world.client.expect(world.call("listMembers", as: person, in: away), 403, code: "forbidden")
      try await world.deactivate(person)
      let running = try await world.client.expect(current, 200)
      world.check(running.json["timeEntry"]?["id"] == second.json["id"], "the other entry is closed too")
      try await world.client.expect(world.call("clockOut", as: person, in: away), 200)
    },
    Scenario("a lower role holds from the next request on") { world in
      let manager = world.home.manager
      try await world.client.expect(world.call("listMembers", as: manager), 200)
      let update = world.call(
        "updateMember", as: world.home.admin, path: ["userId": manager.userID], body: ["role": "member"],
        ifMatch: "*")
      try await world.client.expect(update, 200)
      try await world.client.expect(world.call("listMembers", as: manager), 403, code: "forbidden")
    },
  ]
}
