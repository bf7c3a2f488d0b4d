import Testing
import TimeclockDomain

@Suite("Starting and stopping segments in a storage")
struct SegmentSwitchingTests {
  @Test("a day: clocked in by work, switched, off to lunch and back, out", arguments: StorageFactory.all)
  func day(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let q = SegmentPurpose(projectID: try await world.addProject(in: organization, isBillable: true))
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))

      let first = try await world.start(member, in: organization, on: p, at: .hour(0))
      #expect(first.clockedIn && first.isNew && first.stopped == nil)
      #expect(first.timeEntry == (try await world.storage.activeTimeEntry(of: member.key)))
      #expect(first.segment.timeEntryID == first.timeEntry.id && first.segment.isPaid)
      #expect(first.segment == (try await world.storage.segment(first.segment.id, in: organization.key)))

      let again = try await world.start(member, in: organization, on: p, at: .hour(1))
      #expect(!again.isNew && again.segment == first.segment && !again.clockedIn)
      let renamed = try await world.start(member, in: organization, on: p, at: .hour(1), name: "Pruning")
      #expect(!renamed.isNew && renamed.segment.name == "Pruning" && renamed.segment.version == 2)

      let second = try await world.start(member, in: organization, on: q, at: .hour(2))
      #expect(second.stopped?.id == first.segment.id && second.stopped?.endTime == .hour(2))
      #expect(!second.clockedIn && second.segment.isBillable && second.timeEntry == first.timeEntry)

      let away = try await world.start(member, in: organization, on: lunch, at: .hour(3))
      #expect(away.segment.kind == .break && !away.segment.isPaid)
      let back = try await world.stop(member, at: .hour(3.5))
      #expect(back.segment.id == away.segment.id && back.resumed?.purpose == q)
      #expect(back.resumed?.isBillable == true && back.resumed?.startTime == .hour(3.5))

      let out = try await world.stop(member, at: .hour(8), clockOut: true)
      #expect(out.resumed == nil && out.timeEntry.clockOutTime == .hour(8))
      let spans = [
        WorkSpan(.hour(0), .hour(2), p), WorkSpan(.hour(2), .hour(3), q),
        WorkSpan(.hour(3), .hour(3.5), lunch),
        WorkSpan(.hour(3.5), .hour(8), q),
      ]
      #expect(try await world.spans(member, in: organization) == spans)
      await #expect(throws: TimeclockError.noActiveSegment) { try await world.stop(member, at: .hour(9)) }
    }
  }

  @Test(
    "a clock-in for something begins both, or neither, and only if nobody is clocked in",
    arguments: StorageFactory.all)
  func clockingInFor(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let session = try await world.addSession(in: organization, assignees: [])
      let required = { SegmentStart.ClockIn.required(needsSessionAssignment: $0) }
      await #expect(throws: TimeclockError.sessionNotAssigned) {
        try await world.start(
          member, in: organization, on: p, at: .hour(0), session: session, as: required(true))
      }
      await #expect(throws: TimeclockError.projectNotFound) {
        try await world.start(
          member, in: organization, on: SegmentPurpose(projectID: world.id()), at: .hour(0),
          as: required(true))
      }
      #expect(try await world.storage.activeTimeEntry(of: member.key) == nil)
      let begun = try await world.start(
        member, in: organization, on: p, at: .hour(0), session: session, as: required(false))
      #expect(
        begun.clockedIn && begun.timeEntry.sessionID == session && begun.timeEntry.startedBy == .clockIn)
      #expect(begun.segment.timeEntryID == begun.timeEntry.id)
      for purpose in [p, SegmentPurpose(projectID: try await world.addProject(in: organization))] {
        await #expect(throws: TimeclockError.alreadyClockedIn(active: begun.timeEntry)) {
          try await world.start(member, in: organization, on: purpose, at: .hour(1), as: required(true))
        }
      }
      #expect(try await world.spans(member, in: organization) == [WorkSpan(.hour(0), nil, p)])
    }
  }

  @Test("each step from each state", arguments: StorageFactory.all)
  func states(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      let smoke = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization, isPaid: true))

      // Out: only work clocks in, and only if it may.
      let out = try await world.member(of: organization)
      await #expect(throws: TimeclockError.notClockedIn) {
        try await world.start(out, in: organization, on: lunch, at: .hour(0))
      }
      await #expect(throws: TimeclockError.notClockedIn) {
        try await world.start(out, in: organization, on: p, at: .hour(0), clockIn: false)
      }
      await #expect(throws: TimeclockError.noActiveSegment) { try await world.stop(out, at: .hour(0)) }
      #expect(try await world.storage.activeTimeEntry(of: out.key) == nil)

      // In without a segment: a break goes back to nothing.
      let idle = try await world.member(of: organization)
      let entry = try await world.keep(idle, in: organization, from: .hour(0), to: nil)
      await #expect(throws: TimeclockError.noActiveSegment) { try await world.stop(idle, at: .hour(1)) }
      await #expect(throws: TimeclockError.outsideTimeEntry) {
        try await world.start(idle, in: organization, on: p, at: .hour(-1))
      }
      try await world.start(idle, in: organization, on: lunch, at: .hour(1))
      #expect(try await world.stop(idle, at: .hour(2)).resumed == nil)
      #expect(try await world.storage.activeTimeEntry(of: idle.key) == entry)

      // A break after a break goes back to the work before both; without resuming to none.
      let worker = try await world.member(of: organization)
      try await world.start(worker, in: organization, on: p, at: .hour(0))
      try await world.start(worker, in: organization, on: lunch, at: .hour(1))
      try await world.start(worker, in: organization, on: smoke, at: .hour(2))
      #expect(try await world.stop(worker, at: .hour(3)).resumed?.purpose == p)
      try await world.start(worker, in: organization, on: lunch, at: .hour(4))
      #expect(try await world.stop(worker, at: .hour(5), resume: false).resumed == nil)
      #expect(
        try await world.spans(worker, in: organization) == [
          WorkSpan(.hour(0), .hour(1), p), WorkSpan(.hour(1), .hour(2), lunch),
          WorkSpan(.hour(2), .hour(3), smoke),
          WorkSpan(.hour(3), .hour(4), p), WorkSpan(.hour(4), .hour(5), lunch),
        ])

      // Before the open one: an overlap.
      let open = try await world.start(worker, in: organization, on: p, at: .hour(6)).segment
      await #expect(throws: TimeclockError.segmentOverlap([open], count: 1)) {
        try await world.start(worker, in: organization, on: lunch, at: .hour(5.5))
      }
      await #expect(throws: TimeclockError.endNotAfterStart) { try await world.stop(worker, at: .hour(5.5)) }
      // Unstated times are never too early.
      let late = try await world.stop(worker, at: .hour(5.5), isStated: false)
      #expect(late.segment.endTime == .hour(6))
      #expect(try await world.storage.segment(open.id, in: organization.key) == nil)
    }
  }

  @Test("never keep an empty segment", arguments: StorageFactory.all)
  func empty(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let q = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let first = try await world.start(member, in: organization, on: p, at: .hour(0))
      let second = try await world.start(member, in: organization, on: q, at: .hour(0))
      #expect(second.stopped?.id == first.segment.id && second.stopped?.endTime == .hour(0))
      #expect(try await world.spans(member, in: organization) == [WorkSpan(.hour(0), nil, q)])
      let stopped = try await world.stop(member, at: .hour(0))
      #expect(stopped.segment.id == second.segment.id && stopped.segment.endTime == .hour(0))
      #expect(try await world.spans(member, in: organization) == [])
      let kinds = try await world.changes(organization).filter { $0.resource == .segment }.map(\.kind)
      #expect(kinds == [.created, .deleted, .created, .deleted])
    }
  }

  @Test(
    "name things of the organization or of the member, and none that has ended", arguments: StorageFactory.all
  )
  func purposes(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let elsewhere = try await world.organization()
      let (member, other) = (
        try await world.member(of: organization), try await world.member(of: organization)
      )
      func project(of owner: TestMember?, isArchived: Bool = false) async throws -> SegmentPurpose {
        SegmentPurpose(
          projectID: try await world.keepProject(of: owner, isArchived: isArchived, in: organization).id)
      }
      let foreign = SegmentPurpose(projectID: try await world.addProject(in: elsewhere))
      let foreignBreak = SegmentPurpose(breakTypeID: try await world.addBreakType(in: elsewhere))
      let refusals = [
        (foreign, TimeclockError.projectNotFound), (try await project(of: other), .projectNotFound),
        (try await project(of: nil, isArchived: true), .projectArchived), (foreignBreak, .unknownBreakType),
        (SegmentPurpose(projectID: world.id()), .projectNotFound),
        (SegmentPurpose(taskID: world.id()), .unknownTask),
      ]
      for (purpose, error) in refusals {
        await #expect(throws: error) {
          try await world.start(member, in: organization, on: purpose, at: .hour(0))
        }
        await #expect(throws: error) {
          try await world.keep(
            world.segment(of: member, in: organization, for: purpose, from: .hour(0), to: .hour(1)),
            of: member, in: .alone)
        }
      }
      #expect(try await world.storage.activeTimeEntry(of: member.key) == nil)
      try await world.start(member, in: organization, on: try await project(of: member), at: .hour(0))
      try await world.update(other, in: organization) { $0.isActive = false }
      await #expect(throws: TimeclockError.memberDeactivated) {
        try await world.start(other, in: organization, on: try await project(of: nil), at: .hour(0))
      }
    }
  }

  @Test("of 16 at once leave one open, and no overlap", arguments: StorageFactory.all)
  func race(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      var purposes: [SegmentPurpose] = []
      for _ in 0..<4 {
        purposes.append(SegmentPurpose(projectID: try await world.addProject(in: organization)))
      }
      let outcomes = await concurrently(16) { [purposes] number in
        if number % 4 == 3 {
          _ = try? await world.clockOut(member, at: .hour(Double(number)), isStated: false)
        } else {
          try await world.start(
            member, in: organization, on: purposes[number % 4], at: .hour(Double(number)), isStated: false)
        }
      }
      for case .failure(let error) in outcomes {
        guard case .overlap? = error as? TimeclockError else { throw error }
      }
      let spans = try await world.spans(member, in: organization)
      #expect(spans.filter { $0.end == nil }.count <= 1)
      for (one, next) in zip(spans, spans.dropFirst()) { #expect(try #require(one.end) <= next.start) }
      let active = try await world.storage.activeTimeEntry(of: member.key)
      #expect(spans.allSatisfy { $0.end != nil } || active != nil)
    }
  }
}
