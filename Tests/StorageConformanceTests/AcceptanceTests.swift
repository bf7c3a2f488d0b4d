import Testing
import TimeclockDomain

/// One account in two organizations whose admins need not trust each other.
@Suite("Accounts of several organizations in a storage")
struct AcceptanceTests {
  private static let new = PasswordHash(text: "$scrypt$new")

  @Test("are not opened by log-ins if they were only added", arguments: StorageFactory.all)
  func addedOnly(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(of: first)
      let added = try await world.add(member, to: second, role: .admin)
      let founded = try await world.organization(admin: world.account(email: member.email))
      #expect(added.id == member.id)
      #expect(founded.admin.id == member.id)
      let logIn = try await world.logIn(member)
      #expect(try await world.authenticate(logIn, in: first.id).key == member.key)
      for organization in [second.id, founded.id] {
        let found = try await world.storage.authenticate(
          logIn, organizationID: organization, at: World.start)
        #expect(found?.userID == member.id)
        #expect(found?.membership == nil)
      }
      let apiToken = try await world.apiToken(for: added, in: second).digest
      #expect(try await world.authenticate(apiToken, in: second.id).role == .admin)
      #expect(try await world.authenticate(founded.adminToken, in: founded.id).role == .admin)
      let memberships = try await world.storage.profile(of: member.key.user).memberships
      #expect(memberships.map(\.isAccepted) == [true, false, false])
    }
  }

  @Test(
    "are opened by log-ins once the person has accepted, and by none from before",
    arguments: StorageFactory.all)
  func accepted(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let third = try await world.organization()
      let member = try await world.member(of: first)
      let added = try await world.add(member, to: second, role: .manager)
      let logIn = try await world.logIn(member)
      let shown = try await world.apiToken(for: added, in: second).digest
      let revoked = [
        logIn, shown, try await world.apiToken(for: member, in: first).digest,
        try await world.apiToken(for: added, in: second).digest,
      ]
      let elsewhere = try await world.apiToken(for: world.add(member, to: third), in: third).digest
      try await world.storage.acceptMembership(
        of: member.key.user, with: shown, from: World.passwordHash, to: Self.new,
        context: .test(at: World.start))
      for digest in revoked { #expect(try await !world.isGood(digest)) }
      // The third organization has not been accepted, so its tokens are no business of the account's.
      #expect(try await world.isGood(elsewhere))
      #expect(try await world.isGood(first.adminToken))
      #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
      let later = try await world.logIn(member)
      #expect(try await world.authenticate(later, in: first.id).role == .member)
      #expect(try await world.authenticate(later, in: second.id).role == .manager)
      let inThird = try await world.storage.authenticate(later, organizationID: third.id, at: World.start)
      #expect(inThird?.membership == nil)
      #expect(try await world.storage.member(member.id, in: second.key)?.version == 1)
    }
  }

  @Test(
    "are accepted with a valid API token in the person's name and the password", arguments: StorageFactory.all
  )
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(of: first)
      let added = try await world.add(member, to: second)
      let logIn = try await world.logIn(member)
      let (gone, revoked) = try await world.apiToken(for: added, in: second)
      try await world.storage.deleteApiToken(gone.id, in: second.key, context: .test())
      let useless = [
        logIn, second.adminToken, revoked, world.digest(),
        try await world.apiToken(for: second.admin, in: second).digest,
        try await world.apiToken(for: added, in: second, expiresAt: World.start).digest,
      ]
      for digest in useless {
        await #expect(throws: TimeclockError.notFound(.apiToken)) {
          try await world.storage.acceptMembership(
            of: member.key.user, with: digest, from: World.passwordHash, to: Self.new,
            context: .test(at: World.start))
        }
      }
      let good = try await world.apiToken(for: added, in: second).digest
      await #expect(throws: TimeclockError.wrongPassword) {
        try await world.storage.acceptMembership(
          of: member.key.user, with: good, from: Self.new, to: Self.new, context: .test(at: World.start))
      }
      #expect(try await world.storage.passwordHash(of: member.key.user) == World.passwordHash)
      #expect(try await world.isGood(logIn))
      #expect(try await world.isGood(good))
      let found = try await world.storage.authenticate(logIn, organizationID: second.id, at: World.start)
      #expect(found?.membership == nil)
    }
  }

  @Test(
    "keep their password from every admin but the one of the only one accepted", arguments: StorageFactory.all
  )
  func adminsPasswords(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(of: first)
      let added = try await world.add(member, to: second)
      let apiToken = try await world.apiToken(for: added, in: second).digest
      await #expect(throws: TimeclockError.accountShared) {
        try await world.update(added, in: second, passwordHash: Self.new) { _ in }
      }
      // The admin of the account's first organization can still help, but reaches nothing of the other one.
      try await world.update(member, in: first, passwordHash: Self.new) { _ in }
      #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
      let logIn = try await world.logIn(member)
      let authentication = try #require(
        try await world.storage.authenticate(logIn, organizationID: second.id, at: World.start))
      #expect(authentication.membership == nil)
      try await world.storage.changePassword(
        of: member.key.user, from: Self.new, to: World.passwordHash, keepingToken: authentication.tokenKey,
        context: .test())
      #expect(try await world.isGood(apiToken))
      try await world.accept(added, in: second)
      for (member, organization) in [(member, first), (added, second)] {
        await #expect(throws: TimeclockError.accountShared) {
          try await world.update(member, in: organization, passwordHash: Self.new) { _ in }
        }
      }
      // The operator has the database of all organizations, and is the last who can help.
      _ = try await world.storage.updateMember(
        added.id, in: second.key, expectedVersion: nil, passwordHash: Self.new,
        context: ChangeContext(author: Author(means: .operator), operation: "test", time: World.start)
      ) { _ in }
      #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
    }
  }

  @Test("are accepted or have their password reset, if both happen at once", arguments: StorageFactory.all)
  func concurrentReset(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      for _ in 0..<10 {
        let member = try await world.member(of: first)
        let added = try await world.add(member, to: second)
        let token = try await world.apiToken(for: added, in: second).digest
        let outcomes = await concurrently(2) { number in
          if number == 0 {
            try await world.storage.acceptMembership(
              of: member.key.user, with: token, from: World.passwordHash, to: Self.new,
              context: .test(at: World.start))
          } else {
            try await world.update(member, in: first, passwordHash: PasswordHash(text: "reset")) { _ in }
          }
        }
        let refused = outcomes.compactMap { outcome in
          if case .failure(let error) = outcome { error as? TimeclockError } else { nil }
        }
        #expect(refused == [.wrongPassword] || refused == [.accountShared])
      }
    }
  }
}

extension World {
  /// Makes someone who has an account a member of another organization.
  func add(
    _ member: TestMember, to organization: TestOrganization, role: Role = .member, name: String = "Ana"
  ) async throws -> TestMember {
    try await self.member(of: organization, role: role, account: account(email: member.email, name: name))
  }

  /// Accepts a membership in the person's name; the password stays, every log-in goes.
  func accept(_ member: TestMember, in organization: TestOrganization) async throws {
    let token = try await apiToken(for: member, in: organization).digest
    guard let hash = try await storage.passwordHash(of: member.key.user) else { throw Missing() }
    try await storage.acceptMembership(
      of: member.key.user, with: token, from: hash, to: hash, context: .test(at: Self.start))
  }
}
