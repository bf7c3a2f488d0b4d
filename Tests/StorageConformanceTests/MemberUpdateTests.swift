import Testing
import TimeclockDomain

@Suite("Changes of members in a storage")
struct MemberUpdateTests {
  @Test("reach name, role, zone and activity, and nothing else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let before = try #require(try await world.storage.member(member.id, in: organization.key))
      let token = try await world.logIn(member)
      #expect(try await world.authenticate(token, in: organization.id).role == .member)
      let changed = try await world.update(member, in: organization, version: 1, at: .hour(3)) {
        $0.email = "other@example.com"
        $0.createdAt = .earliest
        $0.version = 90
        $0.name = "Ан̄а"
        $0.role = .manager
        $0.timeZone = zone("Pacific/Apia")
        $0.personnelNumber = "00 7"
      }
      var expected = before
      expected.name = "Ан̄а"
      expected.role = .manager
      expected.timeZone = zone("Pacific/Apia")
      expected.personnelNumber = "00 7"
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(changed == expected)
      #expect(try await world.storage.member(member.id, in: organization.key) == expected)
      let membership = try await world.authenticate(token, in: organization.id)
      #expect(membership.role == .manager)
      #expect(membership.memberTimeZone == zone("Pacific/Apia"))
      let back = try await world.update(member, in: organization, version: 2) { $0.timeZone = nil }
      #expect(back.timeZone == nil)
      #expect(try await world.authenticate(token, in: organization.id).memberTimeZone == nil)
    }
  }

  @Test("of nothing leave the version", arguments: StorageFactory.all)
  func updateOfNothing(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let before = try await world.storage.member(member.id, in: organization.key)
      let after = try await world.update(member, in: organization, at: .hour(1)) { $0.role = .member }
      #expect(after == before)
      #expect(try await world.storage.member(member.id, in: organization.key) == before)
    }
  }

  @Test("that fail leave everything as it was", arguments: StorageFactory.all)
  func failures(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let token = try await world.logIn(member)
      let before = try #require(try await world.storage.member(member.id, in: organization.key))
      await #expect(throws: TimeclockError.changed(current: before.current)) {
        try await world.update(member, in: organization, version: 2) { $0.isActive = false }
      }
      await #expect(throws: TimeclockError.invalidName) {
        try await world.update(member, in: organization, passwordHash: PasswordHash(text: "new")) {
          $0.isActive = false
          throw TimeclockError.invalidName
        }
      }
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await world.storage.updateMember(
          world.id(), in: organization.key, expectedVersion: nil, passwordHash: nil,
          context: .test(at: World.start)
        ) { $0.name = "Nobody" }
      }
      #expect(try await world.storage.member(member.id, in: organization.key) == before)
      #expect(try await world.storage.passwordHash(of: member.key.user) == World.passwordHash)
      #expect(try await world.isGood(token))
    }
  }

  @Test("rename the account of a person who logs in to no other organization", arguments: StorageFactory.all)
  func rename(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let single = try await world.member(of: first, account: world.account(name: "Old"))
      let double = try await world.member(
        of: first, account: world.account(name: "Old", passwordHash: World.passwordHash))
      let elsewhere = try await world.add(single, to: second)
      try await world.accept(world.add(double, to: second), in: second)
      try await world.update(elsewhere, in: second) { $0.name = "Not theirs to say" }
      #expect(try await world.storage.profile(of: single.key.user).user.name == "Old")
      try await world.update(single, in: first) { $0.name = "New" }
      try await world.update(double, in: first) { $0.name = "New" }
      #expect(try await world.storage.profile(of: single.key.user).user.name == "New")
      #expect(try await world.storage.profile(of: double.key.user).user.name == "Old")
      #expect(try await world.storage.member(double.id, in: first.key)?.name == "New")
    }
  }

  @Test("of a password revoke every token of the person here", arguments: StorageFactory.all)
  func password(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let logIn = try await world.logIn(member)
      let api = try await world.apiToken(for: member, in: organization)
      let others = try await world.logIn(organization.admin)
      #expect(try await world.isGood(logIn))
      let after = try await world.update(
        member, in: organization, passwordHash: PasswordHash(text: "new")
      ) { _ in }
      #expect(after.version == 2)
      #expect(try await world.storage.passwordHash(of: member.key.user) == PasswordHash(text: "new"))
      #expect(try await !world.isGood(logIn))
      #expect(try await !world.isGood(api.digest))
      #expect(try await world.isGood(others))
    }
  }

  @Test(
    "of a password are refused where the person logs in to other organizations", arguments: StorageFactory.all
  )
  func sharedAccount(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(
        of: first, account: world.account(email: "d@x.example", passwordHash: World.passwordHash))
      let elsewhere = try await world.add(member, to: second)
      try await world.accept(elsewhere, in: second)
      let token = try await world.logIn(member)
      for _ in 0..<2 {
        await #expect(throws: TimeclockError.accountShared) {
          try await world.update(member, in: first, passwordHash: PasswordHash(text: "new")) {
            $0.name = "Changed"
          }
        }
        // The same once the other membership has ended.
        try await world.update(elsewhere, in: second) { $0.isActive = false }
      }
      #expect(try await world.storage.member(member.id, in: first.key)?.name == "Ana")
      #expect(try await world.storage.passwordHash(of: member.key.user) == World.passwordHash)
      #expect(try await world.isGood(token))
    }
  }

  @Test("let one of many win who change the same version", arguments: StorageFactory.all)
  func versionConflict(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let outcomes = await concurrently(32) { number in
        try await world.update(member, in: organization, version: 1) { $0.name = "Name \(number)" }
      }
      let winners = outcomes.compactMap { try? $0.get() }
      #expect(winners.count == 1)
      let kept = try #require(try await world.storage.member(member.id, in: organization.key))
      #expect(winners == [kept])
      for case .failure(let error) in outcomes {
        #expect(error as? TimeclockError == .changed(current: kept.current))
      }
    }
  }
}
