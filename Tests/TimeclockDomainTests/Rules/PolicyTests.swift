import Testing

@testable import TimeclockDomain

@Suite("Policy")
struct PolicyTests {
  @Test("has the defaults of the contract")
  func defaults() {
    #expect(
      Policy.standard
        == Policy(
          minimumSeconds: 60, maximumSeconds: 57_600, editWindowDays: 30, lookBackHours: 72,
          notesMaximumCharacters: 500, autoClockOutSeconds: nil, dailyOvertimeSeconds: nil,
          weeklyOvertimeSeconds: nil, weekStart: .monday, manualEntryDays: nil,
          membersMayCreateProjects: true,
          breakRules: [], breakMinimumSeconds: 900,
          isProjectRequired: false, membersMayEnterTimes: true, remindAfterSeconds: nil,
          timerSessionDays: 730, managersSee: .everyone))
    #expect(throws: Never.self) { try Policy.standard.validate() }
  }

  /// One limit, by its name in the contract.
  struct Limit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bounds: ClosedRange<Int64>
    var changes: @Sendable (Int64) -> PolicyChanges
  }

  private static let limits = [
    Limit(testDescription: "minimumSeconds", bounds: 0...86_400) { PolicyChanges(minimumSeconds: $0) },
    Limit(testDescription: "remindAfter", bounds: 300...604_800) { PolicyChanges(remindAfterSeconds: $0) },
    Limit(testDescription: "maximumSeconds", bounds: 60...604_800) { PolicyChanges(maximumSeconds: $0) },
    Limit(testDescription: "editWindowDays", bounds: 0...3_650) { PolicyChanges(editWindowDays: $0) },
    Limit(testDescription: "lookBackHours", bounds: 0...8_760) { PolicyChanges(lookBackHours: $0) },
    Limit(testDescription: "notesMaximumCharacters", bounds: 0...10_000) {
      PolicyChanges(notesMaximumCharacters: $0)
    },
    Limit(testDescription: "timerSessionDays", bounds: 1...3_650) { PolicyChanges(timerSessionDays: $0) },
    Limit(testDescription: "autoClockOutAfter", bounds: 60...1_209_600) {
      PolicyChanges(autoClockOutSeconds: $0)
    },
    Limit(testDescription: "dailyOvertimeAfter", bounds: 0...86_400) {
      PolicyChanges(dailyOvertimeSeconds: $0)
    },
    Limit(testDescription: "weeklyOvertimeAfter", bounds: 0...604_800) {
      PolicyChanges(weeklyOvertimeSeconds: $0)
    },
    Limit(testDescription: "manualEntryDays", bounds: 0...3_650) { PolicyChanges(manualEntryDays: $0) },
    Limit(testDescription: "balanceCapAbove", bounds: 0...36_000_000) { PolicyChanges(balanceCapAbove: $0) },
    Limit(testDescription: "balanceCapBelow", bounds: -36_000_000...0) { PolicyChanges(balanceCapBelow: $0) },
  ]

  @Test("takes each limit at and within its bounds, and refuses it one beyond", arguments: limits)
  func bounds(_ limit: Limit) throws {
    // For any new minimum or maximum, the other one is no hindrance.
    var base = Policy.standard
    base.minimumSeconds = limit.testDescription == "maximumSeconds" ? 0 : 60
    base.maximumSeconds = 604_800
    let (lowest, highest) = (limit.bounds.lowerBound, limit.bounds.upperBound)
    for value in [lowest, lowest + 1, highest - 1, highest] {
      #expect(throws: Never.self) { _ = try limit.changes(value).applied(to: base) }
    }
    for value in [lowest - 1, highest + 1, .min, .max] {
      let refusal = TimeclockError.invalidPolicy(
        limit.testDescription, "must be from \(lowest) to \(highest)")
      #expect(throws: refusal) { _ = try limit.changes(value).applied(to: base) }
    }
  }

  @Test("clocks nobody out by default, only while it is set to")
  func autoClockOut() throws {
    let on = try PolicyChanges(autoClockOutSeconds: 3_600).applied(to: .standard)
    #expect(on.autoClockOutSeconds == 3_600)
    #expect(try PolicyChanges(lookBackHours: 1).applied(to: on).autoClockOutSeconds == 3_600)
    #expect(try PolicyChanges(autoClockOutSeconds: .some(nil)).applied(to: on) == .standard)
  }

  @Test("caps no account by default, only while it is set to")
  func balanceCaps() throws {
    let on = try PolicyChanges(balanceCapAbove: 144_000, balanceCapBelow: -72_000).applied(to: .standard)
    #expect((on.balanceCapAbove, on.balanceCapBelow) == (144_000, -72_000))
    #expect(try PolicyChanges(lookBackHours: 72).applied(to: on) == on)
    let off = PolicyChanges(balanceCapAbove: .some(nil), balanceCapBelow: .some(nil))
    #expect(try off.applied(to: on) == .standard)
  }

  @Test("reminds nobody by default, only while it is set to")
  func remindAfter() throws {
    let on = try PolicyChanges(remindAfterSeconds: 36_000).applied(to: .standard)
    #expect(try PolicyChanges(lookBackHours: 1).applied(to: on).remindAfterSeconds == 36_000)
    #expect(on.remindBefore(Instant(millisecondsSince1970: 36_000_001)) == Instant(millisecondsSince1970: 1))
    let off = try PolicyChanges(remindAfterSeconds: .some(nil)).applied(to: on)
    #expect(off == .standard && off.remindBefore(.latest) == nil)
  }

  @Test("lets members enter time of any day by default, except while a number of days is set")
  func manualEntryDays() throws {
    let on = try PolicyChanges(manualEntryDays: 31).applied(to: .standard)
    #expect(try PolicyChanges(lookBackHours: 1).applied(to: on).manualEntryDays == 31)
    #expect(try PolicyChanges(manualEntryDays: .some(nil)).applied(to: on) == .standard)
  }

  @Test("lets members make projects by default, except while it is set not to")
  func membersMayCreateProjects() throws {
    let off = try PolicyChanges(membersMayCreateProjects: false).applied(to: .standard)
    #expect(try !PolicyChanges(lookBackHours: 1).applied(to: off).membersMayCreateProjects)
    #expect(try PolicyChanges(membersMayCreateProjects: true).applied(to: off) == .standard)
  }

  @Test("has managers approve all absences but sickness by default, except while other kinds are set")
  func absences() throws {
    #expect(Policy.standard.absenceApproval.inOrder == AbsenceKind.allCases.filter { $0 != .sick })
    let changed = try PolicyChanges(
      absenceApproval: [], isSelfApprovalAllowed: true, areAbsenceKindsVisible: true,
      isNegativeEntitlementAllowed: false
    ).applied(to: .standard)
    #expect(
      changed.absenceApproval.isEmpty && changed.isSelfApprovalAllowed && changed.areAbsenceKindsVisible)
    #expect(!changed.isNegativeEntitlementAllowed)
    #expect(try PolicyChanges(lookBackHours: 72).applied(to: changed) == changed)
  }

  @Test("keeps kinds of absences as words in one order, and leaves out those that it does not know")
  func storedKinds() {
    let kinds: Set<AbsenceKind> = [.vacation, .sick, .unpaid]
    #expect(kinds.stored == "sick vacation unpaid")
    #expect(Set(storedAbsenceKinds: kinds.stored) == kinds)
    #expect(Set(storedAbsenceKinds: "") == [] && Set(storedAbsenceKinds: "vacation strike") == [.vacation])
  }

  @Test("asks what a clock-in is for, and keeps members from entering times, only if it is set to")
  func enteringTimes() throws {
    let on = try PolicyChanges(isProjectRequired: true, membersMayEnterTimes: false).applied(to: .standard)
    #expect(try PolicyChanges(lookBackHours: 72).applied(to: on) == on)
    #expect(on.isProjectRequired && !on.membersMayEnterTimes)
    let off = try PolicyChanges(isProjectRequired: false, membersMayEnterTimes: true).applied(to: on)
    #expect(off == .standard)
  }

  /// Each case: the rules' numbers, and whether they may be set.
  @Test(
    "has break rules that rise, each number within a day",
    arguments: [
      ([], true), ([(21_600, 1_800), (32_400, 2_700)], true), ([(0, 0)], true), ([(86_400, 86_400)], true),
      ([(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)], true), ([(1, 5), (2, 1)], true),
      ([(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1)], false), ([(21_600, 1_800), (21_600, 2_700)], false),
      ([(32_400, 2_700), (21_600, 1_800)], false), ([(-1, 1)], false), ([(1, -1)], false),
      ([(86_401, 1)], false), ([(1, 86_401)], false),
    ] as [([(Int64, Int64)], Bool)])
  func breakRules(_ numbers: [(Int64, Int64)], _ isValid: Bool) throws {
    let rules = numbers.map { BreakRule(afterSeconds: $0.0, breakSeconds: $0.1) }
    let changes = PolicyChanges(breakRules: rules, breakMinimumSeconds: 60)
    guard isValid else {
      #expect { try changes.applied(to: .standard) } throws: { error in
        guard case TimeclockError.invalidPolicy("breakRules", _) = error else { return false }
        return true
      }
      return
    }
    let policy = try changes.applied(to: .standard)
    #expect(policy.breakRules == rules)
    #expect([BreakRule](stored: rules.stored) == rules)
    #expect(try PolicyChanges(lookBackHours: 72).applied(to: policy) == policy)
    #expect(
      try PolicyChanges(breakRules: [], breakMinimumSeconds: 900).applied(to: policy) == .standard)
  }

  @Test("keeps the minimum below the maximum")
  func order() {
    var policy = Policy.standard
    policy.maximumSeconds = 60
    #expect(throws: TimeclockError.invalidPolicy("minimumSeconds", "must be less than maximumSeconds")) {
      try policy.validate()
    }
    policy.minimumSeconds = 59
    #expect(throws: Never.self) { try policy.validate() }
  }
}
