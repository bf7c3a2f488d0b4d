import Procedures
import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// The reminders that members get.
  static let reminders = Fixture(
    scenarios: Scenario.reminders,
    foreignIDs: { world, away in
      try await world.client.expect(
        world.call(
          "updateOrganization", as: away.admin, in: away, body: ["policy": ["remindAfter": 300]], ifMatch: "*"
        ),
        200)
      for hour in ["10", "11"] {
        let (begin, end) = ("2026-11-20T\(hour):00:00Z", "2026-11-20T\(hour):30:00Z")
        try await world.client.expect(
          world.call("clockIn", as: away.member, in: away, body: ["clockInTime": .string(begin)]), 201)
        world.check(try await world.remind() == 1, "another organization's member is not reminded")
        try await world.client.expect(
          world.call("clockOut", as: away.member, in: away, body: ["clockOutTime": .string(end)]), 200)
      }
      return [:]
    })
}

extension Scenario {
  fileprivate static let reminders: [Scenario] = [
    Scenario(
      "somebody who is clocked in for longer than the policy waits is reminded, once, and stays clocked in"
    ) {
      world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.changePolicy(["remindAfter": 36_000])
      let entry = try await world.client.expect(world.call("clockIn", as: member), 201)
      try await world.client.expect(world.call("clockIn", as: manager), 201)
      world.service.clock.advance(seconds: 36_000)
      world.check(try await world.remind() == 0, "reminded when it is active for as long as that")
      world.service.clock.advance(seconds: 1)
      try await world.client.expect(world.call("clockOut", as: manager), 200)
      world.check(try await world.remind() == 1, "not reminded")
      world.check(try await world.remind() == 0, "reminded twice")
      let list = try await world.client.expect(world.call("listReminders", as: member), 200)
      let reminder = list.json["reminders"]?.elements.first ?? .null
      world.check(
        reminder
          == [
            "id": reminder["id"] ?? .null, "organizationID": .string(world.home.organizationID),
            "userId": .string(member.userID), "kind": "clocked_in_too_long",
            "timeEntryId": entry.json["id"] ?? .null, "createdAt": "2026-11-20T22:00:01.000Z",
          ], reminder.text)
      world.check(list.json["reminders"]?.elements.count == 1, list.json.text)
      let current = try await world.client.expect(world.call("getCurrentTimeEntry", as: member), 200)
      world.check(current.json["timeEntry"]?["id"] == entry.json["id"], "it is not active any more")
      for reader in [member, manager] {
        let feed = try await world.client.expect(world.call("listChanges", as: reader), 200)
        let change = feed.json["changes"]?.elements.last ?? .null
        world.check(change["operation"] == "remind" && change["data"] == reminder, feed.json.text)
      }
      let data = try await world.client.expect(
        world.call("exportPersonalData", as: member, path: ["userId": member.userID]), 200)
      world.check(data.json["reminders"]?.elements == [reminder], data.json["reminders"]?.text ?? "")
    },
    Scenario("members list their own reminders, managers everybody's, page by page") { world in
      let (member, manager) = (world.home.member, world.home.manager)
      try await world.changePolicy(["remindAfter": 300])
      for person in [member, manager] {
        try await world.client.expect(world.call("clockIn", as: person), 201)
        world.service.clock.advance(seconds: 301)
        world.check(try await world.remind() == 1, "not reminded")
      }
      func owners(_ person: Person, _ query: [(name: String, value: String)] = []) async throws -> [String] {
        try await world.pages("listReminders", "reminders", as: person, limit: 1, query: query)
          .compactMap { $0["userId"]?.string }
      }
      let all = [manager.userID, member.userID]
      world.check(try await owners(manager) == all, "managers see everybody's, newest first")
      world.check(try await owners(member) == [member.userID], "members see their own")
      world.check(
        try await owners(manager, [("userId", member.userID)]) == [member.userID], "not one member's")
      let others = world.call("listReminders", as: member, query: [("userId", manager.userID)])
      try await world.client.expect(others, 403, code: "forbidden")
    },
  ]
}

extension World {
  /// Does the server's work of every minute; returns the number of reminders.
  fileprivate func remind() async throws -> Int {
    try await Timeclock(storage: service.storage, clock: service.clock.wallClock).remind(at: believedNow())
  }
}
