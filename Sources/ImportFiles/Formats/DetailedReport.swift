import TimeclockDomain

/// A row with dates and times of day in separate fields, as in Toggl Track's and Clockify's detailed reports.
enum DetailedReport {
  static func row(_ fields: ImportFields, _ reader: inout ImportRowReader) throws -> ImportRow {
    let dateOrder = reader.dateOrder
    let isEnded = !fields[.endDate].isEmpty || !fields[.endTime].isEmpty
    guard !fields[.startTime].isEmpty || !fields[.endTime].isEmpty else {
      let (start, end) = try reader.hoursOnly(fields)
      return ImportRow(
        person: fields.person, clockIn: start, clockOut: end, timeZone: fields.timeZone, notes: fields.notes)
    }
    return ImportRow(
      person: fields.person, clockIn: try time(fields, .startDate, .startTime, dateOrder),
      clockOut: isEnded
        ? .time(try time(fields, .endDate, .endTime, dateOrder)) : try fields.endByDuration(),
      statedSeconds: fields.seconds, timeZone: fields.timeZone, notes: fields.notes)
  }

  private static func time(
    _ fields: ImportFields, _ date: ImportColumn, _ time: ImportColumn, _ order: DateOrder
  ) throws -> ImportTime {
    .local(LocalTime(date: try fields.date(date, order), millisecondOfDay: try fields.timeOfDay(time)))
  }
}
