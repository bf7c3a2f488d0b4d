/// The public id of a holiday calendar.
package typealias HolidayCalendarID = Identifier<HolidayCalendar>

/// The holidays of a place, which lessen what the members there owe.
package struct HolidayCalendar: ShapedRecord {
  package var head: Head<HolidayCalendar>
  package var name = ""

  package init(head: Head<HolidayCalendar>) {
    self.head = head
  }

  package static let shape = Shape<HolidayCalendar>(
    .holidayCalendar, list: "holidayCalendars", fields: [.text("name", \.name, rule: Name.validated)])

  package static let limit = RecordLimit(50, orThrow: .tooManyHolidayCalendars)
}

extension TimeclockError {
  package static let tooManyHolidayCalendars = TimeclockError.plain(
    PlainRefusal(
      "too_many_holiday_calendars", against: .state,
      "An organization has at most 50 holiday calendars. Delete one first."))
}
