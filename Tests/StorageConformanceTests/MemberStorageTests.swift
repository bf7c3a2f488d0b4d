import Testing
import TimeclockDomain

@Suite("Members in a storage")
struct MemberStorageTests {
  @Test("come back as they were added", arguments: StorageFactory.all)
  func roundTrip(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let account = try world.account(
        email: "Zoë@Example.com", name: "Zoë 𝒪’Brien 🧑🏿‍🚀", passwordHash: PasswordHash(text: "$scrypt$…"))
      let created = try await world.storage.createMember(
        account,
        NewMember(
          organization: organization.key, role: .manager, timeZone: zone("America/St_Johns"),
          personnelNumber: "0042 Ä"),
        context: .test(at: .hour(-2)))
      let expected = Member(
        userID: account.userID, organizationID: organization.id, email: "Zoë@Example.com",
        name: "Zoë 𝒪’Brien 🧑🏿‍🚀", role: .manager, timeZone: zone("America/St_Johns"),
        language: nil, personnelNumber: "0042 Ä", isActive: true, version: 1, createdAt: .hour(-2),
        updatedAt: .hour(-2))
      #expect(emptyFields(of: expected) == ["language", "anonymizedAt"])
      #expect(created == expected)
      #expect(try await world.storage.member(account.userID, in: organization.key) == expected)
      #expect(try await world.changes(organization).last?.after == .member(expected))
      let membership = try await world.storage.membership(of: account.userID, in: organization.key)
      #expect(membership?.userID == account.userID)
      #expect(membership?.organizationID == organization.id)
      #expect(membership?.key.organization == organization.key)
      #expect(membership?.role == .manager)
      #expect(membership?.isActive == true)
      #expect(membership?.memberTimeZone == zone("America/St_Johns"))
      #expect(membership?.organizationTimeZone == zone("Europe/Berlin"))
      #expect(membership?.policy == .standard)
      let logIn = try await world.storage.logInAccount(for: account.email)
      #expect(logIn?.passwordHash == PasswordHash(text: "$scrypt$…"))
    }
  }

  @Test("are added together, all or none", arguments: StorageFactory.all)
  func together(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let elsewhere = try await world.member(of: world.organization())
      func person(_ email: String, _ number: String? = nil) throws -> (account: NewAccount, member: NewMember)
      {
        (
          try world.account(email: email),
          NewMember(organization: organization.key, role: .member, timeZone: nil, personnelNumber: number)
        )
      }
      func add(
        _ people: [(account: NewAccount, member: NewMember)], isKept: Bool = true
      ) async throws -> [Result<Member, TimeclockError>] {
        try await world.storage.createMembers(
          people, in: organization.key, isKept: isKept, context: .test(), recording: nil)
      }
      func count() async throws -> Int {
        try await world.storage.members(of: organization.key, after: nil, limit: 100).elements.count
      }
      let (a, b) = ("a\(world.unique())@x.example", "b\(world.unique())@x.example")
      let mixed = try [person(a, "1"), person(a.uppercased()), person(b, "1"), person(elsewhere.email)]
      for isKept in [true, false] {
        let outcomes = try await add(mixed, isKept: isKept)
        #expect(
          outcomes.map { outcome -> TimeclockError? in
            if case .failure(let error) = outcome { error } else { nil }
          } == [nil, .memberExists, .personnelNumberInUse, nil])
        #expect(try await count() == 1)
        #expect(try await world.storage.logInAccount(for: EmailAddress(a)) == nil)
      }
      #expect(try await add([person(a, "1")], isKept: false).count == 1)
      #expect(try await count() == 1)
      let kept = try await add([person(a, "1"), person(b), person(elsewhere.email)]).map { try $0.get() }
      #expect(kept.map(\.email) == [a, b, elsewhere.email] && kept[2].userID == elsewhere.id)
      #expect(
        try await world.storage.members(of: organization.key, after: nil, limit: 9).elements.dropFirst()
          .elementsEqual(kept))
      #expect(
        try await world.storage.changes(of: organization.key, after: 0, resources: [.member], limit: 9).count
          == 4)
    }
  }

  @Test("are one person however an address is written", arguments: StorageFactory.all)
  func oneAddress(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let elsewhere = try await world.organization()
      let number = world.unique()
      for (written, others) in [
        ("jörg\(number)@x.example", ["JÖRG\(number)@x.example", "jo\u{308}rg\(number)@X.example"]),
        ("rene\u{301}\(number)@x.example", ["rené\(number)@x.example", "RENÉ\(number)@x.example"]),
        ("a\(number)@münchen.example", ["A\(number)@xn--mnchen-3ya.example", "a\(number)@MÜNCHEN.example"]),
        ("οδυσσεύς\(number)ς@x.example", ["ΟΔΥΣΣΕΎΣ\(number)Σ@x.example"]),
      ] {
        let member = try await world.member(of: organization, account: world.account(email: written))
        // As it was written, to the byte.
        #expect(member.email.utf8.elementsEqual(written.utf8))
        for other in others {
          #expect(try await world.storage.logInAccount(for: EmailAddress(other))?.user.id == member.id)
          await #expect(throws: TimeclockError.memberExists) {
            try await world.member(of: organization, account: world.account(email: other))
          }
          await #expect(throws: TimeclockError.emailInUse) {
            try await world.member(
              of: elsewhere, account: world.account(email: other, passwordHash: PasswordHash(text: "x")))
          }
          // Another spelling of an address is no move to it, and nobody else's.
          try await world.update(member, in: organization) { $0.email = other }
          #expect(try await world.storage.logInAccount(for: EmailAddress(written))?.user.id == member.id)
        }
        let admin = organization.admin
        await #expect(throws: TimeclockError.addressTaken) {
          try await world.update(admin, in: organization) { $0.email = others[0] }
        }
      }
    }
  }

  @Test("are found by words, whatever their case, and by activity", arguments: StorageFactory.all)
  func search(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      var members: [TestMember] = []
      for (name, address) in [
        ("Ana Gómez", "ana@x.example"), ("ÖZLEM Ångström", "o@y.example"), ("Σίσυφος", "stone@x.example"),
        ("Ben O'Neil", "ANA.neil@z.example"), ("100% _Ana_", "hundred@z.example"),
        ("Οδυσσεύς", "ithaka@y.example"),
      ] {
        let email = "\(world.unique())" + address
        members.append(
          try await world.member(of: organization, account: world.account(email: email, name: name)))
      }
      _ = try await world.member(of: other, account: world.account(name: "Ana Elsewhere"))
      try await world.update(members[4], in: organization) { $0.personnelNumber = "PN-77" }
      try await world.update(members[0], in: organization) { $0.isActive = false }
      try await world.update(members[3], in: organization) { $0.role = .manager }
      func found(
        _ search: String?, _ isActive: Bool? = nil, role: Role? = nil, limit: Int = 2
      ) async throws -> [Int] {
        var ids: [UserID] = []
        var cursor: RowCursor?
        repeat {
          let page = try await world.storage.members(
            of: organization.key, matching: MemberFilter(isActive: isActive, role: role, search: search),
            after: cursor, limit: limit)
          #expect(page.elements.count == limit || page.next == nil, "a page with room")
          ids += page.elements.map(\.userID)
          cursor = page.next
        } while cursor != nil
        return ids.compactMap { id in members.firstIndex { $0.id == id } }
      }
      #expect(try await found("gÓMEZ") == [0])
      #expect(try await found("go\u{301}mez") == [0])
      #expect(try await found("gomez") == [])
      #expect(try await found("özlem ånG") == [1])
      #expect(try await found("ΣΊΣΥ") == [2])
      #expect(try await found("ΟΔΥΣΣΕΎΣ") == [5])
      #expect(try await found("οδυσσεύς") == [5])
      #expect(try await found("ana") == [0, 3, 4])
      #expect(try await found("ana", limit: 1) == [0, 3, 4])
      #expect(try await found("  X.Example  ") == [0, 2])
      #expect(try await found("ana neil") == [3])
      for sign in ["%", "_"] { #expect(try await found(sign) == [4]) }
      #expect(try await found("o'n") == [3])
      #expect(try await found("pn-7") == [4])
      #expect(try await found("ana", true) == [3, 4])
      #expect(try await found(nil, role: .manager) == [3])
      #expect(try await found(nil, role: .admin) == [])
      #expect(try await found("ana", role: .member, limit: 1) == [0, 4])
      #expect(try await found("ana", false) == [0])
      #expect(try await found(nil, false) == [0])
      #expect(try await found("nobody") == [])
    }
  }

  @Test("have personnel numbers that no other member of the organization has", arguments: StorageFactory.all)
  func personnelNumbers(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (first, second) = (try await world.organization(), try await world.organization())
      func add(_ number: String, to organization: TestOrganization) async throws -> Member {
        try await world.storage.createMember(
          world.account(),
          NewMember(organization: organization.key, role: .member, timeZone: nil, personnelNumber: number),
          context: .test())
      }
      let one = try await add("A1", to: first)
      await #expect(throws: TimeclockError.personnelNumberInUse) { _ = try await add("A1", to: first) }
      #expect(try await add("A1", to: second).personnelNumber == "A1")
      let other = try await add("a1", to: first)
      func change(_ member: Member, to number: String?) async throws -> Member {
        try await world.storage.updateMember(
          member.userID, in: first.key, expectedVersion: nil, passwordHash: nil, context: .test()
        ) { $0.personnelNumber = number }
      }
      await #expect(throws: TimeclockError.personnelNumberInUse) { _ = try await change(other, to: "A1") }
      #expect(try await change(one, to: "A1").version == 1)
      #expect(try await change(one, to: nil).personnelNumber == nil)
      #expect(try await change(other, to: "A1").personnelNumber == "A1")
      #expect(try await world.storage.member(other.userID, in: first.key)?.personnelNumber == "A1")
    }
  }

  @Test("take a personnel number once, of many that come at once", arguments: StorageFactory.all)
  func personnelNumberRace(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let accounts = try (0..<8).map { _ in try world.account() }
      let made = await withTaskGroup(of: Bool.self) { group in
        for account in accounts {
          group.addTask {
            do {
              _ = try await world.storage.createMember(
                account,
                NewMember(organization: organization.key, role: .member, timeZone: nil, personnelNumber: "7"),
                context: .test())
              return true
            } catch {
              #expect(error as? TimeclockError == .personnelNumberInUse)
              return false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(made == 1)
    }
  }

  @Test("join with the account they have", arguments: StorageFactory.all)
  func secondMembership(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let member = try await world.member(
        of: first, account: world.account(email: "b@x.example", name: "Ben", passwordHash: World.passwordHash)
      )
      // Asked before the membership is there: an answer that was kept in memory would be out of date.
      let token = try await world.logIn(member)
      let early = try await world.storage.authenticate(token, organizationID: second.id, at: World.start)
      #expect(early?.membership == nil)
      let joined = try await world.member(
        of: second, role: .admin, account: world.account(email: "B@X.example", name: "Benjamin"))
      #expect(joined.id == member.id)
      #expect(try await world.authenticate(token, in: first.id).role == .member)
      let added = try await world.storage.authenticate(token, organizationID: second.id, at: World.start)
      #expect(added?.membership == nil)
      try await world.accept(joined, in: second)
      #expect(try await world.authenticate(world.logIn(joined), in: second.id).role == .admin)
      #expect(try await world.storage.member(member.id, in: second.key)?.name == "Benjamin")
      #expect(try await world.storage.member(member.id, in: first.key)?.name == "Ben")
      let profile = try await world.storage.profile(of: member.key.user)
      #expect(profile.user == User(id: member.id, email: "b@x.example", name: "Ben", language: nil))
      #expect(
        profile.memberships == [
          ProfileMembership(
            organization: first.key, organizationID: first.id, organizationName: "Acme", role: .member,
            timeZone: nil, isActive: true, isAccepted: true, email: "b@x.example", name: "Ben", language: nil),
          ProfileMembership(
            organization: second.key, organizationID: second.id, organizationName: "Acme", role: .admin,
            timeZone: nil, isActive: true, isAccepted: true, email: "B@X.example", name: "Benjamin",
            language: nil),
        ])
    }
  }

  @Test("are refused if they are members already, or would lose a password", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let hash = PasswordHash(text: "old")
      let member = try await world.member(
        of: first, account: world.account(email: "b@x.example", passwordHash: hash))
      let new = NewMember(organization: first.key, role: .member, timeZone: nil)
      let elsewhere = NewMember(
        organization: second.key, role: .member, timeZone: nil)
      let plain = try world.account(email: "B@x.example")
      let withPassword = try world.account(email: "B@x.example", passwordHash: PasswordHash(text: "new"))
      await #expect(throws: TimeclockError.memberExists) {
        try await world.storage.createMember(plain, new, context: .test())
      }
      await #expect(throws: TimeclockError.memberExists) {
        try await world.storage.createMember(withPassword, new, context: .test())
      }
      await #expect(throws: TimeclockError.emailInUse) {
        try await world.storage.createMember(withPassword, elsewhere, context: .test())
      }
      _ = try await world.update(member, in: first) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberExists) {
        try await world.storage.createMember(plain, new, context: .test())
      }
      #expect(try await world.storage.member(member.id, in: second.key) == nil)
      #expect(try await world.storage.passwordHash(of: member.key.user) == hash)
    }
  }

  @Test("who never were are nobody", arguments: StorageFactory.all)
  func unknown(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let unknown: UserID = world.id()
      #expect(try await world.storage.member(unknown, in: organization.key) == nil)
      #expect(try await world.storage.membership(of: unknown, in: organization.key) == nil)
      #expect(try await world.storage.member(organization.admin.id, in: OrganizationKey(98_765)) == nil)
      await #expect(throws: TimeclockError.invalidToken) {
        try await world.storage.profile(of: UserKey(98_765))
      }
    }
  }

  @Test("are listed in the order of being added, deactivated ones too", arguments: StorageFactory.all)
  func paging(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let other = try await world.organization()
      var expected = [organization.admin.id]
      for number in 0..<6 {
        let member = try await world.member(of: organization)
        expected.append(member.id)
        if number == 2 { _ = try await world.update(member, in: organization) { $0.isActive = false } }
        _ = try await world.member(of: other)
      }
      var listed: [UserID] = []
      var cursor: RowCursor?
      repeat {
        let page = try await world.storage.members(of: organization.key, after: cursor, limit: 2)
        #expect(page.elements.count <= 2)
        listed += page.elements.map(\.userID)
        cursor = page.next
        // A member added meanwhile comes at the end.
        if listed.count == 2 { expected.append(try await world.member(of: organization).id) }
      } while cursor != nil
      #expect(listed == expected)
      let whole = try await world.storage.members(of: organization.key, after: nil, limit: 8)
      #expect(whole.elements.count == 8)
      #expect(whole.next == nil)
      #expect(whole.elements.map(\.isActive).filter { !$0 }.count == 1)
    }
  }
}

extension World {
  @discardableResult
  func update(
    _ member: TestMember, in organization: TestOrganization, version: Int64? = nil,
    passwordHash: PasswordHash? = nil, at now: Instant = World.start,
    _ change: @escaping @Sendable (inout Member) throws -> Void
  ) async throws -> Member {
    try await storage.updateMember(
      member.id, in: organization.key, expectedVersion: version, passwordHash: passwordHash,
      context: .test(at: now), change)
  }
}
