import TimeclockDomain

/// A row with a start and an end, each a date and a time in one field, or a time of day beside a date: one date for both,
/// or one for each.
enum SpanFile {
  static func row(_ fields: ImportFields, _ reader: inout ImportRowReader) throws -> ImportRow {
    let format = fields.header.format
    var row: ImportRow
    if fields[.start].isEmpty {
      guard fields[.end].isEmpty else { throw fields.malformed(.start) }
      let (start, end) = try reader.hoursOnly(fields)
      row = ImportRow(person: fields.person, clockIn: start, clockOut: end)
    } else {
      let (start, end) = try times(fields, reader.dateOrder)
      row = ImportRow(person: fields.person, clockIn: start, clockOut: end, statedSeconds: try fields.seconds)
    }
    if format.isOfOnePerson { row.person = .unstated }
    row.timeZone = fields.timeZone
    row.notes = fields.notes
    return row
  }

  private static func times(
    _ fields: ImportFields, _ order: DateOrder
  ) throws -> (ImportTime, ImportEnd) {
    let format = fields.header.format
    let isRunning =
      fields[.end].isEmpty
      ? format.countsRunning && fields.header.place(of: .end) != nil
      : fields[.end] == fields[.start] && format.endsRunningAtStart
    guard !isRunning else { throw ImportRefusal.stillRunning }
    let start = try start(fields, order)
    guard !fields[.end].isEmpty else { return (start, try fields.endByDuration()) }
    guard let end = StatedTime.millisecondOfDay(fields[.end]) else {
      return (start, .time(try fields.time(.end, order)))
    }
    guard fields[.endDate].isEmpty else {
      let date = try fields.date(.endDate, order)
      return (start, .time(.local(LocalTime(date: date, millisecondOfDay: end))))
    }
    guard case .local(let local) = start else { return (start, .time(try fields.time(.end, order))) }
    return (start, .clock(millisecondOfDay: end, startDate: local.date))
  }

  private static func start(_ fields: ImportFields, _ order: DateOrder) throws -> ImportTime {
    let column = [ImportColumn.date, .startDate].first { !fields[$0].isEmpty }
    guard let column else { return try fields.time(.start, order) }
    let date = try fields.date(column, order)
    guard let millisecondOfDay = StatedTime.millisecondOfDay(fields[.start]) else {
      return try fields.time(.start, order)
    }
    return .local(LocalTime(date: date, millisecondOfDay: millisecondOfDay))
  }
}
