import TimeclockDomain

// All that the totals of an approval are made of, as it is inside the transaction that approves.
extension RecordTransaction {
  /// A member's schedule. The member is locked, or nobody else writes.
  ///
  /// - Parameter zone: The organization's.
  /// - Throws: `.unknownTimeZone` if the system has the zone of a row no longer.
  func schedule(
    of user: UserKey, in organization: OrganizationKey, _ zone: Zone, _ zones: TimeZoneDatabase
  ) async throws -> Schedule {
    let rows = try await scheduleRows(of: .member(user), in: organization).map { kept in
      var row = kept.row
      row.zone = try kept.zone.map { name in
        guard let zone = zones.zone(name) else { throw TimeclockError.unknownTimeZone }
        return zone
      }
      return row
    }
    return Schedule(rows: rows, organizationZone: zone)
  }

  /// All that a member's balance depends on beside the work. Holidays stay as they are until the transaction ends: their
  /// calendars are locked, after the member.
  func balanceFacts(
    of user: UserKey, _ schedule: Schedule, in organization: OrganizationKey
  ) async throws -> BalanceFacts {
    let values: [RecordValue] = [.key(organization), .key(user)]
    if schedule.rows.contains(where: { $0.calendar != nil }) {
      try await lock(HolidayCalendar.lockOfMember, values)
    }
    return BalanceFacts(
      schedules: schedule.rows.isEmpty ? [:] : [user: schedule],
      holidays: try await holidays(ofSchedulesOf: .member(user), in: organization),
      absences: try await absences(of: .member(user), in: organization),
      adjustments: try await adjustments(of: .member(user), in: organization))
  }
}

extension HolidayCalendar {
  /// The calendars that the schedules of the member `$2` name, in one order.
  fileprivate static let lockOfMember = RecordStatement(
    """
    FROM holiday_calendars c WHERE c.organization_id = $1 AND c.holiday_calendar_id IN (SELECT s.holiday_calendar_id \
    FROM work_schedules s WHERE s.organization_id = $1 AND s.user_id = $2) ORDER BY c.holiday_calendar_id
    """,
    columns: RecordColumns("c.holiday_calendar_id"), lock: "FOR SHARE OF c")
}
