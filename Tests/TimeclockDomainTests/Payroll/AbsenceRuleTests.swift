import Testing
import TimeclockDomain

@Suite("Absences")
struct AbsenceRuleTests {
  /// Each case: a kind, its rank, whether it makes the target less, is credited, and uses entitlement.
  @Test(
    "have the effects of their kind",
    arguments: [
      ("sick", 1, true, true, false), ("training", 2, true, true, false), ("special", 2, true, true, false),
      ("other", 2, true, true, false), ("vacation", 3, true, true, true), ("unpaid", 4, true, false, false),
      ("parental", 4, true, false, false), ("flextime", 5, false, false, false),
    ])
  func kinds(_ word: String, _ rank: Int, _ isLess: Bool, _ isCredited: Bool, _ usesEntitlement: Bool) throws
  {
    let kind = try #require(AbsenceKind(rawValue: word))
    #expect(kind.rank == rank)
    #expect(kind.reducesTarget == isLess)
    #expect(kind.isCredited == isCredited)
    #expect(kind.usesEntitlement == usesEntitlement)
    #expect(AbsenceKind.allCases.count == 8)
  }

  @Test(
    "take days, halves, or seconds that are stated",
    arguments: [
      (.day, nil, .day), (.half, nil, .half), (.seconds, 1, .seconds(1)),
      (.seconds, 86_400, .seconds(86_400)),
      (.seconds, nil, nil), (.seconds, 0, nil), (.seconds, 86_401, nil), (.seconds, -1, nil),
      (.day, 3_600, nil),
      (.half, 0, nil),
    ] as [(AbsencePortion.Word, Int64?, AbsencePortion?)])
  func portions(_ word: AbsencePortion.Word, _ seconds: Int64?, _ expected: AbsencePortion?) throws {
    guard let expected else {
      #expect(TimeclockError.invalidPortion.code == "invalid_portion")
      #expect(throws: TimeclockError.invalidPortion) { try AbsencePortion(word, seconds: seconds) }
      return
    }
    let portion = try AbsencePortion(word, seconds: seconds)
    #expect(portion == expected)
    #expect(portion.word == word && portion.seconds == seconds)
  }

  @Test("end on their first date or later")
  func dates() throws {
    try PayrollSample.absence(.sick, "2026-10-19").validate()
    try PayrollSample.absence(.sick, "2026-10-19", "2026-10-20").validate()
    let absence = try PayrollSample.absence(.sick, "2026-10-20", "2026-10-19")
    #expect(throws: TimeclockError.invalidDateRange) { try absence.validate() }
  }
}
