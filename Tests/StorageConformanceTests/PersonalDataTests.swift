import Testing
import TimeclockDomain

@Suite("Personal data in a storage")
struct PersonalDataTests {
  @Test(
    "is gone when somebody is anonymized, and the times and the chain stay", arguments: StorageFactory.all)
  func anonymize(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let person = try await Self.person(in: organization, world)
      let logIn = try await world.logIn(person)
      let colleague = try await world.keep(organization.admin, in: organization, from: .hour(1), to: .hour(2))
      try await world.update(person, in: organization) { $0.isActive = false }
      let before = try #require(try await world.storage.member(person.id, in: organization.key))
      let entries = try await world.list(organization, person).elements
      let count = try await world.changes(organization).count
      let context = ChangeContext(
        author: Author(means: .logIn, userID: organization.admin.id), operation: "anonymizeMember",
        time: .hour(30),
        reason: Reason(stored: "asked in writing"))

      let member = try await world.storage.anonymizeMember(person.id, in: organization.key, context: context)
      var expected = before
      expected.name = "Anonymous"
      expected.email = "anonymous+\(person.id)@invalid"
      expected.timeZone = nil
      expected.version += 1
      expected.updatedAt = .hour(30)
      expected.anonymizedAt = .hour(30)
      #expect(member == expected)
      #expect(try await world.storage.member(person.id, in: organization.key) == expected)
      #expect(
        try await world.storage.members(of: organization.key, after: nil, limit: 9).elements.contains(
          expected))

      let left = try await world.list(organization, person).elements
      #expect(
        left
          == entries.map { entry in
            var entry = entry
            if entry.notes != nil {
              entry.notes = nil
              entry.version += 1
              entry.updatedAt = .hour(30)
            }
            return entry
          })
      #expect(left.contains { $0.version > 1 } && left.contains { $0.version == 1 })
      #expect(try await world.list(organization, organization.admin).elements == [colleague])

      #expect(try await world.storage.passwordHash(of: person.key.user) == nil)
      #expect(try await world.storage.logInAccount(for: EmailAddress(person.email)) == nil)
      #expect(try await !world.isGood(logIn))
      try await Self.expectNothingTold(of: person, in: organization, world, count: count)

      let log = try await world.changes(organization)
      var anonymous = expected
      anonymous.version -= 1
      anonymous.updatedAt = before.updatedAt
      anonymous.anonymizedAt = nil
      #expect(log.count == count + 1)
      #expect(log.last?.before == .member(anonymous) && log.last?.after == .member(expected))
      #expect(log.last?.context == context)

      // Once more, nothing more; and the address is anybody's.
      #expect(
        try await world.storage.anonymizeMember(person.id, in: organization.key, context: .test()) == expected
      )
      #expect(try await world.changes(organization) == log)
      let next = try await world.member(of: organization, account: world.account(email: person.email))
      #expect(next.id != person.id)
    }
  }

  /// A person who is in every kind of change.
  private static func person(in organization: TestOrganization, _ world: World) async throws -> TestMember {
    let person = try await world.member(
      of: organization,
      account: world.account(
        email: "zsofia.secret@x.example", name: "Zsófia Secret", passwordHash: World.passwordHash))
    try await world.update(person, in: organization) { member in
      member.name = "Zsófi Secret"
      member.timeZone = zone("Asia/Kathmandu")
    }
    for (hour, notes) in [(1, "secret notes"), (3, nil), (5, "secret, deleted")] as [(Double, String?)] {
      var entry = world.entry(of: person, in: organization, from: .hour(hour), to: .hour(hour + 1))
      entry.notes = notes.map(Notes.init(stored:))
      try await world.keep(entry, of: person)
      let context = ChangeContext(
        author: Author(means: .logIn, userID: organization.admin.id), operation: "test", time: .hour(9),
        reason: Reason(stored: "a \"secret\" reason, \"userId\":\"x"))
      let update = TimeEntryUpdate(
        id: entry.id, organization: organization.key, expectedVersion: nil, needsSessionAssignment: false,
        context: context)
      if notes != nil {
        _ = try await world.storage.updateTimeEntry(update) {
          $0.notes = Notes(stored: "more secret \"notes\"")
        }
      }
      if hour == 5 { try await world.storage.deleteTimeEntry(update) { _ in } }
    }
    try await world.keep(person, in: organization, from: .hour(10), to: nil)
    for number in 0..<2 {
      let token = ApiToken(
        id: world.id(), name: "Secret\"s \"userId\":\" phone", userID: person.id, scope: .full,
        createdAt: World.start, expiresAt: .latest, lastUsedAt: nil)
      try await world.storage.createApiToken(
        token, digest: world.digest(), in: organization.key, context: .test())
      if number == 0 {
        try await world.storage.deleteApiToken(token.id, in: organization.key, context: .test())
      }
    }
    return person
  }

  /// Checks that the log has nothing of the person, and everything about others.
  private static func expectNothingTold(
    of person: TestMember, in organization: TestOrganization, _ world: World, count: Int
  ) async throws {
    let stored = try await world.storage.storedChanges(of: organization.key, after: 0, limit: 1_000)
    for change in stored {
      for text in [change.content.before, change.content.after, change.content.reason] {
        #expect(text?.lowercased().contains("secret") != true)
      }
    }
    // The organization, the admin and the admin's entry at the beginning and in between; the last is the new one.
    let kept = try await world.changes(organization).filter { !$0.isErased }
    #expect(kept.map(\.resource) == [.organization, .member, .timeEntry, .member])
    #expect(kept.dropLast().allSatisfy { $0.after?.userID != person.id })
    #expect(try await world.expectIntactChain(organization) == Int64(count - 3))
    for change in try await world.changes(organization) where change.isErased {
      #expect(change.before == nil && change.after == nil && change.context.reason == nil)
    }
  }

  @Test(
    "of an account that is used elsewhere goes with the last membership only", arguments: StorageFactory.all)
  func sharedAccount(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      let person = try await world.member(
        of: first, account: world.account(email: "d@x.example", passwordHash: World.passwordHash))
      let elsewhere = try await world.add(person, to: second)
      try await world.accept(elsewhere, in: second)
      let language = AccountChanges(name: nil, timeZone: nil, language: .fr, address: nil)
      try await world.storage.updateAccount(of: person.key.user, language, context: .test())
      try await world.update(elsewhere, in: second) { $0.language = .es }
      let logIn = try await world.logIn(person)
      try await world.update(person, in: first) { $0.isActive = false }
      let placeholder = "anonymous+\(person.id)@invalid"

      let member = try await world.storage.anonymizeMember(person.id, in: first.key, context: .test())
      #expect(member.email == placeholder && member.name == "Anonymous")
      #expect(try await world.storage.member(person.id, in: first.key) == member)
      #expect(try await world.storage.member(person.id, in: second.key)?.email == "d@x.example")
      // As the other one has it, as the name is.
      #expect(try await world.storage.profile(of: person.key.user).user.language == .es)
      #expect(try await world.authenticate(logIn, in: second.id).isActive)
      #expect(
        try await world.storage.authenticate(logIn, organizationID: first.id, at: World.start)?.membership
          == nil)
      #expect(try await world.storage.logInAccount(for: EmailAddress("d@x.example")) != nil)
      // The first organization has no say in the password any more.
      try await world.update(elsewhere, in: second, passwordHash: PasswordHash(text: "new")) { _ in }

      try await world.update(elsewhere, in: second) { $0.isActive = false }
      _ = try await world.storage.anonymizeMember(person.id, in: second.key, context: .test())
      #expect(try await world.storage.member(person.id, in: second.key)?.email == placeholder)
      #expect(try await world.storage.logInAccount(for: EmailAddress("d@x.example")) == nil)
      let account = try await world.storage.profile(of: person.key.user).user
      #expect(account.email == placeholder && account.language == nil)
      #expect(try await world.storage.passwordHash(of: person.key.user) == nil)
      try await world.expectIntactChain(first)
      try await world.expectIntactChain(second)
    }
  }

  @Test("stays if the member is active or nobody's", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let person = try await Self.person(in: organization, world)
      let before = try await world.changes(organization)
      await #expect(throws: TimeclockError.memberActive) {
        try await world.storage.anonymizeMember(person.id, in: organization.key, context: .test())
      }
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await world.storage.anonymizeMember(world.id(), in: organization.key, context: .test())
      }
      #expect(try await world.changes(organization) == before)
      #expect(try await world.storage.member(person.id, in: organization.key)?.name == "Zsófi Secret")
    }
  }

  @Test(
    "is gone or shared, never half, if the person is added elsewhere meanwhile",
    arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let first = try await world.organization()
      let second = try await world.organization()
      for _ in 0..<8 {
        let email = "race\(world.unique())@x.example"
        let person = try await world.member(of: first, account: world.account(email: email))
        try await world.update(person, in: first) { $0.isActive = false }
        let outcomes = await concurrently(2) { number in
          if number == 0 {
            _ = try await world.storage.anonymizeMember(person.id, in: first.key, context: .test())
            return person.id
          }
          return try await world.member(of: second, account: world.account(email: email)).id
        }
        let added = try outcomes[1].get()
        _ = try outcomes[0].get()
        // An added person is found by the address: the same person, or a new one.
        #expect(try await world.storage.logInAccount(for: EmailAddress(email))?.user.id == added)
        #expect(try await world.storage.member(added, in: second.key)?.email == email)
        #expect(try await world.storage.member(person.id, in: first.key)?.anonymizedAt != nil)
      }
    }
  }

  @Test("is found among the changes by whom it is about and by whom it is", arguments: StorageFactory.all)
  func changes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let person = try await Self.person(in: organization, world)
      let other = try await world.member(of: organization)
      var many = (0..<500).map { number in
        let begin = Instant.hour(Double(number))
        return NewTimeEntry(
          member: other.key,
          entry: world.entry(
            of: other, in: organization, from: begin, to: begin.adding(milliseconds: 60_000)),
          needsSessionAssignment: false, context: .test())
      }
      many[499].context.author = Author(means: .logIn, userID: person.id)
      for start in stride(from: 0, to: many.count, by: 100) {
        _ = try await world.storage.createTimeEntries(Array(many[start..<start + 100]), keeping: .allOrNone)
      }
      try await world.keep(person, in: organization, from: .hour(-5), to: .hour(-4))
      var found: [Change] = []
      var pageCount = 0
      var cursor: RowCursor?
      repeat {
        let page = try await world.storage.personalChanges(of: person.id, in: organization.key, after: cursor)
        found += page.elements
        pageCount += 1
        cursor = page.next
      } while cursor != nil
      let all = try await world.changes(organization)
      let expected = all.filter { change in
        change.context.author.userID == person.id || change.resourceID == ResourceID(person.id)
          || (change.after ?? change.before)?.userID == person.id
      }
      #expect(found == expected)
      #expect(pageCount == 2 && found.count > 10 && found.count < 30)
      #expect(found.count { !$0.isAbout(person.id) } == 1)
    }
  }

  @Test("are also the sessions that are assigned", arguments: StorageFactory.all)
  func sessions(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      var own: [AssignedSession] = []
      for number in 0..<5 {
        let session = world.session(
          in: organization, assignees: number == 2 ? [organization.admin] : [organization.admin, member])
        try await world.keep(session, in: organization)
        guard number != 2 else { continue }
        own.append(
          AssignedSession(
            id: session.id, date: session.date, title: session.title, startTime: session.startTime,
            endTime: session.endTime, location: session.location))
      }
      var found: [AssignedSession] = []
      var cursor: RowCursor?
      repeat {
        let page = try await world.storage.assignedSessions(of: member.key, after: cursor, limit: 3)
        found += page.elements
        cursor = page.next
      } while cursor != nil
      #expect(found == own)
    }
  }
}
