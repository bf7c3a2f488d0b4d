import Testing
import TimeclockDomain

@Suite("Invitations in a storage")
struct InvitationStorageTests {
  private static let new = PasswordHash(text: "$scrypt$new")

  @Test("come back as they were kept, in pages, and one of each member", arguments: StorageFactory.all)
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      var made: [Invitation] = []
      for hours in 1...5 {
        let member = try await world.member(of: organization)
        made.append(
          try await world.invite(member, to: organization, expiresAt: .hour(Double(hours))).invitation)
        try await world.invite(world.member(of: other), to: other)
      }
      for size in [1, 2, 5, 100] {
        #expect(try await world.invitations(organization, pageSize: size) == made)
      }
      let member = try await world.member(of: organization, account: world.account())
      let first = try await world.invite(member, to: organization)
      let second = try await world.invite(member, to: organization)
      #expect(try await world.invitations(organization) == made + [second.invitation])
      #expect(try await world.storage.invitedAccount(by: first.digest, at: World.start) == nil)
      let found = try #require(try await world.storage.invitedAccount(by: second.digest, at: World.start))
      #expect(found.key == member.key.user && found.user.id == member.id && found.user.email == member.email)
      #expect(found.passwordHash == nil && found.organizationName == "Acme" && !found.isShared)
      try await world.storage.deleteInvitation(made[2].id, in: organization.key, context: .test())
      made.remove(at: 2)
      #expect(try await world.invitations(organization) == made + [second.invitation])
      for organization in [organization, other] {
        await #expect(throws: TimeclockError.notFound(.invitation)) {
          try await world.storage.deleteInvitation(
            first.invitation.id, in: organization.key, context: .test())
        }
      }
      let changes = try await world.changes(organization)
      #expect(
        changes.filter { $0.resource == .invitation }.map(\.before).compactMap { $0 }.count == 2)
      #expect(changes.contains { $0.after == .invitation(second.invitation) })
    }
  }

  @Test("are for active members", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      let member = try await world.member(of: organization)
      await #expect(throws: TimeclockError.notFound(.member)) { try await world.invite(member, to: other) }
      try await world.update(member, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.invite(member, to: organization)
      }
      #expect(try await world.invitations(organization).isEmpty)
    }
  }

  @Test("set the password of an account that opens nothing else, once", arguments: StorageFactory.all)
  func sets(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      for account in [try world.account(), try world.account(passwordHash: World.passwordHash)] {
        let member = try await world.member(of: organization, account: account)
        let before = try await world.apiToken(for: member, in: organization).digest
        let invited = try await world.invite(member, to: organization, expiresAt: .hour(1))
        let late = World.start.adding(milliseconds: 3_600_000)
        #expect(try await world.storage.invitedAccount(by: invited.digest, at: late) == nil)
        await #expect(throws: TimeclockError.notFound(.invitation)) {
          _ = try await world.accept(invited.digest, at: late)
        }
        let logIn = try await world.accept(invited.digest)
        let found = try await world.storage.authenticate(
          logIn, organizationID: organization.id, at: World.start)?.requireMembership()
        #expect(found?.key == member.key)
        #expect(found?.source == .web)
        #expect(try await world.storage.passwordHash(of: member.key.user) == Self.new)
        #expect(try await !world.isGood(before))
        await #expect(throws: TimeclockError.notFound(.invitation)) {
          _ = try await world.accept(invited.digest)
        }
        #expect(try await world.isGood(logIn))
      }
      #expect(try await world.invitations(organization).isEmpty)
    }
  }

  @Test("ask for the password of an account that opens another organization", arguments: StorageFactory.all)
  func shared(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      for account in [try world.account(), try world.account(passwordHash: World.passwordHash)] {
        let member = try await world.member(of: first, account: account)
        let added = try await world.add(member, to: second)
        let invited = try await world.invite(added, to: second)
        let found = try #require(try await world.storage.invitedAccount(by: invited.digest, at: World.start))
        #expect(found.isShared && found.passwordHash == account.passwordHash)
        for wrong in [nil, Self.new, PasswordHash(text: "")] {
          await #expect(throws: TimeclockError.wrongPassword) {
            _ = try await world.accept(invited.digest, from: wrong)
          }
        }
        #expect(try await world.storage.passwordHash(of: member.key.user) == account.passwordHash)
        #expect(
          try await world.storage.profile(of: member.key.user).memberships.map(\.isAccepted) == [true, false])
        guard account.passwordHash != nil else { continue }
        let logIn = try await world.accept(invited.digest, from: World.passwordHash)
        for organization in [first, second] {
          #expect(try await world.authenticate(logIn, in: organization.id).key.user == member.key.user)
        }
        for (member, organization) in [(member, first), (added, second)] {
          await #expect(throws: TimeclockError.accountShared) {
            try await world.invite(member, to: organization)
          }
        }
      }
    }
  }

  @Test("are used once by 16 who try at the same moment", arguments: StorageFactory.all)
  func once(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      for _ in 0..<5 {
        let member = try await world.member(of: organization, account: world.account())
        let invited = try await world.invite(member, to: organization)
        let outcomes = await concurrently(16) { number in
          try await world.accept(invited.digest, to: PasswordHash(text: "\(number)"))
        }
        var good: [Int] = []
        for (number, outcome) in outcomes.enumerated() {
          switch outcome {
          case .success(let logIn):
            good.append(number)
            #expect(try await world.isGood(logIn))
          case .failure(let error): #expect(error as? TimeclockError == .notFound(.invitation))
          }
        }
        #expect(good.count == 1)
        let hash = try await world.storage.passwordHash(of: member.key.user)
        #expect(hash?.text == good.first.map { "\($0)" })
      }
    }
  }

  @Test("end when the member's API tokens end, and are logged", arguments: StorageFactory.all)
  func ends(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      func expectEnd(_ what: String, _ end: (TestMember) async throws -> Void) async throws {
        let member = try await world.member(of: organization)
        let invited = try await world.invite(member, to: organization)
        try await end(member)
        #expect(try await world.storage.invitedAccount(by: invited.digest, at: World.start) == nil, "\(what)")
        let last = try await world.changes(organization).last { $0.resource == .invitation }
        #expect(last?.before == .invitation(invited.invitation) && last?.after == nil, "\(what)")
      }
      try await expectEnd("deactivated") {
        try await world.update($0, in: organization) { $0.isActive = false }
      }
      try await expectEnd("another password by an admin") {
        try await world.update($0, in: organization, passwordHash: Self.new) { _ in }
      }
      try await expectEnd("another password of their own") { member in
        let logIn = try await world.logIn(member)
        let key = try #require(
          try await world.storage.authenticate(logIn, organizationID: nil, at: World.start)?.tokenKey)
        try await world.storage.changePassword(
          of: member.key.user, from: World.passwordHash, to: Self.new, keepingToken: key, context: .test())
      }
      // One of an organization that is not accepted is no business of the password's.
      let member = try await world.member(of: organization)
      let second = try await world.organization()
      let elsewhere = try await world.invite(world.add(member, to: second), to: second)
      try await world.update(member, in: organization, passwordHash: Self.new) { _ in }
      #expect(try await world.storage.invitedAccount(by: elsewhere.digest, at: World.start) != nil)
      _ = try await world.accept(elsewhere.digest, from: Self.new)
    }
  }
}

extension World {
  /// Invites a member.
  @discardableResult
  fileprivate func invite(
    _ member: TestMember, to organization: TestOrganization, expiresAt: Instant = .latest
  ) async throws -> (invitation: Invitation, digest: TokenDigest) {
    let invitation = Invitation(id: id(), userID: member.id, createdAt: Self.start, expiresAt: expiresAt)
    let digest = digest()
    try await storage.createInvitation(
      invitation, digest: digest, in: organization.key, context: .test(), recording: nil)
    return (invitation, digest)
  }

  /// Accepts an invitation, and answers the log-in.
  fileprivate func accept(
    _ digest: TokenDigest, from current: PasswordHash? = nil,
    to new: PasswordHash = PasswordHash(text: "$scrypt$new"), at now: Instant = World.start
  ) async throws -> TokenDigest {
    let logIn = token(client: .web)
    try await storage.acceptInvitation(
      digest, from: current, to: new, logIn: logIn, context: .test(at: now))
    return logIn.digest
  }

  fileprivate func invitations(
    _ organization: TestOrganization, pageSize: Int = 100
  ) async throws -> [Invitation] {
    var found: [Invitation] = []
    var cursor: RowCursor?
    repeat {
      let page = try await storage.invitations(of: organization.key, after: cursor, limit: pageSize)
      #expect(page.elements.count <= pageSize)
      found += page.elements
      cursor = page.next
    } while cursor != nil
    return found
  }
}
