import Testing
import TimeclockDomain

@Suite("Segments in a storage follow their entry")
struct EntrySegmentsTests {
  /// A member with an entry from 0 to 8 hours, and segments of it from 0 to 2, 3 to 5 and 6 to 8.
  private struct Day {
    let organization: TestOrganization
    let member: TestMember
    let entry: TimeEntry
    let purpose: SegmentPurpose

    init(_ world: World) async throws {
      organization = try await world.organization()
      member = try await world.member(of: organization)
      purpose = SegmentPurpose(projectID: try await world.addProject(in: organization))
      entry = try await world.keep(member, in: organization, from: .hour(0), to: .hour(8))
      for hour in [0.0, 3, 6] {
        try await world.keep(
          world.segment(
            of: member, in: organization, for: purpose, from: .hour(hour), to: .hour(hour + 2)), of: member)
      }
    }

    var update: TimeEntryUpdate {
      TimeEntryUpdate(
        id: entry.id, organization: organization.key, expectedVersion: nil, needsSessionAssignment: false,
        context: .test(at: .hour(9)))
    }

    func spans(_ hours: [(Double, Double)]) -> [WorkSpan] {
      hours.map { WorkSpan(.hour($0.0), .hour($0.1), purpose) }
    }
  }

  @Test("if it is cut, and stay if it grows", arguments: StorageFactory.all)
  func edits(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let cases: [(begin: Double, end: Double, left: [(Double, Double)], changes: [ChangeKind])] = [
        (0, 8, [(0, 2), (3, 5), (6, 8)], []), (-1, 9, [(0, 2), (3, 5), (6, 8)], []),
        (0, 7, [(0, 2), (3, 5), (6, 7)], [.updated]), (0, 6, [(0, 2), (3, 5)], [.deleted]),
        (0, 4, [(0, 2), (3, 4)], [.updated, .deleted]),
        (1, 7, [(1, 2), (3, 5), (6, 7)], [.updated, .updated]),
        (4, 12, [(4, 5), (6, 8)], [.deleted, .updated]), (2.25, 2.75, [], [.deleted, .deleted, .deleted]),
        (3.5, 4, [(3.5, 4)], [.deleted, .updated, .deleted]),
      ]
      for (begin, end, left, kinds) in cases {
        let day = try await Day(world)
        let before = try await world.changes(day.organization).count
        _ = try await world.storage.updateTimeEntry(day.update) { entry in
          entry.clockInTime = .hour(begin)
          entry.clockOutTime = .hour(end)
        }
        #expect(try await world.spans(day.member, in: day.organization) == day.spans(left), "\(begin)–\(end)")
        let changes = try await world.changes(day.organization).dropFirst(before)
        #expect(changes.filter { $0.resource == .segment }.map(\.kind) == kinds)
        #expect(changes.allSatisfy { $0.context == day.update.context })
      }
    }
  }

  @Test("if it is deleted, and nothing goes if that is refused", arguments: StorageFactory.all)
  func deletion(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let day = try await Day(world)
      await #expect(throws: TimeclockError.entryActive) {
        try await world.storage.deleteTimeEntry(day.update) { _ in throw TimeclockError.entryActive }
      }
      let next = try await world.keep(day.member, in: day.organization, from: .hour(8), to: .hour(9))
      await #expect(throws: TimeclockError.overlap([next], count: 1)) {
        try await world.storage.updateTimeEntry(day.update) { entry in
          entry.clockInTime = .hour(4)
          entry.clockOutTime = .hour(8.5)
        }
      }
      #expect(
        try await world.spans(day.member, in: day.organization) == day.spans([(0, 2), (3, 5), (6, 8)]))
      try await world.storage.deleteTimeEntry(day.update) { _ in }
      #expect(try await world.spans(day.member, in: day.organization) == [])
    }
  }

  @Test("if it is clocked out of", arguments: StorageFactory.all)
  func clockOut(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let q = SegmentPurpose(projectID: try await world.addProject(in: organization))
      for (end, left) in [
        (4.0, [WorkSpan(.hour(0), .hour(2), p), WorkSpan(.hour(2), .hour(4), q)]),
        (2, [WorkSpan(.hour(0), .hour(2), p)]),
        (1, [WorkSpan(.hour(0), .hour(1), p)]),
      ] {
        let member = try await world.member(of: organization)
        try await world.start(member, in: organization, on: p, at: .hour(0))
        try await world.start(member, in: organization, on: q, at: .hour(2))
        let notes = Notes(stored: "home")
        let closed = try await world.clockOut(member, at: .hour(end), notes: notes, now: .hour(4))
        #expect(closed.clockOutTime == .hour(end) && closed.notes == notes && closed.version == 2)
        #expect(try await world.storage.timeEntry(closed.id, in: organization.key) == closed)
        #expect(try await world.spans(member, in: organization) == left)
      }
      // A segment that was stopped before, but later than the clock-out says.
      let member = try await world.member(of: organization)
      try await world.start(member, in: organization, on: p, at: .hour(0))
      try await world.stop(member, at: .hour(3))
      for isStated in [true, false] {
        if !isStated { try await world.keep(member, in: organization, from: .hour(4), to: nil) }
        let closed = try await world.clockOut(member, at: .hour(isStated ? 2 : 4), isStated: isStated)
        #expect(closed.clockOutTime.map { $0 >= .hour(isStated ? 2 : 4) } == true)
      }
      #expect(try await world.spans(member, in: organization) == [WorkSpan(.hour(0), .hour(2), p)])
    }
  }

  @Test("if the service or a deactivation closes it", arguments: StorageFactory.all)
  func closings(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      var policy = Policy.standard
      policy.autoClockOutSeconds = 4 * 3_600
      let organization = try await world.organization(policy: policy)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let (forgetful, leaving) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      try await world.start(forgetful, in: organization, on: p, at: .hour(0))
      let closed = try await world.storage.closeForgottenEntries(
        in: organization.key, limit: 10, context: .test(at: .hour(20)))
      #expect(closed.map(\.clockOutTime) == [.hour(4)])
      #expect(try await world.spans(forgetful, in: organization) == [WorkSpan(.hour(0), .hour(4), p)])

      try await world.start(leaving, in: organization, on: p, at: .hour(0))
      _ = try await world.storage.updateMember(
        leaving.id, in: organization.key, expectedVersion: nil, passwordHash: nil,
        context: .test(at: .hour(3))
      ) { $0.isActive = false }
      #expect(try await world.spans(leaving, in: organization) == [WorkSpan(.hour(0), .hour(3), p)])
    }
  }
}
