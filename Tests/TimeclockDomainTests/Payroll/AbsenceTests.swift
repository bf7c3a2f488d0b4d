import Testing
import TimeclockDomain

@Suite("An absence")
struct AbsenceTests {
  private static let organization = OrganizationID(high: 1, low: 2)
  private static let member = UserID(high: 3, low: 4)

  private func absence(
    _ kind: AbsenceKind = .vacation, _ first: String = "2026-10-19", _ last: String = "2026-10-23",
    state: AbsenceState = .approved
  ) throws -> Absence {
    var absence = Absence(
      head: Head(id: AbsenceID(high: 5, low: 6), organizationID: Self.organization, at: .earliest))
    absence.userID = Self.member
    absence.counted = kind
    (absence.startDate, absence.endDate) = (try PayrollSample.date(first), try PayrollSample.date(last))
    absence.state = state
    absence.note = "Note"
    return absence
  }

  private func view(
    _ role: Role, of userID: UserID = UserID(high: 7, low: 8), isVisible: Bool = false
  ) throws -> AbsenceView {
    var policy = Policy.standard
    policy.areAbsenceKindsVisible = isVisible
    return AbsenceView(of: try caller(role, userID, policy))
  }

  private func caller(_ role: Role, _ userID: UserID, _ policy: Policy) throws -> Membership {
    Membership(
      key: MemberKey(organization: OrganizationKey(1), user: UserKey(2)), organizationID: Self.organization,
      userID: userID, role: role, isActive: true, memberTimeZone: nil,
      organizationTimeZone: try #require(TimeZoneIdentifier("Europe/Berlin")), policy: policy)
  }

  @Test(
    "has at most ten years of dates, in their order",
    arguments: [
      ("2026-10-19", "2026-10-19", nil), ("2026-10-19", "2026-10-18", "invalid_date_range"),
      ("2026-01-01", "2036-01-08", nil), ("2026-01-01", "2036-01-09", "invalid_date_range"),
      ("1900-01-01", "9999-12-31", "invalid_date_range"),
    ] as [(String, String, String?)])
  func dates(_ first: String, _ last: String, _ code: String?) throws {
    let absence = try absence(.vacation, first, last)
    do {
      try absence.validate()
      #expect(code == nil)
    } catch let error as TimeclockError {
      #expect(error.code == code)
    }
  }

  @Test("has seconds with the portion seconds alone, and loses them with another one")
  func portion() throws {
    var absence = try absence()
    (absence.portion, absence.seconds) = (.seconds, 3_600)
    try absence.validate()
    #expect(try absence.row(3).portion == .seconds(3_600))
    var half = absence
    half.take({ $0.portion = .half }, statesSeconds: false)
    #expect(half.seconds == nil)
    try half.validate()
    var both = absence
    both.take({ ($0.portion, $0.seconds) = (.half, 60) }, statesSeconds: true)
    #expect(throws: TimeclockError.invalidPortion) { try both.validate() }
    var other = absence
    other.take({ $0.note = nil }, statesSeconds: false)
    #expect(other.seconds == 3_600 && other.note == nil && other.takesAlike(absence))
    absence.seconds = nil
    #expect(throws: TimeclockError.invalidPortion) { try absence.validate() }
  }

  @Test(
    "counts by its kind, and by the effect of that once the kind is gone", arguments: AbsenceKind.allCases)
  func effect(_ kind: AbsenceKind) throws {
    var absence = try absence(kind)
    #expect(absence.kind == .shown(kind) && absence.counted == kind)
    absence.kind = .absent
    let effect = absence.counted
    #expect(effect == kind.effect && effect.effect == effect)
    #expect(effect.reducesTarget == kind.reducesTarget && effect.isCredited == kind.isCredited)
    #expect(effect.usesEntitlement == kind.usesEntitlement)
    #expect(ShownAbsenceKind(rawValue: kind.rawValue) == .shown(kind))
    #expect(ShownAbsenceKind(rawValue: "absent") == .absent && ShownAbsenceKind(rawValue: "strike") == nil)
  }

  /// Kinds of one effect may change places, whatever else is on the dates, and no sum of a member shows it.
  @Test("leaves every sum as it is when its kind goes")
  func sums() throws {
    var random = RepeatableRandom(state: 26)
    let schedule = try PayrollSample.schedule(("2026-01-01", try PayrollSample.week(of: 27_721)))
    let first = try PayrollSample.date("2026-03-02")
    for _ in 0..<400 {
      let absences = try (1...Int64.random(in: 1...6, using: &random)).map { number in
        let portions: [AbsencePortion] = [
          .day, .half, .half, .seconds(.random(in: 1...20_000, using: &random)),
        ]
        return AbsenceRow(
          number: number, kind: try #require(AbsenceKind.allCases.randomElement(using: &random)),
          first: first,
          last: first, portion: try #require(portions.randomElement(using: &random)))
      }
      let anonymous = absences.map { absence in
        var absence = absence
        absence.kind = absence.kind.effect
        return absence
      }
      let (told, gone) = (
        MemberBalance(schedule: schedule, absences: absences).days(from: first, through: first).total,
        MemberBalance(schedule: schedule, absences: anonymous).days(from: first, through: first).total
      )
      #expect(told.target == gone.target && told.absence == gone.absence && told.credited == gone.credited)
      #expect(told.usedDays == gone.usedDays, "\(absences)")
    }
  }

  @Test("tells its kind to its member, to admins, and to managers while it awaits a decision")
  func masking() throws {
    for state in AbsenceState.allCases {
      let absence = try absence(.sick, state: state)
      #expect(try view(.member, of: Self.member).shown(absence) == absence)
      #expect(try view(.admin).shown(absence) == absence)
      #expect(try view(.manager, isVisible: true).shown(absence) == absence)
      #expect(try view(.manager, of: Self.member).shown(absence) == absence)
      let shown = try view(.manager).shown(absence)
      #expect((shown == absence) == (state == .requested))
      guard state != .requested else { continue }
      #expect(shown.kind == .absent && shown.note == nil)
      #expect(
        shown.startDate == absence.startDate && shown.state == state && shown.version == absence.version)
    }
  }

  @Test("tells managers no kind in a change, which is read later too, and nobody more in a refusal")
  func maskedChanges() throws {
    let (before, after) = (try absence(.sick, state: .requested), try absence(.sick))
    let change = Change(
      sequence: 1, kind: .updated, resource: .absence, resourceID: ResourceID(before.id),
      context: ChangeContext(author: .service, operation: "decideAbsence", time: .earliest),
      before: before.snapshot, after: after.snapshot)
    func kinds(_ change: Change?) -> [ShownAbsenceKind?] {
      [change?.before, change?.after].map { $0?.record(of: Absence.self)?.kind }
    }
    let told: [ShownAbsenceKind?] = [.shown(.sick), .shown(.sick)]
    for (role, userID, isVisible, expected) in [
      (.manager, UserID(high: 7, low: 8), false, [.absent, .absent]),
      (.manager, UserID(high: 7, low: 8), true, told), (.manager, Self.member, false, told),
      (.member, Self.member, false, told), (.admin, UserID(high: 7, low: 8), false, told),
      (.member, UserID(high: 7, low: 8), false, [nil, nil]),
    ] as [(Role, UserID, Bool, [ShownAbsenceKind?])] {
      var policy = Policy.standard
      policy.areAbsenceKindsVisible = isVisible
      let shown = ChangeView(of: try caller(role, userID, policy)).shown(change)
      #expect(kinds(shown) == expected, "\(role) \(isVisible)")
    }
    let manager = try view(.manager)
    guard case .absenceOverlap(let overlaps, count: 3) = manager.shown(.absenceOverlap([after], count: 3)),
      case .changed(let current) = manager.shown(.changed(current: after.current))
    else {
      Issue.record("another refusal")
      return
    }
    #expect(overlaps.map(\.kind) == [.absent])
    #expect(current.snapshot.record(of: Absence.self)?.kind == .absent && current.version == after.version)
    #expect(manager.shown(.forbidden) == .forbidden)
  }

  /// Each case: the dates of vacation before and after a change, and whether ten days are exceeded by it.
  @Test(
    "exceeds an entitlement if it uses more days than there are, and more than before",
    arguments: [
      (nil, "2026-10-30", false), (nil, "2026-11-02", true), ("2026-11-02", "2026-11-03", true),
      ("2026-11-03", "2026-11-02", false), ("2026-11-02", "2026-11-02", false),
      // A weekend more uses nothing.
      ("2026-10-30", "2026-11-01", false),
    ] as [(String?, String, Bool)])
  func exceeded(_ before: String?, _ after: String, _ isExceeded: Bool) throws {
    let schedule = try PayrollSample.schedule(("2026-01-01", try PayrollSample.week(of: 28_800)))
    func balance(_ last: String?) throws -> MemberBalance {
      MemberBalance(
        schedule: schedule,
        absences: try last.map { [try PayrollSample.absence(.vacation, "2026-10-19", $0)] } ?? [])
    }
    let entitlement = EntitlementRow(year: 2026, days: 100_000)
    #expect(
      try EntitlementYear.isExceeded(entitlement, from: balance(before), to: balance(after)) == isExceeded)
    #expect(
      try !EntitlementYear.isExceeded(
        EntitlementRow(year: 2025, days: 0), from: balance(before), to: balance(after)))
  }
}
