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
    let start = try time(fields, .startDate, .startTime, dateOrder)
    return ImportRow(
      person: fields.person, clockIn: .local(start),
      clockOut: isEnded ? try end(fields, after: start, dateOrder) : try endWithout(fields),
      statedSeconds: try fields.seconds, timeZone: fields.timeZone, notes: fields.notes)
  }

  private static func end(
    _ fields: ImportFields, after start: LocalTime, _ order: DateOrder
  ) throws -> ImportEnd {
    guard fields[.endDate].isEmpty else { return .time(.local(try time(fields, .endDate, .endTime, order))) }
    return .clock(millisecondOfDay: try fields.timeOfDay(.endTime), startDate: start.date)
  }

  /// The end of a row that has none. In a file with columns of ends it was running, and its duration is that until
  /// then.
  private static func endWithout(_ fields: ImportFields) throws -> ImportEnd {
    let hasEnds = [ImportColumn.endDate, .endTime].contains { fields.header.place(of: $0) != nil }
    guard !hasEnds else { throw ImportRefusal.stillRunning }
    return try fields.endByDuration()
  }

  private static func time(
    _ fields: ImportFields, _ date: ImportColumn, _ time: ImportColumn, _ order: DateOrder
  ) throws -> LocalTime {
    LocalTime(date: try fields.date(date, order), millisecondOfDay: try fields.timeOfDay(time))
  }
}
