import ChangeLog
import StorageCalls
import Testing
import TimeclockDomain

/// The changes that every write leaves in the log.
@Suite("The log of changes in a storage")
struct ChangeLogTests {
  @Test(
    "every kind of write is logged with who, what, when, why, before and after", arguments: StorageFactory.all
  )
  func everyWrite(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let storage = world.storage
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      var context = ChangeContext(
        author: Author(
          means: .apiToken, userID: organization.admin.id, apiTokenID: world.id(), requestID: world.id()),
        operation: "test", time: .hour(1), reason: Reason(stored: "because \"it\" \\ was <ok> 🕰️"))
      func next(_ operation: String) -> ChangeContext {
        context.operation = operation
        context.time = context.time.adding(milliseconds: 1)
        return context
      }
      let founded = try await world.changes(organization)
      #expect(founded.map(\.resource) == [.organization, .member, .member])
      #expect(founded.map(\.kind) == [.created, .created, .created])
      #expect(founded.map(\.sequence) == [1, 2, 3])
      #expect(
        founded[2].after == .member(try #require(try await storage.member(member.id, in: organization.key))))

      // Organization.
      let before = try await storage.organization(organization.key)
      let renamed = try await storage.updateOrganization(
        organization.key, expectedVersion: nil, context: next("rename")
      ) { $0.name = "Új név" }
      try await world.expectLast(
        organization, Self.updated(.organization(before), .organization(renamed), 4, context))
      _ = try await storage.updateOrganization(
        organization.key, expectedVersion: nil, context: next("nothing")
      ) {
        _ in
      }
      #expect(try await world.changes(organization).count == 4)

      // A token.
      let token = ApiToken(
        id: world.id(), name: "Till", userID: member.id, scope: .read, createdAt: .hour(1),
        expiresAt: .hour(9), lastUsedAt: nil)
      try await storage.createApiToken(
        token, digest: world.digest(), in: organization.key, context: next("token"))
      try await world.expectLast(organization, Self.created(.apiToken(token), 5, context))
      try await storage.deleteApiToken(token.id, in: organization.key, context: next("revoke"))
      try await world.expectLast(organization, Self.deleted(.apiToken(token), 6, context))

      // A session.
      var session = world.session(in: organization, assignees: [member, organization.admin])
      session.location = "Küche \"5\""
      session.startTime = .hour(1)
      _ = try await storage.createSession(session, in: organization.key, context: next("plan"))
      try await world.expectLast(organization, Self.created(.session(session), 7, context))
      let update = SessionUpdate(
        id: session.id, organization: organization.key, expectedVersion: 1, assigneeIDs: [member.id],
        context: next("replan"))
      let replanned = try await storage.updateSession(update) { $0.endTime = .hour(2) }.session
      try await world.expectLast(
        organization, Self.updated(.session(session), .session(replanned), 8, context))

      // An entry.
      var entry = world.entry(of: member, in: organization, from: .hour(2), to: nil)
      entry.notes = Notes(stored: "4-byte 𝄞, \u{65}\u{301}")
      entry.sessionID = session.id
      _ = try await storage.createTimeEntry(
        NewTimeEntry(member: member.key, entry: entry, needsSessionAssignment: true, context: next("clockIn"))
      )
      try await world.expectLast(organization, Self.created(.timeEntry(entry), 9, context))
      let closed = try await storage.clockOut(
        ClockOut(
          member: member.key, time: .hour(3), isStated: true, notes: Notes(stored: "done"), policy: .standard,
          context: next("clockOut")))
      try await world.expectLast(
        organization, Self.updated(.timeEntry(entry), .timeEntry(closed), 10, context))

      // A member, with everything that ends with the membership.
      let running = world.entry(of: member, in: organization, from: .hour(4), to: nil)
      _ = try await storage.createTimeEntry(
        NewTimeEntry(
          member: member.key, entry: running, needsSessionAssignment: true, context: next("clockIn")))
      let (held, _) = try await world.apiToken(for: member, in: organization)
      let active = try #require(try await storage.member(member.id, in: organization.key))
      context.time = .hour(6)
      let gone = try await storage.updateMember(
        member.id, in: organization.key, expectedVersion: nil, passwordHash: nil, context: next("deactivate")
      ) { $0.isActive = false }
      let end = try await world.changes(organization, after: 12)
      #expect(end.count == 3)
      #expect(end.allSatisfy { $0.context == context })
      #expect(Set(end.map(\.resource)) == [.member, .apiToken, .timeEntry])
      let ended = try #require(try await storage.timeEntry(running.id, in: organization.key))
      for change in end {
        switch change.resource {
        case .member: #expect(change.before == .member(active) && change.after == .member(gone))
        case .apiToken: #expect(change.before == .apiToken(held) && change.after == nil)
        case .timeEntry: #expect(change.before == .timeEntry(running) && change.after == .timeEntry(ended))
        default: Issue.record("\(change)")
        }
      }
    }
  }

  @Test("a password that revokes API tokens says so in their organizations", arguments: StorageFactory.all)
  func password(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let (token, _) = try await world.apiToken(for: member, in: organization)
      let context = ChangeContext(
        author: Author(means: .logIn, userID: member.id), operation: "changePassword", time: .hour(1))
      try await world.storage.changePassword(
        of: member.key.user, from: World.passwordHash, to: PasswordHash(text: "new"), keepingToken: 0,
        context: context)
      let changes = try await world.changes(organization)
      try await world.expectLast(organization, Self.deleted(.apiToken(token), Int64(changes.count), context))
    }
  }

  @Test("what is refused leaves no trace", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      try await world.keep(member, in: organization, from: .hour(1), to: nil)
      let count = try await world.changes(organization).count
      _ = try? await world.keep(member, in: organization, from: .hour(2), to: nil)
      _ = try? await world.keep(member, in: organization, from: .hour(0), to: .hour(2))
      _ = try? await world.clockOut(organization.admin, at: .hour(3))
      _ = try? await world.storage.deleteApiToken(world.id(), in: organization.key, context: .test())
      _ = try? await world.storage.updateMember(
        organization.admin.id, in: organization.key, expectedVersion: nil, passwordHash: nil, context: .test()
      ) { $0.isActive = false }
      #expect(try await world.changes(organization).count == count)
    }
  }

  @Test(
    "under many writers the feed has no gap, repeats nothing and skips nothing", arguments: StorageFactory.all
  )
  func concurrentWriters(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = try await world.members(8, of: organization)
      let start = try await world.changes(organization).count
      let rounds = 20
      let total = start + members.count * rounds * 2
      async let reading = world.follow(organization, count: total)
      for outcome in await concurrently(
        members.count,
        { number in
          for round in 0..<rounds {
            try await world.keep(members[number], in: organization, from: .hour(Double(round)), to: nil)
            _ = try await world.clockOut(members[number], at: .hour(Double(round) + 0.5))
          }
        })
      {
        try outcome.get()
      }
      let seen = try await reading
      #expect(seen.map(\.sequence) == Array(1...Int64(total)))
      for member in members {
        let own = seen.filter { change in
          if case .timeEntry(let entry)? = change.after { entry.userID == member.id } else { false }
        }
        #expect(own.map(\.kind) == Array(repeating: [.created, .updated], count: rounds).flatMap { $0 })
      }
      try await world.expectIntactChain(organization)
    }
  }

  @Test("a feed shows the kinds of resources it is asked for", arguments: StorageFactory.all)
  func kinds(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await PreparedOrganization.make("Acme", in: world.storage)
      for kind in Snapshot.Kind.allCases {
        let only = try await world.storage.changes(
          of: organization.key, after: 0, resources: [kind], limit: 10)
        #expect(!only.isEmpty && only.allSatisfy { $0.resource == kind })
      }
    }
  }

  @Test(
    "an audit is newest first, by page, and shows what its filter lets through", arguments: StorageFactory.all
  )
  func audit(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let author: UserID = world.id()
      for hour in 1...6 {
        let entry = world.entry(
          of: member, in: organization, from: .hour(Double(hour)), to: .hour(Double(hour) + 1))
        _ = try await world.storage.createTimeEntry(
          NewTimeEntry(
            member: member.key, entry: entry, needsSessionAssignment: false,
            context: ChangeContext(
              author: hour % 2 == 0 ? Author(means: .logIn, userID: author) : .service,
              operation: hour < 4 ? "early" : "late", time: .hour(Double(hour)))))
      }
      let all = try await world.changes(organization).reversed()
      func list(_ change: (inout AuditLogQuery) -> Void, limit: Int = 2) async throws -> [Change] {
        var query = AuditLogQuery(organization: organization.key, limit: limit)
        change(&query)
        var found: [Change] = []
        repeat {
          let page = try await world.storage.auditLog(query)
          #expect(page.elements.count <= limit)
          found += page.elements
          query.cursor = page.next
        } while query.cursor != nil
        return found
      }
      #expect(try await list { _ in } == Array(all))
      #expect(try await list { $0.author = author } == all.filter { $0.context.author.userID == author })
      #expect(try await list { $0.resource = .member } == all.filter { $0.resource == .member })
      #expect(try await list { $0.operation = "late" } == all.filter { $0.context.operation == "late" })
      #expect(
        try await list {
          $0.from = .hour(2)
          $0.to = .hour(4)
        } == all.filter { $0.context.time >= .hour(2) && $0.context.time < .hour(4) })
      let id = try #require(all.first?.resourceID)
      #expect(try await list { $0.resourceID = id } == all.filter { $0.resourceID == id })
      #expect(try await list { $0.resourceID = world.id() } == [])
    }
  }

  @Test("nothing of one organization is in another's log", arguments: StorageFactory.all)
  func isolation(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let ours = try await world.organization()
      let theirs = try await world.organization()
      let entry = try await world.keep(ours.admin, in: ours, from: .hour(1), to: .hour(2))
      let query = AuditLogQuery(organization: theirs.key, resourceID: ResourceID(entry.id), limit: 10)
      #expect(try await world.storage.auditLog(query).elements.isEmpty)
      #expect(try await world.changes(theirs).map(\.resource) == [.organization, .member])
      try await world.expectIntactChain(ours)
      try await world.expectIntactChain(theirs)
    }
  }

  /// The form of an organization's record before policies had more limits.
  @Test("a record without a limit that came later is read as one that has it not")
  func earlierRecord() throws {
    let text = """
      {"id":"019aa0f1-0000-7000-8000-000000000001","name":"Acme","timeZone":"UTC","minimumSeconds":60,\
      "maximumSeconds":57600,"editWindowDays":30,"lookBackHours":72,"notesMaximumCharacters":500,"version":1,\
      "createdAt":0,"updatedAt":0}
      """
    guard case .organization(let organization) = try Snapshot(kind: .organization, encoded: text) else {
      Issue.record("no organization")
      return
    }
    #expect(organization.policy == .standard)
    // A form with nothing to add stays as it is.
    #expect(Snapshot.organization(organization).encoded == text)
    var later = organization
    later.policy.autoClockOutSeconds = 43_200
    later.policy.manualEntryDays = 31
    later.policy.membersMayCreateProjects = false
    later.policy.breakRules = [BreakRule(afterSeconds: 21_600, breakSeconds: 1_800)]
    later.policy.breakMinimumSeconds = 60
    later.policy.isProjectRequired = true
    later.policy.membersMayEnterTimes = false
    later.policy.remindAfterSeconds = 300
    later.policy.timerSessionDays = 31
    later.policy.managersSee = .ownGroups
    later.policy.absenceApproval = [.sick]
    later.policy.isSelfApprovalAllowed = true
    later.policy.areAbsenceKindsVisible = true
    later.policy.isNegativeEntitlementAllowed = false
    later.policy.balanceCapAbove = 144_000
    later.policy.balanceCapBelow = -72_000
    later.policy.correctionsNeed = .notice
    #expect(
      try Snapshot(kind: .organization, encoded: Snapshot.organization(later).encoded) == .organization(later)
    )
  }

  private static func created(_ after: Snapshot, _ sequence: Int64, _ context: ChangeContext) -> Change {
    Change(
      sequence: sequence, kind: .created, resource: after.kind, resourceID: after.resourceID,
      context: context,
      before: nil, after: after)
  }

  private static func updated(
    _ before: Snapshot, _ after: Snapshot, _ sequence: Int64, _ context: ChangeContext
  ) -> Change {
    Change(
      sequence: sequence, kind: .updated, resource: after.kind, resourceID: after.resourceID,
      context: context,
      before: before, after: after)
  }

  private static func deleted(_ before: Snapshot, _ sequence: Int64, _ context: ChangeContext) -> Change {
    Change(
      sequence: sequence, kind: .deleted, resource: before.kind, resourceID: before.resourceID,
      context: context,
      before: before, after: nil)
  }
}

extension World {
  /// All changes of an organization, or those after one.
  func changes(_ organization: TestOrganization, after sequence: Int64 = 0) async throws -> [Change] {
    try await storage.changes(
      of: organization.key, after: sequence, resources: Set(Snapshot.Kind.allCases), limit: 1_000)
  }

  /// `count` new members.
  fileprivate func members(_ count: Int, of organization: TestOrganization) async throws -> [TestMember] {
    var members: [TestMember] = []
    for _ in 0..<count { members.append(try await member(of: organization)) }
    return members
  }

  /// Reads the feed, page by page while others write, until it has `count` changes.
  fileprivate func follow(_ organization: TestOrganization, count: Int) async throws -> [Change] {
    var seen: [Change] = []
    while seen.count < count {
      seen += try await storage.changes(
        of: organization.key, after: seen.last?.sequence ?? 0, resources: Set(Snapshot.Kind.allCases),
        limit: 7)
    }
    return seen
  }

  fileprivate func expectLast(_ organization: TestOrganization, _ change: Change) async throws {
    let last = try await changes(organization).last
    #expect(last == change)
  }

  /// Checks the chain of an organization's changes, and answers how many of them are erased.
  @discardableResult
  func expectIntactChain(_ organization: TestOrganization) async throws -> Int64 {
    var verifier = ChangeChainVerifier()
    let changes = try await storage.storedChanges(of: organization.key, after: 0, limit: 10_000)
    for change in changes { verifier.check(change) }
    #expect(verifier.faults == [])
    #expect(!changes.isEmpty && verifier.sequence == Int64(changes.count))
    #expect(
      try await storage.unsealedChanges(of: organization.key)
        == UnsealedChanges(waitingCount: 0, lostCount: 0))
    return verifier.erasedCount
  }
}
