import Testing
import TimeclockDomain

/// Figures that are computed by hand, most of them for Berlin and eight hours (28,800 seconds) from Monday through Friday.
@Suite("Sums of dates")
struct DaySumsTests {
  private func balance(
    _ absences: [AbsenceRow] = [], planned: Int64 = 28_800, paid: [DatedSeconds] = [],
    adjustments: [DatedSeconds] = []
  ) throws -> MemberBalance {
    let holidays = Holidays([
      .init(date: try PayrollSample.date("2026-12-24"), percent: 50),
      .init(date: try PayrollSample.date("2026-12-25")), .init(date: try PayrollSample.date("2026-12-26")),
    ])
    let schedule = try PayrollSample.schedule(("2026-01-01", try PayrollSample.week(of: planned)))
    return MemberBalance(
      schedule: schedule, holidays: [1: holidays], absences: absences, paid: paid, adjustments: adjustments)
  }

  private func sums(_ balance: MemberBalance, _ first: String, _ last: String? = nil) throws -> DaySums {
    balance.days(from: try PayrollSample.date(first), through: try PayrollSample.date(last ?? first)).total
  }

  @Test("plan what the row in force says: half time from the middle of October 2026")
  func halfTime() throws {
    let schedule = try PayrollSample.schedule(
      ("2026-01-01", try PayrollSample.week(of: 28_800)), ("2026-10-15", try PayrollSample.week(of: 14_400)))
    let balance = MemberBalance(schedule: schedule)
    let october = try sums(balance, "2026-10-01", "2026-10-31")
    #expect(october.planned == 460_800 && october.target == 460_800 && october.balance == -460_800)
    #expect(try sums(balance, "2026-10-01", "2026-10-14").planned == 10 * 28_800)
    #expect(try sums(balance, "2026-10-15", "2026-10-31").planned == 12 * 14_400)
  }

  @Test("plan 21 work days for February 2028, which has a 29th")
  func leapYear() throws {
    #expect(try sums(balance(), "2028-02-01", "2028-02-29").planned == 604_800)
    #expect(
      try balance().days(from: PayrollSample.date("2028-02-01"), through: PayrollSample.date("2028-02-29"))
        .total.planned == 604_800)
  }

  /// Each case: the portion of a vacation on 2026-12-24, half of which is a holiday; the plan; what the holiday, the
  /// vacation and the target are of it; and the ten-thousandths of days that are used.
  @Test(
    "let an absence take what a holiday leaves, by integers",
    arguments: [
      (AbsencePortion.half, 28_800, 14_400, 7_200, 7_200, 2_500), (.day, 28_800, 14_400, 14_400, 0, 5_000),
      (.half, 27_721, 13_860, 6_930, 6_931, 2_500), (.day, 27_721, 13_860, 13_861, 0, 5_000),
      (.seconds(3_600), 28_800, 14_400, 3_600, 10_800, 1_250),
      (.seconds(86_400), 28_800, 14_400, 14_400, 0, 5_000),
      (.seconds(1), 28_800, 14_400, 1, 14_399, 0), (.seconds(2), 28_800, 14_400, 2, 14_398, 1),
      (.day, 0, 0, 0, 0, 0), (.half, 1, 0, 0, 1, 0), (.day, 1, 0, 1, 0, 10_000), (.half, 3, 1, 1, 1, 3_333),
    ] as [(AbsencePortion, Int64, Int64, Int64, Int64, Int64)])
  func onHoliday(
    _ portion: AbsencePortion, _ planned: Int64, _ holiday: Int64, _ taken: Int64, _ target: Int64,
    _ used: Int64
  ) throws {
    let vacation = try PayrollSample.absence(.vacation, "2026-12-24", nil, portion)
    let sums = try sums(balance([vacation], planned: planned), "2026-12-24")
    #expect(sums.planned == planned && sums.holiday == holiday)
    #expect(sums.taken[.vacation] == taken && sums.absence == taken && sums.target == target)
    #expect(sums.credited == holiday + taken)
    #expect(sums.usedDays == used)
  }

  @Test("let sickness go before vacation, whichever came first", arguments: [1, 3] as [Int64])
  func sickOnVacation(_ number: Int64) throws {
    let balance = try balance([
      PayrollSample.absence(.vacation, "2026-10-19", "2026-10-23", number: 2),
      PayrollSample.absence(.sick, "2026-10-21", "2026-10-22", number: number),
    ])
    let week = try sums(balance, "2026-10-19", "2026-10-25")
    #expect(week.taken[.sick] == 57_600 && week.taken[.vacation] == 86_400)
    #expect(week.absence == 144_000 && week.credited == 144_000)
    #expect(week.usedDays == 30_000 && week.target == 0 && week.balance == 0)
  }

  @Test("let flextime cost the balance, and unpaid leave nothing but its credit")
  func flextime() throws {
    let flextime = try sums(balance([PayrollSample.absence(.flextime, "2026-10-30")]), "2026-10-30")
    #expect(flextime.target == 28_800 && flextime.balance == -28_800)
    #expect(flextime.credited == 0 && flextime.absence == 0)
    let unpaid = try sums(balance([PayrollSample.absence(.unpaid, "2026-10-30")]), "2026-10-30")
    #expect(unpaid.absence == 28_800 && unpaid.credited == 0)
    #expect(unpaid.target == 0 && unpaid.balance == 0)
  }

  @Test("count work on a holiday on top")
  func workedHoliday() throws {
    let paid = DatedSeconds(date: try PayrollSample.date("2026-12-25"), seconds: 14_400)
    let sums = try sums(balance(paid: [paid]), "2026-12-25")
    #expect(sums.planned == 28_800 && sums.holiday == 28_800 && sums.credited == 28_800)
    #expect(sums.target == 0 && sums.paid == 14_400 && sums.balance == 14_400)
  }

  @Test("leave the plan as it is for a row that works on holidays, and for one without their calendar")
  func worksOnHolidays() throws {
    let christmas = try PayrollSample.date("2026-12-25")
    let plan = try PayrollSample.week(of: 28_800)
    let rows = [
      ScheduleRow(from: christmas, plan: plan, calendar: 1, worksOnHolidays: true),
      ScheduleRow(from: christmas, plan: plan), ScheduleRow(from: christmas, plan: plan, calendar: 2),
      ScheduleRow(from: christmas, plan: plan, calendar: 3),
    ]
    let holidays: [Int64: Holidays] = [
      1: Holidays([.init(date: christmas)]), 2: Holidays([.init(date: christmas.adding(days: 1))]),
    ]
    for row in rows {
      let schedule = Schedule(rows: [row], organizationZone: try PayrollSample.zone("Europe/Berlin"))
      let sums = MemberBalance(schedule: schedule, holidays: holidays).days(
        from: christmas, through: christmas
      ).total
      #expect(sums.holiday == 0 && sums.target == 28_800)
    }
  }

  /// The absences of one date in the order of their creation, and what each kind takes of 27,721 seconds.
  private struct Case {
    var absences: [(kind: AbsenceKind, portion: AbsencePortion)]
    var taken: [AbsenceKind: Int64]

    init(_ absences: (AbsenceKind, AbsencePortion)..., taken: [AbsenceKind: Int64]) {
      self.absences = absences.map { ($0.0, $0.1) }
      self.taken = taken
    }
  }

  private static let cases: [Case] = [
    Case((.unpaid, .half), (.sick, .half), taken: [.sick: 13_860, .unpaid: 13_861]),
    Case((.vacation, .half), (.training, .half), taken: [.training: 13_860, .vacation: 13_861]),
    Case((.unpaid, .half), (.parental, .half), taken: [.unpaid: 13_860, .parental: 13_861]),
    Case((.parental, .half), (.unpaid, .half), taken: [.parental: 13_860, .unpaid: 13_861]),
    Case((.vacation, .half), (.vacation, .half), taken: [.vacation: 27_721]),
    // A third half finds nothing left, and neither does anything after a day.
    Case((.sick, .half), (.sick, .half), (.vacation, .half), taken: [.sick: 27_721]),
    Case((.sick, .day), (.vacation, .half), taken: [.sick: 27_721]),
    // Seconds go first or last by their rank, and halves are of what is open, not of what is left.
    Case((.vacation, .half), (.other, .seconds(20_000)), taken: [.other: 20_000, .vacation: 7_721]),
    Case((.unpaid, .seconds(20_000)), (.vacation, .half), taken: [.vacation: 13_860, .unpaid: 13_861]),
    // Flextime takes nothing, and no half either.
    Case((.flextime, .half), (.vacation, .half), taken: [.vacation: 13_860]),
    Case((.flextime, .day), (.parental, .seconds(1)), taken: [.parental: 1]),
  ]

  @Test("count halves over all kinds, by rank and then by creation", arguments: cases.indices)
  func halves(_ place: Int) throws {
    let sample = Self.cases[place]
    let absences = try sample.absences.enumerated().map { number, absence in
      try PayrollSample.absence(absence.kind, "2026-10-19", nil, absence.portion, number: Int64(number))
    }
    for absences in [absences, absences.reversed()] {
      let sums = try sums(balance(absences, planned: 27_721), "2026-10-19")
      for kind in AbsenceKind.allCases { #expect(sums.taken[kind] == sample.taken[kind] ?? 0) }
      #expect(sums.target == 27_721 - sample.taken.values.reduce(0, +))
    }
  }

  @Test("leave absences out that are not approved", arguments: AbsenceState.allCases)
  func states(_ state: AbsenceState) throws {
    let sick = try PayrollSample.absence(.sick, "2026-10-19", state: state)
    #expect(try sums(balance([sick]), "2026-10-19").target == (state == .approved ? 0 : 28_800))
  }

  @Test("add up all work and all adjustments of a date, in any order")
  func adjustments() throws {
    let dates = try ["2026-10-20", "2026-10-19", "2026-10-20", "2026-10-24"].map {
      try PayrollSample.date($0)
    }
    let paid = zip(dates, [3_600, 28_800, 3_600, 1_800]).map { DatedSeconds(date: $0, seconds: $1) }
    let adjustments = zip(dates, [-600, 60, 7_200, -86_400]).map { DatedSeconds(date: $0, seconds: $1) }
    let balance = try balance(paid: paid, adjustments: adjustments)
    #expect(try sums(balance, "2026-10-19").balance == 60)
    let tuesday = try sums(balance, "2026-10-20")
    #expect(tuesday.paid == 7_200 && tuesday.adjustment == 6_600 && tuesday.balance == 7_200 - 28_800 + 6_600)
    #expect(try sums(balance, "2026-10-24").balance == 1_800 - 86_400)
    #expect(try sums(balance, "2026-10-20", "2026-10-19") == DaySums())
  }

  @Test("leave dates before the first row out, and have none without a row")
  func beforeTheFirstRow() throws {
    let dates = (from: try PayrollSample.date("2025-12-30"), through: try PayrollSample.date("2026-01-02"))
    let days = try balance().days(from: dates.from, through: dates.through).map(\.date.iso8601)
    #expect(days == ["2026-01-01", "2026-01-02"])
    let none = MemberBalance(schedule: try PayrollSample.schedule())
    #expect(none.days(from: .earliest, through: dates.through).map(\.date) == [])
  }

  @Test("reach to the last date of the calendar")
  func lastDate() throws {
    let days = try balance().days(from: LocalDate.latest.adding(days: -1), through: .latest)
    #expect(days.map(\.date.iso8601) == ["9999-12-30", "9999-12-31"])
  }
}
