import TimeclockDomain

/// A row of Toggl Track's or Clockify's detailed report, with dates and times of day in separate fields.
enum DetailedReport {
  static func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    let isStarted = !fields[.startDate].isEmpty || !fields[.startTime].isEmpty
    guard isStarted else { throw ImportRefusal.timeMissing }
    guard !fields[.endDate].isEmpty || !fields[.endTime].isEmpty else { throw ImportRefusal.stillRunning }
    return ImportRow(
      person: fields.personWithEmail,
      clockIn: try time(fields, .startDate, .startTime, dateOrder),
      clockOut: try time(fields, .endDate, .endTime, dateOrder),
      statedSeconds: StatedDuration.seconds(fields[.duration])
        ?? StatedDuration.seconds(fields[.durationDecimal]),
      notes: fields.notes(fields[.description], tags: fields[.tags]))
  }

  private static func time(
    _ fields: ImportFields, _ dateColumn: ImportColumn, _ timeColumn: ImportColumn, _ order: DateOrder
  ) throws -> ImportTime {
    let date = try fields.date(dateColumn, order)
    guard let millisecondOfDay = StatedTime.millisecondOfDay(fields[timeColumn]) else {
      throw fields.malformed(timeColumn, "is no time of day such as 09:30 or 9:30 AM")
    }
    return .local(LocalTime(date: date, millisecondOfDay: millisecondOfDay))
  }
}
