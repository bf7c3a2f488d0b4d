import HTTPMessages
import HolidayPresets
import ImportFiles
import Procedures
import TimeclockDomain

extension Operation {
  /// Takes the holidays of a calendar file, or of a preset.
  static let importHolidays = Operation("importHolidays") { request in
    let holidays = try await request.holidaysToImport()
    let calendar: HolidayCalendarID = try request.pathIdentifier(.holidayCalendar)
    let membership = try request.requireMembership()
    return try await request.once { kept in
      var writer = JSONWriter()
      kept.counts.write(to: &writer)
      return .json(writer.bytes)
    } perform: { recording in
      try await request.timeclock.importHolidays(holidays, of: calendar, by: membership, recording: recording)
    }
  }
}

extension OperationRequest {
  /// The holidays of a body: of a file the dates that the query asks for, or the preset that JSON names.
  fileprivate func holidaysToImport() async throws -> [StatedHoliday] {
    let (start, end) = try query { ($0.date("startDate"), $0.date("endDate")) }
    guard MediaType.isUTF8("text/calendar", http.fields["Content-Type"]) else {
      let (preset, year) = try body(orElse: "text/calendar") { ($0.string("preset"), $0.integer("year")) }
      guard let found = HolidayPresets.holidays(of: preset, in: Int(clamping: year)) else {
        throw TimeclockError.holidayPresetNotFound
      }
      return found
    }
    let year = LocalDate(
      daysSince1970: Int32(clamping: timeclock.clock.now.millisecondsSince1970 / 86_400_000)
    ).year
    let first = start ?? LocalDate(year: year, month: 1, day: 1) ?? .earliest
    let last = end ?? LocalDate(year: year + 2, month: 12, day: 31) ?? .latest
    guard first <= last else { throw TimeclockError.invalidDateRange }
    do {
      // Not on the event loop, which serves others meanwhile: repeated events are many dates.
      return try await Task.detached { [bytes = http.body] in
        try CalendarFile.holidays(in: bytes, within: first...last)
      }
      .value.map { StatedHoliday(date: $0.date, name: $0.name, percent: 100) }
    } catch let error as CalendarFileError {
      throw RequestError.unreadableCalendar(error)
    }
  }
}

extension HolidayCounts {
  /// Writes the contract's ImportedHolidays.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("created", Int64(created))
      writer.member("updated", Int64(updated))
      writer.member("unchanged", Int64(unchanged))
    }
  }
}
