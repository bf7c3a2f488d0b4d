import TimeclockDomain

extension WorkSchedule: MemberRecord {
  package static let table = ShapedTable(shape)

  /// Whether a schedule names the calendar `$2`.
  fileprivate static let ofCalendar = RecordStatement(
    "FROM work_schedules WHERE organization_id = $1 AND holiday_calendar_id = $2 LIMIT 1",
    columns: RecordColumns("work_schedule_id"))

  /// Refuses a second schedule from a date, schedules by which dates would not follow one another, and those by which the date
  /// behind a mark of the member would begin at another instant.
  package static func judge<Transaction: RecordTransaction>(
    _ change: MemberRecordChange<WorkSchedule>, _ transaction: Transaction
  ) async throws -> [String: Int64?] {
    let others = try await change.others(transaction)
    if let after = change.after, others.contains(where: { $0.record.from == after.from }) {
      throw TimeclockError.scheduleExists
    }
    // The zone of the organization stays as it is until the transaction ends.
    let organization = try await transaction.first(
      Organization.lockedZone, [.key(change.organization)]
    ) { try $0.timeZone("time_zone") }
    guard let organization, let zone = change.zones.zone(organization) else {
      throw TimeclockError.unknownTimeZone
    }
    let all = others.map(\.record) + (change.after.map { [$0] } ?? [])
    let schedule = Schedule(
      rows: try all.map { try $0.row(calendar: nil, zones: change.zones) }, organizationZone: zone)
    try schedule.validate()
    if let userID = (change.after ?? change.before?.record)?.userID {
      try await transaction.requireSameEnds(of: userID, by: schedule, in: change.organization)
    }
    return [
      "holiday_calendar_id": try await transaction.keep(
        change.after?.holidayCalendarID, in: change.organization)
    ]
  }
}

extension Organization {
  fileprivate static let lockedZone = RecordStatement(
    "FROM organizations o WHERE o.organization_id = $1",
    columns: RecordColumns([("time_zone", "o.time_zone")]),
    lock: "FOR SHARE")
}

extension HolidayCalendar {
  /// Nobody deletes it.
  fileprivate static let kept = table.locked("FOR KEY SHARE OF r")
}

extension RecordTransaction {
  /// Keeps a calendar from being deleted until the transaction ends.
  ///
  /// - Returns: The number of its row; nil for none.
  /// - Throws: `.holidayCalendarNotFound`.
  fileprivate func keep(_ id: HolidayCalendarID?, in organization: OrganizationKey) async throws -> Int64? {
    guard let id else { return nil }
    let found = try await first(
      HolidayCalendar.kept, [.key(organization), .identifier(id)], NumberedRecord<HolidayCalendar>.init)
    guard let found else { throw TimeclockError.holidayCalendarNotFound }
    return found.number
  }

  /// Refuses the deletion of a calendar that schedules name.
  ///
  /// - Parameter calendar: The number of its row, which is locked for that.
  func requireNoSchedules(ofCalendar calendar: Int64, in organization: OrganizationKey) async throws {
    guard try await !exists(WorkSchedule.ofCalendar, [.key(organization), .integer(calendar)]) else {
      throw TimeclockError.holidayCalendarInUse
    }
  }
}
