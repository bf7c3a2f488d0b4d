/// A date of a holiday calendar on which less is owed. A calendar has one a date.
package struct Holiday: ShapedRecord {
  package var head: Head<Holiday>
  /// The calendar; none only before the record is filled.
  package var calendarID: HolidayCalendarID?
  package var date = LocalDate.earliest
  package var name = ""
  /// The hundredths of a plan that need not be worked.
  package var percent: Int64 = 100

  package init(head: Head<Holiday>) {
    self.head = head
  }

  package static let shape = Shape<Holiday>(
    .holiday, list: "holidays",
    fields: [
      .reference("calendarId", \.calendarID, onCreate: .requiredAndFixed),
      .date("date", \.date, onCreate: .requiredAndFixed),
      .text("name", \.name, rule: Name.validated),
      .number("percent", \.percent, onCreate: .optional, rule: Holidays.validated(percent:)),
    ])

  /// The most holidays that a calendar has.
  package static let maximumCount: Int64 = 2_000
}

/// A holiday as somebody states it.
package struct StatedHoliday: Hashable, Sendable {
  package var date: LocalDate
  package var name: String
  package var percent: Int64

  package init(date: LocalDate, name: String, percent: Int64) {
    self.date = date
    self.name = name
    self.percent = percent
  }

  /// The holiday with its name trimmed.
  ///
  /// - Throws: `.invalidName`, `.invalidPercent`.
  package func validated() throws -> StatedHoliday {
    StatedHoliday(
      date: date, name: try Name.validated(name), percent: try Holidays.validated(percent: percent))
  }
}

extension StatedHoliday {
  /// One holiday a date, by date: several on one have their names joined by ` / `, as far as a name may be long, and the
  /// greatest percent. A name that is there already is not repeated.
  package static func joined(_ holidays: [StatedHoliday]) -> [StatedHoliday] {
    var joined: [StatedHoliday] = []
    for holiday in holidays.enumerated().sorted(by: {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }).map(\.element) {
      guard var last = joined.last, last.date == holiday.date else {
        joined.append(holiday)
        continue
      }
      let names =
        last.name.split(separator: " / ").contains(holiday.name[...])
        ? [last.name] : [last.name, holiday.name]
      let name = names.joined(separator: " / ")
      if (try? Name.validated(name)) != nil { last.name = name }
      last.percent = max(last.percent, holiday.percent)
      joined[joined.count - 1] = last
    }
    return joined
  }
}

extension TimeclockError {
  /// The preset that a body names is none, or none of the year.
  package static let holidayPresetNotFound = TimeclockError.plain(
    PlainRefusal(
      "holiday_preset_not_found", against: .rule,
      "There is no such preset, or its holidays of the year are not known. listHolidayPresets has all, with their last year."
    ))

  package static let tooManyHolidays = TimeclockError.plain(
    PlainRefusal(
      "too_many_holidays", against: .state,
      "A holiday calendar has at most \(Holiday.maximumCount) holidays. Delete those of past years first."))
}
