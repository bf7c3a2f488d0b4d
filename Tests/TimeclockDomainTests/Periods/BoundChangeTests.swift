import Testing

@testable import TimeclockDomain

/// A mark ends at hour 0. Hours before it are less than 0, and the change is made at hour 100.
@Suite("Changes that marks bind")
struct BoundChangeTests {
  private typealias Span = (start: Int64, end: Int64?)

  private static let cases: [(name: String, before: Span?, after: Span?, isBound: Bool)] = [
    ("new work before the mark", nil, (-8, -1), true),
    ("new work over the mark", nil, (-1, 2), true),
    ("new work from the mark on", nil, (0, 2), false),
    ("deleted work before it", (-8, -1), nil, true),
    ("deleted work behind it", (0, 2), nil, false),
    ("moved out of the dates", (-8, -1), (1, 8), true),
    ("moved into the dates", (1, 8), (-8, -1), true),
    ("moved behind them", (1, 8), (2, 9), false),
    ("another end before the mark", (-8, -1), (-8, -2), true),
    ("another end behind the mark", (-8, 3), (-8, 2), false),
    ("another end, the old one before it", (-8, -1), (-8, 2), true),
    ("another end, the new one before it", (-8, 3), (-8, -1), true),
    ("an end at the mark itself", (-8, 3), (-8, 0), false),
    ("a clock-out of a shift over the mark", (-8, nil), (-8, 3), false),
    ("a clock-out that is taken back", (-8, 3), (-8, nil), true),
    ("a clock-in of the past", nil, (-8, nil), true),
    ("a clock-in that is moved into the dates", (2, nil), (-8, nil), true),
    ("a clock-in that is taken back", (2, nil), nil, false),
  ]

  @Test(
    "are those of work that begins before its end, but for another end behind it", arguments: cases.indices)
  func entries(_ number: Int) throws {
    let (name, before, after, isBound) = Self.cases[number]
    let change = BoundChange.found(
      from: before.map { .timeEntry(Self.entry($0)) }, to: after.map { .timeEntry(Self.entry($0)) },
      at: .hour(100))
    #expect((change?.isBound(by: Self.mark) ?? false) == isBound, "an entry: \(name)")
    let segment = BoundChange.found(
      from: before.map { .segment(Self.segment($0)) }, to: after.map { .segment(Self.segment($0)) },
      at: .hour(100))
    #expect((segment?.isBound(by: Self.mark) ?? false) == isBound, "a segment: \(name)")
  }

  @Test("are also those of anything but the end of a shift over it")
  func otherThanEnd() {
    let before = Self.entry((-8, 3))
    var after = before
    after.clockOutTime = .hour(2)
    after.flags = .overMaximum
    (after.version, after.updatedAt) = (2, .hour(100))
    func isBound(_ after: TimeEntry) -> Bool? {
      BoundChange.found(from: .timeEntry(before), to: .timeEntry(after), at: .hour(100))?.isBound(
        by: Self.mark)
    }
    #expect(isBound(after) == false)
    after.notes = Notes(stored: "Later")
    #expect(isBound(after) == true)
    var segment = Self.segment((-8, 2))
    segment.name = "Another"
    let change = BoundChange.found(
      from: .segment(Self.segment((-8, 3))), to: .segment(segment), at: .hour(100))
    #expect(change?.isBound(by: Self.mark) == true)
  }

  @Test("are none of what happens as it is written down")
  func present() {
    for (before, after) in [
      (nil, (100, nil)), ((-8, nil), (-8, 100)), ((-8, nil), nil), (nil, (101, 102)),
    ] as [(Span?, Span?)] {
      let change = BoundChange.found(
        from: before.map { .timeEntry(Self.entry($0)) }, to: after.map { .timeEntry(Self.entry($0)) },
        at: .hour(100))
      #expect(change == nil)
    }
  }

  @Test("are those of a date at or before its last one")
  func dates() {
    for (days, isBound) in [(-1, true), (0, true), (1, false)] {
      let date = Self.mark.through.adding(days: days)
      var adjustment = Adjustment(head: Self.head())
      (adjustment.userID, adjustment.date) = (Self.user, date)
      var schedule = WorkSchedule(head: Self.head())
      (schedule.userID, schedule.from) = (Self.user, date)
      for snapshot in [adjustment.snapshot, schedule.snapshot] {
        for (before, after) in [(snapshot, nil), (nil, snapshot)] as [(Snapshot?, Snapshot?)] {
          let change = BoundChange.found(from: before, to: after, at: .hour(100))
          #expect(change?.isBound(by: Self.mark) == isBound, "\(days)")
        }
      }
      // A schedule that is moved counts from the earlier date on.
      var moved = schedule
      moved.from = Self.mark.through.adding(days: 30)
      let change = BoundChange.found(from: schedule.snapshot, to: moved.snapshot, at: .hour(100))
      #expect(change?.isBound(by: Self.mark) == isBound)
    }
    var entitlement = Entitlement(head: Self.head())
    entitlement.userID = Self.user
    #expect(BoundChange.found(from: nil, to: entitlement.snapshot, at: .hour(100)) == nil)
  }

  /// Each case: what is absent before and afterwards, by state, first and last day after the mark's last date.
  private typealias Leave = (state: AbsenceState, days: ClosedRange<Int>)
  private static let leaves: [(name: String, before: Leave?, after: Leave?, isBound: Bool)] = [
    ("a request over the mark", nil, (.requested, 0...3), true),
    ("a request behind it", nil, (.requested, 1...3), false),
    ("an approval", (.requested, 0...3), (.approved, 0...3), true),
    ("a refusal", (.requested, -3...0), (.refused, -3...0), false),
    ("a request that is withdrawn", (.requested, -3...0), (.canceled, -3...0), false),
    ("a cancellation", (.approved, -3...0), (.canceled, -3...0), true),
    ("a cancellation behind it", (.approved, 1...3), (.canceled, 1...3), false),
    ("another beginning", (.approved, 0...3), (.approved, 1...3), true),
    ("another end behind it", (.approved, -3...3), (.approved, -3...1), false),
    ("an end at it", (.approved, -3...3), (.approved, -3...0), false),
    ("an end before it", (.approved, -3...3), (.approved, -3...(-1)), true),
    ("the former end before it", (.approved, -3...(-1)), (.approved, -3...3), true),
    ("another end of a request", (.requested, -3...3), (.requested, -3...1), false),
    ("the same", (.approved, -3...0), (.approved, -3...0), false),
    ("the same after a refusal", (.refused, -3...0), (.refused, -3...0), false),
  ]

  @Test("are those of absences by the dates that they take up or give back", arguments: leaves.indices)
  func absences(_ number: Int) {
    let (name, before, after, isBound) = Self.leaves[number]
    func snapshot(_ leave: Leave) -> Snapshot {
      var absence = Absence(head: Self.head())
      (absence.userID, absence.state) = (Self.user, leave.state)
      absence.startDate = Self.mark.through.adding(days: leave.days.lowerBound)
      absence.endDate = Self.mark.through.adding(days: leave.days.upperBound)
      return absence.snapshot
    }
    let change = BoundChange.found(from: before.map(snapshot), to: after.map(snapshot), at: .hour(100))
    #expect((change?.isBound(by: Self.mark) ?? false) == isBound, "\(name)")
  }

  @Test("are those of another part of the dates of an absence, and not of its note")
  func partOfAbsence() {
    var absence = Absence(head: Self.head())
    (absence.userID, absence.state) = (Self.user, .approved)
    (absence.startDate, absence.endDate) = (Self.mark.through, Self.mark.through.adding(days: 3))
    var (half, noted) = (absence, absence)
    half.portion = .half
    noted.note = "Alps"
    func isBound(_ after: Absence) -> Bool? {
      BoundChange.found(from: absence.snapshot, to: after.snapshot, at: .hour(100))?.isBound(by: Self.mark)
    }
    #expect(isBound(half) == true && isBound(noted) == nil)
  }

  /// Each case: the weakest mark that binds the author, the hour of the work, and the mark that refuses it.
  @Test(
    "are refused by the strongest mark of those that bind the author",
    arguments: [
      (.submitted, 25, nil), (.submitted, 24, nil), (.submitted, 23, .submitted), (.submitted, -1, .approved),
      (.submitted, -25, .locked), (.approved, 23, nil), (.approved, -1, .approved), (.approved, -25, .locked),
      (.locked, -1, nil), (.locked, -24, nil), (.locked, -25, .locked),
    ] as [(PeriodMark.Kind, Int64, PeriodMark.Kind?)])
  func authors(_ author: PeriodMark.Kind, _ hour: Int64, _ mark: PeriodMark.Kind?) throws {
    func end(_ days: Int) -> PeriodEnd {
      PeriodEnd(through: Self.mark.through.adding(days: days), until: .hour(Int64(days) * 24))
    }
    let ends = PeriodEnds(submitted: end(1), approved: end(0), locked: end(-1))
    let change = try #require(
      BoundChange.found(from: nil, to: .timeEntry(Self.entry((hour, 90))), at: .hour(100)))
    #expect(ends.mark(on: change, by: author)?.kind == mark)
    guard let mark, let end = ends[mark] else { return try ends.requireOpen(change, by: author) }
    #expect(throws: TimeclockError.periodLocked(PeriodMark(mark, through: end.through), count: nil)) {
      try ends.requireOpen(change, by: author)
    }
  }

  private static let user = UserID(high: 1, low: 1)
  private static let mark = PeriodEnd(through: LocalDate(daysSince1970: 20_000), until: .hour(0))

  private static func head<Record>() -> Head<Record> {
    Head(id: Identifier(high: 2, low: 2), organizationID: OrganizationID(high: 3, low: 3), at: .hour(0))
  }

  private static let zone = TimeZoneIdentifier("UTC")

  private static func entry(_ span: Span) -> TimeEntry {
    TimeEntry(
      id: TimeEntryID(high: 4, low: 4), userID: user, organizationID: OrganizationID(high: 3, low: 3),
      clockInTime: .hour(span.start), clockOutTime: span.end.map { .hour($0) },
      date: LocalDate(daysSince1970: 20_000), timeZone: BoundChangeTests.utc, offsetSeconds: 0,
      sessionID: nil,
      notes: nil, source: .api, flags: [], version: 1, createdAt: .hour(50), updatedAt: .hour(50))
  }

  private static func segment(_ span: Span) -> Segment {
    Segment(
      id: SegmentID(high: 5, low: 5), organizationID: OrganizationID(high: 3, low: 3), userID: user,
      timeEntryID: nil, purpose: SegmentPurpose(), isPaid: true, isBillable: false, name: "S", tags: [],
      startTime: .hour(span.start), endTime: span.end.map { .hour($0) }, timeZone: BoundChangeTests.utc,
      source: .api, version: 1, createdAt: .hour(50), updatedAt: .hour(50))
  }

  private static var utc: TimeZoneIdentifier {
    guard let zone else { fatalError("UTC is no zone") }
    return zone
  }
}

extension Instant {
  /// Hours behind the end of the mark, at the end of day 20,000.
  fileprivate static func hour(_ hours: Int64) -> Instant {
    Instant(millisecondsSince1970: 20_001 * 86_400_000 + hours * 3_600_000)
  }
}
