import Testing
import TimeclockDomain

@Suite("Sessions in a storage")
struct SessionStorageTests {
  @Test("come back with every field, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization, account: world.account(name: "𝄞 e\u{301}"))
      var full = world.session(in: organization, on: .latest, assignees: [member, organization.admin])
      full.title = "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
      full.location = "\u{e9}"
      full.startTime = .earliest
      full.endTime = .latest
      full.version = 7
      full.createdAt = .hour(1)
      full.updatedAt = .hour(2)
      let expected = SessionDetails(
        full,
        assignees: [
          SessionAssignee(userID: organization.admin.id, name: "Ana"),
          SessionAssignee(userID: member.id, name: "𝄞 e\u{301}"),
        ])
      #expect(emptyFields(of: full) == [])
      #expect(try await world.keep(full, in: organization) == expected)
      #expect(try await world.changes(organization).last?.after == .session(full))
      #expect(expected.assignees.count == 2)
      let bare = world.session(in: organization, on: .earliest)
      let nobody = try await world.keep(bare, in: organization)
      #expect(nobody == SessionDetails(bare, assignees: []))
      #expect(try await world.storage.session(full.id, in: organization.key) == expected)
      #expect(try await world.storage.session(bare.id, in: organization.key) == nobody)
      #expect(try await world.listSessions(organization) == [nobody, expected])
      #expect(try await world.listSessions(organization, assignee: member) == [expected])
      #expect(try await world.storage.session(world.id(), in: organization.key) == nil)
      let found = try #require(try await world.storage.session(full.id, in: organization.key)).session
      #expect(Array(found.title.unicodeScalars) == Array(full.title.unicodeScalars))
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let before = world.session(in: organization, assignees: [organization.admin])
      try await world.keep(before, in: organization)
      let changed = try await world.change(
        before, in: organization, version: 1, assignees: [member.id], at: .hour(3)
      ) { session in
        session.date = .latest
        session.title = "B"
        session.startTime = .hour(1)
        session.endTime = .hour(2)
        session.location = "there"
        // None of the storage's business, or of the caller's.
        session.id = SessionID(high: 1, low: 1)
        session.assigneeIDs = []
        session.version = 40
        session.createdAt = .hour(9)
      }
      var expected = before
      expected.date = .latest
      expected.title = "B"
      expected.startTime = .hour(1)
      expected.endTime = .hour(2)
      expected.location = "there"
      expected.assigneeIDs = [member.id]
      expected.version = 2
      expected.updatedAt = .hour(3)
      #expect(equalFields(of: before, expected) == ["id", "organizationID", "createdAt"])
      #expect(changed.session == expected)
      #expect(changed.assignees == [SessionAssignee(userID: member.id, name: "Ana")])
      #expect(try await world.storage.session(before.id, in: organization.key) == changed)
      #expect(try await world.listSessions(organization, assignee: organization.admin).isEmpty)
      let cleared = try await world.change(before, in: organization, assignees: []) { session in
        (session.startTime, session.endTime, session.location) = (nil, nil, nil)
      }
      #expect(cleared.session.startTime == nil && cleared.session.endTime == nil)
      #expect(cleared.session.location == nil && cleared.assignees.isEmpty)
      #expect(cleared.session.version == 3)
    }
  }

  @Test("that do not change keep their version", arguments: StorageFactory.all)
  func sameness(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let session = world.session(in: organization, assignees: [organization.admin])
      let kept = try await world.keep(session, in: organization)
      let count = try await world.changes(organization).count
      for assignees in [nil, [organization.admin.id]] {
        let same = try await world.change(session, in: organization, assignees: assignees, at: .hour(5)) {
          $0.title = "Evening class"
        }
        #expect(same == kept)
      }
      #expect(try await world.changes(organization).count == count)
    }
  }

  @Test("are refused with everything left as it was", arguments: StorageFactory.all)
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let theirs = try await world.organization()
      let gone = try await world.member(of: organization)
      let stays = world.session(in: organization, assignees: [gone])
      try await world.keep(stays, in: organization)
      _ = try await world.update(gone, in: organization) { $0.isActive = false }
      let session = world.session(in: organization, assignees: [organization.admin])
      let kept = try await world.keep(session, in: organization)
      let count = try await world.changes(organization).count
      for (error, ids) in [
        (TimeclockError.notFound(.member), [organization.admin.id, world.id()]),
        (.notFound(.member), [theirs.admin.id]), (.memberDeactivated, [organization.admin.id, gone.id]),
      ] as [(TimeclockError, [UserID])] {
        let new = Self.session(world, organization, assigneeIDs: ids)
        await #expect(throws: error) { try await world.keep(new, in: organization) }
        await #expect(throws: error) {
          try await world.change(session, in: organization, assignees: ids) { $0.title = "B" }
        }
      }
      await #expect(throws: TimeclockError.changed(current: kept.current)) {
        try await world.change(session, in: organization, version: 2) { $0.title = "B" }
      }
      await #expect(throws: TimeclockError.endNotAfterStart) {
        try await world.change(session, in: organization, assignees: []) { session in
          session.title = "B"
          throw TimeclockError.endNotAfterStart
        }
      }
      await #expect(throws: TimeclockError.changed(current: kept.current)) {
        try await world.delete(session, in: organization, version: 2)
      }
      #expect(try await world.storage.session(session.id, in: organization.key) == kept)
      #expect(try await world.listSessions(organization).count == 2)
      #expect(try await world.changes(organization).count == count)
      // A present assignee may stay.
      let both = try await world.change(
        stays, in: organization, assignees: [gone.id, organization.admin.id])
      #expect(Set(both.session.assigneeIDs) == [gone.id, organization.admin.id])
    }
  }

  @Test("are deleted once no entry refers to them, or with them set free", arguments: StorageFactory.all)
  func delete(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let session = world.session(in: organization, assignees: [member])
      let kept = try await world.keep(session, in: organization)
      let closed = try await world.keep(
        member, in: organization, from: .hour(0), to: .hour(1), session: session.id)
      let active = try await world.keep(
        organization.admin, in: organization, from: .hour(0), to: nil, session: session.id)
      let other = try await world.keep(member, in: organization, from: .hour(2), to: .hour(3))
      await #expect(throws: TimeclockError.sessionInUse(count: 2)) {
        try await world.delete(session, in: organization)
      }
      let last = try await world.changes(organization).count
      try await world.delete(session, in: organization, version: 1, detaching: true, at: .hour(9))
      #expect(try await world.storage.session(session.id, in: organization.key) == nil)
      #expect(try await world.listSessions(organization, assignee: member).isEmpty)
      #expect(
        try await Set(world.listAll(organization, pageSize: 10)) == [
          closed.detached(at: .hour(9)), active.detached(at: .hour(9)), other,
        ])
      let news = try await world.changes(organization, after: Int64(last))
      #expect(
        Set(news.dropLast().map(\.after)) == [
          .timeEntry(closed.detached(at: .hour(9))), .timeEntry(active.detached(at: .hour(9))),
        ])
      #expect(news.count == 3 && news.last?.before == .session(kept.session) && news.last?.after == nil)
      #expect(news.allSatisfy { $0.context == .test(at: .hour(9)) })
      await #expect(throws: TimeclockError.notFound(.session)) {
        try await world.delete(session, in: organization)
      }
      await #expect(throws: TimeclockError.notFound(.session)) {
        try await world.change(session, in: organization)
      }
    }
  }

  @Test("of one organization are nothing to another", arguments: StorageFactory.all)
  func isolation(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let ours = try await world.organization(admin: world.account(email: "d@x.example"))
      let theirs = try await world.organization(admin: world.account(email: "d@x.example"))
      let session = world.session(in: theirs, assignees: [theirs.admin])
      let kept = try await world.keep(session, in: theirs)
      #expect(ours.admin.key.user == theirs.admin.key.user)
      #expect(try await world.storage.session(session.id, in: ours.key) == nil)
      #expect(try await world.listSessions(ours).isEmpty)
      #expect(try await world.listSessions(ours, assignee: ours.admin).isEmpty)
      #expect(
        try await world.listSessions(ours, assignee: ours.admin, from: World.today, through: World.today)
          .isEmpty)
      await #expect(throws: TimeclockError.notFound(.session)) {
        try await world.change(session, in: ours) { $0.title = "Ours" }
      }
      for detaching in [false, true] {
        await #expect(throws: TimeclockError.notFound(.session)) {
          try await world.delete(session, in: ours, detaching: detaching)
        }
      }
      // An id belongs to its organization: that another has used it may not even show in a refusal.
      var same = session
      same.organizationID = ours.id
      same.title = "Ours"
      try await world.keep(same, in: ours)
      try await world.delete(same, in: ours)
      #expect(try await world.listSessions(theirs) == [kept])
    }
  }

  private static func session(
    _ world: World, _ organization: TestOrganization, assigneeIDs: [UserID]
  ) -> Session {
    var session = world.session(in: organization)
    session.assigneeIDs = assigneeIDs
    return session
  }
}
