import Testing
import TimeclockDomain

@Suite("Changes of members in a storage")
struct MemberUpdateTests {
  @Test(
    "reach address, name, role, zone, personnel number and activity, and nothing else",
    arguments: StorageFactory.all)
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
        $0.language = .fr
        $0.personnelNumber = "00 7"
      }
      var expected = before
      expected.email = "other@example.com"
      expected.name = "Ан̄а"
      expected.role = .manager
      expected.timeZone = zone("Pacific/Apia")
      expected.language = .fr
      expected.personnelNumber = "00 7"
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(
        equalFields(of: before, expected) == [
          "userID", "organizationID", "isActive", "createdAt", "anonymizedAt",
        ])
      #expect(changed == expected)
      #expect(try await world.storage.member(member.id, in: organization.key) == expected)
      #expect(try await world.changes(organization).last?.after == .member(expected))
      let membership = try await world.authenticate(token, in: organization.id)
      #expect(membership.role == .manager)
      #expect(membership.memberTimeZone == zone("Pacific/Apia"))
      let back = try await world.update(member, in: organization, version: 2) { $0.timeZone = nil }
      #expect(back.timeZone == nil)
      #expect(try await world.authenticate(token, in: organization.id).memberTimeZone == nil)
    }
  }

  @Test(
    "of the address are changes of the account, and leave the old address free", arguments: StorageFactory.all
  )
  func address(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(
        of: organization, account: world.account(passwordHash: World.passwordHash))
      let other = try await world.member(of: organization)
      let token = try await world.logIn(member)
      let (old, new) = (try EmailAddress(member.email), try EmailAddress("New\(world.unique())@Example.com"))
      await #expect(throws: TimeclockError.addressTaken) {
        try await world.update(member, in: organization) { $0.email = other.email.uppercased() }
      }
      #expect(try await world.storage.member(member.id, in: organization.key)?.version == 1)
      try await world.update(member, in: organization) { $0.email = new.text }
      #expect(try await world.storage.logInAccount(for: new)?.user.email == new.text)
      #expect(try await world.storage.logInAccount(for: new)?.passwordHash == World.passwordHash)
      #expect(try await world.storage.logInAccount(for: old) == nil)
      #expect(try await world.isGood(token))
      // Only the spelling is another: nobody else has it.
      try await world.update(member, in: organization) { $0.email = new.text.uppercased() }
      #expect(try await world.storage.logInAccount(for: new)?.user.email == new.text.uppercased())
      let heir = try await world.member(of: organization, account: world.account(email: old.text))
      #expect(heir.id != member.id)
    }
  }

  @Test("of the address are refused while another organization has the person", arguments: StorageFactory.all)
  func addressOfSharedAccount(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(
        of: first, account: world.account(passwordHash: World.passwordHash))
      let added = try await world.add(member, to: second)
      for (person, organization) in [(member, first), (added, second)] {
        await #expect(throws: TimeclockError.accountShared) {
          try await world.update(person, in: organization) { $0.email = "taken\(world.unique())@example.com" }
        }
        #expect(try await world.storage.member(person.id, in: organization.key)?.version == 1)
      }
      #expect(try await world.storage.logInAccount(for: EmailAddress(member.email)) != nil)
      // A membership that has ended is one, until nobody knows any more whose it was.
      try await world.update(added, in: second) { $0.isActive = false }
      await #expect(throws: TimeclockError.accountShared) {
        try await world.update(member, in: first) { $0.email = "later\(world.unique())@example.com" }
      }
      _ = try await world.storage.anonymizeMember(member.id, in: second.key, context: .test())
      let moved = try await world.update(member, in: first) { $0.email = "now\(world.unique())@example.com" }
      #expect(try await world.storage.logInAccount(for: EmailAddress(moved.email))?.key == member.key.user)
    }
  }

  @Test(
    "keep what the person logs in with when an organization that knows it is forgotten",
    arguments: StorageFactory.all)
  func presentAddress(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (left, present) = (try await world.organization(), try await world.organization())
      let member = try await world.member(
        of: left, account: world.account(name: "Old", passwordHash: World.passwordHash))
      try await world.accept(world.add(member, to: present), in: present)
      try await world.update(member, in: left) { $0.isActive = false }
      let hash = try #require(try await world.storage.passwordHash(of: member.key.user))
      let email = try EmailAddress("moved\(world.unique())@example.com")
      let moved = AccountChanges(name: nil, timeZone: nil, language: nil, address: (email, hash))
      try await world.storage.updateAccount(of: member.key.user, moved, context: .test(at: .hour(1)))
      #expect(try await world.storage.member(member.id, in: left.key)?.email == member.email)
      try await world.update(member, in: present) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(member.id, in: present.key, context: .test())
      #expect(try await world.storage.logInAccount(for: email)?.key == member.key.user)
      #expect(try await world.storage.profile(of: member.key.user).user.email == email.key)
    }
  }

  @Test(
    "by the person reach the account, and the organizations that they have accepted",
    arguments: StorageFactory.all)
  func account(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (first, second, third) = (
        try await world.organization(), try await world.organization(), try await world.organization()
      )
      let member = try await world.member(
        of: first, account: world.account(name: "Old", passwordHash: World.passwordHash))
      try await world.accept(world.add(member, to: second), in: second)
      _ = try await world.add(member, to: third)
      let hash = try #require(try await world.storage.passwordHash(of: member.key.user))
      let email = try EmailAddress("moved\(world.unique())@example.com")
      func update(_ changes: AccountChanges) async throws {
        try await world.storage.updateAccount(of: member.key.user, changes, context: .test(at: .hour(1)))
      }
      func seen(in organization: TestOrganization) async throws -> Member? {
        try await world.storage.member(member.id, in: organization.key)
      }
      let theirs = try await seen(in: third)
      await #expect(throws: TimeclockError.wrongPassword) {
        try await update(
          AccountChanges(
            name: "Lost", timeZone: nil, language: .es, address: (email, PasswordHash(text: "another"))))
      }
      #expect(try await seen(in: first)?.name == "Old")
      try await update(
        AccountChanges(name: "New", timeZone: zone("Pacific/Apia"), language: .de, address: (email, hash)))
      for organization in [first, second] {
        let shown = try await seen(in: organization)
        #expect(shown?.name == "New" && shown?.email == email.text && shown?.timeZone == zone("Pacific/Apia"))
        #expect(shown?.language == .de)
        #expect(shown?.updatedAt == .hour(1))
      }
      #expect(try await seen(in: third) == theirs)
      let profile = try await world.storage.profile(of: member.key.user)
      #expect(profile.user == User(id: member.id, email: email.text, name: "New", language: .de))
      #expect(profile.memberships.map(\.language) == [.de, .de, nil])
      #expect(try await world.storage.logInAccount(for: EmailAddress(member.email)) == nil)
      #expect(try await world.storage.logInAccount(for: email)?.user == profile.user)
      // An organization's own word, if the person logs in elsewhere too.
      let theirsToo = try await world.storage.updateMember(
        member.id, in: second.key, expectedVersion: nil, passwordHash: nil, context: .test(at: .hour(1))
      ) { $0.language = .es }
      #expect(theirsToo.language == .es)
      #expect(try await world.storage.profile(of: member.key.user).user.language == .de)
      #expect(try await seen(in: first)?.language == .de)
      let log = try await world.storage.auditLog(AuditLogQuery(organization: second.key, limit: 1))
      let change = try #require(log.elements.first)
      guard case .member(let logged)? = change.after else { throw Missing() }
      #expect(
        logged.userID == member.id && logged.language == .es && logged.email == email.text
          && change.context.time == .hour(1))
      _ = try await world.storage.updateMember(
        member.id, in: second.key, expectedVersion: nil, passwordHash: nil, context: .test()
      ) { $0.isActive = false }
      let left = try await seen(in: second)
      try await update(
        AccountChanges(name: "Newer", timeZone: .some(nil), language: .some(nil), address: nil))
      #expect(try await seen(in: first)?.name == "Newer")
      #expect(try await seen(in: first)?.timeZone == nil)
      #expect(try await seen(in: first)?.language == nil)
      #expect(try await world.storage.profile(of: member.key.user).user.language == nil)
      #expect(try await seen(in: second) == left)
    }
  }

  @Test("of two people to one address at once reach it once", arguments: StorageFactory.all)
  func addressRace(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let email = "wanted\(world.unique())@example.com"
      var members: [TestMember] = []
      var organizations: [TestOrganization] = []
      // In organizations of their own, or one change would wait for the other anyhow.
      for _ in 0..<6 {
        let own = try await world.organization()
        organizations.append(own)
        members.append(try await world.member(of: own))
      }
      let moved = try await withThrowingTaskGroup(of: Bool.self) { group in
        for (member, own) in zip(members, organizations) {
          group.addTask {
            do {
              try await world.update(member, in: own) { $0.email = email }
              return true
            } catch let error as TimeclockError where error == .addressTaken {
              return false
            }
          }
        }
        group.addTask {
          do {
            _ = try await world.storage.createMember(
              world.account(email: email, passwordHash: World.passwordHash),
              NewMember(organization: organization.key, role: .member, timeZone: nil), context: .test())
            return true
          } catch let error as TimeclockError where error == .emailInUse {
            return false
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(moved == 1)
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
