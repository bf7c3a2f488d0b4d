import TimeclockDomain

extension Policy {
  /// The columns of the policy, in the table of organizations.
  static let fields: [RecordField<Policy>] = [
    .field("minimum_seconds", .integer) { .integer($0.minimumSeconds) },
    .field("maximum_seconds", .integer) { .integer($0.maximumSeconds) },
    .field("edit_window_days", .integer) { .integer($0.editWindowDays) },
    .field("look_back_hours", .integer) { .integer($0.lookBackHours) },
    .field("notes_maximum_characters", .integer) { .integer($0.notesMaximumCharacters) },
    .field("auto_clock_out_seconds", .integer) { .optional($0.autoClockOutSeconds) },
    .field("daily_overtime_seconds", .integer) { .optional($0.dailyOvertimeSeconds) },
    .field("weekly_overtime_seconds", .integer) { .optional($0.weeklyOvertimeSeconds) },
    .field("week_start", .integer) { .integer($0.weekStart.number) },
    .field("manual_entry_days", .integer) { .optional($0.manualEntryDays) },
    .field("members_may_create_projects", .bool) { .bool($0.membersMayCreateProjects) },
    .field("break_rules", .text) { .text($0.breakRules.stored) },
    .field("break_minimum_seconds", .integer) { .integer($0.breakMinimumSeconds) },
    .field("project_required", .bool) { .bool($0.isProjectRequired) },
    .field("members_may_enter_times", .bool) { .bool($0.membersMayEnterTimes) },
    .field("remind_after_seconds", .integer) { .optional($0.remindAfterSeconds) },
    .field("timer_session_days", .integer) { .integer($0.timerSessionDays) },
    .field("managers_see", .text) { .text($0.managersSee.rawValue) },
    .field("absence_approval", .text) {
      // Each request reads the policy, and nearly none has a list to take apart.
      .optional($0.absenceApproval == standardAbsenceApproval ? nil : $0.absenceApproval.stored)
    },
    .field("self_approval", .bool) { .bool($0.isSelfApprovalAllowed) },
    .field("absence_kinds_visible", .bool) { .bool($0.areAbsenceKindsVisible) },
    .field("allow_negative_entitlement", .bool) { .bool($0.isNegativeEntitlementAllowed) },
    .field("balance_cap_above", .integer) { .optional($0.balanceCapAbove) },
    .field("balance_cap_below", .integer) { .optional($0.balanceCapBelow) },
    .field("corrections_need", .text) { .text($0.correctionsNeed.rawValue) },
  ]

  /// The columns as statements give them, of the table that they call `alias`.
  static func columns(of alias: String) -> [(name: String, expression: String)] {
    fields.map { ($0.name, "\(alias).\($0.name)") }
  }

  /// The policy in a row that has `columns`.
  init<Row>(_ row: inout RecordRow<Row>) {
    self.init(
      minimumSeconds: row.integer("minimum_seconds"), maximumSeconds: row.integer("maximum_seconds"),
      editWindowDays: row.integer("edit_window_days"), lookBackHours: row.integer("look_back_hours"),
      notesMaximumCharacters: row.integer("notes_maximum_characters"),
      autoClockOutSeconds: row.optionalInteger("auto_clock_out_seconds"),
      dailyOvertimeSeconds: row.optionalInteger("daily_overtime_seconds"),
      weeklyOvertimeSeconds: row.optionalInteger("weekly_overtime_seconds"),
      weekStart: Weekday(number: row.integer("week_start")) ?? .monday,
      manualEntryDays: row.optionalInteger("manual_entry_days"),
      membersMayCreateProjects: row.bool("members_may_create_projects"),
      breakRules: [BreakRule](stored: row.text("break_rules")),
      breakMinimumSeconds: row.integer("break_minimum_seconds"),
      isProjectRequired: row.bool("project_required"),
      membersMayEnterTimes: row.bool("members_may_enter_times"),
      remindAfterSeconds: row.optionalInteger("remind_after_seconds"),
      timerSessionDays: row.integer("timer_session_days"),
      managersSee: ManagersSee(rawValue: row.text("managers_see")) ?? .ownGroups,
      absenceApproval: row.optionalText("absence_approval").map(Set.init(storedAbsenceKinds:))
        ?? Policy.standardAbsenceApproval,
      isSelfApprovalAllowed: row.bool("self_approval"),
      areAbsenceKindsVisible: row.bool("absence_kinds_visible"),
      isNegativeEntitlementAllowed: row.bool("allow_negative_entitlement"),
      balanceCapAbove: row.optionalInteger("balance_cap_above"),
      balanceCapBelow: row.optionalInteger("balance_cap_below"),
      correctionsNeed: CorrectionsNeed(rawValue: row.text("corrections_need")) ?? .consent)
  }
}

extension Organization {
  package static let table = RecordTable<Organization>(
    "organizations", key: .organization,
    fields: [
      .fixed("id", .identifier) { .identifier($0.id) },
      .field("name", .text) { .text($0.name) },
      .field("time_zone", .text) { .text($0.timeZone.name) },
      .field("state", .text) { .text($0.state.rawValue) },
      .field("version", .integer) { .integer($0.version) },
      .fixed("created_at", .integer) { .instant($0.createdAt) },
      .field("updated_at", .integer) { .instant($0.updatedAt) },
    ] + Policy.fields.map { $0.within(\.policy) })

  private static let columns = RecordColumns(table.columns(of: "o"))
  private static let row = "FROM organizations o WHERE o.organization_id = $1"
  package static let one = RecordStatement(row, columns: columns)
  static let locked = RecordStatement(row, columns: columns, lock: "FOR NO KEY UPDATE")
  /// The organization stays as it is for everybody who has it so.
  static let shared = RecordStatement(row, columns: columns, lock: "FOR SHARE")
  static let lockedPolicy = RecordStatement(
    row, columns: RecordColumns(Policy.columns(of: "o")), lock: "FOR SHARE")
  /// Nobody else changes the organization, or its members, until the transaction ends.
  static let lock = RecordStatement(
    row, columns: RecordColumns("o.organization_id"), lock: "FOR NO KEY UPDATE")

  /// The organization in a row of `one`.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), name: row.text("name"), timeZone: try row.timeZone("time_zone"),
      policy: .standard, state: try row.choice("state"), version: row.integer("version"),
      createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
    policy = Policy(&row)
  }
}

extension Organization: VersionedRecord {
  package mutating func restoreFixed(from before: Organization) {
    var record = before
    record.name = name
    record.timeZone = timeZone
    record.policy = policy
    record.state = state
    self = record
  }
}
