import Testing
import TimeclockDomain

@Suite("Accounts and passwords in a storage")
struct PasswordStorageTests {
  @Test("that are one-time ones stay so until they are changed", arguments: StorageFactory.all)
  func oneTime(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let once = PasswordHash(text: "once", isOneTime: true)
      let member = try await world.member(of: organization, account: world.account(passwordHash: once))
      let email = try EmailAddress(member.email)
      #expect(try await world.storage.logInAccount(for: email)?.passwordHash == once)
      #expect(try await world.storage.passwordHash(of: member.key.user) == once)
      let now = World.start
      let token = NewToken(digest: world.digest(), createdAt: now, expiresAt: .latest, client: nil)
      // The same password, rehashed at the log-in.
      try await world.storage.createLogInToken(
        token, for: member.key.user, checkedHash: once, newHash: PasswordHash(text: "anew"), recording: nil)
      let anew = PasswordHash(text: "anew", isOneTime: true)
      #expect(try await world.storage.passwordHash(of: member.key.user) == anew)
      func authentication() async throws -> Authentication? {
        try await world.storage.authenticate(token.digest, organizationID: organization.id, at: now)
      }
      #expect(try await authentication()?.mustChangePassword == true)
      let apiToken = try await world.apiToken(for: member, in: organization).digest
      let program = try await world.storage.authenticate(apiToken, organizationID: organization.id, at: now)
      #expect(program?.mustChangePassword == false)
      let key = try #require(try await authentication()?.tokenKey)
      try await world.storage.changePassword(
        of: member.key.user, from: anew, to: PasswordHash(text: "own"), keepingToken: key, context: .test())
      #expect(try await authentication()?.mustChangePassword == false)
      #expect(try await world.storage.passwordHash(of: member.key.user) == PasswordHash(text: "own"))
      try await world.update(member, in: organization, passwordHash: once) { _ in }
      #expect(try await world.storage.logInAccount(for: email)?.passwordHash == once)
    }
  }

  private static let old = PasswordHash(text: "old")
  private static let new = PasswordHash(text: "new")

  @Test("are found by the address in any case", arguments: StorageFactory.all)
  func logInAccount(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let account = try world.account(email: "Eva.K@Example.com", name: "Eva", passwordHash: Self.old)
      let member = try await world.member(of: organization, account: account)
      let found = try await world.storage.logInAccount(for: EmailAddress("EVA.k@example.COM"))
      #expect(found?.key == member.key.user)
      #expect(found?.user == User(id: account.userID, email: "Eva.K@Example.com", name: "Eva", language: nil))
      #expect(found?.passwordHash == Self.old)
      #expect(found?.isActive == true)
      let unknown = try await world.storage.logInAccount(for: EmailAddress("eva@example.com"))
      #expect(unknown?.key == nil)
      let admin = try await world.storage.logInAccount(for: EmailAddress(organization.admin.email))
      #expect(admin?.key == organization.admin.key.user)
      #expect(admin?.passwordHash == World.passwordHash)
    }
  }

  @Test("differ if the letters of addresses are others, or have accents", arguments: StorageFactory.all)
  func addressKeys(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      // Equal keys by `EmailAddress.key` are in `MemberStorageTests`.
      for address in ["e@x.example", "\u{E9}@x.example", "stra\u{DF}e@x.example", "strasse@x.example"] {
        _ = try await world.member(of: organization, account: world.account(email: address))
      }
      #expect(try await world.storage.members(of: organization.key, after: nil, limit: 9).elements.count == 5)
    }
  }

  @Test("change, and revoke all tokens but the one in use", arguments: StorageFactory.all)
  func changePassword(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization, account: world.account(passwordHash: Self.old))
      let kept = try await world.logIn(member)
      let others = [
        try await world.logIn(member), try await world.apiToken(for: member, in: organization).digest,
      ]
      for digest in others { #expect(try await world.isGood(digest)) }
      let key = try #require(
        try await world.storage.authenticate(kept, organizationID: nil, at: World.start)
      ).tokenKey
      await #expect(throws: TimeclockError.wrongPassword) {
        try await world.storage.changePassword(
          of: member.key.user, from: Self.new, to: Self.old, keepingToken: key, context: .test())
      }
      #expect(try await world.isGood(others[0]))
      try await world.storage.changePassword(
        of: member.key.user, from: Self.old, to: Self.new, keepingToken: key, context: .test())
      #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
      #expect(try await world.isGood(kept))
      for digest in others { #expect(try await !world.isGood(digest)) }
      #expect(try await world.isGood(organization.adminToken))
    }
  }

  @Test("change once if two change the same", arguments: StorageFactory.all)
  func concurrentChange(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization, account: world.account(passwordHash: Self.old))
      let outcomes = await concurrently(16) { number in
        try await world.storage.changePassword(
          of: member.key.user, from: Self.old, to: PasswordHash(text: "new \(number)"), keepingToken: 0,
          context: .test())
        return PasswordHash(text: "new \(number)")
      }
      let winners = outcomes.compactMap { try? $0.get() }
      #expect(winners.count == 1)
      #expect(try await world.storage.passwordHash(of: member.key.user) == winners.first)
    }
  }

  @Test("are rehashed by a log-in, which changes and logs nothing else", arguments: StorageFactory.all)
  func newHash(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization, account: world.account(passwordHash: Self.old))
      let other = try await world.logIn(member)
      let (before, changes) = (
        try await world.storage.member(member.id, in: organization.key), try await world.changes(organization)
      )
      let token = world.token()
      try await world.storage.createLogInToken(
        token, for: member.key.user, checkedHash: Self.old, newHash: Self.new, recording: nil)
      #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
      for digest in [token.digest, other] { #expect(try await world.isGood(digest)) }
      #expect(try await world.storage.member(member.id, in: organization.key) == before)
      #expect(try await world.changes(organization) == changes)
      // Of checks before that, nothing is kept.
      let late = world.token()
      await #expect(throws: TimeclockError.invalidCredentials) {
        try await world.storage.createLogInToken(
          late, for: member.key.user, checkedHash: Self.old, newHash: PasswordHash(text: "late"),
          recording: nil)
      }
      #expect(try await !world.isGood(late.digest))
      _ = try await world.update(member, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.invalidCredentials) {
        try await world.storage.createLogInToken(
          late, for: member.key.user, checkedHash: Self.new, newHash: Self.old, recording: nil)
      }
      #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
    }
  }

  @Test("are rehashed by one of many log-ins", arguments: StorageFactory.all)
  func concurrentNewHash(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization, account: world.account(passwordHash: Self.old))
      let outcomes = await concurrently(16) { number in
        let hash = PasswordHash(text: "new \(number)")
        try await world.storage.createLogInToken(
          world.token(), for: member.key.user, checkedHash: Self.old, newHash: hash, recording: nil)
        return hash
      }
      var winners: [PasswordHash] = []
      for outcome in outcomes {
        switch outcome {
        case .success(let hash): winners.append(hash)
        case .failure(let error): #expect(error as? TimeclockError == .invalidCredentials)
        }
      }
      #expect(winners.count == 1)
      #expect(try await world.storage.passwordHash(of: member.key.user) == winners.first)
    }
  }

  @Test("are none for a user who never was", arguments: StorageFactory.all)
  func unknown(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let hash = try await world.storage.passwordHash(of: UserKey(98_765))
      #expect(hash == nil)
    }
  }
}
