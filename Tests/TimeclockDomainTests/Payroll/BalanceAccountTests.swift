import Testing
import TimeclockDomain

@Suite("Accounts")
struct BalanceAccountTests {
  @Test("add up the balances from the first row's date on")
  func addUp() throws {
    let monday = try PayrollSample.date("2026-10-19")
    // Nine hours a day, and ten on the Sunday before, which has no schedule.
    let paid =
      [DatedSeconds(date: monday.adding(days: -1), seconds: 36_000)]
      + (0..<5).map { DatedSeconds(date: monday.adding(days: $0), seconds: 32_400) }
    let opening = DatedSeconds(date: monday, seconds: 7_200)
    let schedule = try PayrollSample.schedule(("2026-10-19", try PayrollSample.week(of: 28_800)))
    let balance = MemberBalance(schedule: schedule, paid: paid, adjustments: [opening])
    #expect(balance.account(through: monday) == BalanceAccount(balance: 10_800, countedThrough: monday))
    let sunday = monday.adding(days: 6)
    #expect(balance.account(through: sunday) == BalanceAccount(balance: 25_200, countedThrough: sunday))
    // A Monday without work costs its target.
    let next = monday.adding(days: 7)
    #expect(balance.account(through: next) == BalanceAccount(balance: -3_600, countedThrough: next))
  }

  @Test("are empty before the first row, and without one")
  func empty() throws {
    let schedule = try PayrollSample.schedule(("2026-10-19", try PayrollSample.week(of: 28_800)))
    let before = MemberBalance(schedule: schedule).account(through: try PayrollSample.date("2026-10-18"))
    #expect(before == BalanceAccount() && before.countedThrough == nil)
    #expect(
      MemberBalance(schedule: try PayrollSample.schedule()).account(through: .latest) == BalanceAccount())
  }
}
