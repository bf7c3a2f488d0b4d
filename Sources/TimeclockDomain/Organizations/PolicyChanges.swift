/// The content of an operator's request to create an organization.
package struct NewOrganizationRequest: Sendable {
  package var name: String
  package var timeZone: String
  package var adminEmail: String
  package var adminName: String

  package init(name: String, timeZone: String, adminEmail: String, adminName: String) {
    self.name = name
    self.timeZone = timeZone
    self.adminEmail = adminEmail
    self.adminName = adminName
  }
}

/// Changes of an organization by an admin; nil leaves a value as it is.
package struct OrganizationChanges: Sendable {
  package var name: String?
  package var timeZone: String?
  package var policy: PolicyChanges

  package init(name: String? = nil, timeZone: String? = nil, policy: PolicyChanges = PolicyChanges()) {
    self.name = name
    self.timeZone = timeZone
    self.policy = policy
  }
}

/// Changes of a policy by an admin; nil leaves a limit as it is.
package struct PolicyChanges: Sendable {
  package var minimumSeconds: Int64?
  package var maximumSeconds: Int64?
  package var editWindowDays: Int64?
  package var lookBackHours: Int64?
  package var notesMaximumCharacters: Int64?
  /// The inner nil leaves entries active however long.
  package var autoClockOutSeconds: Int64??
  /// The inner nil counts no overtime by the day.
  package var dailyOvertimeSeconds: Int64??
  /// The inner nil counts no overtime by the week.
  package var weeklyOvertimeSeconds: Int64??
  package var weekStart: Weekday?
  /// The inner nil lets members enter time of any day.
  package var manualEntryDays: Int64??
  package var membersMayCreateProjects: Bool?
  package var breakRules: [BreakRule]?
  package var breakMinimumSeconds: Int64?
  package var isProjectRequired: Bool?
  package var membersMayEnterTimes: Bool?
  /// The inner nil reminds nobody.
  package var remindAfterSeconds: Int64??
  package var timerSessionDays: Int64?
  package var managersSee: Policy.ManagersSee?
  package var absenceApproval: Set<AbsenceKind>?
  package var isSelfApprovalAllowed: Bool?
  package var areAbsenceKindsVisible: Bool?
  package var isNegativeEntitlementAllowed: Bool?
  /// The inner nil lets accounts be as large as they are.
  package var balanceCapAbove: Int64??
  /// The inner nil lets accounts be as far below 0 as they are.
  package var balanceCapBelow: Int64??
  package var correctionsNeed: Policy.CorrectionsNeed?

  package init(
    minimumSeconds: Int64? = nil, maximumSeconds: Int64? = nil, editWindowDays: Int64? = nil,
    lookBackHours: Int64? = nil, notesMaximumCharacters: Int64? = nil, autoClockOutSeconds: Int64?? = nil,
    dailyOvertimeSeconds: Int64?? = nil, weeklyOvertimeSeconds: Int64?? = nil, weekStart: Weekday? = nil,
    manualEntryDays: Int64?? = nil, membersMayCreateProjects: Bool? = nil, breakRules: [BreakRule]? = nil,
    breakMinimumSeconds: Int64? = nil, isProjectRequired: Bool? = nil, membersMayEnterTimes: Bool? = nil,
    remindAfterSeconds: Int64?? = nil, timerSessionDays: Int64? = nil,
    managersSee: Policy.ManagersSee? = nil,
    absenceApproval: Set<AbsenceKind>? = nil, isSelfApprovalAllowed: Bool? = nil,
    areAbsenceKindsVisible: Bool? = nil, isNegativeEntitlementAllowed: Bool? = nil,
    balanceCapAbove: Int64?? = nil, balanceCapBelow: Int64?? = nil,
    correctionsNeed: Policy.CorrectionsNeed? = nil
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

  /// The policy with these changes, checked.
  ///
  /// - Throws: `TimeclockError.invalidPolicy`.
  package func applied(to policy: Policy) throws -> Policy {
    let changed = Policy(
      minimumSeconds: minimumSeconds ?? policy.minimumSeconds,
      maximumSeconds: maximumSeconds ?? policy.maximumSeconds,
      editWindowDays: editWindowDays ?? policy.editWindowDays,
      lookBackHours: lookBackHours ?? policy.lookBackHours,
      notesMaximumCharacters: notesMaximumCharacters ?? policy.notesMaximumCharacters,
      autoClockOutSeconds: autoClockOutSeconds ?? policy.autoClockOutSeconds,
      dailyOvertimeSeconds: dailyOvertimeSeconds ?? policy.dailyOvertimeSeconds,
      weeklyOvertimeSeconds: weeklyOvertimeSeconds ?? policy.weeklyOvertimeSeconds,
      weekStart: weekStart ?? policy.weekStart,
      manualEntryDays: manualEntryDays ?? policy.manualEntryDays,
      membersMayCreateProjects: membersMayCreateProjects ?? policy.membersMayCreateProjects,
      breakRules: breakRules ?? policy.breakRules,
      breakMinimumSeconds: breakMinimumSeconds ?? policy.breakMinimumSeconds,
      isProjectRequired: isProjectRequired ?? policy.isProjectRequired,
      membersMayEnterTimes: membersMayEnterTimes ?? policy.membersMayEnterTimes,
      remindAfterSeconds: remindAfterSeconds ?? policy.remindAfterSeconds,
      timerSessionDays: timerSessionDays ?? policy.timerSessionDays,
      managersSee: managersSee ?? policy.managersSee,
      absenceApproval: absenceApproval ?? policy.absenceApproval,
      isSelfApprovalAllowed: isSelfApprovalAllowed ?? policy.isSelfApprovalAllowed,
      areAbsenceKindsVisible: areAbsenceKindsVisible ?? policy.areAbsenceKindsVisible,
      isNegativeEntitlementAllowed: isNegativeEntitlementAllowed ?? policy.isNegativeEntitlementAllowed,
      balanceCapAbove: balanceCapAbove ?? policy.balanceCapAbove,
      balanceCapBelow: balanceCapBelow ?? policy.balanceCapBelow,
      correctionsNeed: correctionsNeed ?? policy.correctionsNeed)
    try changed.validate()
    return changed
  }
}
