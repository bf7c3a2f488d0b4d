import Testing
import TimeclockDomain

@Suite("Reminders in a storage")
struct ReminderStorageTests {
  private static func policy(after seconds: Int64?) -> Policy {
    var policy = Policy.standard
    policy.remindAfterSeconds = seconds
    return policy
  }

  private static func remind(
    _ organization: TestOrganization, in world: World, at now: Instant = World.start, limit: Int = 50
  ) async throws -> [Reminder] {
    try await world.storage.createReminders(
      in: organization.key, limit: limit, context: .test(at: now)
    ) { world.id() }
  }

  private static func due(in world: World, at now: Instant = World.start) async throws -> [OrganizationKey] {
    try await world.storage.organizationsWithDueReminders(at: now)
  }

  @Test(
    "are due once an entry is active for longer, to the millisecond, and then once",
    arguments: StorageFactory.all)
  func due(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      let entry = try await world.keep(
        organization.admin, in: organization, from: World.start.adding(milliseconds: -3_600_000), to: nil)
      #expect(try await Self.due(in: world) == [])
      #expect(try await Self.remind(organization, in: world) == [])
      let later = World.start.adding(milliseconds: 1)
      #expect(try await Self.due(in: world, at: later) == [organization.key])
      let reminders = try await Self.remind(organization, in: world, at: later)
      let reminder = try #require(reminders.first)
      #expect(
        reminders == [
          Reminder(
            id: reminder.id, organizationID: organization.id, userID: entry.userID, kind: .clockedInTooLong,
            timeEntryID: entry.id, createdAt: later)
        ])
      let change = try #require(try await world.changes(organization).last)
      #expect(change.before == nil && change.after == .reminder(reminder) && change.kind == .created)
      #expect(try await Self.due(in: world, at: later) == [])
      #expect(try await Self.remind(organization, in: world, at: .latest) == [])
      // The next entry is another one.
      _ = try await world.clockOut(organization.admin, at: later, now: later)
      let next = try await world.keep(organization.admin, in: organization, from: .hour(1), to: nil)
      let second = try await Self.remind(organization, in: world, at: .hour(2.1))
      #expect(second.map(\.timeEntryID) == [next.id])
    }
  }

  @Test("are for active entries of organizations that want them", arguments: StorageFactory.all)
  func off(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let off = try await world.organization()
      let on = try await world.organization(policy: Self.policy(after: 300))
      try await world.keep(off.admin, in: off, from: .hour(-1_000), to: nil)
      try await world.keep(on.admin, in: on, from: .hour(-9), to: .hour(-8))
      #expect(try await Self.due(in: world) == [])
      #expect(try await Self.remind(off, in: world) == [])
      #expect(try await Self.remind(on, in: world) == [])
      _ = try await world.storage.updateOrganization(
        off.key, expectedVersion: nil, context: .test()
      ) { $0.policy.remindAfterSeconds = 604_800 }
      #expect(try await Self.due(in: world) == [off.key])
      #expect(try await Self.remind(off, in: world).count == 1)
    }
  }

  @Test(
    "come in batches, the oldest entry's first, and lists show the newest first",
    arguments: StorageFactory.all)
  func batches(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      let other = try await world.organization(policy: Self.policy(after: 3_600))
      try await world.keep(other.admin, in: other, from: .hour(-100), to: nil)
      var begun: [TimeEntry] = []
      for hour in [-5, -9, -2, -7, -3.5] {
        begun.append(
          try await world.keep(world.member(of: organization), in: organization, from: .hour(hour), to: nil))
      }
      let order = begun.sorted { $0.clockInTime < $1.clockInTime }.map(\.id)
      var made: [Reminder] = []
      for size in [2, 2, 1, 0] {
        let part = try await Self.remind(organization, in: world, limit: 2)
        #expect(part.count == size)
        made += part
      }
      #expect(made.map(\.timeEntryID) == order)
      for limit in 1...6 {
        var listed: [Reminder] = []
        var cursor: RowCursor?
        repeat {
          let page = try await world.storage.reminders(
            of: organization.key, of: .everybody, before: cursor, limit: limit)
          listed += page.elements
          cursor = page.next
        } while cursor != nil
        #expect(listed == made.reversed())
      }
      let member = try await world.storage.membership(of: made[1].userID, in: organization.key)
      let own = try await world.storage.reminders(
        of: organization.key, of: .member(try #require(member).key.user), before: nil, limit: 9)
      #expect(own.elements == [made[1]] && own.next == nil)
      #expect(
        try await world.storage.reminders(of: other.key, of: .everybody, before: nil, limit: 9).elements == []
      )
    }
  }

  @Test("come once, even if several look at once", arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      for _ in 0..<20 {
        try await world.keep(world.member(of: organization), in: organization, from: .hour(-2), to: nil)
      }
      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try await Self.remind(organization, in: world).count } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(counts.reduce(0, +) == 20)
      let kept = try await world.storage.reminders(
        of: organization.key, of: .everybody, before: nil, limit: 100
      ).elements
      #expect(kept.count == 20 && Set(kept.map(\.timeEntryID)).count == 20)
    }
  }
}
