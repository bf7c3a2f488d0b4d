import Testing
import TimeclockDomain

/// The members who are clocked in, and their recent work.
@Suite("Presence in a storage")
struct PresenceTests {
  @Test(
    "shows who is clocked in, with every field, and what they have worked since",
    arguments: StorageFactory.all)
  func everyField(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization, account: world.account(name: "Zoë 👩🏽‍🏭 e\u{301}"))
      _ = try await world.update(member, in: organization) { $0.timeZone = zone("Asia/Kathmandu") }
      let session = try await world.addSession(in: organization, assignees: [])
      // Long ago; the last one before the instant, which ends at it; one that reaches over it; two after it.
      try await world.keep(member, in: organization, from: .hour(-90), to: .hour(-80))
      try await world.keep(member, in: organization, from: .hour(-50), to: .hour(-48))
      for (begin, end) in [(-9.0, -7.5), (-7.0, -6.0), (-6.0, -3.0)] {
        try await world.keep(member, in: organization, from: .hour(begin), to: .hour(end))
      }
      var active = world.entry(of: member, in: organization, from: .hour(-1), to: nil, session: session)
      active.source = .web
      try await world.keep(active, of: member, needsSessionAssignment: false)
      var expected = PresentMember(
        userID: member.id, name: "Zoë 👩🏽‍🏭 e\u{301}", timeZone: zone("Asia/Kathmandu"), timeEntryID: active.id,
        clockInTime: .hour(-1), sessionID: session, source: .web, segment: nil,
        worked: [
          EndedSpan(start: .hour(-9), end: .hour(-7.5)), EndedSpan(start: .hour(-7), end: .hour(-6)),
          EndedSpan(start: .hour(-6), end: .hour(-3)),
        ], breaks: [])
      #expect(try await world.presence(organization, since: .hour(-8)) == [expected])
      #expect(try await world.presence(organization, since: .hour(-48)) == [expected])
      expected.worked = [EndedSpan(start: .hour(-6), end: .hour(-3))]
      #expect(try await world.presence(organization, since: .hour(-6)) == [expected])
      expected.worked = []
      for since in [-3.0, -1.0, 0.0] {
        #expect(try await world.presence(organization, since: .hour(since)) == [expected])
      }
    }
  }

  @Test("has nothing but names if there is nothing else", arguments: StorageFactory.all)
  func nothingElse(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let admin = organization.admin
      #expect(try await world.presence(organization) == [])
      try await world.keep(admin, in: organization, from: .hour(-9), to: .hour(-8))
      #expect(try await world.presence(organization) == [])
      // An entry that began before the instant itself.
      let active = try await world.keep(admin, in: organization, from: .hour(-7), to: nil)
      #expect(
        try await world.presence(organization, since: .hour(-5)) == [
          PresentMember(
            userID: admin.id, name: "Ana", timeZone: nil, timeEntryID: active.id, clockInTime: .hour(-7),
            sessionID: nil, source: .api, segment: nil, worked: [], breaks: [])
        ])
    }
  }

  @Test("shows what runs, and the breaks that ended since", arguments: StorageFactory.all)
  func segments(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let member = try await world.member(of: organization)
      let project = SegmentPurpose(projectID: try await world.addProject(in: organization))
      let unpaid = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      let paid = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization, isPaid: true))
      func keep(_ purpose: SegmentPurpose, _ start: Double, _ end: Double, _ other: TestMember? = nil)
        async throws
      {
        let member = other ?? member
        let segment = world.segment(
          of: member, in: organization, for: purpose, from: .hour(start), to: .hour(end))
        try await world.keep(segment, of: member)
      }
      try await world.keep(member, in: organization, from: .hour(-20), to: .hour(-8))
      try await keep(unpaid, -19, -18)
      // The one that reaches over the instant.
      try await keep(paid, -13, -11)
      try await keep(project, -11, -10)
      try await keep(unpaid, -10, -9.5)
      // Another member, whose breaks are their own.
      let other = try await world.member(of: organization)
      try await world.keep(other, in: organization, from: .hour(-20), to: nil)
      try await keep(unpaid, -14, -7, other)

      func shown(since: Double) async throws -> [PresentMember] {
        try await world.presence(organization, since: .hour(since)).filter { $0.userID == member.id }
      }
      func breaks(since: Double) async throws -> [EndedSpan]? { try await shown(since: since).first?.breaks }
      let onProject = try await world.start(
        member, in: organization, on: project, at: .hour(-6), name: "Shelves"
      ).segment
      let working = try #require(try await shown(since: -12).first)
      #expect(
        working.segment
          == RunningSegment(id: onProject.id, purpose: project, name: "Shelves", startTime: .hour(-6)))
      #expect(
        working.breaks == [
          EndedSpan(start: .hour(-13), end: .hour(-11)), EndedSpan(start: .hour(-10), end: .hour(-9.5)),
        ])
      #expect(working.worked == [EndedSpan(start: .hour(-20), end: .hour(-8))])
      #expect(try await breaks(since: -13)?.count == 2)
      #expect(try await breaks(since: -18)?.count == 2)
      #expect(try await breaks(since: -18.5)?.count == 3)
      #expect(try await breaks(since: -11)?.count == 1)
      #expect(try await breaks(since: -9.5) == [])

      let onBreak = try await world.start(member, in: organization, on: paid, at: .hour(-5), name: "Tea")
        .segment
      let resting = try #require(try await shown(since: -9).first)
      #expect(
        resting.segment == RunningSegment(id: onBreak.id, purpose: paid, name: "Tea", startTime: .hour(-5)))
      #expect(resting.breaks == [])
      try await world.stop(member, at: .hour(-4.5), resume: false)
      let back = try #require(try await shown(since: -9).first)
      #expect(back.segment == nil)
      #expect(back.breaks == [EndedSpan(start: .hour(-5), end: .hour(-4.5))])
    }
  }

  @Test("is in the order of the clock-ins, page by page, each once", arguments: StorageFactory.all)
  func pages(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      var active: [TimeEntry] = []
      for hour in [-5.0, -2, -2, -8, -2, -1, -3] {
        let member = try await world.member(of: organization)
        try await world.keep(member, in: organization, from: .hour(hour - 3), to: .hour(hour - 2))
        try await world.keep(member, in: organization, from: .hour(hour - 2), to: .hour(hour - 1))
        active.append(try await world.keep(member, in: organization, from: .hour(hour), to: nil))
      }
      // Somebody else's, and somebody who has left.
      let other = try await world.organization()
      try await world.keep(other.admin, in: other, from: .hour(-4), to: nil)
      try await world.keep(organization.admin, in: organization, from: .hour(-4), to: .hour(-3))
      let order = active.sorted { ($0.clockInTime, $0.id.text) < ($1.clockInTime, $1.id.text) }.map(\.id)
      for limit in 1...8 {
        let shown = try await world.presence(organization, limit: limit)
        #expect(shown.map(\.timeEntryID) == order, "limit \(limit)")
        #expect(shown.allSatisfy { $0.worked.count == 2 })
      }
      for (from, before, count) in [
        (nil, Instant.hour(-2), 3), (Instant.hour(-2), nil, 4), (.hour(-5), .hour(-2), 2),
        (nil, Instant.hour(-2).adding(milliseconds: 1), 6), (.hour(-8), nil, 7), (nil, .hour(-8), 0),
      ] as [(Instant?, Instant?, Int)] {
        let shown = try await world.presence(organization, from: from, before: before, limit: 2)
        let expected = active.filter { entry in
          from.map { entry.clockInTime >= $0 } ?? true && before.map { entry.clockInTime < $0 } ?? true
        }
        #expect(expected.count == count)
        #expect(shown.map(\.timeEntryID) == order.filter { id in expected.contains { $0.id == id } })
      }
    }
  }
}

extension World {
  /// All pages, one after the other; the work of each member, and their breaks, by their start.
  fileprivate func presence(
    _ organization: TestOrganization, since: Instant = .hour(-24), from: Instant? = nil,
    before: Instant? = nil,
    limit: Int = 100
  ) async throws -> [PresentMember] {
    var query = PresenceQuery(
      organization: organization.key, beginningFrom: from, beginningBefore: before, workedSince: since,
      limit: limit)
    var members: [PresentMember] = []
    repeat {
      let page = try await storage.presence(query)
      #expect(page.elements.count <= limit)
      members += page.elements
      query.cursor = page.next
    } while query.cursor != nil
    for index in members.indices {
      members[index].worked.sort { $0.start < $1.start }
      members[index].breaks.sort { $0.start < $1.start }
    }
    return members
  }
}
