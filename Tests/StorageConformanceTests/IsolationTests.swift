import StorageCalls
import Testing
import TimeclockDomain

/// Every method that takes a key, asked with one organization's key for another's rows.
@Suite("Organizations in a storage see nothing of each other")
struct IsolationTests {
  private static func twoOrganizations(
    _ world: World
  ) async throws -> (ours: TestOrganization, theirs: TestOrganization, entry: TimeEntry) {
    let ours = try await world.organization()
    let theirs = try await world.organization()
    let entry = try await world.keep(theirs.admin, in: theirs, from: .hour(0), to: nil)
    return (ours, theirs, entry)
  }

  @Test(
    "whichever method is called, with what only the other has or with what both have",
    arguments: StorageFactory.all, ForeignCall.Names.allCases)
  func everyMethod(_ factory: StorageFactory, names: ForeignCall.Names) async throws {
    try await factory.run { world in
      let storage = world.storage
      let shared = try await OrganizationPair.make(with: names, in: storage)
      for method in StorageCalls.whileOpen where method.scope == .organization && method.kind == .reads {
        for call in method.calls {
          for organization in [shared.theirs, shared.ours] {
            try await call.prepare(organization, in: storage)
          }
          #expect(!(await call.outcome(shared.asked, in: storage)).contains("Umbrella"), "\(call.name)")
        }
      }
      let writing = StorageCalls.whileOpen.filter { $0.scope == .organization && $0.kind == .writes }
        .flatMap(\.calls)
      // Several in turn ask about one that needs no preparation for them, and it is looked at behind them.
      let plain = writing.filter { !$0.needsPreparation }
      let groups =
        stride(from: 0, to: plain.count, by: 8).map { Array(plain[$0...].prefix(8)) }
        + writing.filter(\.needsPreparation).map { [$0] }
      for calls in groups {
        var theirs: PreparedOrganization?
        var before: [String] = []
        for call in calls {
          let pair = try await OrganizationPair.make(with: names, about: theirs, in: storage)
          for organization in [pair.theirs, pair.ours] { try await call.prepare(organization, in: storage) }
          if theirs == nil {
            theirs = pair.theirs
            before = await StorageCalls.state(of: pair.theirs, in: storage)
            #expect(before.contains { $0.contains("Umbrella") })
          }
          #expect(!(await call.outcome(pair.asked, in: storage)).contains("Umbrella"), "\(call.name)")
        }
        let asked = try #require(theirs)
        #expect(await StorageCalls.state(of: asked, in: storage) == before, "\(calls.map(\.name))")
      }
    }
  }

  @Test("when reading", arguments: StorageFactory.all)
  func reads(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (ours, theirs, entry) = try await Self.twoOrganizations(world)
      _ = try await world.apiToken(for: theirs.admin, in: theirs)
      let storage = world.storage
      #expect(try await storage.timeEntry(entry.id, in: ours.key) == nil)
      #expect(try await storage.member(theirs.admin.id, in: ours.key) == nil)
      #expect(try await storage.membership(of: theirs.admin.id, in: ours.key) == nil)
      #expect(
        try await storage.memberships(of: [theirs.admin.id, ours.admin.id], in: ours.key)
          == [ours.admin.id: try await storage.membership(of: ours.admin.id, in: ours.key)])
      #expect(
        try await storage.personalChanges(of: theirs.admin.id, in: ours.key, after: nil).elements.isEmpty)
      _ = try await world.addSession(in: theirs, assignees: [theirs.admin])
      let foreign = MemberKey(organization: ours.key, user: theirs.admin.key.user)
      #expect(try await storage.activeTimeEntry(of: foreign) == nil)
      #expect(try await storage.assignedSessions(of: foreign, after: nil, limit: 9).elements.isEmpty)
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await storage.anonymizeMember(theirs.admin.id, in: ours.key, context: .test())
      }
      #expect(
        try await storage.members(of: ours.key, after: nil, limit: 9).elements.map(\.userID) == [
          ours.admin.id
        ])
      #expect(try await storage.apiTokens(of: ours.key, after: nil, limit: 9).elements.isEmpty)
      #expect(try await storage.organization(ours.key).id == ours.id)
      let found = try await storage.authenticate(ours.adminToken, organizationID: theirs.id, at: World.start)
      #expect(found != nil)
      #expect(found?.membership == nil)
      // The same questions in the right organization have answers.
      #expect(try await storage.timeEntry(entry.id, in: theirs.key) == entry)
      #expect(try await storage.activeTimeEntry(of: theirs.admin.key) == entry)
      #expect(try await storage.apiTokens(of: theirs.key, after: nil, limit: 9).elements.count == 1)
      let present = PresenceQuery(organization: ours.key, workedSince: .hour(-1), limit: 9)
      #expect(try await storage.presence(present).elements.isEmpty)
      var theirPresent = present
      theirPresent.organization = theirs.key
      var worked = WorkedTimeQuery(
        organization: ours.key, members: .everybody, endingAfter: .hour(-1), beginningBefore: .hour(1),
        session: nil,
        hasDetails: false, hasIDs: true, segments: .all(tag: nil))
      let ourTime = try await storage.report(on: worked) { $0 }
      #expect(
        ourTime.entries.isEmpty && ourTime.segments.isEmpty
          && ourTime.people.values.map(\.id) == [ours.admin.id])
      worked.members = .member(theirs.admin.key.user)
      #expect(try await storage.report(on: worked) { $0.entries.isEmpty && $0.people.isEmpty })
      worked.organization = theirs.key
      #expect(try await storage.report(on: worked) { $0.entries.map(\.id) } == [entry.id])
      #expect(try await storage.presence(theirPresent).elements.map(\.timeEntryID) == [entry.id])
    }
  }

  @Test("when listing", arguments: StorageFactory.all)
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (ours, theirs, entry) = try await Self.twoOrganizations(world)
      let ranges: [TimeEntryRange] = [
        .dates(from: nil, through: nil), .dates(from: World.today, through: World.today),
        .overlapping(from: nil, to: nil), .overlapping(from: .hour(0), to: .hour(1)),
      ]
      let page = try await world.list(theirs, limit: 1)
      let cursor = TimeEntryCursor(date: .latest, createdAt: .latest, row: .max)
      #expect(page.elements == [entry])
      for range in ranges {
        for status in [nil, .clockedIn, .clockedOut] as [TimeEntryStatus?] {
          for member in [nil, theirs.admin] {
            for cursor in [nil, cursor] {
              let seen = try await world.list(ours, member, range: range, status: status, cursor: cursor)
              #expect(seen.elements.isEmpty)
            }
          }
        }
      }
    }
  }

  @Test("when writing", arguments: StorageFactory.all)
  func writes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (ours, theirs, entry) = try await Self.twoOrganizations(world)
      let (token, digest) = try await world.apiToken(for: theirs.admin, in: theirs)
      let storage = world.storage
      let foreign = TestMember(
        id: theirs.admin.id, key: MemberKey(organization: ours.key, user: theirs.admin.key.user), email: "")
      await #expect(throws: TimeclockError.notClockedIn) { try await world.clockOut(foreign, at: .hour(1)) }
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.keep(foreign, in: ours, from: .hour(-2), to: .hour(-1))
      }
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await world.update(theirs.admin, in: ours) { $0.name = "Ours" }
      }
      await #expect(throws: TimeclockError.notFound(.apiToken)) {
        try await storage.deleteApiToken(token.id, in: ours.key, context: .test())
      }
      await #expect(throws: TimeclockError.notFound(.member)) {
        try await world.apiToken(for: theirs.admin, in: ours)
      }
      _ = try await storage.updateOrganization(ours.key, expectedVersion: nil, context: .test(at: .hour(1))) {
        $0.name = "Ours"
      }
      #expect(try await storage.organization(theirs.key).name == "Acme")
      #expect(try await world.isGood(digest))
      #expect(try await storage.activeTimeEntry(of: theirs.admin.key) == entry)
      #expect(try await storage.member(theirs.admin.id, in: theirs.key)?.version == 1)
    }
  }

  @Test("also in public ids of entries", arguments: StorageFactory.all)
  func equalIDs(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let (ours, theirs, entry) = try await Self.twoOrganizations(world)
      // An id belongs to its organization: that another has used it may not even show in a refusal.
      var same = world.entry(of: ours.admin, in: ours, from: .hour(0), to: nil)
      same.id = entry.id
      try await world.keep(same, of: ours.admin)
      #expect(try await world.storage.timeEntry(entry.id, in: ours.key) == same)
      #expect(try await world.storage.timeEntry(entry.id, in: theirs.key) == entry)
    }
  }

  @Test("also in public ids of API tokens", arguments: StorageFactory.all)
  func equalTokenIDs(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let ours = try await world.organization()
      let theirs = try await world.organization()
      let (token, digest) = try await world.apiToken(for: theirs.admin, in: theirs)
      var same = token
      same.userID = ours.admin.id
      same.name = "Ours"
      try await world.storage.createApiToken(same, digest: world.digest(), in: ours.key, context: .test())
      #expect(try await world.storage.apiTokens(of: ours.key, after: nil, limit: 9).elements == [same])
      try await world.storage.deleteApiToken(token.id, in: ours.key, context: .test())
      #expect(try await world.storage.apiTokens(of: theirs.key, after: nil, limit: 9).elements == [token])
      #expect(try await world.isGood(digest))
    }
  }

  /// One account, so the same row of users stands behind both memberships.
  @Test("even if one person is in both", arguments: StorageFactory.all)
  func onePersonInBoth(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let ours = try await world.organization(admin: world.account(email: "d@x.example"))
      let theirs = try await world.organization(admin: world.account(email: "d@x.example"))
      #expect(ours.admin.key.user == theirs.admin.key.user)
      let storage = world.storage
      // At the same time in both: neither is in the way of the other.
      let theirEntries = [
        try await world.keep(theirs.admin, in: theirs, from: .hour(2), to: nil),
        try await world.keep(theirs.admin, in: theirs, from: .hour(0), to: .hour(1)),
      ]
      let ourEntry = try await world.keep(ours.admin, in: ours, from: .hour(0), to: .hour(1))
      let (token, _) = try await world.apiToken(for: theirs.admin, in: theirs)
      #expect(try await storage.activeTimeEntry(of: ours.admin.key) == nil)
      #expect(try await storage.timeEntry(theirEntries[0].id, in: ours.key) == nil)
      await #expect(throws: TimeclockError.overlap([ourEntry], count: 1)) {
        try await world.keep(ours.admin, in: ours, from: .hour(0.5), to: nil)
      }
      for range in [.dates(from: nil, through: nil), .overlapping(from: .hour(0), to: nil)]
        as [TimeEntryRange]
      {
        #expect(try await world.list(ours, ours.admin, range: range).elements == [ourEntry])
        #expect(Set(try await world.list(theirs, theirs.admin, range: range).elements) == Set(theirEntries))
      }
      #expect(!(try await storage.apiTokens(of: ours.key, after: nil, limit: 9).elements.contains(token)))
      // A change of the membership here does not reach the other one.
      _ = try await world.member(of: ours, role: .admin)
      _ = try await world.update(ours.admin, in: ours) {
        $0.name = "Ours"
        $0.isActive = false
      }
      let there = try #require(try await storage.member(theirs.admin.id, in: theirs.key))
      #expect(there.isActive)
      #expect(there.name == "Ana")
      #expect(there.version == 1)
      #expect(try await storage.activeTimeEntry(of: theirs.admin.key) == theirEntries[0])
      #expect(try await storage.apiTokens(of: theirs.key, after: nil, limit: 9).elements.contains(token))
    }
  }
}
