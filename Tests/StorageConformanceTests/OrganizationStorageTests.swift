import Testing
import TimeclockDomain

@Suite("Organizations in a storage")
struct OrganizationStorageTests {
  private static let policy = Policy(
    minimumSeconds: 0, maximumSeconds: 604_800, editWindowDays: 3_650, lookBackHours: 8_760,
    notesMaximumCharacters: 10_000, autoClockOutSeconds: 1_209_600, dailyOvertimeSeconds: 28_800,
    weeklyOvertimeSeconds: 144_000, weekStart: .sunday, manualEntryDays: 31, membersMayCreateProjects: false,
    breakRules: [
      BreakRule(afterSeconds: 0, breakSeconds: 60), BreakRule(afterSeconds: 86_400, breakSeconds: 86_400),
    ], breakMinimumSeconds: 0, isProjectRequired: true, membersMayEnterTimes: false,
    remindAfterSeconds: 604_800, timerSessionDays: 3_650, managersSee: .ownGroups,
    absenceApproval: [.sick, .vacation],
    isSelfApprovalAllowed: true, areAbsenceKindsVisible: true, isNegativeEntitlementAllowed: false,
    balanceCapAbove: 36_000_000, balanceCapBelow: -36_000_000,
    correctionsNeed: .consent)

  @Test("come back as they were kept", arguments: StorageFactory.all)
  func roundTrip(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = Organization(
        id: world.id(), name: "Hafencafé 👩🏽‍🏭 \u{1F1F3}\u{1F1F5} e\u{301}", timeZone: zone("Asia/Kathmandu"),
        policy: Self.policy, version: 7, createdAt: .earliest, updatedAt: .latest)
      let token = world.token()
      _ = try await world.storage.createOrganization(
        organization, admin: world.account(), token: token, context: .test())
      let key = try await world.authenticate(token.digest, in: organization.id).key.organization
      let kept = try await world.storage.organization(key)
      #expect(emptyFields(of: Self.policy) == [] && emptyFields(of: organization) == [])
      #expect(kept == organization)
      #expect(
        try await world.storage.changes(of: key, after: 0, resources: [.organization], limit: 1).first?.after
          == .organization(organization))
      #expect(Array(kept.name.utf8) == Array(organization.name.utf8))
    }
  }

  @Test("begin with an admin who has a token", arguments: StorageFactory.all)
  func firstAdmin(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let account = try world.account(email: "Ana@Example.com", name: "Ana Gómez")
      let organization = try await world.organization(admin: account, policy: Self.policy)
      let membership = try await world.authenticate(organization.adminToken, in: organization.id)
      #expect(membership.role == .admin)
      #expect(membership.isActive)
      #expect(membership.userID == account.userID)
      #expect(membership.policy == Self.policy)
      #expect(membership.organizationTimeZone == zone("Europe/Berlin"))
      let profile = try await world.storage.profile(of: organization.admin.key.user)
      #expect(
        profile.user == User(id: account.userID, email: "Ana@Example.com", name: "Ana Gómez", language: nil))
    }
  }

  @Test("may be founded by somebody with an account", arguments: StorageFactory.all)
  func secondOrganization(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization(admin: world.account(email: "ana@example.com", name: "Ana"))
      let second = try await world.organization(
        admin: world.account(email: "ANA@example.COM", name: "Somebody"))
      #expect(second.admin.id == first.admin.id)
      #expect(second.admin.key.user == first.admin.key.user)
      #expect(second.admin.email == "ANA@example.COM")
      let profile = try await world.storage.profile(of: first.admin.key.user)
      #expect(profile.user.name == "Ana")
      #expect(profile.memberships.map(\.organizationID) == [first.id, second.id])
    }
  }

  @Test("leave nothing behind if the admin's address is taken", arguments: StorageFactory.all)
  func emailInUse(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization(admin: world.account(email: "ana@example.com"))
      let token = world.token()
      let organization = Organization(
        id: world.id(), name: "Second", timeZone: zone("UTC"), createdAt: World.start, updatedAt: World.start)
      let account = try world.account(
        email: "Ana@example.com", passwordHash: PasswordHash(text: "hash"))
      await #expect(throws: TimeclockError.emailInUse) {
        try await world.storage.createOrganization(
          organization, admin: account, token: token, context: .test())
      }
      #expect(try await !world.isGood(token.digest))
      #expect(try await world.storage.profile(of: first.admin.key.user).memberships.count == 1)
      // Nothing is left of the failed one's id either.
      _ = try await world.storage.createOrganization(
        organization, admin: world.account(), token: token, context: .test())
      #expect(try await world.isGood(token.digest))
    }
  }

  @Test("that never were are not found", arguments: StorageFactory.all)
  func unknown(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let unknown = OrganizationKey(987_654)
      await #expect(throws: TimeclockError.notFound(.organization)) {
        try await world.storage.organization(unknown)
      }
      await #expect(throws: TimeclockError.notFound(.organization)) {
        try await world.storage.updateOrganization(
          unknown, expectedVersion: nil, context: .test(at: World.start)
        ) {
          $0.name = "Nobody's"
        }
      }
    }
  }

  @Test("change name, zone and policy, and nothing else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let foreignID: OrganizationID = world.id()
      let before = try await world.storage.organization(organization.key)
      let changed = try await world.storage.updateOrganization(
        organization.key, expectedVersion: 1, context: .test(at: .hour(5))
      ) {
        $0.id = foreignID
        $0.createdAt = .earliest
        $0.version = 50
        $0.name = "Ново име"
        $0.timeZone = zone("Pacific/Apia")
        $0.policy = Self.policy
      }
      var expected = before
      expected.name = "Ново име"
      expected.timeZone = zone("Pacific/Apia")
      expected.policy = Self.policy
      expected.version = 2
      expected.updatedAt = .hour(5)
      #expect(changed == expected)
      #expect(try await world.storage.organization(organization.key) == expected)
      let membership = try await world.authenticate(organization.adminToken, in: organization.id)
      #expect(membership.policy == Self.policy)
      #expect(membership.organizationTimeZone == zone("Pacific/Apia"))
    }
  }

  @Test("take back that they clock out by themselves", arguments: StorageFactory.all)
  func autoClockOut(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy)
      let changed = try await world.storage.updateOrganization(
        organization.key, expectedVersion: nil, context: .test(at: .hour(1))
      ) { $0.policy.autoClockOutSeconds = nil }
      #expect(changed.policy.autoClockOutSeconds == nil)
      #expect(try await world.storage.organization(organization.key) == changed)
      let membership = try #require(
        try await world.storage.membership(of: organization.admin.id, in: organization.key))
      #expect(membership.policy == changed.policy)
      #expect(try await world.changes(organization).last?.after == .organization(changed))
    }
  }

  @Test("keep their version if nothing changes", arguments: StorageFactory.all)
  func updateOfNothing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let before = try await world.storage.organization(organization.key)
      let after = try await world.storage.updateOrganization(
        organization.key, expectedVersion: nil, context: .test(at: .hour(5))
      ) { $0.name = "Acme" }
      #expect(after == before)
      #expect(try await world.storage.organization(organization.key) == before)
    }
  }

  @Test("stay as they are if a change fails", arguments: StorageFactory.all)
  func failedUpdate(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let before = try await world.storage.organization(organization.key)
      await #expect(throws: TimeclockError.changed(current: before.current)) {
        try await world.storage.updateOrganization(
          organization.key, expectedVersion: 2, context: .test(at: .hour(1))
        ) {
          $0.name = "Other"
        }
      }
      await #expect(throws: TimeclockError.invalidName) {
        try await world.storage.updateOrganization(
          organization.key, expectedVersion: 1, context: .test(at: .hour(1))
        ) {
          $0.name = "Other"
          throw TimeclockError.invalidName
        }
      }
      #expect(try await world.storage.organization(organization.key) == before)
    }
  }

  @Test("let one of many win who change the same version", arguments: StorageFactory.all)
  func versionConflict(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let outcomes = await concurrently(32) { number in
        try await world.storage.updateOrganization(
          organization.key, expectedVersion: 1, context: .test(at: .hour(1))
        ) {
          $0.name = "Name \(number)"
        }
      }
      let winners = outcomes.compactMap { try? $0.get() }
      #expect(winners.count == 1)
      let kept = try await world.storage.organization(organization.key)
      #expect(winners == [kept])
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .changed(current: kept.current))
      }
    }
  }
}
