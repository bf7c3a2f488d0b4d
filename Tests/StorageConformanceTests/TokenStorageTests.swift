import Testing
import TimeclockDomain

@Suite("Tokens in a storage")
struct TokenStorageTests {
  @Test("speak for their person until they expire", arguments: StorageFactory.all)
  func expiry(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let digest = try await world.logIn(member, expiresAt: .hour(1))
      let last = Instant.hour(1).adding(milliseconds: -1)
      let authentication = try await world.storage.authenticate(digest, organizationID: nil, at: last)
      #expect(authentication?.userID == member.id)
      #expect(authentication?.user == member.key.user)
      #expect(authentication?.scope == nil)
      #expect(authentication?.expiresAt == .hour(1))
      #expect(authentication?.lastUsedAt == nil)
      #expect(authentication?.membership == nil)
      for _ in 0..<2 { #expect(try await !world.isGood(digest, at: .hour(1))) }
      #expect(try await world.isGood(digest, at: last))
      #expect(try await !world.isGood(world.digest()))
    }
  }

  @Test("show the membership in the organization that is asked about", arguments: StorageFactory.all)
  func membership(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let member = try await world.member(of: organization, role: .manager)
      let digest = try await world.logIn(member)
      for id in [other.id, world.id(), organization.id, other.id] {
        let found = try await world.storage.authenticate(digest, organizationID: id, at: World.start)
        #expect(found?.userID == member.id)
        #expect((found?.membership != nil) == (id == organization.id))
        #expect(found?.membership.map(\.key) == (id == organization.id ? member.key : nil))
      }
      let membership = try await world.authenticate(digest, in: organization.id)
      #expect(membership == (try await world.storage.membership(of: member.id, in: organization.key)))
    }
  }

  @Test(
    "of log-ins need the password that was checked, and an active membership", arguments: StorageFactory.all)
  func logInRaces(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let keeper = try await world.logIn(member)
      let key = try #require(
        try await world.storage.authenticate(keeper, organizationID: nil, at: World.start)?.tokenKey)
      let changed = PasswordHash(text: "$scrypt$changed")
      try await world.storage.changePassword(
        of: member.key.user, from: World.passwordHash, to: changed, keepingToken: key, context: .test())
      let late = world.token()
      await #expect(throws: TimeclockError.invalidCredentials) {
        try await world.storage.createLogInToken(
          late, for: member.key.user, checkedHash: World.passwordHash)
      }
      #expect(try await !world.isGood(late.digest))
      #expect(try await world.isGood(world.logIn(member)))
      _ = try await world.storage.updateMember(
        member.id, in: organization.key, expectedVersion: nil, passwordHash: nil,
        context: .test(at: World.start)
      ) { $0.isActive = false }
      await #expect(throws: TimeclockError.invalidCredentials) {
        try await world.storage.createLogInToken(late, for: member.key.user, checkedHash: changed)
      }
      #expect(try await !world.isGood(late.digest))
    }
  }

  @Test("of a new organization do not reach the others of its admin", arguments: StorageFactory.all)
  func newOrganization(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization(admin: world.account(email: "e@x.example"))
      let second = try await world.organization(admin: world.account(email: "e@x.example"))
      let token = second.adminToken
      let inSecond = try await world.storage.authenticate(token, organizationID: second.id, at: World.start)
      #expect(inSecond?.membership?.role == .admin)
      let inFirst = try await world.storage.authenticate(token, organizationID: first.id, at: World.start)
      #expect(inFirst?.scope == second.key)
      #expect(inFirst?.membership == nil)
    }
  }

  @Test("of programs are valid in one organization only", arguments: StorageFactory.all)
  func scope(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(of: first, account: world.account(email: "d@x.example"))
      _ = try await world.member(of: second, account: world.account(email: "d@x.example"))
      let digest = try await world.apiToken(for: member, in: first, expiresAt: .hour(9)).digest
      let inFirst = try await world.storage.authenticate(digest, organizationID: first.id, at: World.start)
      #expect(inFirst?.scope == first.key)
      #expect(inFirst?.membership?.key == member.key)
      #expect(inFirst?.expiresAt == .hour(9))
      let inSecond = try await world.storage.authenticate(digest, organizationID: second.id, at: World.start)
      #expect(inSecond?.scope == first.key)
      #expect(inSecond?.membership == nil)
    }
  }

  @Test("are refused from the moment they are revoked", arguments: StorageFactory.all)
  func revocation(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let digests = [try await world.logIn(member), try await world.logIn(member)]
      let found = try #require(
        try await world.storage.authenticate(digests[0], organizationID: nil, at: World.start))
      try await world.storage.deleteToken(found.tokenKey, context: .test())
      #expect(try await !world.isGood(digests[0]))
      #expect(try await world.isGood(digests[1]))
      // Revoking once more harms nothing, and nobody else's token takes the old one's place.
      let later = try await world.logIn(member)
      try await world.storage.deleteToken(found.tokenKey, context: .test())
      #expect(try await world.isGood(later))
      let key = try await world.storage.authenticate(later, organizationID: nil, at: World.start)?.tokenKey
      #expect(key != found.tokenKey)
    }
  }

  @Test("of the same person that have expired go with the next log-in", arguments: StorageFactory.all)
  func expiredOnes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let lasting = try await world.logIn(member, expiresAt: .hour(1))
      let old = [
        try await world.logIn(member, expiresAt: World.start), lasting,
        try await world.logIn(organization.admin, expiresAt: World.start),
      ]
      let earlier = World.start.adding(milliseconds: -1)
      for digest in old { #expect(try await world.isGood(digest, at: earlier)) }
      _ = try await world.logIn(member)
      var isGood: [Bool] = []
      for digest in old { isGood.append(try await world.isGood(digest, at: earlier)) }
      #expect(isGood == [false, true, true])
    }
  }

  @Test(
    "of log-ins end 30 days after their last use, and those of programs when they were said to",
    arguments: StorageFactory.all)
  func logInsMoveOn(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let logIn = try await world.logIn(member, expiresAt: .hour(10))
      let program = try await world.apiToken(for: member, in: organization).digest
      for digest in [logIn, program] {
        let found = try #require(
          try await world.storage.authenticate(digest, organizationID: nil, at: World.start))
        var isNoted = false
        for _ in 0..<1_000 where !isNoted {
          world.storage.noteTokenUse(found.tokenKey, at: .hour(1))
          try await Task.sleep(for: .milliseconds(10))
          let now = try await world.storage.authenticate(digest, organizationID: nil, at: World.start)
          isNoted = now?.lastUsedAt == .hour(1)
        }
        let moved = try await world.storage.authenticate(
          digest, organizationID: organization.id, at: .hour(2))
        let isLogIn = digest == logIn
        let until = isLogIn ? Instant.hour(1).adding(milliseconds: TokenLifetime.logIn) : found.expiresAt
        #expect(moved?.expiresAt == until)
        #expect(moved?.lastUsedAt == .hour(1))
        #expect(try await world.isGood(digest, at: until.adding(milliseconds: -1)))
        #expect(try await !world.isGood(digest, at: until))
      }
      let listed = try await world.storage.logIns(of: member.key.user, at: .hour(2))
      #expect(listed.map(\.expiresAt) == [.hour(1).adding(milliseconds: TokenLifetime.logIn)])
      #expect(listed.map(\.lastUsedAt) == [.hour(1)])
    }
  }

  @Test(
    "of log-ins are listed for their person, the last first, and not those that ended",
    arguments: StorageFactory.all)
  func logInList(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let other = try await world.member(of: organization)
      let storage = world.storage
      let digests = [
        try await world.logIn(member, expiresAt: .hour(3)), try await world.logIn(member),
        try await world.logIn(member),
      ]
      _ = try await world.logIn(other)
      _ = try await world.apiToken(for: member, in: organization)
      var keys: [Int64] = []
      for digest in digests {
        keys.append(
          try #require(try await storage.authenticate(digest, organizationID: nil, at: World.start)).tokenKey)
      }
      #expect(try await storage.logIns(of: member.key.user, at: .hour(2)).map(\.tokenKey) == keys.reversed())
      #expect(
        try await storage.logIns(of: member.key.user, at: .hour(3)).map(\.tokenKey) == keys[1...].reversed())
      let ids = try await storage.logIns(of: member.key.user, at: .hour(2)).map(\.id)
      #expect(Set(ids).count == 3)
      #expect(ids.allSatisfy { LogInID($0.text) == $0 })
      try await storage.deleteToken(keys[1], context: .test())
      #expect(try await storage.logIns(of: member.key.user, at: .hour(2)).map(\.id) == [ids[0], ids[2]])
    }
  }

  @Test(
    "of log-ins know what they were made with, and the source of what is entered",
    arguments: StorageFactory.all)
  func clients(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let made: [(TokenDigest, LogInClient?, TimeEntrySource)] = [
        (try await world.logIn(member), nil, .api), (try await world.logIn(member, client: .web), .web, .web),
        (try await world.apiToken(for: member, in: organization).digest, nil, .api),
      ]
      // Read, and remembered.
      for (digest, client, source) in made + made {
        let found = try #require(
          try await world.storage.authenticate(digest, organizationID: organization.id, at: World.start))
        #expect(found.client == client)
        #expect(try found.requireMembership().source == source)
      }
      #expect(
        try await world.storage.logIns(of: member.key.user, at: World.start).map(\.client) == [.web, nil])
    }
  }

  @Test("of log-ins end all at once but one, however many there are", arguments: StorageFactory.all)
  func otherLogIns(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      let storage = world.storage
      var digests: [TokenDigest] = []
      for _ in 0..<LogIn.listLimit + 5 { digests.append(try await world.logIn(member)) }
      let (others, apiToken) = (
        try await world.logIn(other), try await world.apiToken(for: member, in: organization).digest
      )
      // One that no list shows.
      let kept = try #require(
        try await storage.authenticate(digests[2], organizationID: nil, at: World.start))
      try await storage.deleteLogIns(of: member.key.user, keepingToken: kept.tokenKey)
      #expect(
        try await storage.logIns(of: member.key.user, at: World.start).map(\.tokenKey) == [kept.tokenKey])
      for digest in [digests[0], digests[104]] {
        #expect(try await storage.authenticate(digest, organizationID: nil, at: World.start) == nil)
      }
      for digest in [digests[2], others, apiToken] {
        #expect(try await storage.authenticate(digest, organizationID: nil, at: World.start) != nil)
      }
    }
  }

  @Test("remember soon that they were used, and never an earlier time", arguments: StorageFactory.all)
  func lastUse(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let (token, digest) = try await world.apiToken(for: member, in: organization)
      let found = try #require(
        try await world.storage.authenticate(digest, organizationID: nil, at: World.start))
      world.storage.noteTokenUse(987_654_321, at: .hour(9))
      for (time, expected) in [(2.0, 2.0), (1.0, 2.0), (3.0, 3.0)] {
        // A use that comes while another one is on its way may be passed over, so there are several.
        var lastUse: Instant?
        for attempt in 0..<1_000 where attempt < 10 || lastUse != .hour(expected) {
          world.storage.noteTokenUse(found.tokenKey, at: .hour(time))
          try await Task.sleep(for: .milliseconds(10))
          lastUse = try await world.storage.authenticate(digest, organizationID: nil, at: World.start)?
            .lastUsedAt
        }
        #expect(lastUse == .hour(expected))
        let listed = try await world.storage.apiTokens(of: organization.key, after: nil, limit: 9)
        var kept = token
        kept.lastUsedAt = .hour(expected)
        #expect(listed.elements == [kept])
      }
    }
  }
}
