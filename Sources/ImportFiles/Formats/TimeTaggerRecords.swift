import TimeclockDomain

/// A row of TimeTagger's records. The description holds the tags. A running record has no stop, or its start as its stop.
enum TimeTaggerRecords {
  static func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    guard !fields[.start].isEmpty else { throw ImportRefusal.timeMissing }
    guard fields[.end] != fields[.start] else { throw ImportRefusal.stillRunning }
    return ImportRow(
      person: .unstated, clockIn: try fields.time(.start, dateOrder),
      clockOut: fields[.end].isEmpty
        ? try fields.endByDuration() : .time(try fields.time(.end, dateOrder)),
      notes: fields[.description])
  }
}
