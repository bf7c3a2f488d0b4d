import Testing
import TimeclockDomain

@Suite("Segments in a storage")
struct SegmentStorageTests {
  @Test("come back as they were kept, by every way of reading", arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let project = try await world.addProject(in: organization, isBillable: true)
      let entry = try await world.keep(member, in: organization, from: .hour(0), to: .hour(8))
      var full = world.segment(
        of: member, in: organization, for: SegmentPurpose(projectID: project), from: .hour(1), to: .hour(2))
      full.name = "Küche \u{65}\u{301} 👩‍🍳 \"'; --"
      full.tags = ["\u{e9}", "e\u{301}", String(repeating: "🌙", count: 50), "a,b\"\\"]
      full.timeZone = zone("Asia/Kathmandu")
      full.source = .kiosk
      full.createdAt = .hour(1)
      full.updatedAt = .hour(2)
      let kept = try await world.keep(full, of: member)
      full.timeEntryID = entry.id
      full.isBillable = true
      #expect(kept == full)
      #expect(try await world.storage.segment(full.id, in: organization.key) == full)
      #expect(try await world.changes(organization).last?.after == .segment(full))
      let query = SegmentQuery(organization: organization.key, user: nil, limit: 10)
      let listed = try await world.listSegments(query)
      #expect(listed == [full])
      #expect(listed.first.map { $0.tags.map { Array($0.utf8) } } == full.tags.map { Array($0.utf8) })
      let elsewhere = try await world.organization()
      #expect(try await world.storage.segment(full.id, in: elsewhere.key) == nil)
      #expect(try await world.storage.segment(world.id(), in: organization.key) == nil)
    }
  }

  @Test("by hand go into the entry around them, into a new one, or into none", arguments: StorageFactory.all)
  func places(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let purpose = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      let closed = try await world.keep(member, in: organization, from: .hour(0), to: .hour(8))
      let next = try await world.keep(member, in: organization, from: .hour(8), to: .hour(9))
      let active = try await world.keep(member, in: organization, from: .hour(20), to: nil)
      func keep(
        _ start: Double, _ end: Double, _ place: SegmentPlace = .attached, for other: SegmentPurpose? = nil
      ) async throws -> Segment {
        try await world.keep(
          world.segment(
            of: member, in: organization, for: other ?? purpose, from: .hour(start), to: .hour(end)),
          of: member, in: place)
      }
      #expect(try await keep(0, 1).timeEntryID == closed.id)
      #expect(try await keep(7, 8, for: lunch).timeEntryID == closed.id)
      #expect(try await keep(8, 9).timeEntryID == next.id)
      #expect(try await keep(20, 21).timeEntryID == active.id)
      for (start, end) in [(-1.0, 0.5), (6, 8.5), (9, 10), (19, 21), (10, 12)] {
        await #expect(throws: TimeclockError.outsideTimeEntry) { _ = try await keep(start, end) }
      }
      let entry = world.entry(of: member, in: organization, from: .hour(10), to: .hour(12))
      #expect(try await keep(10, 12, .created(entry)).timeEntryID == entry.id)
      #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == entry)
      let second = world.entry(of: member, in: organization, from: .hour(11.5), to: .hour(13))
      await #expect(throws: TimeclockError.overlap([entry], count: 1)) {
        _ = try await keep(11.5, 13, .created(second))
      }
      #expect(try await keep(13, 14, .alone).timeEntryID == nil)
      // Adjacent never touches; anything else does.
      let found = try await world.storage.overlappingSegments(
        of: member.key, from: .hour(0.5), to: .hour(10.5), excluding: nil)
      #expect(found.count == 4 && found.segments.count == 4)
      await #expect(throws: TimeclockError.segmentOverlap(found.segments.suffix(1), count: 1)) {
        _ = try await keep(10.5, 11)
      }
      #expect(try await keep(1, 2).startTime == .hour(1))
    }
  }

  @Test("are listed by the span that they share a moment with", arguments: StorageFactory.all)
  func overlappingLists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let project = try await world.addProject(in: organization)
      let other = try await world.addProject(in: organization)
      let members = [
        try await world.member(of: organization), try await world.member(of: organization),
        try await world.member(of: organization),
      ]
      // One who worked long before, one across many hours, one who is still at it.
      for (member, spans) in zip(members, [[(0.0, 1.0), (2, 3), (5, 6)], [(0.5, 5)], [(1, 2), (2, 4)]]) {
        for (start, end) in spans {
          let purpose = SegmentPurpose(projectID: start == 2 ? other : project)
          try await world.keep(
            world.segment(
              of: member, in: organization, for: purpose, from: .hour(start), to: .hour(end)),
            of: member, in: .alone)
        }
      }
      try await world.start(
        members[2], in: organization, on: SegmentPurpose(projectID: project), at: .hour(4))
      let all = try await world.listSegments(
        SegmentQuery(organization: organization.key, user: nil, limit: 100))
      #expect(all.count == 7)
      let hours: [Double?] = [nil, 0, 0.75, 1, 2, 2.5, 3, 4, 5, 5.5, 6, 9]
      let owners: [TestMember?] = [nil] + members
      for (start, end) in hours.flatMap({ start in hours.map { (start, $0) } }) {
        if let start, let end, start >= end { continue }
        for owner in owners {
          for projectID in [nil, project, other] {
            var query = SegmentQuery(
              organization: organization.key, members: MemberSelection(owner?.key.user), projectID: projectID,
              match: .overlap,
              start: start.map(Instant.hour), end: end.map(Instant.hour), limit: 2)
            let expected = all.filter { segment in
              (query.end.map { segment.startTime < $0 } ?? true)
                && (query.start.map { start in segment.endTime.map { $0 > start } ?? true } ?? true)
                && (owner.map { $0.id == segment.userID } ?? true)
                && (projectID.map { $0 == segment.purpose.projectID } ?? true)
            }
            #expect(try await world.listSegments(query) == expected, "\(String(describing: query))")
            query.match = .start
            let beginning = all.filter { segment in
              (query.end.map { segment.startTime < $0 } ?? true)
                && (query.start.map { segment.startTime >= $0 } ?? true)
                && (owner.map { $0.id == segment.userID } ?? true)
                && (projectID.map { $0 == segment.purpose.projectID } ?? true)
            }
            #expect(try await world.listSegments(query) == beginning)
          }
        }
      }
    }
  }

  @Test(
    "are listed by what they are for and when they began, in pages of any size", arguments: StorageFactory.all
  )
  func lists(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let members = [try await world.member(of: organization), try await world.member(of: organization)]
      let projects = [
        try await world.addProject(in: organization), try await world.addProject(in: organization),
      ]
      let lunch = try await world.addBreakType(in: organization)
      var made: [Segment] = []
      for (index, member) in members.enumerated() {
        try await world.keep(member, in: organization, from: .hour(0), to: .hour(20))
        for number in 0..<9 {
          let purpose =
            number % 3 == 2
            ? SegmentPurpose(breakTypeID: lunch) : SegmentPurpose(projectID: projects[number % 3])
          var segment = world.segment(
            of: member, in: organization, for: purpose, from: .hour(Double(number)),
            to: .hour(Double(number + 1)))
          segment.tags = number % 2 == index ? ["even", "x"] : []
          made.append(try await world.keep(segment, of: member))
        }
      }
      // The newest start first; those of one instant as they were made last.
      let newest = made.enumerated().sorted {
        ($0.element.startTime, $0.offset) > ($1.element.startTime, $1.offset)
      }.map(\.element)
      let crew = try await world.group("Crew", of: [members[1]], in: organization) {
        $0.managerIDs = [organization.admin.id]
      }
      let group = try #require(try await world.storage.groupKey(of: crew.id, in: organization.key))
      let everything = SegmentQuery(organization: organization.key, user: nil, limit: 1)
      let narrowed: [(inout SegmentQuery) -> Void] = [
        { _ in }, { $0.members = .member(members[1].key.user) }, { $0.members = .group(group) },
        { $0.members = .managed(by: organization.admin.key.user) },
        { ($0.members, $0.projectID) = (.group(group), projects[1]) }, { $0.projectID = projects[0] },
        { $0.kind = .break },
        { $0.kind = .work }, { $0.tag = "even" }, { $0.tag = "eve" },
        { ($0.start, $0.end) = (.hour(2), .hour(4)) }, { $0.projectID = world.id() },
        { $0.taskID = world.id() },
        { query in
          query.members = .member(members[0].key.user)
          query.projectID = projects[1]
          query.tag = "x"
          query.start = .hour(2)
        },
      ]
      for narrow in narrowed {
        var query = everything
        narrow(&query)
        let expected = newest.filter { segment in
          (query.members.row == nil || query.members.user != nil || segment.userID == members[1].id)
            && (query.members.user.map { user in
              members.contains { $0.key.user == user && $0.id == segment.userID }
            } ?? true)
            && query.projectID.map { $0 == segment.purpose.projectID } ?? true && query.taskID == nil
            && query.kind.map { $0 == segment.kind } ?? true && query.tag.map(segment.tags.contains) ?? true
            && query.start.map { $0 <= segment.startTime } ?? true
            && query.end.map { segment.startTime < $0 } ?? true
        }
        for size in [1, 3, 100] {
          query.limit = size
          #expect(try await world.listSegments(query) == expected)
        }
      }
    }
  }

  @Test("change where they may, and nowhere else", arguments: StorageFactory.all)
  func update(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let p = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let q = SegmentPurpose(projectID: try await world.addProject(in: organization, isBillable: true))
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      let entry = try await world.keep(member, in: organization, from: .hour(0), to: .hour(8))
      func segment(_ start: Double, _ end: Double) async throws -> Segment {
        try await world.keep(
          world.segment(of: member, in: organization, for: p, from: .hour(start), to: .hour(end)), of: member)
      }
      let before = try await segment(1, 2)
      let next = try await segment(4, 5)
      func update(
        _ version: Int64? = nil, isBillableStated: Bool = false, in key: OrganizationKey? = nil,
        _ change: @escaping @Sendable (inout Segment) throws -> Void
      ) async throws -> Segment {
        try await world.storage.updateSegment(
          SegmentUpdate(
            id: before.id, organization: key ?? organization.key, expectedVersion: version,
            isBillableStated: isBillableStated, context: .test(at: .hour(9))), change)
      }
      let changed = try await update(1) { segment in
        segment.purpose = q
        segment.name = "B"
        segment.tags = ["t"]
        segment.startTime = .hour(2)
        segment.endTime = .hour(4)
        segment.id = SegmentID(high: 1, low: 1)
        segment.userID = UserID(high: 1, low: 1)
        segment.source = .kiosk
      }
      var expected = before
      (expected.purpose, expected.name, expected.tags, expected.isBillable) = (q, "B", ["t"], true)
      (expected.startTime, expected.endTime) = (.hour(2), .hour(4))
      (expected.version, expected.updatedAt) = (2, .hour(9))
      #expect(changed == expected)
      #expect(try await world.storage.segment(before.id, in: organization.key) == expected)
      #expect(try await update(2) { $0.name = "B" } == expected)
      #expect(try await update(isBillableStated: true) { ($0.purpose, $0.isBillable) = (p, true) }.isBillable)
      // Only another project has a say in whether it is billable.
      var own = world.task(organization)
      own.projectID = p.projectID
      let task = try await world.keep(own, in: organization).id
      let ofTask = try await update { $0.purpose = SegmentPurpose(taskID: task) }
      #expect(ofTask.isBillable && ofTask.purpose == SegmentPurpose(projectID: p.projectID, taskID: task))
      #expect(try await update { $0.purpose = SegmentPurpose(taskID: task) } == ofTask)
      #expect(try await update { $0.purpose = lunch }.isPaid == false)
      #expect(try await update { $0.purpose = q }.isPaid)

      let current = try #require(try await world.storage.segment(before.id, in: organization.key))
      let elsewhere = try await world.organization()
      let refusals: [(TimeclockError, Int64?, OrganizationKey?, @Sendable (inout Segment) throws -> Void)] = [
        (.changed(current: current.current), 2, nil, { $0.name = "C" }),
        (.notFound(.segment), nil, elsewhere.key, { $0.name = "C" }),
        (.segmentActive, nil, nil, { _ in throw TimeclockError.segmentActive }),
        (.outsideTimeEntry, nil, nil, { ($0.startTime, $0.endTime) = (.hour(9), .hour(10)) }),
      ]
      await #expect(throws: TimeclockError.outsideTimeEntry) {
        _ = try await update { $0.startTime = .hour(-1) }
      }
      await #expect(throws: TimeclockError.segmentOverlap([next], count: 1)) {
        _ = try await update { $0.endTime = .hour(4.5) }
      }
      for (error, version, key, change) in refusals {
        await #expect(throws: error) { _ = try await update(version, in: key, change) }
      }
      #expect(try await world.storage.segment(before.id, in: organization.key) == current)

      let deletion = SegmentUpdate(
        id: before.id, organization: organization.key, expectedVersion: current.version, context: .test())
      await #expect(throws: TimeclockError.forbidden) {
        try await world.storage.deleteSegment(deletion) { _ in throw TimeclockError.forbidden }
      }
      try await world.storage.deleteSegment(deletion) { _ in }
      #expect(try await world.spans(member, in: organization) == [WorkSpan(.hour(4), .hour(5), p)])
      #expect(try await world.storage.timeEntry(entry.id, in: organization.key) == entry)
    }
  }
}
