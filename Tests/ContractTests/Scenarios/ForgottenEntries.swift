import Procedures
import TimeclockDomain

@testable import ContractDocument

extension Fixture {
  /// Entries that the service closes because their members did not clock out.
  static let forgottenEntries = Fixture(scenarios: Scenario.forgottenEntries)
}

extension Scenario {
  fileprivate static let forgottenEntries: [Scenario] = [
    Scenario(
      "an entry that is open for longer than the policy waits is closed, flagged and logged, never silently"
    ) {
      world in
      let member = world.home.member
      try await world.changePolicy(["autoClockOutAfter": 43_200])
      let entry = try await world.client.expect(
        world.call("clockIn", as: member, body: ["notes": "late shift"]), 201)
      world.service.clock.advance(seconds: 43_200)
      world.check(try await world.closeForgotten() == 0, "closed when it is open for as long as that")
      world.service.clock.advance(seconds: 1)
      world.check(try await world.closeForgotten() == 1, "not closed")
      let id = try World.text(entry.json["id"])
      let closed = try await world.client.expect(
        world.call("getTimeEntry", as: member, path: ["timeEntryId": id]), 200)
      let expected = entry.json.setting("clockOutTime", to: "2026-11-21T00:00:00.000Z")
        .setting("status", to: "clocked-out").setting("durationSeconds", to: 43_200)
        .setting("flags", to: ["auto_closed"]).setting("updatedAt", to: "2026-11-21T00:00:01.000Z")
        .setting("source", to: "auto")
        .setting("version", to: 2)
      world.check(closed.json == expected, "it is \(closed.json.text)")
      world.check(closed.etag != entry.etag, "the same ETag")
      try await world.refuses(world.call("clockOut", as: member), 409, ["not_clocked_in"], "it is closed")
      let audit = try await world.client.expect(
        world.call("listAuditLog", as: world.home.admin, query: [("operation", "autoClockOut")]), 200)
      let change = audit.json["changes"]?.elements.first ?? .null
      world.check(audit.json["changes"]?.elements.count == 1, "logged \(audit.json.text)")
      world.check(
        change["author"] == ["means": "service", "userId": .null, "apiTokenId": .null]
          && change["requestId"] == .null, "the author is \(change.text)")
      world.check(
        change["reason"] == "Nobody clocked out within 43200 seconds (autoClockOutAfter)",
        "the reason is \(change["reason"]?.text ?? "")")
      world.check(
        change["before"]?["status"] == "clocked-in" && change["after"] == closed.json, "what was logged")
      let feed = try await world.client.expect(world.call("listChanges", as: world.home.manager), 200)
      let last = feed.json["changes"]?.elements.last ?? .null
      world.check(last["operation"] == "autoClockOut" && last["data"] == closed.json, "the feed")
      try await world.client.expect(world.call("clockIn", as: member), 201, comment: "at once again")
    },
    Scenario("without the policy nobody is ever clocked out") { world in
      let entry = try await world.client.expect(world.call("clockIn", as: world.home.member), 201)
      world.service.clock.advance(seconds: 365 * 86_400)
      world.check(try await world.closeForgotten() == 0, "something is closed")
      // The log-in from before has expired.
      let token = try await world.logIn(world.home.member.email)
      let current = try await world.client.expect(
        world.call("getCurrentTimeEntry", as: world.home.member).with { $0.token = token }, 200)
      world.check(current.json["timeEntry"]?["id"] == entry.json["id"], "it is not active any more")
    },
    Scenario(
      "an entry that the service closed is edited as any other, and its flag goes with the end it gave"
    ) {
      world in
      let member = world.home.member
      try await world.changePolicy(["autoClockOutAfter": 7_200])
      let entry = try await world.client.expect(
        world.call("clockIn", as: member, body: ["clockInTime": "2026-11-20T06:00:00Z"]), 201)
      world.check(try await world.closeForgotten() == 1, "not closed")
      let call = world.call(
        "updateTimeEntry", as: member, path: ["timeEntryId": try World.text(entry.json["id"])], ifMatch: "*")
      let edits: [(JSONValue, JSONValue)] = [
        (["notes": "forgot"], ["auto_closed"]), (["clockInTime": "2026-11-20T06:30:00Z"], ["auto_closed"]),
        (["clockOutTime": "2026-11-20T08:00:00Z"], ["auto_closed"]),
        (["clockOutTime": "2026-11-20T09:30:00Z"], []),
      ]
      for (body, flags) in edits {
        let edited = try await world.client.expect(call.with { $0.json = body }, 200, comment: body.text)
        world.check(edited.json["flags"] == flags, "\(body.text): \(edited.json["flags"]?.text ?? "")")
      }
    },
    Scenario("an organization where closing fails does not keep another's entries open") { world in
      let other = try await world.makeTenant("other")
      for tenant in [world.home, other] {
        let update = world.call(
          "updateOrganization", as: tenant.admin, in: tenant, body: ["policy": ["autoClockOutAfter": 60]],
          ifMatch: "*")
        try await world.client.expect(update, 200)
        try await world.client.expect(world.call("clockIn", as: tenant.member, in: tenant), 201)
      }
      world.service.clock.advance(seconds: 61)
      let organizations = try await world.service.storage.organizations()
      for (organization, tenant) in zip(organizations, [world.home, other]) {
        world.check(organization.id.text == tenant.organizationID, "another order of organizations")
      }
      world.service.faults.failClosing(in: organizations.first?.key)
      do {
        _ = try await world.closeForgotten()
        world.check(false, "the failure is not told")
      } catch is UnforeseenError {}
      for (tenant, status) in [(world.home, "clocked-in"), (other, "clocked-out")] {
        let current = try await world.client.expect(
          world.call("getCurrentTimeEntry", as: tenant.member, in: tenant), 200)
        world.check(current.json["status"]?.string == status, "not \(status)")
      }
      world.service.faults.failClosing(in: nil)
      world.check(try await world.closeForgotten() == 1, "it is not tried again")
    },
  ]
}

extension World {
  /// Does the server's work of every minute; returns the number of closed entries.
  func closeForgotten() async throws -> Int {
    try await Timeclock(storage: service.storage, clock: service.clock.wallClock)
      .closeForgottenEntries(at: believedNow())
  }

  /// The present, by a clock that is right.
  func believedNow() throws -> TrustedInstant {
    try ClockWatch(service.clock.wallClock, newest: nil) { .zero }.trusted().get()
  }
}
