import Testing
import TimeclockDomain

/// Random years of one member, and their sums computed date by date from the text of the rules.
@Suite("Properties of balances")
struct BalancePropertyTests {
  private struct Year {
    static let first: Int32 = 20_454
    static let last: Int32 = 20_818

    var random: SeededRandom
    var balance: MemberBalance

    init(seed: UInt64) throws {
      var random = SeededRandom(seed: seed)
      let rows = Set((0..<4).map { _ in Int32.random(in: Self.first - 40...Self.last, using: &random) })
      let schedule = Schedule(
        rows: try rows.sorted().map { try Self.row(from: $0, &random) },
        organizationZone: try PayrollSample.zone("UTC"))
      let holidays = [Int64(1), 2].map { calendar in
        let holidays = Self.dates(20, &random).map { date in
          Holidays.Holiday(date: date, percent: .random(in: 1...100, using: &random))
        }
        return (calendar, Holidays(holidays))
      }
      balance = MemberBalance(
        schedule: schedule, holidays: Dictionary(uniqueKeysWithValues: holidays),
        absences: (0..<40).map { Self.absence(number: $0, &random) },
        paid: Self.dates(300, &random).map {
          DatedSeconds(date: $0, seconds: .random(in: 0...90_000, using: &random))
        },
        adjustments: Self.dates(10, &random).map {
          DatedSeconds(date: $0, seconds: .random(in: -90_000...90_000, using: &random))
        })
      self.random = random
    }

    private static func dates(_ count: Int, _ random: inout SeededRandom) -> [LocalDate] {
      (0..<count).map { _ in LocalDate(daysSince1970: .random(in: first - 50...last + 10, using: &random)) }
    }

    private static func row(from day: Int32, _ random: inout SeededRandom) throws -> ScheduleRow {
      let days = 7 * Int.random(in: 1...8, using: &random)
      let plan = (0..<days).map { _ in
        let seconds: [Int64] = [0, 1, 27_721, 28_800, .random(in: 0...86_400, using: &random)]
        return seconds.randomElement(using: &random) ?? 0
      }
      return ScheduleRow(
        from: LocalDate(daysSince1970: day), plan: try WeekPlan(secondsByWeekday: plan),
        calendar: [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
        worksOnHolidays: Int.random(in: 0..<4, using: &random) == 0)
    }

    private static func absence(number: Int64, _ random: inout SeededRandom) -> AbsenceRow {
      let first = Int32.random(in: Self.first - 30...Self.last, using: &random)
      let portions: [AbsencePortion] = [
        .day, .half, .half, .seconds(.random(in: 1...86_400, using: &random)),
      ]
      return AbsenceRow(
        number: number, kind: AbsenceKind.allCases.randomElement(using: &random) ?? .other,
        first: LocalDate(daysSince1970: first),
        last: LocalDate(daysSince1970: first + .random(in: 0...20, using: &random)),
        portion: portions.randomElement(using: &random) ?? .day,
        state: [.approved, .approved, .requested, .refused, .canceled].randomElement(using: &random)
          ?? .approved)
    }

    /// The dates of the year that have a row.
    var dates: [LocalDate] {
      (Self.first...Self.last).map { LocalDate(daysSince1970: $0) }.filter {
        balance.schedule.row(on: $0) != nil
      }
    }

    var days: [BalanceDay] {
      Array(
        balance.days(from: LocalDate(daysSince1970: Self.first), through: LocalDate(daysSince1970: Self.last))
      )
    }
  }

  @Test("a plan is its holiday, its absences and its target", arguments: 0..<40 as Range<UInt64>)
  func identity(_ seed: UInt64) throws {
    let year = try Year(seed: seed)
    #expect(year.days.map(\.date) == year.dates)
    for day in year.days {
      let sums = day.sums
      #expect(sums.planned == sums.holiday + sums.absence + sums.target)
      #expect(
        sums.target >= 0 && sums.holiday >= 0 && AbsenceKind.allCases.allSatisfy { sums.taken[$0] >= 0 })
      #expect((0...10_000).contains(sums.usedDays))
      #expect(sums.credited <= sums.planned && sums.balance == sums.paid - sums.target + sums.adjustment)
    }
  }

  @Test("each date has the sums of the rules, taken one by one", arguments: 0..<12 as Range<UInt64>)
  func rules(_ seed: UInt64) throws {
    let year = try Year(seed: seed)
    for day in year.days {
      let expected = try sums(of: day.date, in: year.balance)
      #expect(day.sums == expected, "\(day.date.iso8601)")
    }
  }

  /// Steps 1 to 6, with everything looked up.
  private func sums(of date: LocalDate, in balance: MemberBalance) throws -> DaySums {
    let row = try #require(balance.schedule.row(on: date))
    var sums = DaySums()
    var monday = row.from
    while monday.weekday != .monday { monday = monday.adding(days: -1) }
    let days = Int(date.daysSince1970 - monday.daysSince1970) % row.plan.secondsByWeekday.count
    sums.planned = row.plan.secondsByWeekday[days]
    let holidays = row.calendar.flatMap { balance.holidays[$0] }?.all ?? []
    let percent = row.worksOnHolidays ? 0 : holidays.first { $0.date == date }?.percent ?? 0
    sums.holiday = Int64((Double(sums.planned) * Double(percent) / 100).rounded(.down))
    let open = sums.planned - sums.holiday
    var left = open
    var halves = [open / 2, open - open / 2]
    for rank in 1...4 {
      for absence in balance.absences.sorted(by: { $0.number < $1.number })
      where absence.kind.rank == rank && absence.state == .approved && absence.first <= date
        && date <= absence.last
      {
        let part: Int64 =
          switch absence.portion {
          case .day: left
          case .half: min(halves.isEmpty ? 0 : halves.removeFirst(), left)
          case .seconds(let seconds): min(seconds, left)
          }
        sums.taken[absence.kind] += part
        left -= part
      }
    }
    sums.target = left
    sums.paid = balance.paid.filter { $0.date == date }.reduce(0) { $0 + $1.seconds }
    sums.adjustment = balance.adjustments.filter { $0.date == date }.reduce(0) { $0 + $1.seconds }
    let vacation = sums.taken[.vacation]
    sums.usedDays = sums.planned == 0 ? 0 : (2 * vacation * 10_000 + sums.planned) / (2 * sums.planned)
    return sums
  }

  @Test(
    "the sums of a range are those of its parts, and the account is their balance",
    arguments: 0..<20 as Range<UInt64>)
  func parts(_ seed: UInt64) throws {
    var year = try Year(seed: seed)
    let middle = LocalDate(daysSince1970: .random(in: Year.first...Year.last, using: &year.random))
    let (first, last) = (LocalDate(daysSince1970: Year.first), LocalDate(daysSince1970: Year.last))
    let before = year.balance.days(from: first, through: middle)
    let after = year.balance.days(from: middle.adding(days: 1), through: last)
    #expect(Array(before) + Array(after) == year.days)

    let account = year.balance.account(through: last)
    #expect(account.countedThrough == last)
    #expect(account.balance == year.balance.days(from: .earliest, through: last).total.balance)
    // From the account after a date on, it is the same.
    var continued = year.balance.account(through: middle)
    for day in after { continued.count(day) }
    #expect(continued == account)
  }

  @Test("random years have all that the rules are about")
  func haveAll() throws {
    var total = DaySums()
    var kinds: Set<AbsenceKind> = []
    for seed in 0..<10 as Range<UInt64> {
      let sums = try Year(seed: seed).days.total
      total += sums
      kinds.formUnion(AbsenceKind.allCases.filter { sums.taken[$0] > 0 })
    }
    #expect(kinds.count == 7 && !kinds.contains(.flextime))
    #expect(
      total.holiday > 0 && total.target > 0 && total.paid > 0 && total.adjustment != 0 && total.usedDays > 0)
  }
}
