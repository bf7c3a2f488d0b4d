import TimeclockDomain

extension Timeclock {
  /// A page of a calendar's holidays, by date, for every member.
  ///
  /// - Throws: `.notFound(.holidayCalendar)`, `.invalidDateRange`.
  package func holidays(
    of calendar: HolidayCalendarID, from start: LocalDate?, through end: LocalDate?, after cursor: RowCursor?,
    limit: Int, for caller: Membership
  ) async throws -> Page<Holiday, RowCursor> {
    let (start, end) = (start ?? .earliest, end ?? .latest)
    guard start <= end else { throw TimeclockError.invalidDateRange }
    return try await storage.holidays(
      of: calendar, from: start, through: end, after: cursor, limit: limit, in: caller.key.organization)
  }

  /// Keeps a holiday on its date, in place of the one there.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidPercent`, `.notFound(.holidayCalendar)`, `.tooManyHolidays`,
  ///   `.periodLocked`.
  package func putHoliday(
    _ stated: StatedHoliday, of calendar: HolidayCalendarID, by caller: Membership
  ) async throws -> Holiday {
    try caller.require(.admin)
    let now = clock.now
    let kept = try await storage.putHolidays(
      [try stated.validated()], of: calendar, in: caller.organizationID, caller.key.organization,
      context: caller.change("putHoliday", at: now)
    ) { [identifiers] in identifiers.next(at: now) }
    return kept.holidays[0]
  }

  /// Keeps holidays out of a file or a preset, each on its date in place of the one there; others stay.
  ///
  /// - Parameter holidays: In any order. Several on one date are one, with their names joined by ` / ` and the greatest
  ///   percent.
  /// - Throws: `.forbidden`, `.invalidName`, `.notFound(.holidayCalendar)`, `.tooManyHolidays`, `.periodLocked`.
  package func importHolidays(
    _ holidays: [StatedHoliday], of calendar: HolidayCalendarID, by caller: Membership,
    recording: AnswerRecording<KeptHolidays>? = nil
  ) async throws -> KeptHolidays {
    try caller.require(.admin)
    let now = clock.now
    return try await storage.putHolidays(
      StatedHoliday.joined(holidays).map { try $0.validated() }, of: calendar, in: caller.organizationID,
      caller.key.organization, context: caller.change("importHolidays", at: now), recording: recording
    ) { [identifiers] in identifiers.next(at: now) }
  }

  /// Deletes the holiday on a date.
  ///
  /// - Throws: `.forbidden`, `.notFound(.holidayCalendar)`, `.notFound(.holiday)`, `.periodLocked`.
  package func deleteHoliday(
    on date: LocalDate, of calendar: HolidayCalendarID, by caller: Membership
  ) async throws {
    try caller.require(.admin)
    try await storage.deleteHoliday(
      on: date, of: calendar, in: caller.key.organization,
      context: caller.change("deleteHoliday", at: clock.now))
  }
}
