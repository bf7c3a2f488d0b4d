import Testing

@testable import TimeclockDomain

@Suite("Moves of the marks on a member's time")
struct PeriodMoveTests {
  /// Days of October; nil for a mark that is on no date.
  private typealias Days = (submitted: Int?, approved: Int?, locked: Int?)

  private enum Outcome {
    case moved(Days)
    case unchanged
    case refused(TimeclockError)
  }

  private static let lockedThrough5 = TimeclockError.periodLocked(
    PeriodMark(.locked, through: day(5)), count: nil)

  private static let cases: [(before: Days, move: PeriodMove, outcome: Outcome)] = [
    ((nil, nil, nil), .submit(through: day(7)), .moved((7, nil, nil))),
    ((7, nil, nil), .submit(through: day(9)), .moved((9, nil, nil))),
    ((7, nil, nil), .submit(through: day(7)), .unchanged),
    ((7, 7, 7), .submit(through: day(3)), .unchanged),

    ((nil, nil, nil), .withdraw, .refused(.notSubmitted)),
    ((7, 7, nil), .withdraw, .refused(.notSubmitted)),
    ((7, nil, nil), .withdraw, .moved((nil, nil, nil))),
    ((9, 7, 5), .withdraw, .moved((7, 7, 5))),

    ((9, nil, nil), approve(7), .moved((9, 7, nil))),
    ((9, 7, 5), approve(9), .moved((9, 9, 5))),
    ((7, 7, nil), approve(6), .unchanged),
    ((7, nil, nil), approve(8), .refused(.notSubmitted)),
    ((nil, nil, nil), approve(8), .refused(.notSubmitted)),
    ((7, nil, nil), approve(8, true), .moved((8, 8, nil))),
    ((9, 7, nil), approve(8, true), .moved((9, 8, nil))),

    ((nil, nil, nil), .reopen(through: nil), .refused(.notApproved)),
    ((7, nil, nil), .reopen(through: day(3)), .refused(.notApproved)),
    ((7, 7, nil), .reopen(through: day(7)), .refused(.notApproved)),
    ((7, 7, nil), .reopen(through: day(8)), .refused(.notApproved)),
    ((9, 7, nil), .reopen(through: day(3)), .moved((3, 3, nil))),
    ((9, 7, nil), .reopen(through: nil), .moved((nil, nil, nil))),
    ((9, 7, 5), .reopen(through: day(5)), .moved((5, 5, 5))),
    ((9, 7, 5), .reopen(through: day(4)), .refused(lockedThrough5)),
    ((9, 7, 5), .reopen(through: nil), .refused(lockedThrough5)),

    ((9, 7, nil), lock(7), .moved((9, 7, 7))),
    ((9, 7, 5), lock(6), .moved((9, 7, 6))),
    ((9, 7, 5), lock(5), .unchanged),
    ((9, 7, 5), lock(8), .refused(.notApproved)),
    ((nil, nil, nil), lock(8), .refused(.notApproved)),
    ((nil, nil, nil), lock(8, true), .moved((8, 8, 8))),
    ((9, 7, 5), lock(8, true), .moved((9, 8, 8))),

    ((nil, nil, nil), .unlock(through: nil), .unchanged),
    ((9, 7, 5), .unlock(through: day(5)), .unchanged),
    ((9, 7, 5), .unlock(through: day(8)), .unchanged),
    ((9, 7, 5), .unlock(through: day(4)), .moved((9, 7, 4))),
    ((9, 7, 5), .unlock(through: nil), .moved((9, 7, nil))),
  ]

  @Test("move it up or back, leave it, or are refused", arguments: cases.indices)
  func table(_ number: Int) throws {
    let (before, move, outcome) = Self.cases[number]
    switch outcome {
    case .moved(let after):
      #expect(try move.applied(to: dates(before)) == dates(after))
      #expect(dates(before) != dates(after))
    case .unchanged: #expect(try move.applied(to: dates(before)) == dates(before))
    case .refused(let error):
      #expect(throws: error) { _ = try move.applied(to: dates(before)) }
    }
  }

  @Test("leave every mark at or before the weaker one")
  func order() {
    for (before, move, _) in Self.cases {
      guard let after = try? move.applied(to: dates(before)) else { continue }
      let (submitted, approved, locked) = (
        after.submitted ?? .earliest, after.approved ?? .earliest, after.locked ?? .earliest
      )
      #expect(locked <= approved && approved <= submitted)
    }
  }

  @Test("The strongest mark on a date is found")
  func strongest() {
    let marks = dates((9, 7, 5))
    #expect(marks.mark(on: Self.day(5)) == PeriodMark(.locked, through: Self.day(5)))
    #expect(marks.mark(on: Self.day(6)) == PeriodMark(.approved, through: Self.day(7)))
    #expect(marks.mark(on: Self.day(9)) == PeriodMark(.submitted, through: Self.day(9)))
    #expect(marks.mark(on: Self.day(10)) == nil)
  }

  private func dates(_ days: Days) -> PeriodDates {
    PeriodDates(
      submitted: days.submitted.map(Self.day), approved: days.approved.map(Self.day),
      locked: days.locked.map(Self.day))
  }

  private static func approve(_ number: Int, _ includesUnsubmitted: Bool = false) -> PeriodMove {
    .approve(through: day(number), includesUnsubmitted: includesUnsubmitted)
  }

  private static func lock(_ number: Int, _ includesUnapproved: Bool = false) -> PeriodMove {
    .lock(through: day(number), includesUnapproved: includesUnapproved)
  }

  private static func day(_ number: Int) -> LocalDate {
    LocalDate(year: 2026, month: 10, day: number) ?? .latest
  }
}
