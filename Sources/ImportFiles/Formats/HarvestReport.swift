import TimeclockDomain

/// A row of Harvest's detailed time report: one date, hours, and, if timers were used, the times of start and end.
enum HarvestReport {
  static func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    guard !fields[.start].isEmpty else { throw ImportRefusal.timeMissing }
    guard !fields[.end].isEmpty else { throw ImportRefusal.stillRunning }
    let date = try fields.date(.date, dateOrder)
    let start = try fields.timeOfDay(.start)
    let end = try fields.timeOfDay(.end)
    return ImportRow(
      person: fields.person, clockIn: .local(LocalTime(date: date, millisecondOfDay: start)),
      // An end before the start means that the entry ends after midnight.
      clockOut: .time(
        .local(LocalTime(date: end < start ? date.adding(days: 1) : date, millisecondOfDay: end))),
      statedSeconds: fields.seconds, notes: fields.notes)
  }
}
