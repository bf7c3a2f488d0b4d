import Testing
import TimeclockDomain

@Suite("Absences that overlap")
struct AbsenceOverlapTests {
  /// An absence as cases state it: its first and last day of October 2026.
  private struct Stated {
    var kind: AbsenceKind
    var first: Int
    var last: Int
    var portion = AbsencePortion.day
    var state = AbsenceState.approved

    init(
      _ kind: AbsenceKind, _ first: Int, _ last: Int, _ portion: AbsencePortion = .day,
      _ state: AbsenceState = .approved
    ) {
      (self.kind, self.first, self.last) = (kind, first, last)
      (self.portion, self.state) = (portion, state)
    }

    func row(number: Int64) -> AbsenceRow {
      let september30: Int32 = 20_726
      return AbsenceRow(
        number: number, kind: kind, first: LocalDate(daysSince1970: september30 + Int32(first)),
        last: LocalDate(daysSince1970: september30 + Int32(last)), portion: portion, state: state)
    }
  }

  private static func rows(_ stated: [Stated]) -> [AbsenceRow] {
    stated.enumerated().map { $1.row(number: Int64($0 + 1)) }
  }

  /// An absence that is to be added, those that there are, and the numbers, from 1 on, of those in the way.
  private struct Case {
    var new: Stated
    var others: [Stated]
    var expected: [Int64]

    init(_ new: Stated, among others: [Stated], _ expected: [Int64]) {
      (self.new, self.others, self.expected) = (new, others, expected)
    }
  }

  private static let cases: [Case] = [
    Case(Stated(.vacation, 5, 9, .day, .requested), among: [Stated(.vacation, 9, 9)], [1]),
    Case(Stated(.vacation, 5, 9), among: [Stated(.vacation, 10, 12), Stated(.vacation, 1, 4)], []),
    Case(Stated(.vacation, 5, 9), among: [Stated(.unpaid, 1, 31, .half, .requested)], [1]),
    Case(Stated(.vacation, 5, 9), among: [Stated(.vacation, 5, 9, .day, .refused)], []),
    Case(Stated(.vacation, 5, 9), among: [Stated(.vacation, 5, 9, .day, .canceled)], []),
    // Sickness has room of its own.
    Case(Stated(.sick, 5, 9), among: [Stated(.vacation, 1, 31)], []),
    Case(Stated(.vacation, 1, 31), among: [Stated(.sick, 5, 9)], []),
    Case(Stated(.sick, 5, 9), among: [Stated(.sick, 9, 31, .half), Stated(.vacation, 5, 9)], [1]),
    // Two halves are a day.
    Case(Stated(.vacation, 5, 5, .half), among: [Stated(.training, 5, 5, .half)], []),
    Case(Stated(.vacation, 5, 5, .half), among: [Stated(.training, 5, 5)], [1]),
    Case(
      Stated(.vacation, 5, 5, .half),
      among: [Stated(.training, 5, 5, .half), Stated(.unpaid, 5, 9, .half, .requested)], [1, 2]),
    // Halves of different dates are not together.
    Case(
      Stated(.vacation, 5, 9, .half), among: [Stated(.other, 1, 6, .half), Stated(.other, 7, 9, .half)], []),
    Case(
      Stated(.vacation, 5, 9, .half),
      among: [Stated(.other, 8, 9, .half), Stated(.other, 5, 5, .half), Stated(.other, 1, 8, .half)],
      [3, 2, 1]),
    Case(
      Stated(.vacation, 5, 9, .half),
      among: [Stated(.other, 8, 9, .half), Stated(.other, 4, 4, .half), Stated(.other, 1, 8, .half)], [3, 1]),
    // Seconds have room everywhere.
    Case(Stated(.vacation, 5, 5, .seconds(86_400)), among: [Stated(.vacation, 5, 5)], []),
    Case(Stated(.vacation, 5, 5), among: [Stated(.vacation, 5, 5, .seconds(3_600))], []),
    Case(Stated(.flextime, 5, 5), among: [Stated(.vacation, 5, 5)], [1]),
  ]

  @Test(
    "are the requested and approved ones of its group on a date that would be taken more than once",
    arguments: cases.indices)
  func overlaps(_ place: Int) {
    let sample = Self.cases[place]
    let found = sample.new.row(number: 100).overlaps(among: Self.rows(sample.others))
    #expect(found.map(\.number) == sample.expected)
  }

  @Test("are others than the absence itself")
  func itself() throws {
    var absence = try PayrollSample.absence(.vacation, "2026-10-05", "2026-10-09")
    let stored = absence
    absence.last = try PayrollSample.date("2026-10-12")
    #expect(absence.overlaps(among: [stored]).isEmpty)
  }

  @Test("are those that looking at every date finds", arguments: 0..<200 as Range<UInt64>)
  func everyDate(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let portions: [AbsencePortion] = [.day, .half, .half, .half, .seconds(3_600)]
    let kinds: [AbsenceKind] = [.sick, .vacation, .unpaid]
    let stated = (0..<12).map { _ in
      let first = Int.random(in: 1...25, using: &random)
      return Stated(
        kinds.randomElement(using: &random) ?? .other, first, first + Int.random(in: 0...5, using: &random),
        portions.randomElement(using: &random) ?? .day,
        AbsenceState.allCases.randomElement(using: &random) ?? .refused)
    }
    let rows = Self.rows(stated)
    let found = Set(rows[0].overlaps(among: rows).map(\.number))
    #expect(found == overlaps(of: rows[0], among: rows))
  }

  private func overlaps(of new: AbsenceRow, among rows: [AbsenceRow]) -> Set<Int64> {
    var found: Set<Int64> = []
    for day in new.first.daysSince1970...new.last.daysSince1970 {
      let date = LocalDate(daysSince1970: day)
      let others = rows.filter { other in
        let isOther = other.number != new.number && other.portion.seconds == nil
        let isInGroup = (other.kind == .sick) == (new.kind == .sick)
        let holdsDate = other.state == .requested || other.state == .approved
        return isOther && isInGroup && holdsDate && other.first <= date && date <= other.last
      }
      let halves = ([new] + others).reduce(0) { $0 + ($1.portion == .day ? 2 : 1) }
      if new.portion.seconds == nil, halves > 2 { found.formUnion(others.map(\.number)) }
    }
    return found
  }
}
