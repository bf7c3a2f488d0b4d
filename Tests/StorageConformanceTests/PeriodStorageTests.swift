import Procedures
import Testing
import TimeclockDomain

@Suite("Marks on members' time in a storage")
struct PeriodStorageTests {
  @Test("move, are listed by state, and keep the totals of what is approved", arguments: StorageFactory.all)
  func moves(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      let (organization, member) = (marked.organization, marked.member)
      let submitted = try await marked.move(.submit(through: day(15)))
      #expect(submitted.ends.submitted == PeriodEnd(through: day(15), until: berlinMidnight(16)))
      #expect(submitted.ends.approved == nil && submitted.version == 1)
      #expect(try await world.storage.period(of: member.key) == submitted)
      #expect(try await marked.move(.submit(through: day(10))) == submitted)
      let approved = try await marked.move(.approve(through: day(14), includesUnsubmitted: false))
      #expect(approved.ends.approved == PeriodEnd(through: day(14), until: berlinMidnight(15)))
      #expect(approved.ends.submitted == submitted.ends.submitted && approved.version == 2)
      let locked = try await marked.move(.lock(through: day(12), includesUnapproved: false))
      #expect(locked.ends.locked == PeriodEnd(through: day(12), until: berlinMidnight(13)))
      for (state, through, isThere) in [
        (.unsubmitted, 16, true), (.submitted, 15, true), (.approved, 14, true), (.approved, 13, true),
        (.locked, 12, true), (.locked, 13, false), (.unsubmitted, 15, false),
      ] as [(PeriodState.Word, Int, Bool)] {
        let found = try await world.storage.periods(
          of: .everybody, in: organization.key, PeriodFilter(through: day(through), state: state), after: nil,
          limit: 100
        ).elements
        #expect(found.contains(locked) == isThere, "\(state) through \(through)")
      }
      for size in [1, 2, 100] {
        let all = try await world.all(of: size) { cursor in
          try await world.storage.periods(
            of: .everybody, in: organization.key, nil, after: cursor, limit: size)
        }
        #expect(all.map(\.userID) == [organization.admin.id, member.id] && all.last == locked)
      }
      for (members, isThere) in [
        (.everybody, true), (.member(member.key.user), true), (.member(organization.admin.key.user), false),
      ] as [(MemberSelection, Bool)] {
        let marks = try await world.storage.marks(of: members, in: organization.key)
        #expect(marks == (isThere ? [member.key.user: locked.ends] : [:]))
      }
      let approvals = try await world.storage.approvals(
        of: .member(member.key.user), in: organization.key, after: nil, limit: 100
      ).elements.map(\.approval)
      let approval = try #require(approvals.first)
      #expect(approvals.count == 1 && emptyFields(of: approval) == [])
      #expect((approval.from, approval.through) == (day(2), day(14)))
      #expect(approval.approvedBy == organization.admin.id && approval.userID == member.id)
      // Ten work days, eight hours on the 10th, and the part of the night that is of the 14th.
      #expect((approval.plannedSeconds, approval.paidSeconds) == (10 * 28_800, 28_800 + 7_200))
      #expect(approval.adjustmentSeconds == 600)
      #expect(approval.balanceSeconds == 36_000 + 600 - 10 * 28_800)
      let changes = try await world.changes(organization)
      #expect(changes.contains { $0.after == approval.snapshot })
      #expect(changes.filter { $0.resource == .period }.count == 3)
      try await world.expectIntactChain(organization)
    }
  }

  @Test(
    "move only up to dates that are over, past no active entry, and of members", arguments: StorageFactory.all
  )
  func refusals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      let count = try await world.changes(marked.organization).count
      // It is 10:00 of the 20th in Berlin.
      for (move, error) in [
        (.submit(through: day(20)), .periodNotOver),
        (.approve(through: day(20), includesUnsubmitted: true), .periodNotOver),
        (.lock(through: day(20), includesUnapproved: true), .periodNotOver),
        (.approve(through: day(19), includesUnsubmitted: false), .notSubmitted),
        (.lock(through: day(19), includesUnapproved: false), .notApproved), (.withdraw, .notSubmitted),
        (.reopen(through: nil), .notApproved),
      ] as [(PeriodMove, TimeclockError)] {
        await #expect(throws: error) { _ = try await marked.move(move) }
      }
      await #expect(throws: TimeclockError.notFound(.member)) {
        _ = try await world.storage.movePeriod(
          of: world.id(), .withdraw, marked.work(), recording: nil)
      }
      try await world.keep(marked.member, in: marked.organization, from: .hour(-30), to: nil)
      await #expect(throws: TimeclockError.entryActive) {
        _ = try await marked.move(.submit(through: day(19)))
      }
      let outcomes = try await world.storage.movePeriods(
        of: [marked.member.id, marked.organization.admin.id], .submit(through: day(19)), marked.work())
      #expect(outcomes == [.failure(.entryActive), .success(true)])
      #expect(try await marked.move(.submit(through: day(18))).ends.submitted?.through == day(18))
      #expect(try await world.changes(marked.organization).count == count + 3)
    }
  }

  /// Everything that counts for a member's dates is refused to each author whom a mark binds, and stays as it is.
  @Test(
    "refuse every change of what they bind, and change nothing by it", arguments: StorageFactory.all,
    PeriodMark.Kind.allCases)
  func binding(_ factory: StorageFactory, _ kind: PeriodMark.Kind) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      try await marked.mark(kind, through: day(14))
      let changes = marked.boundChanges
      #expect(changes.count == 20)
      for author in PeriodMark.Kind.allCases where author <= kind {
        let before = try await marked.state()
        for (name, change) in changes {
          let error = await #expect(throws: TimeclockError.self, "\(name) by \(author)") {
            try await change(marked.context(author))
          }
          #expect(
            error
              == .periodLocked(
                PeriodMark(kind, through: day(14)), count: name.hasPrefix("a project") ? 1 : nil),
            "\(name) by \(author)")
        }
        #expect(try await marked.state() == before, "\(author)")
      }
      // Others are not bound.
      for author in PeriodMark.Kind.allCases where author > kind {
        _ = try await world.storage.updateTimeEntry(marked.update(marked.day10, author)) { entry in
          entry.notes = Notes(stored: author.rawValue)
        }
      }
      try await world.expectIntactChain(marked.organization)
    }
  }

  @Test("leave work behind them free, and the end of a shift over them", arguments: StorageFactory.all)
  func free(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      try await marked.mark(.locked, through: day(14))
      let (organization, member) = (marked.organization, marked.member)
      // From 22:00 to 06:00 over the end of the 14th.
      let later = try await world.storage.updateTimeEntry(marked.update(marked.night, .submitted)) {
        $0.clockOutTime = berlinMidnight(15).adding(milliseconds: 5 * 3_600_000)
      }
      #expect(later.version == 2)
      let segment = try await world.storage.segment(marked.nightSegment.id, in: organization.key)
      #expect(segment?.endTime == later.clockOutTime && segment?.startTime == marked.nightSegment.startTime)
      await #expect(
        throws: TimeclockError.periodLocked(PeriodMark(.locked, through: day(14)), count: nil)
      ) {
        _ = try await world.storage.updateTimeEntry(marked.update(marked.night, .locked)) {
          $0.clockOutTime = berlinMidnight(15).adding(milliseconds: -1)
        }
      }
      let free = try await world.keep(
        member, in: organization, from: berlinMidnight(16),
        to: berlinMidnight(16).adding(milliseconds: 3_600_000))
      _ = try await world.storage.updateTimeEntry(marked.update(free, .submitted)) { $0.notes = nil }
      try await world.storage.deleteTimeEntry(marked.update(free, .submitted)) { _ in }
      // Clocking in and out as it happens.
      try await world.keep(member, in: organization, from: World.start, to: nil)
      _ = try await world.clockOut(member, at: .hour(1), isStated: false, now: .hour(1))
      let changes = try await world.storage.deleteWork(
        WorkDeletion(member: member.key, before: nil, limit: 100, context: marked.context(.submitted)))
      #expect(changes.count == 0 && changes.kept == 2)
    }
  }

  @Test(
    "have approvals that stand while their dates are approved, and not again", arguments: StorageFactory.all)
  func standingApprovals(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      func standing(
        _ first: Int = 1, _ last: Int = 30, of members: MemberSelection = .everybody
      ) async throws -> [[Int64]] {
        try await world.storage.standingApprovals(
          of: members, on: day(first)...day(last), in: marked.organization.key
        ).sorted { $0.row < $1.row }.map { approval in
          #expect(approval.user == marked.member.key.user)
          let dates = [approval.from, approval.through].map {
            Int64($0.daysSince1970 - day(1).daysSince1970) + 1
          }
          return dates + [approval.paidSeconds]
        }
      }
      #expect(try await standing() == [])
      try await marked.mark(.approved, through: day(5))
      try await marked.mark(.approved, through: day(10))
      #expect(try await standing() == [[2, 5, 0], [6, 10, 28_800]])
      try await marked.move(.reopen(through: day(7)))
      #expect(try await standing() == [[2, 5, 0]])
      try await marked.mark(.approved, through: day(14))
      let both: [[Int64]] = [[2, 5, 0], [8, 14, 36_000]]
      #expect(try await standing() == both)
      for (first, last, expected) in [
        (2, 14, both), (3, 14, [both[1]]), (8, 14, [both[1]]), (9, 30, []), (1, 13, [both[0]]), (15, 30, []),
      ] as [(Int, Int, [[Int64]])] {
        #expect(try await standing(first, last) == expected, "\(first) through \(last)")
      }
      #expect(try await standing(of: .member(marked.member.key.user)) == both)
      #expect(try await standing(of: .member(marked.organization.admin.key.user)) == [])
      for (last, seconds) in [(14, both[1][2]), (13, nil), (15, nil)] as [(Int, Int64?)] {
        let found = try await world.storage.standingApproval(of: marked.member.key, through: day(last))
        #expect(found?.paidSeconds == seconds, "through \(last)")
      }
      try await marked.move(.reopen(through: nil))
      #expect(try await standing() == [])
      // The next one replaces those before, though nothing is left on their first dates.
      try await world.storage.deleteRecord(
        ResourceUpdate<WorkSchedule>(
          id: marked.schedule.id, organization: marked.organization.key, expectedVersion: nil,
          context: marked.context(.submitted)), zones: TimeZoneDatabase())
      try await marked.mark(.locked, through: day(14))
      #expect(try await standing() == [[2, 14, 36_000]])
    }
  }

  @Test("are the state of entries in exports, by the start of each", arguments: StorageFactory.all)
  func exports(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      let (organization, member) = (marked.organization, marked.member)
      let end = berlinMidnight(15)
      for (start, number) in [(end.adding(milliseconds: 8 * 3_600_000), 1), (hours(12, of: 16), 2)] {
        try await world.keep(
          member, in: organization, from: start, to: start.adding(milliseconds: Int64(number) * 60_000))
      }
      // Of somebody without marks.
      let other = try await world.keep(
        organization.admin, in: organization, from: hours(8, of: 10), to: hours(9, of: 10))
      func states(_ pageSize: Int) async throws -> [PeriodState.Word] {
        let all = try await world.export(organization, pageSize: pageSize)
        #expect(all.filter { $0.entry.id == other.id }.map(\.periodState) == [.unsubmitted])
        return all.filter { $0.entry.userID == member.id }.map(\.periodState)
      }
      // The 10th, the night from the 14th to the 15th, the 15th and the 16th.
      for (kind, through, expected) in [
        (nil, 0, [.unsubmitted, .unsubmitted, .unsubmitted, .unsubmitted]),
        (.submitted, 15, [.submitted, .submitted, .submitted, .unsubmitted]),
        (.approved, 14, [.approved, .approved, .submitted, .unsubmitted]),
        (.locked, 13, [.locked, .approved, .submitted, .unsubmitted]),
        (.locked, 14, [.locked, .locked, .submitted, .unsubmitted]),
      ] as [(PeriodMark.Kind?, Int, [PeriodState.Word])] {
        if let kind { try await marked.mark(kind, through: day(through)) }
        for size in [1, 2, 100] {
          #expect(try await states(size) == expected, "\(through), pages of \(size)")
        }
      }
    }
  }

  @Test("hold schedules so that the date behind them begins as it did", arguments: StorageFactory.all)
  func schedules(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      try await marked.mark(.submitted, through: day(14))
      let refusal = TimeclockError.periodLocked(PeriodMark(.submitted, through: day(14)), count: nil)
      func schedule(_ from: LocalDate, start: String) -> WorkSchedule {
        WorkSchedule(head: world.head(in: marked.organization)) {
          ($0.userID, $0.from, $0.workdayStart) = (marked.member.id, from, start)
          $0.secondsByWeekday = Array(repeating: 3_600, count: 7)
        }
      }
      // An admin is not bound by what is submitted, but the date after it may not begin at six.
      for (new, isRefused) in [
        (schedule(day(15), start: "06:00"), true), (schedule(day(10), start: "06:00"), true),
        (schedule(day(10), start: "00:00"), false), (schedule(day(16), start: "06:00"), false),
      ] {
        let keep = {
          try await world.storage.createRecord(
            new, in: marked.organization.key, zones: TimeZoneDatabase(), context: marked.context(.approved),
            recording: nil)
        }
        if isRefused {
          await #expect(throws: refusal, "\(new.from)") { _ = try await keep() }
        } else {
          #expect(try await keep() == new)
        }
      }
      await #expect(throws: refusal) {
        _ = try await world.storage.updateOrganization(
          marked.organization.key, expectedVersion: nil, context: marked.context(.approved)
        ) { $0.timeZone = zone("Asia/Kathmandu") }
      }
      _ = try await marked.move(.withdraw)
      _ = try await world.storage.updateOrganization(
        marked.organization.key, expectedVersion: nil, context: marked.context(.approved)
      ) { $0.timeZone = zone("Asia/Kathmandu") }
    }
  }

  @Test("hold holidays of dates that are approved", arguments: StorageFactory.all)
  func holidays(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      let marked = try await MarkedMember(world)
      let calendar = try await world.keep(
        HolidayCalendar(head: world.head(in: marked.organization)) { $0.name = "Berlin" },
        in: marked.organization)
      let (from, until) = (day(5), day(12))
      for (first, id) in [(from, calendar.id), (until, nil)] as [(LocalDate, HolidayCalendarID?)] {
        try await world.keep(
          WorkSchedule(head: world.head(in: marked.organization)) {
            ($0.userID, $0.from, $0.holidayCalendarID) = (marked.member.id, first, id)
            $0.secondsByWeekday = Array(repeating: 3_600, count: 7)
          }, in: marked.organization)
      }
      @Sendable func put(_ number: Int, percent: Int64 = 100) async throws {
        _ = try await world.storage.putHolidays(
          [StatedHoliday(date: day(number), name: "Fair", percent: percent)], of: calendar.id,
          in: marked.organization.id, marked.organization.key, context: marked.context(.approved)
        ) { world.id() }
      }
      try await put(9)
      try await marked.mark(.approved, through: day(14))
      let refusal = TimeclockError.periodLocked(PeriodMark(.approved, through: day(14)), count: nil)
      for number in [5, 11] { await #expect(throws: refusal) { try await put(number) } }
      await #expect(throws: refusal) { try await put(9, percent: 50) }
      await #expect(throws: refusal) {
        try await world.storage.deleteHoliday(
          on: day(9), of: calendar.id, in: marked.organization.key, context: marked.context(.approved))
      }
      // Neither the schedule before nor the one after names the calendar.
      for number in [4, 12, 15] { try await put(number) }
      // The same again changes nothing.
      try await put(9)
    }
  }

  @Test(
    "are moved for many at once, each by itself, and the totals hold what was written",
    arguments: StorageFactory.all)
  func races(_ factory: StorageFactory) async throws {
    try await factory.run { world in
      for (round, kind) in [PeriodMark.Kind.approved, .locked, .approved, .locked].enumerated() {
        let marked = try await MarkedMember(world)
        let outcomes = await concurrently(8) { number in
          switch number {
          case 3: try await marked.mark(kind, through: day(14))
          case 5: _ = try await marked.adjust(day(12), by: 60, .approved)
          case 6: try await world.storage.deleteTimeEntry(marked.update(marked.day10, .approved)) { _ in }
          case 7:
            _ = try await world.storage.updateTimeEntry(marked.update(marked.night, .approved)) {
              $0.clockInTime = hours(21, of: 14)
            }
          default:
            let start = hours(3, of: 3 + number)
            _ = try await world.storage.createTimeEntry(
              NewTimeEntry(
                member: marked.member.key,
                entry: world.entry(
                  of: marked.member, in: marked.organization, from: start,
                  to: start.adding(milliseconds: 60_000)), needsSessionAssignment: false,
                context: marked.context(.approved)))
          }
        }
        let isDone = outcomes.map { (try? $0.get()) != nil }
        let refusal = TimeclockError.periodLocked(PeriodMark(kind, through: day(14)), count: nil)
        for case .failure(let error) in outcomes { #expect(error as? TimeclockError == refusal) }
        #expect(isDone[3])
        let approval = try #require(
          try await world.storage.approvals(
            of: .member(marked.member.key.user), in: marked.organization.key, after: nil, limit: 9
          ).elements.first?.approval)
        // The totals hold what was written, and what was refused is not there.
        let kept = Int64([0, 1, 2, 4].filter { isDone[$0] }.count)
        let expected = (isDone[6] ? 0 : 28_800) + 7_200 + (isDone[7] ? 3_600 : 0) + kept * 60
        #expect(approval.paidSeconds == expected, "round \(round)")
        #expect(approval.adjustmentSeconds == (isDone[5] ? 660 : 600), "round \(round)")
        let there = try await world.list(marked.organization, marked.member).elements.count
        #expect(there == Int(kept) + (isDone[6] ? 1 : 2), "round \(round)")
      }
    }
  }
}

/// A member with a schedule from 2 November on, work on the 10th and in the night from the 14th to the 15th, each with a
/// segment of a project, an adjustment on the 10th, and absences that change no sum: one of the 12th, and a request for the
/// 13th.
private struct MarkedMember: Sendable {
  let world: World
  let organization: TestOrganization
  let member: TestMember
  let schedule: WorkSchedule
  let project: Project
  let day10: TimeEntry
  let night: TimeEntry
  let segment: Segment
  let nightSegment: Segment
  let adjustment: Adjustment
  let absence: Absence
  let request: Absence

  init(_ world: World) async throws {
    self.world = world
    organization = try await world.organization()
    member = try await world.member(of: organization)
    let (organization, member) = (self.organization, self.member)
    schedule = try await world.keep(
      WorkSchedule(head: world.head(in: organization)) {
        ($0.userID, $0.from) = (member.id, day(2))
        $0.secondsByWeekday = [28_800, 28_800, 28_800, 28_800, 28_800, 0, 0]
      }, in: organization)
    project = try await world.keepProject(in: organization)
    let purpose = SegmentPurpose(projectID: project.id)
    let (eight, ten) = (hours(8, of: 10), hours(22, of: 14))
    day10 = try await world.keep(member, in: organization, from: eight, to: hours(16, of: 10))
    night = try await world.keep(member, in: organization, from: ten, to: hours(6, of: 15))
    segment = try await world.keep(
      world.segment(of: member, in: organization, for: purpose, from: eight, to: hours(9, of: 10)), of: member
    )
    nightSegment = try await world.keep(
      world.segment(
        of: member, in: organization, for: SegmentPurpose(projectID: nil), from: ten, to: hours(6, of: 15)),
      of: member)
    adjustment = try await world.keep(
      Adjustment(head: world.head(in: organization)) {
        ($0.userID, $0.date, $0.seconds, $0.reason) = (member.id, day(10), 600, "Old clock")
      }, in: organization)
    absence = try await world.keep(
      Self.absence(day(12), .approved, of: member, world, organization), in: organization)
    request = try await world.keep(
      Self.absence(day(13), .requested, of: member, world, organization), in: organization)
  }

  private static func absence(
    _ date: LocalDate, _ state: AbsenceState, of member: TestMember, _ world: World,
    _ organization: TestOrganization
  ) -> Absence {
    Absence(head: world.head(in: organization)) {
      ($0.userID, $0.counted, $0.startDate, $0.endDate, $0.state) = (member.id, .flextime, date, date, state)
    }
  }

  func context(_ kind: PeriodMark.Kind) -> ChangeContext {
    ChangeContext(
      author: Author(means: .logIn, userID: organization.admin.id), operation: "test", time: World.start,
      reason: Reason(stored: "Asked to"), boundBy: kind)
  }

  func work() -> PeriodWork {
    PeriodWork(
      organizationID: organization.id, organization: organization.key, zones: TimeZoneDatabase(),
      identifiers: IdentifierGenerator(), context: context(.approved))
  }

  @discardableResult
  func move(_ move: PeriodMove) async throws -> PeriodState {
    try await world.storage.movePeriod(of: member.id, move, work(), recording: nil)
  }

  func mark(_ kind: PeriodMark.Kind, through: LocalDate) async throws {
    switch kind {
    case .submitted: try await move(.submit(through: through))
    case .approved: try await move(.approve(through: through, includesUnsubmitted: true))
    case .locked: try await move(.lock(through: through, includesUnapproved: true))
    }
  }

  func update(_ entry: TimeEntry, _ kind: PeriodMark.Kind) -> TimeEntryUpdate {
    TimeEntryUpdate(
      id: entry.id, organization: organization.key, expectedVersion: nil, needsSessionAssignment: false,
      context: context(kind))
  }

  func adjust(_ date: LocalDate, by seconds: Int64, _ kind: PeriodMark.Kind) async throws -> Adjustment {
    let new = Adjustment(head: world.head(in: organization)) {
      ($0.userID, $0.date, $0.seconds, $0.reason) = (member.id, date, seconds, "Late")
    }
    return try await world.storage.createRecord(
      new, in: organization.key, zones: TimeZoneDatabase(), context: context(kind), recording: nil)
  }

  /// All that marks bind.
  struct State: Equatable {
    var entries: [TimeEntry]
    var segments: [Segment]
    var adjustments: [Adjustment]
    var schedules: [WorkSchedule]
    var absences: [Absence]
    var changes: Int
  }

  func state() async throws -> State {
    State(
      entries: try await world.list(organization, member).elements,
      segments: try await world.listSegments(
        SegmentQuery(organization: organization.key, user: member.key.user, limit: 100)),
      adjustments: try await world.records(of: member, in: organization),
      schedules: try await world.records(of: member, in: organization),
      absences: try await world.records(of: member, in: organization),
      changes: try await world.changes(organization).count)
  }

  /// A change of each guarded kind, each touching a date through the 14th.
  var boundChanges: [(name: String, change: @Sendable (ChangeContext) async throws -> Void)] {
    let (storage, key, zones) = (world.storage, organization.key, TimeZoneDatabase())
    @Sendable func update(_ entry: TimeEntry, _ context: ChangeContext) -> TimeEntryUpdate {
      TimeEntryUpdate(
        id: entry.id, organization: key, expectedVersion: nil, needsSessionAssignment: false, context: context
      )
    }
    @Sendable func entry(_ from: Instant, _ to: Instant?) -> TimeEntry {
      world.entry(of: member, in: organization, from: from, to: to)
    }
    @Sendable func edit(_ segment: Segment, _ context: ChangeContext) -> SegmentUpdate {
      SegmentUpdate(id: segment.id, organization: key, expectedVersion: nil, context: context)
    }
    @Sendable func change<Record>(_ record: Record, _ context: ChangeContext) -> ResourceUpdate<Record>
    where Record: JudgedRecord {
      ResourceUpdate(id: record.id, organization: key, expectedVersion: nil, context: context)
    }
    return [
      (
        "a new entry",
        { context in
          _ = try await storage.createTimeEntry(
            NewTimeEntry(
              member: member.key, entry: entry(hours(9, of: 11), hours(10, of: 11)),
              needsSessionAssignment: false,
              context: context))
        }
      ),
      (
        "a clock-in with a stated time",
        { context in
          _ = try await storage.createTimeEntry(
            NewTimeEntry(
              member: member.key, entry: entry(hours(23, of: 14), nil), needsSessionAssignment: false,
              context: context))
        }
      ),
      (
        "an entry that is moved into the dates",
        { context in
          _ = try await storage.updateTimeEntry(update(night, context)) { $0.clockInTime = hours(21, of: 14) }
        }
      ),
      (
        "an entry that is moved out of the dates",
        { context in
          _ = try await storage.updateTimeEntry(update(day10, context)) {
            ($0.clockInTime, $0.clockOutTime) = (hours(8, of: 17), hours(16, of: 17))
          }
        }
      ),
      (
        "notes of an entry",
        { context in
          _ = try await storage.updateTimeEntry(update(night, context)) { $0.notes = Notes(stored: "Late") }
        }
      ),
      ("a deleted entry", { context in try await storage.deleteTimeEntry(update(day10, context)) { _ in } }),
      (
        "a new segment",
        { context in
          _ = try await storage.createSegment(
            NewSegment(
              member: member.key,
              segment: world.segment(
                of: member, in: organization, for: SegmentPurpose(), from: hours(10, of: 10),
                to: hours(11, of: 10)),
              place: .attached, context: context), recording: nil)
        }
      ),
      (
        "a segment of another name",
        { context in
          _ = try await storage.updateSegment(edit(segment, context)) { $0.name = "Another" }
        }
      ),
      ("a deleted segment", { context in try await storage.deleteSegment(edit(segment, context)) { _ in } }),
      (
        "work with a stated time",
        { context in
          _ = try await storage.startSegment(
            SegmentStart(
              member: member.key,
              segment: world.segment(
                of: member, in: organization, for: SegmentPurpose(projectID: project.id),
                from: hours(10, of: 12),
                to: nil), isNameStated: false, isTimeStated: true, entry: entry(hours(10, of: 12), nil),
              clockIn: .ifNeeded, context: context), recording: nil)
        }
      ),
      (
        "a project whose segments are taken off it",
        { context in
          try await storage.deleteProject(
            ProjectUpdate(id: project.id, organization: key, expectedVersion: nil, context: context),
            mode: .detach)
        }
      ),
      (
        "a project whose segments go with it",
        { context in
          try await storage.deleteProject(
            ProjectUpdate(id: project.id, organization: key, expectedVersion: nil, context: context),
            mode: .delete)
        }
      ),
      (
        "a new adjustment",
        { context in
          let new = Adjustment(head: world.head(in: organization)) {
            ($0.userID, $0.date, $0.seconds, $0.reason) = (member.id, day(14), 60, "Late")
          }
          _ = try await storage.createRecord(new, in: key, zones: zones, context: context, recording: nil)
        }
      ),
      (
        "a deleted adjustment",
        { context in try await storage.deleteRecord(change(adjustment, context), zones: zones) }
      ),
      (
        "a new absence",
        { context in
          let new = Self.absence(day(14), .requested, of: member, world, organization)
          _ = try await storage.createRecord(new, in: key, zones: zones, context: context, recording: nil)
        }
      ),
      (
        "a canceled absence",
        { context in
          _ = try await storage.updateRecord(change(absence, context), zones: zones) { $0.state = .canceled }
        }
      ),
      (
        "an absence that is approved",
        { context in
          _ = try await storage.updateRecord(change(request, context), zones: zones) { $0.state = .approved }
        }
      ),
      (
        "a new schedule",
        { context in
          let new = WorkSchedule(head: world.head(in: organization)) {
            ($0.userID, $0.from) = (member.id, day(14))
            $0.secondsByWeekday = [0, 0, 0, 0, 0, 0, 1]
          }
          _ = try await storage.createRecord(new, in: key, zones: zones, context: context, recording: nil)
        }
      ),
      (
        "a schedule that is moved",
        { context in
          _ = try await storage.updateRecord(change(schedule, context), zones: zones) { $0.from = day(16) }
        }
      ),
      (
        "a deleted schedule",
        { context in try await storage.deleteRecord(change(schedule, context), zones: zones) }
      ),
    ]
  }
}

/// A day of November.
private func day(_ number: Int) -> LocalDate { LocalDate(year: 2026, month: 11, day: number) ?? .latest }

/// The beginning of a day of November in Berlin.
private func berlinMidnight(_ number: Int) -> Instant {
  World.start.adding(milliseconds: -(10 * 3_600_000 + 123) + Int64(number - 20) * 86_400_000)
}

/// That number of hours after the beginning of a day of November in Berlin.
private func hours(_ count: Int64, of number: Int) -> Instant {
  berlinMidnight(number).adding(milliseconds: count * 3_600_000)
}
