import Procedures
import Synchronization
import Testing
import TimeclockDomain

/// How a storage closes forgotten entries.
@Suite("Forgotten entries in a storage")
struct ForgottenEntryTests {
  private static func policy(after seconds: Int64?, maximum: Int64 = 57_600) -> Policy {
    var policy = Policy.standard
    policy.autoClockOutSeconds = seconds
    policy.maximumSeconds = maximum
    return policy
  }

  @Test("end after what the policy says, or its maximum if that is less", arguments: StorageFactory.all)
  func end(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for (limit, maximum, length, flags, reason) in [
        (43_200, 57_600, 43_200, .autoClosed, "Nobody clocked out within 43200 seconds (autoClockOutAfter)"),
        (
          72_000, 57_600, 57_600, .autoClosed,
          "Nobody clocked out within 72000 seconds (autoClockOutAfter); the entry ends at the maximum of 57600 seconds"
        ),
        (
          60, 57_600, 60, [.autoClosed, .underMinimum],
          "Nobody clocked out within 60 seconds (autoClockOutAfter)"
        ),
      ] as [(Int64, Int64, Int64, TimeEntryFlags, String)] {
        var policy = Self.policy(after: limit, maximum: maximum)
        policy.minimumSeconds = 90
        let organization = try await world.organization(policy: policy)
        let begin = World.start.adding(milliseconds: -limit * 1_000 - 1)
        let session = try await world.addSession(in: organization, assignees: [])
        var entry = world.entry(
          of: organization.admin, in: organization, from: begin, to: nil, session: session)
        entry.notes = Notes(stored: "late shift")
        try await world.keep(entry, of: organization.admin, needsSessionAssignment: false)
        var expected = entry
        expected.clockOutTime = begin.adding(milliseconds: length * 1_000)
        expected.flags = flags
        expected.source = .auto
        expected.version = 2
        expected.updatedAt = World.start
        let closed = try await world.closeForgotten(organization)
        #expect(closed == [expected])
        #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == expected)
        #expect(try await world.storage.activeTimeEntry(of: organization.admin.key) == nil)
        let change = try #require(try await world.changes(organization).last)
        #expect(change.before == .timeEntry(entry) && change.after == .timeEntry(expected))
        #expect(change.kind == .updated)
        #expect(change.context.author == .service)
        #expect(change.context.operation == "autoClockOut")
        #expect(change.context.time == World.start)
        #expect(change.context.reason == Reason(stored: reason))
      }
    }
  }

  @Test("are counted by the maximum of each organization's policy", arguments: StorageFactory.all)
  func overMaximum(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      #expect(try await world.storage.countOfEntriesOverMaximum(at: World.start) == 0)
      // Of two organizations, one with the maximum that the other's entry is beyond.
      for (maximum, count) in [(3_600, 1), (7_200, 1), (3_600, 2)] as [(Int64, Int)] {
        let organization = try await world.organization(policy: Self.policy(after: nil, maximum: maximum))
        let begin = World.start.adding(milliseconds: -3_600_001)
        let entry = world.entry(of: organization.admin, in: organization, from: begin, to: nil)
        try await world.keep(entry, of: organization.admin, needsSessionAssignment: false)
        #expect(try await world.storage.countOfEntriesOverMaximum(at: World.start) == count)
      }
      // Exactly the maximum is in order.
      let before = World.start.adding(milliseconds: -1)
      #expect(try await world.storage.countOfEntriesOverMaximum(at: before) == 0)
    }
  }

  @Test("stay open while the clock is in doubt, and are closed a round later", arguments: StorageFactory.all)
  func doubt(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      #expect(try await world.storage.newestChange(orAnySince: .latest) == nil)
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      #expect(try await world.storage.newestChange(orAnySince: .latest) == World.start)
      try await world.keep(
        world.entry(of: organization.admin, in: organization, from: World.start, to: nil),
        of: organization.admin)
      let time = Time()
      let timeclock = Timeclock(storage: world.storage, clock: WallClock { time.wall })
      // A start with a clock that is three days ahead, or behind a long weekend.
      time.pass(wall: 3 * 86_400_000)
      let watch = ClockWatch(
        timeclock.clock, newest: try await world.storage.newestChange(orAnySince: .latest),
        elapsed: { time.elapsed })
      func round() async throws -> Int? {
        guard case .success(let now) = watch.trusted() else { return nil }
        return try await timeclock.closeForgottenEntries(at: now)
      }
      #expect(try await round() == nil)
      // It is put right: nothing is due.
      time.pass(wall: -3 * 86_400_000 + 60_000, 60_000)
      #expect(try await round() == 0)
      // It jumps while the service runs.
      time.pass(wall: 7_200_000, 60_000)
      #expect(try await round() == nil)
      #expect(try await world.storage.activeTimeEntry(of: organization.admin.key) != nil)
      time.pass(wall: 60_000, 60_000)
      #expect(try await round() == 1)
    }
  }

  @Test("are due once they are open for longer, to the millisecond", arguments: StorageFactory.all)
  func due(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      let entry = try await world.keep(
        organization.admin, in: organization, from: World.start.adding(milliseconds: -3_600_000), to: nil)
      #expect(try await world.organizationsWithForgotten() == [])
      #expect(try await world.closeForgotten(organization) == [])
      #expect(try await world.storage.activeTimeEntry(of: organization.admin.key) == entry)
      let later = World.start.adding(milliseconds: 1)
      #expect(try await world.organizationsWithForgotten(at: later) == [organization.key])
      #expect(try await world.closeForgotten(organization, at: later).map(\.id) == [entry.id])
      #expect(try await world.organizationsWithForgotten(at: later) == [])
      #expect(try await world.closeForgotten(organization, at: later) == [])
    }
  }

  @Test("are none if the policy closes none, and stay open then", arguments: StorageFactory.all)
  func off(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let off = try await world.organization()
      let on = try await world.organization(policy: Self.policy(after: 60))
      let kept = try await world.keep(off.admin, in: off, from: .hour(-1_000), to: nil)
      // A closed entry is not forgotten.
      try await world.keep(on.admin, in: on, from: .hour(-9), to: .hour(-8))
      #expect(try await world.organizationsWithForgotten() == [])
      #expect(try await world.closeForgotten(off) == [])
      #expect(try await world.closeForgotten(on) == [])
      #expect(try await world.storage.activeTimeEntry(of: off.admin.key) == kept)
      // The policy that is in force when it is asked decides, whenever the entry began.
      _ = try await world.storage.updateOrganization(
        off.key, expectedVersion: nil, context: .test()
      ) { $0.policy.autoClockOutSeconds = 1_209_600 }
      #expect(try await world.organizationsWithForgotten() == [off.key])
      #expect(try await world.closeForgotten(off).map(\.id) == [kept.id])
    }
  }

  @Test("are closed in batches, the oldest first", arguments: StorageFactory.all)
  func batches(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      let other = try await world.organization(policy: Self.policy(after: 3_600))
      try await world.keep(other.admin, in: other, from: .hour(-100), to: nil)
      var begun: [TimeEntry] = []
      for hour in [-5, -9, -2, -7, -3.5] {
        begun.append(
          try await world.keep(
            world.member(of: organization), in: organization, from: .hour(hour), to: nil))
      }
      let running = try await world.keep(
        world.member(of: organization), in: organization, from: .hour(-0.5), to: nil)
      let order = begun.sorted { $0.clockInTime < $1.clockInTime }.map(\.id)
      #expect(try await world.closeForgotten(organization, limit: 2).map(\.id) == Array(order[0..<2]))
      #expect(try await world.closeForgotten(organization, limit: 2).map(\.id) == Array(order[2..<4]))
      #expect(try await world.closeForgotten(organization, limit: 2).map(\.id) == Array(order[4...]))
      #expect(try await world.closeForgotten(organization, limit: 2) == [])
      let active = try await world.list(organization, status: .clockedIn)
      #expect(active.elements == [running])
      // Another organization's are its own.
      #expect(try await world.organizationsWithForgotten() == [other.key])
    }
  }

  @Test("leave the member free to clock in again at once", arguments: StorageFactory.all)
  func clockInAgain(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization(policy: Self.policy(after: 3_600))
      let old = try await world.keep(organization.admin, in: organization, from: .hour(-2), to: nil)
      let closed = try await world.closeForgotten(organization)
      #expect(closed.map(\.id) == [old.id])
      // The new one touches the end of the closed one.
      let new = try await world.keep(organization.admin, in: organization, from: .hour(-1), to: nil)
      #expect(try await world.storage.activeTimeEntry(of: organization.admin.key) == new)
    }
  }

  /// Several at once, as several servers do it, while the members clock out after all.
  @Test("are closed once, by the service or by the member", arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for _ in 0..<8 {
        let organization = try await world.organization(policy: Self.policy(after: 3_600))
        var members: [TestMember] = []
        for _ in 0..<10 {
          let member = try await world.member(of: organization)
          try await world.keep(member, in: organization, from: .hour(-2), to: nil)
          members.append(member)
        }
        let all = members
        let outcomes = await concurrently(16) { number in
          if number >= all.count { return try await world.closeForgotten(organization, limit: 4) }
          return [try await world.clockOut(all[number], at: World.start, isStated: false)]
        }
        var answered: [TimeEntry] = []
        for outcome in outcomes {
          switch outcome {
          case .success(let entries): answered += entries
          case .failure(let error): #expect(error as? TimeclockError == .notClockedIn)
          }
        }
        // Members in the way are left for the next time.
        answered += try await world.closeForgotten(organization)
        #expect(answered.count == 10)
        #expect(Set(answered.map(\.userID)) == Set(all.map(\.id)))
        let kept = try await world.list(organization).elements
        #expect(Set(kept) == Set(answered))
        for entry in kept {
          #expect(entry.version == 2)
          #expect(entry.flags == (entry.clockOutTime == .hour(-1) ? .autoClosed : []))
        }
        let changes = try await world.changes(organization).filter { $0.kind == .updated }
        #expect(changes.count == 10)
      }
    }
  }
}

extension World {
  fileprivate func closeForgotten(
    _ organization: TestOrganization, at now: Instant = World.start, limit: Int = 100
  ) async throws -> [TimeEntry] {
    try await storage.closeForgottenEntries(
      in: organization.key, limit: limit,
      context: ChangeContext(author: .service, operation: "autoClockOut", time: now))
  }

  fileprivate func organizationsWithForgotten(at now: Instant = World.start) async throws -> [OrganizationKey]
  {
    try await storage.organizationsWithForgottenEntries(at: now)
  }
}

/// A wall clock, and the time that passes, as a test says.
private final class Time: Sendable {
  private let state = Mutex((wall: World.start, elapsed: Duration.zero))

  var wall: Instant { state.withLock(\.wall) }
  var elapsed: Duration { state.withLock(\.elapsed) }

  /// Moves both clocks, by milliseconds.
  func pass(wall: Int64, _ elapsed: Int64 = 0) {
    state.withLock { state in
      state.wall = state.wall.adding(milliseconds: wall)
      state.elapsed += .milliseconds(elapsed)
    }
  }
}
