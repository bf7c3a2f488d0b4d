import TimeclockDomain

extension Organization {
  /// Writes the contract's Organization.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("timeZone", timeZone.name)
      writer.name("policy")
      policy.write(to: &writer)
      writer.member("active", state == .active)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("version", version)
    }
  }

  /// The contract's Organization.
  var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension Policy {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("minimumSeconds", minimumSeconds)
      writer.member("maximumSeconds", maximumSeconds)
      writer.member("editWindowDays", editWindowDays)
      writer.member("lookBackHours", lookBackHours)
      writer.member("notesMaximumCharacters", notesMaximumCharacters)
      writer.member("autoClockOutAfter", autoClockOutSeconds)
      writer.member("dailyOvertimeAfter", dailyOvertimeSeconds)
      writer.member("weeklyOvertimeAfter", weeklyOvertimeSeconds)
      writer.member("weekStart", weekStart.rawValue)
      writer.member("manualEntryDays", manualEntryDays)
      writer.member("membersMayCreateProjects", membersMayCreateProjects)
      writer.array("breakRules", breakRules) { $0.breakRule($1) }
      writer.member("breakMinimumSeconds", breakMinimumSeconds)
      writer.member("projectRequired", isProjectRequired)
      writer.member("membersMayEnterTimes", membersMayEnterTimes)
      writer.member("remindAfter", remindAfterSeconds)
      writer.member("timerSessionDays", timerSessionDays)
      writer.member("managersSee", managersSee.rawValue)
      writer.array("absenceApproval", absenceApproval.inOrder) { $0.string($1.rawValue) }
      writer.member("selfApproval", isSelfApprovalAllowed)
      writer.member("absenceKindsVisible", areAbsenceKindsVisible)
      writer.member("allowNegativeEntitlement", isNegativeEntitlementAllowed)
      writer.member("balanceCapAbove", balanceCapAbove)
      writer.member("balanceCapBelow", balanceCapBelow)
      writer.member("correctionsNeed", correctionsNeed.rawValue)
    }
  }
}
