import Testing
import TimeclockDomain

@Suite("What reports read")
struct ReportTests {
  @Test(
    "is every entry that shares a moment with the span, however long ago it began",
    arguments: StorageFactory.all)
  func span(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let ana = organization.admin
      let bo = try await world.member(of: organization)
      let chi = try await world.member(of: organization)
      let dag = try await world.member(of: organization)
      // Touching is not sharing.
      try await world.keep(ana, in: organization, from: .hour(-20), to: .hour(-10))
      let across = try await world.keep(ana, in: organization, from: .hour(-10), to: .hour(-9.5))
      let within = try await world.keep(ana, in: organization, from: .hour(-9), to: .hour(-8))
      let after = try await world.keep(ana, in: organization, from: .hour(-6.5), to: .hour(-5))
      try await world.keep(ana, in: organization, from: .hour(-5), to: .hour(-4))
      // A hundred days, and one day and a bit.
      let long = try await world.keep(bo, in: organization, from: .hour(-2_400), to: .hour(-9.75))
      let day = try await world.keep(chi, in: organization, from: .hour(-34.1), to: .hour(-9.75))
      let active = try await world.keep(dag, in: organization, from: .hour(-240), to: nil)
      let later = try await world.keep(bo, in: organization, from: .hour(-5), to: nil)
      let other = try await world.organization()
      try await world.keep(other.admin, in: other, from: .hour(-9), to: nil)

      let shown = try await world.worked(organization, endingAfter: .hour(-9.9), before: .hour(-5))
      #expect(shown == [across, within, after, long, day, active].map(\.span).sorted())
      let exact = try await world.worked(organization, endingAfter: .hour(-9.5), before: .hour(-6.5))
      #expect(exact == [within, active].map(\.span).sorted())
      let all = try await world.worked(organization, endingAfter: .earliest, before: .latest)
      #expect(all.count == 9)
      let bos = try await world.worked(organization, bo, endingAfter: .hour(-10), before: .hour(-4))
      #expect(bos == [long, later].map(\.span).sorted())
    }
  }

  @Test(
    "is every entry of a shift that reaches into the span, if whole shifts are asked for, with its breaks",
    arguments: StorageFactory.all)
  func wholeShifts(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let ana = organization.admin
      let bo = try await world.member(of: organization)
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      // Less than eight hours are between two of them, but at both ends: nine, and exactly eight.
      let hours =
        [
          (-130, -121), (-112, -104), (-97, -90), (-83, -70), (-63, -50), (-43, -30), (-23, -10), (-3, -1),
          (5, 13), (20, 28), (35.5, 43), (51, 52),
        ] as [(Double, Double)]
      var spans: [WorkedStretch] = []
      for (start, end) in hours {
        spans.append(try await world.keep(ana, in: organization, from: .hour(start), to: .hour(end)).span)
      }
      try await world.keep(
        world.segment(of: ana, in: organization, for: lunch, from: .hour(-110), to: .hour(-109)), of: ana)
      // A member with nothing in the span, and one whose only entry is far longer than it.
      try await world.keep(bo, in: organization, from: .hour(-9), to: .hour(-4))
      let chi = try await world.member(of: organization)
      let before = try await world.keep(chi, in: organization, from: .hour(-200), to: .hour(-198)).span
      let long = try await world.keep(chi, in: organization, from: .hour(-191), to: nil).span
      for user in [nil, ana.key.user] {
        for (selection, breaks) in [(WorkedSegmentSelection.none, 0), (.breaks, 1), (.all(tag: nil), 1)] {
          let query = WorkedTimeQuery(
            organization: organization.key, members: MemberSelection(user), endingAfter: .hour(-2),
            beginningBefore: .hour(0),
            session: nil, hasDetails: false, hasWholeShifts: true, segments: selection)
          let time = try await world.storage.report(on: query) { $0 }
          let found = time.entries.map {
            WorkedStretch(person: time.people[$0.user]?.id.text, start: $0.clockIn, end: $0.clockOut)
          }
          #expect(Set(found).count == found.count)
          #expect(Set(found).isSuperset(of: spans[1...10]))
          #expect(user != nil || Set(found).isSuperset(of: [before, long]))
          #expect(Set(time.segments.map(\.start)).count == breaks)
        }
      }
    }
  }

  @Test("has the details of an entry if they are asked for", arguments: StorageFactory.all)
  func details(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let session = try await world.addSession(in: organization, assignees: [])
      let unused = try await world.addSession(in: organization, assignees: [])
      var flagged = world.entry(
        of: organization.admin, in: organization, from: .hour(-3), to: .hour(-2), session: session)
      flagged.flags = [.underMinimum, .autoClosed]
      flagged.source = .kiosk
      try await world.keep(flagged, of: organization.admin, needsSessionAssignment: false)
      let active = try await world.keep(organization.admin, in: organization, from: .hour(-1), to: nil)
      try await world.keep(organization.admin, in: organization, from: .hour(-5), to: .hour(-4))
      let query = WorkedTimeQuery(
        organization: organization.key, members: .everybody, endingAfter: .hour(-9),
        beginningBefore: .hour(0),
        session: nil, hasDetails: true)
      let time = try await world.storage.report(on: query) { $0 }
      #expect(
        time.people == [
          organization.admin.key.user: ReportedPerson(
            id: organization.admin.id, name: "Ana", storedEmail: organization.admin.email,
            personnelNumber: nil)
        ])
      #expect(Set(time.sessions.values.map(\.id)) == [session])
      let found = time.entries.sorted { $0.clockIn < $1.clockIn }
      // Only active or flagged ones are named.
      #expect(found.map(\.id) == [nil, flagged.id, active.id])
      #expect(found.map(\.flags) == [[], flagged.flags, []])
      #expect(found.map(\.source) == [.api, .kiosk, .api])
      #expect(found.map { $0.session.flatMap { time.sessions[$0]?.id } } == [nil, session, nil])
      var named = query
      named.session = unused
      let withUnused = try await world.storage.report(on: named) { $0 }
      #expect(Set(withUnused.sessions.values.map(\.id)) == [session, unused])
      named.session = world.id()
      await #expect(throws: TimeclockError.notFound(.session)) {
        try await world.storage.report(on: named) { _ in }
      }
      struct Refusal: Error {}
      await #expect(throws: Refusal.self) {
        try await world.storage.report(on: query) { _ in throw Refusal() }
      }
    }
  }
}

extension ReportTests {
  /// A segment of a report by the numbers of its hours.
  private struct Shown: Hashable, CustomStringConvertible {
    var start: Double
    var end: Double?
    var project: String?
    var isBreak = false

    var description: String {
      "\(start)…\(end.map { "\($0)" } ?? "")\(isBreak ? " break" : "") \(project ?? "")"
    }
  }

  @Test(
    "are all segments of those entries, with the names of what they were for",
    arguments: StorageFactory.all)
  func segments(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      let (ana, bo) = (organization.admin, try await world.member(of: organization))
      var project = world.project(organization)
      (project.name, project.client) = ("Garden", "Weber")
      let garden = SegmentPurpose(projectID: try await world.keep(project, in: organization).id)
      let mowing = SegmentPurpose(taskID: try await world.keep(world.task(organization), in: organization).id)
      let lunch = SegmentPurpose(breakTypeID: try await world.addBreakType(in: organization))
      func keep(_ member: TestMember, _ purpose: SegmentPurpose, _ start: Double, _ end: Double) async throws
      {
        var segment = world.segment(
          of: member, in: organization, for: purpose, from: .hour(start), to: .hour(end))
        segment.tags = ["a"]
        try await world.keep(segment, of: member)
      }
      // Before the span, which may come or not; over its beginning; over its end.
      try await world.keep(ana, in: organization, from: .hour(-30), to: .hour(-28))
      try await keep(ana, garden, -30, -29)
      let first = try await world.keep(ana, in: organization, from: .hour(-26), to: .hour(-20))
      try await keep(ana, garden, -26, -25)
      try await keep(ana, lunch, -25, -24.5)
      try await keep(ana, mowing, -24.5, -21)
      try await world.keep(ana, in: organization, from: .hour(-2), to: .hour(3))
      try await keep(ana, garden, -1, 0.5)
      try await keep(ana, lunch, 1, 2)
      // Work without an entry is in no report.
      try await world.keep(
        world.segment(of: ana, in: organization, for: garden, from: .hour(-12), to: .hour(-11)), of: ana,
        in: .alone)
      // An entry that is far longer than the span, and runs.
      try await world.keep(bo, in: organization, from: .hour(-200), to: nil)
      try await keep(bo, garden, -190, -180)
      try await keep(bo, mowing, -60, -20)
      try await world.start(bo, in: organization, on: lunch, at: .hour(5))

      func shown(
        _ selection: WorkedSegmentSelection, of user: TestMember? = nil
      ) async throws -> (Set<Shown>, WorkedTime) {
        let query = WorkedTimeQuery(
          organization: organization.key, members: MemberSelection(user?.key.user), endingAfter: .hour(-24),
          beginningBefore: .hour(0), session: nil, hasDetails: false, hasIDs: true, segments: selection)
        let time = try await world.storage.report(on: query) { $0 }
        let hour = { (instant: Instant) in Double(instant.milliseconds(since: .hour(0))) / 3_600_000 }
        let segments = time.segments.map { segment in
          Shown(
            start: hour(segment.start), end: segment.end.map(hour),
            project: segment.project.flatMap { time.purposes.projects[$0]?.name },
            isBreak: segment.breakType != nil)
        }
        let ofEntries = segments.filter { $0.start >= -26 || $0.start < -30 }
        #expect(Set(segments).count == segments.count)
        #expect(time.segments.allSatisfy { ($0.entryID != nil) == ($0.breakType != nil) })
        #expect(time.entries.allSatisfy { $0.id != nil })
        return (Set(ofEntries), time)
      }
      let breaks: Set<Shown> = [
        Shown(start: -25, end: -24.5, isBreak: true), Shown(start: 1, end: 2, isBreak: true),
      ]
      let bosBreak = Shown(start: 5, end: nil, isBreak: true)
      let (allBreaks, time) = try await shown(.breaks)
      #expect(allBreaks == breaks.union([bosBreak]))
      #expect(time.segments.contains { $0.entryID == first.id && !$0.isPaid })
      #expect(try await shown(.breaks, of: ana).0 == breaks)
      let work: Set<Shown> = [
        Shown(start: -26, end: -25, project: "Garden"), Shown(start: -24.5, end: -21),
        Shown(start: -1, end: 0.5, project: "Garden"),
      ]
      let bosWork: Set<Shown> = [
        Shown(start: -190, end: -180, project: "Garden"), Shown(start: -60, end: -20),
      ]
      let (everything, all) = try await shown(.all(tag: "a"))
      #expect(everything == breaks.union(work).union(bosWork).union([bosBreak]))
      #expect(all.segments.filter { !$0.hasTag }.map(\.start) == [.hour(5)])
      #expect(all.purposes.projects.values.map(\.client) == ["Weber"])
      #expect(all.purposes.tasks.values.map(\.id) == [mowing.taskID])
      #expect(try await shown(.all(tag: "b"), of: bo).0 == bosWork.union([bosBreak]))
      #expect(try await shown(.all(tag: nil), of: bo).1.segments.allSatisfy { !$0.hasTag })
      #expect(try await shown(.none).0.isEmpty)
    }
  }

  @Test("say how long a break of each type is expected to last", arguments: StorageFactory.all)
  func expectations(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let organization = try await world.organization()
      for expected in [nil, 900] as [Int64?] {
        _ = try await world.storage.createRecord(
          BreakType(head: world.head(in: organization)) {
            $0.name = "Break"
            $0.isPaid = true
            $0.expectedSeconds = expected
          }, in: organization.key, context: .test(), recording: nil)
      }
      let query = WorkedTimeQuery(
        organization: organization.key, members: .everybody, endingAfter: .hour(-24),
        beginningBefore: .hour(0),
        session: nil, hasDetails: false, segments: .breaks)
      let expected = try await world.storage.report(on: query) { $0.purposes.expectedBreaks }
      #expect(Array(expected.values) == [900])
    }
  }
}

extension World {
  /// The spans that a report reads, sorted.
  fileprivate func worked(
    _ organization: TestOrganization, _ member: TestMember? = nil, endingAfter start: Instant,
    before end: Instant
  ) async throws -> [WorkedStretch] {
    let query = WorkedTimeQuery(
      organization: organization.key, members: MemberSelection(member?.key.user), endingAfter: start,
      beginningBefore: end,
      session: nil, hasDetails: false)
    return try await storage.report(on: query) { time in
      time.entries.map {
        WorkedStretch(person: time.people[$0.user]?.id.text, start: $0.clockIn, end: $0.clockOut)
      }
      .sorted()
    }
  }
}

private struct WorkedStretch: Hashable, Comparable {
  var person: String?
  var start: Instant
  var end: Instant?

  static func < (one: WorkedStretch, other: WorkedStretch) -> Bool {
    (one.start, one.person ?? "") < (other.start, other.person ?? "")
  }
}

extension TimeEntry {
  fileprivate var span: WorkedStretch {
    WorkedStretch(person: userID.text, start: clockInTime, end: clockOutTime)
  }
}
