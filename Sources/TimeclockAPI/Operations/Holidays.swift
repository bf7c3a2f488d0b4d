import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the holidays of a calendar, by date.
  static let listHolidays = Operation("listHolidays") { request in
    let (start, end, limit, cursor, list) = try request.query { query in
      let list = try request.list("listHolidays", query)
      return (
        query.date("startDate"), query.date("endDate"), query.limit(), query.cursor(in: list) as RowCursor?,
        list
      )
    }
    try request.requireNoBody()
    let page = try await request.timeclock.holidays(
      of: request.pathIdentifier(.holidayCalendar), from: start, through: end, after: cursor, limit: limit,
      for: request.requireMembership())
    return page.response("holidays", of: list) { $1.write(to: &$0) }
  }

  /// Keeps a holiday on its date.
  static let putHoliday = Operation("putHoliday") { request in
    try request.requireNoQuery()
    let (calendar, date) = try request.pathHoliday()
    let stated = try request.body { body in
      StatedHoliday(
        date: date, name: body.string("name"), percent: body.optionalInteger("percent") ?? 100)
    }
    return try await request.timeclock.putHoliday(stated, of: calendar, by: request.requireMembership())
      .answer
  }

  /// Deletes the holiday on a date.
  static let deleteHoliday = Operation("deleteHoliday") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let (calendar, date) = try request.pathHoliday()
    try await request.timeclock.deleteHoliday(
      on: date, of: calendar, by: request.requireMembership())
    return .noContent
  }
}

extension OperationRequest {
  /// The calendar and the date of the path. Text that is no date is refused like a date without a holiday.
  fileprivate func pathHoliday() throws -> (HolidayCalendarID, LocalDate) {
    guard pathParameters.count == 3, let calendar = HolidayCalendarID(pathParameters[1]) else {
      throw TimeclockError.notFound(.holidayCalendar)
    }
    guard let date = LocalDate(iso8601: pathParameters[2]) else { throw TimeclockError.notFound(.holiday) }
    return (calendar, date)
  }
}
