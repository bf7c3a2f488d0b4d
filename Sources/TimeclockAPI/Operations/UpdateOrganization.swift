import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Changes the organization's name, zone or policy.
  static let updateOrganization = Operation("updateOrganization") { request in
    try request.requireNoQuery()
    let (changes, version) = try request.optionalBody { body in
      let changes = OrganizationChanges(
        name: body.optionalString("name"), timeZone: body.optionalString("timeZone"),
        policy: body.optionalObject("policy", policyChanges) ?? PolicyChanges())
      return (changes, body.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.storage.organization(membership.key.organization).version
    }
    let organization = try await request.timeclock.updateOrganization(
      changes, expectedVersion: expectedVersion, by: membership)
    return .json(version: organization.version, organization.payload)
  }

  /// Null is a value only for the automatic clock-out, reminders, overtime, the days of manual entries and the caps of
  /// accounts; it turns each of them off.
  private static func policyChanges(_ policy: ObjectReader) -> PolicyChanges {
    func limit(_ name: String) -> Int64?? {
      let isGiven = policy.has(name)
      let seconds = policy.optionalInteger(name)
      return isGiven ? .some(seconds) : nil
    }
    return PolicyChanges(
      minimumSeconds: policy.optionalInteger("minimumSeconds"),
      maximumSeconds: policy.optionalInteger("maximumSeconds"),
      editWindowDays: policy.optionalInteger("editWindowDays"),
      lookBackHours: policy.optionalInteger("lookBackHours"),
      notesMaximumCharacters: policy.optionalInteger("notesMaximumCharacters"),
      autoClockOutSeconds: limit("autoClockOutAfter"), dailyOvertimeSeconds: limit("dailyOvertimeAfter"),
      weeklyOvertimeSeconds: limit("weeklyOvertimeAfter"), weekStart: policy.optionalChoice("weekStart"),
      manualEntryDays: limit("manualEntryDays"),
      membersMayCreateProjects: policy.optionalBool("membersMayCreateProjects"),
      breakRules: policy.optionalBreakRules("breakRules"),
      breakMinimumSeconds: policy.optionalInteger("breakMinimumSeconds"),
      isProjectRequired: policy.optionalBool("projectRequired"),
      membersMayEnterTimes: policy.optionalBool("membersMayEnterTimes"),
      remindAfterSeconds: limit("remindAfter"),
      timerSessionDays: policy.optionalInteger("timerSessionDays"),
      managersSee: policy.optionalChoice("managersSee"),
      absenceApproval: policy.optionalChoicesOrNone("absenceApproval"),
      isSelfApprovalAllowed: policy.optionalBool("selfApproval"),
      areAbsenceKindsVisible: policy.optionalBool("absenceKindsVisible"),
      isNegativeEntitlementAllowed: policy.optionalBool("allowNegativeEntitlement"),
      balanceCapAbove: limit("balanceCapAbove"), balanceCapBelow: limit("balanceCapBelow"),
      correctionsNeed: policy.optionalChoice("correctionsNeed"))
  }
}
