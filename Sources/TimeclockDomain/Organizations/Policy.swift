/// An organization's rules: limits for time entries, and the rights of members. A change never re-judges existing
/// records.
package struct Policy: Hashable, Sendable {
  /// The shortest entry that may be entered; a shorter one from clocking out is flagged.
  package var minimumSeconds: Int64
  /// The longest entry that may be entered; a longer one from clocking out is flagged.
  package var maximumSeconds: Int64
  /// The number of days after an entry's creation in which a member may change it.
  package var editWindowDays: Int64
  /// The number of hours by which a clock-in or a member's clock-out may be dated back.
  package var lookBackHours: Int64
  /// The longest notes, in Unicode code points after trimming.
  package var notesMaximumCharacters: Int64
  /// The time, in seconds, for which an entry may be active before the service closes it; nil if it never does.
  package var autoClockOutSeconds: Int64?
  // The five that are also `payRules` count for dates before the organization's first dated ones.
  /// The seconds of one local date beyond which work is overtime; nil if it never is by the day.
  package var dailyOvertimeSeconds: Int64?
  /// The seconds of one week, daily overtime left out, beyond which work is overtime; nil if it never is by the week.
  package var weeklyOvertimeSeconds: Int64?
  /// The day on which the weeks of overtime and of pay periods begin.
  package var weekStart: Weekday
  /// The number of days back for which a member may enter time by hand, or to which a member may move an entry; nil for
  /// any number. Managers are not bound.
  package var manualEntryDays: Int64?
  /// Whether members make projects and tasks of their own, and not only managers.
  package var membersMayCreateProjects: Bool
  /// The unpaid breaks of long shifts, by rising `afterSeconds`; none is asked for if there is no rule.
  package var breakRules: [BreakRule]
  /// The shortest stretch without paid work, in seconds, that counts towards a rule.
  package var breakMinimumSeconds: Int64
  /// Whether a clock-in must name its purpose: a project or a task.
  package var isProjectRequired: Bool
  /// Whether members enter, change and delete times by hand, and not only managers. Clocking in and out is everybody's.
  package var membersMayEnterTimes: Bool
  /// The time, in seconds, for which an entry may be active before its member is reminded of it; nil if nobody is.
  package var remindAfterSeconds: Int64?
  /// The number of days for which the sessions of members' timers are kept.
  package var timerSessionDays: Int64
  /// The members that managers see, and act for.
  package var managersSee: ManagersSee
  /// The kinds of absences that a manager has to approve; others are approved at once.
  package var absenceApproval: Set<AbsenceKind>
  /// Whether managers may approve absences of their own.
  package var isSelfApprovalAllowed: Bool
  /// Whether managers see the kinds of all absences, and not only of those that await a decision.
  package var areAbsenceKindsVisible: Bool
  /// Whether absences may use more days than the member is entitled to.
  package var isNegativeEntitlementAllowed: Bool
  /// The most, in seconds, that a member's account is when time is locked; nil for any. It is not less than 0.
  package var balanceCapAbove: Int64?
  /// The least, in seconds, that a member's account is when time is locked; nil for any. It is not more than 0.
  package var balanceCapBelow: Int64?
  /// The say of members in changes of their times by others.
  package var correctionsNeed: CorrectionsNeed

  /// Whether locking may cut a member's account.
  package var hasBalanceCap: Bool { balanceCapAbove != nil || balanceCapBelow != nil }

  package init(
    minimumSeconds: Int64, maximumSeconds: Int64, editWindowDays: Int64, lookBackHours: Int64,
    notesMaximumCharacters: Int64, autoClockOutSeconds: Int64? = nil, dailyOvertimeSeconds: Int64? = nil,
    weeklyOvertimeSeconds: Int64? = nil, weekStart: Weekday = .monday,
    manualEntryDays: Int64? = nil, membersMayCreateProjects: Bool = true,
    breakRules: [BreakRule] = [], breakMinimumSeconds: Int64 = Policy.standardBreakMinimum,
    isProjectRequired: Bool = false, membersMayEnterTimes: Bool = true, remindAfterSeconds: Int64? = nil,
    timerSessionDays: Int64 = Policy.standardTimerSessionDays, managersSee: ManagersSee = .everyone,
    absenceApproval: Set<AbsenceKind> = Policy.standardAbsenceApproval, isSelfApprovalAllowed: Bool = false,
    areAbsenceKindsVisible: Bool = false, isNegativeEntitlementAllowed: Bool = true,
    balanceCapAbove: Int64? = nil, balanceCapBelow: Int64? = nil,
    correctionsNeed: CorrectionsNeed = .nothing
  ) {
    self.minimumSeconds = minimumSeconds
    self.maximumSeconds = maximumSeconds
    self.editWindowDays = editWindowDays
    self.lookBackHours = lookBackHours
    self.notesMaximumCharacters = notesMaximumCharacters
    self.autoClockOutSeconds = autoClockOutSeconds
    self.dailyOvertimeSeconds = dailyOvertimeSeconds
    self.weeklyOvertimeSeconds = weeklyOvertimeSeconds
    self.weekStart = weekStart
    self.manualEntryDays = manualEntryDays
    self.membersMayCreateProjects = membersMayCreateProjects
    self.breakRules = breakRules
    self.breakMinimumSeconds = breakMinimumSeconds
    self.isProjectRequired = isProjectRequired
    self.membersMayEnterTimes = membersMayEnterTimes
    self.remindAfterSeconds = remindAfterSeconds
    self.timerSessionDays = timerSessionDays
    self.managersSee = managersSee
    self.absenceApproval = absenceApproval
    self.isSelfApprovalAllowed = isSelfApprovalAllowed
    self.areAbsenceKindsVisible = areAbsenceKindsVisible
    self.isNegativeEntitlementAllowed = isNegativeEntitlementAllowed
    self.balanceCapAbove = balanceCapAbove
    self.balanceCapBelow = balanceCapBelow
    self.correctionsNeed = correctionsNeed
  }

  /// A quarter of an hour.
  package static let standardBreakMinimum: Int64 = 900
  /// Two years.
  package static let standardTimerSessionDays: Int64 = 730
  /// All but sickness.
  package static let standardAbsenceApproval = Set(AbsenceKind.allCases).subtracting([.sick])

  /// One minute, sixteen hours, thirty days, seventy-two hours, 500 characters; entries stay active, nothing is
  /// overtime, weeks begin on Monday, members make projects and enter times, no breaks are asked for, no purpose is
  /// required, nobody is reminded, sessions of timers are kept for two years, managers see everyone, approve all absences
  /// but sickness, and not their own, entitlements may become negative, accounts have no caps, and corrections need nothing.
  package static let standard = Policy(
    minimumSeconds: 60, maximumSeconds: 16 * 3_600, editWindowDays: 30, lookBackHours: 72,
    notesMaximumCharacters: 500)

  /// The values that each limit may be set to.
  package enum Bounds {
    package static let minimumSeconds: ClosedRange<Int64> = 0...86_400
    package static let maximumSeconds: ClosedRange<Int64> = 60...604_800
    package static let editWindowDays: ClosedRange<Int64> = 0...3_650
    package static let lookBackHours: ClosedRange<Int64> = 0...8_760
    package static let notesMaximumCharacters: ClosedRange<Int64> = 0...10_000
    package static let autoClockOutSeconds: ClosedRange<Int64> = 60...1_209_600
    package static let dailyOvertimeSeconds: ClosedRange<Int64> = 0...86_400
    package static let weeklyOvertimeSeconds: ClosedRange<Int64> = 0...604_800
    package static let manualEntryDays: ClosedRange<Int64> = 0...3_650
    package static let breakMinimumSeconds: ClosedRange<Int64> = 0...86_400
    package static let remindAfterSeconds: ClosedRange<Int64> = 300...604_800
    package static let timerSessionDays: ClosedRange<Int64> = 1...3_650
    package static let balanceCapAbove: ClosedRange<Int64> = 0...36_000_000
    package static let balanceCapBelow: ClosedRange<Int64> = -36_000_000...0
  }

  /// Checks every limit against its bounds, and that the minimum lies below the maximum.
  ///
  /// - Throws: `TimeclockError.invalidPolicy` naming the limit as the contract does.
  package func validate() throws {
    let limits: [(name: String, value: Int64?, bounds: ClosedRange<Int64>)] = [
      ("minimumSeconds", minimumSeconds, Bounds.minimumSeconds),
      ("maximumSeconds", maximumSeconds, Bounds.maximumSeconds),
      ("editWindowDays", editWindowDays, Bounds.editWindowDays),
      ("lookBackHours", lookBackHours, Bounds.lookBackHours),
      ("notesMaximumCharacters", notesMaximumCharacters, Bounds.notesMaximumCharacters),
      ("autoClockOutAfter", autoClockOutSeconds, Bounds.autoClockOutSeconds),
      ("dailyOvertimeAfter", dailyOvertimeSeconds, Bounds.dailyOvertimeSeconds),
      ("weeklyOvertimeAfter", weeklyOvertimeSeconds, Bounds.weeklyOvertimeSeconds),
      ("manualEntryDays", manualEntryDays, Bounds.manualEntryDays),
      ("breakMinimumSeconds", breakMinimumSeconds, Bounds.breakMinimumSeconds),
      ("remindAfter", remindAfterSeconds, Bounds.remindAfterSeconds),
      ("timerSessionDays", timerSessionDays, Bounds.timerSessionDays),
      ("balanceCapAbove", balanceCapAbove, Bounds.balanceCapAbove),
      ("balanceCapBelow", balanceCapBelow, Bounds.balanceCapBelow),
    ]
    for limit in limits {
      if let value = limit.value { _ = try limit.bounds.requirePolicy(limit.name, value) }
    }
    guard minimumSeconds < maximumSeconds else {
      throw TimeclockError.invalidPolicy("minimumSeconds", "must be less than maximumSeconds")
    }
    try breakRules.validate()
  }
}
