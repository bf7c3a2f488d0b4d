import TimeclockDomain

/// A row of a member's schedule as it is kept: with the name of its zone.
package struct KeptScheduleRow: Sendable {
  package let user: UserKey
  package let userID: UserID
  /// Without a zone.
  package let row: ScheduleRow
  /// Nil for the organization's.
  package let zone: TimeZoneIdentifier?

  private static func statement(where condition: String) -> RecordStatement {
    RecordStatement(
      "FROM work_schedules s WHERE s.organization_id = $1\(condition)",
      columns: RecordColumns([
        ("user", "s.user_id"), ("user_id", "(SELECT u.id FROM users u WHERE u.user_id = s.user_id)"),
        ("from", "s.from_date"),
        ("seconds_by_weekday", "s.seconds_by_weekday"), ("calendar", "s.holiday_calendar_id"),
        ("works_on_holidays", "s.works_on_holidays"), ("time_zone", "s.time_zone"),
        ("workday_start", "s.workday_start"),
      ]))
  }

  fileprivate static let statements = SelectingStatements(by: "s.user_id", row: "$2", statement)

  fileprivate init<Row>(_ row: inout RecordRow<Row>) throws {
    user = UserKey(row.integer("user"))
    userID = try row.identifier("user_id")
    let from = row.date("from")
    guard let plan = try? WeekPlan(secondsByWeekday: row.integers("seconds_by_weekday")) else {
      throw UnknownWord(column: "seconds_by_weekday")
    }
    let calendar = row.optionalInteger("calendar")
    let worksOnHolidays = row.bool("works_on_holidays")
    zone = try row.optionalTimeZone("time_zone")
    guard let start = TimeOfDay(row.text("workday_start")) else { throw UnknownWord(column: "workday_start") }
    self.row = ScheduleRow(
      from: from, plan: plan, calendar: calendar, worksOnHolidays: worksOnHolidays, workdayStart: start)
  }
}

extension Storage {
  /// The rows of the schedules of an organization's members, in any order.
  package func scheduleRows(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [KeptScheduleRow] {
    try await read(
      KeptScheduleRow.statements[members], [.key(organization)] + members.values,
      in: .organization(organization), limit: members.user == nil ? 10_000 : 10, KeptScheduleRow.init)
  }
}

extension RecordTransaction {
  /// The rows of the schedules of an organization's members, in any order.
  func scheduleRows(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [KeptScheduleRow] {
    try await read(
      KeptScheduleRow.statements[members], [.key(organization)] + members.values, KeptScheduleRow.init)
  }
}
