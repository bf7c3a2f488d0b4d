import Testing
import TimeclockDomain

@Suite("Deactivation in a storage")
struct DeactivationTests {
  @Test(
    "revokes the organization's tokens, and all without another active membership",
    arguments: StorageFactory.all)
  func tokens(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(
        of: first, account: world.account(email: "d@x.example", passwordHash: World.passwordHash))
      let elsewhere = try await world.add(member, to: second)
      try await world.accept(elsewhere, in: second)
      let logIn = try await world.logIn(member)
      let inFirst = try await world.apiToken(for: member, in: first).digest
      let inSecond = try await world.apiToken(for: elsewhere, in: second).digest
      // All of them are known to be good before.
      for digest in [logIn, inFirst, inSecond] { #expect(try await world.isGood(digest)) }

      try await world.update(member, in: first) { $0.isActive = false }
      #expect(try await !world.isGood(inFirst))
      #expect(try await world.isGood(inSecond))
      #expect(try await world.isGood(logIn))
      #expect(try await !world.authenticate(logIn, in: first.id).isActive)
      #expect(try await world.authenticate(logIn, in: second.id).isActive)
      #expect(try await world.storage.logInAccount(for: EmailAddress("d@x.example"))?.isActive == true)

      try await world.update(elsewhere, in: second) { $0.isActive = false }
      #expect(try await !world.isGood(inSecond))
      #expect(try await !world.isGood(logIn))
      #expect(try await world.storage.logInAccount(for: EmailAddress("d@x.example"))?.isActive == false)
      #expect(
        try await world.storage.profile(of: member.key.user).memberships.map(\.isActive) == [false, false])
    }
  }

  @Test("closes the active entry now, flagged", arguments: StorageFactory.all)
  func activeEntry(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let policy = Policy(
        minimumSeconds: 60, maximumSeconds: 3_600, editWindowDays: 1, lookBackHours: 1,
        notesMaximumCharacters: 1)
      let organization = try await world.organization(policy: policy)
      for (hours, flags) in [(0.5, .autoClosed), (1.5, [.autoClosed, .overMaximum])]
        as [(Double, TimeEntryFlags)]
      {
        let member = try await world.member(of: organization)
        let entry = try await world.keep(member, in: organization, from: World.start, to: nil)
        try await world.update(member, in: organization, at: .hour(hours)) { $0.isActive = false }
        #expect(try await world.storage.activeTimeEntry(of: member.key) == nil)
        var expected = entry
        expected.clockOutTime = .hour(hours)
        expected.flags = flags
        expected.version = 2
        expected.updatedAt = .hour(hours)
        #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == expected)
      }
    }
  }

  @Test("closes an entry that begins later than now", arguments: StorageFactory.all)
  func futureEntry(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let entry = try await world.keep(member, in: organization, from: .hour(1), to: nil)
      try await world.update(member, in: organization, at: World.start) { $0.isActive = false }
      let closed = try await world.storage.timeEntry(entry.id, in: organization.key)
      #expect(closed?.clockOutTime == Instant.hour(1).adding(milliseconds: 1))
      #expect(closed?.flags == [.autoClosed, .underMinimum])
    }
  }

  @Test("leaves the entries of other organizations running", arguments: StorageFactory.all)
  func elsewhere(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(of: first, account: world.account(email: "d@x.example"))
      let elsewhere = try await world.member(of: second, account: world.account(email: "d@x.example"))
      let running = try await world.keep(elsewhere, in: second, from: World.start, to: nil)
      try await world.update(member, in: first) { $0.isActive = false }
      #expect(try await world.storage.activeTimeEntry(of: elsewhere.key) == running)
    }
  }

  @Test("ends with reactivation, and nothing that was revoked comes back", arguments: StorageFactory.all)
  func reactivation(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let token = try await world.logIn(member)
      try await world.update(member, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.keep(member, in: organization, from: .hour(0), to: nil)
      }
      try await world.update(member, in: organization) { $0.isActive = true }
      #expect(try await !world.isGood(token))
      try await world.keep(member, in: organization, from: .hour(0), to: nil)
    }
  }

  @Test("of the last active admin is refused, like the loss of the role", arguments: StorageFactory.all)
  func lastAdmin(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let admin = organization.admin
      let second = try await world.member(of: organization, role: .admin)
      // Another organization's admins do not count.
      _ = try await world.organization()
      try await world.update(second, in: organization) { $0.isActive = false }
      for change in [{ $0.isActive = false }, { $0.role = .manager }]
        as [@Sendable (inout Member) throws -> Void]
      {
        await #expect(throws: TimeclockError.lastAdmin) {
          try await world.update(admin, in: organization, change)
        }
      }
      #expect(try await world.isGood(organization.adminToken))
      #expect(try await world.storage.member(admin.id, in: organization.key)?.version == 1)
      try await world.update(second, in: organization) { $0.isActive = true }
      try await world.update(admin, in: organization) { $0.role = .member }
      #expect(try await world.storage.member(admin.id, in: organization.key)?.role == .member)
    }
  }

  @Test("leaves one admin if all admins deactivate each other at once", arguments: StorageFactory.all)
  func lastAdminConcurrently(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for _ in 0..<10 {
        let organization = try await world.organization()
        var admins = [organization.admin]
        for _ in 0..<7 { admins.append(try await world.member(of: organization, role: .admin)) }
        let all = admins
        let outcomes = await concurrently(8) { number in
          try await world.update(all[number], in: organization) { $0.isActive = false }
        }
        let refused = outcomes.compactMap { outcome in
          if case .failure(let error) = outcome { error as? TimeclockError } else { nil }
        }
        #expect(refused == [.lastAdmin])
        let page = try await world.storage.members(of: organization.key, after: nil, limit: 100)
        #expect(page.elements.filter(\.isActive).count == 1)
      }
    }
  }
}
