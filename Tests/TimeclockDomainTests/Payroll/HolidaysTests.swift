import Testing
import TimeclockDomain

@Suite("Holidays")
struct HolidaysTests {
  @Test(
    "take one percent of the plan to all of it",
    arguments: [(1, true), (50, true), (100, true), (0, false), (101, false), (-1, false)] as [(Int64, Bool)])
  func percents(_ percent: Int64, _ isTaken: Bool) {
    if isTaken {
      #expect((try? Holidays.validated(percent: percent)) == percent)
    } else {
      #expect(TimeclockError.invalidPercent.code == "invalid_percent")
      #expect(throws: TimeclockError.invalidPercent) { try Holidays.validated(percent: percent) }
    }
  }

  @Test("are one for each date, the one with the greatest percent")
  func onePerDate() throws {
    let (christmas, eve) = (try PayrollSample.date("2026-12-25"), try PayrollSample.date("2026-12-24"))
    let holidays = Holidays([
      .init(date: christmas, percent: 50), .init(date: eve, percent: 50), .init(date: christmas),
      .init(date: eve, percent: 25),
    ])
    #expect(holidays.all == [.init(date: eve, percent: 50), .init(date: christmas, percent: 100)])
  }
}
