import TimeclockDomain

/// A row of Harvest's detailed time report: one date, hours, and, if timers were used, the times of start and end.
enum HarvestReport {
  static func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    guard !fields[.startedAt].isEmpty else { throw ImportRefusal.timeMissing }
    guard !fields[.endedAt].isEmpty else { throw ImportRefusal.stillRunning }
    let date = try fields.date(.date, dateOrder)
    guard let start = StatedTime.millisecondOfDay(fields[.startedAt]) else {
      throw fields.malformed(.startedAt, "is no time of day such as 09:30 or 9:30am")
    }
    guard let end = StatedTime.millisecondOfDay(fields[.endedAt]) else {
      throw fields.malformed(.endedAt, "is no time of day such as 09:30 or 9:30am")
    }
    return ImportRow(
      person: person(fields), clockIn: .local(LocalTime(date: date, millisecondOfDay: start)),
      // An end before the start means that the entry ends after midnight.
      clockOut: .local(
        LocalTime(date: end < start ? date.adding(days: 1) : date, millisecondOfDay: end)),
      statedSeconds: StatedDuration.seconds(fields[.hours]), notes: fields.notes(fields[.notes]))
  }

  private static func person(_ fields: ImportFields) -> ImportPerson {
    let name = [fields[.firstName], fields[.lastName]].filter { !$0.isEmpty }.joined(separator: " ")
    if !fields[.email].isEmpty { return .email(fields[.email], name: name) }
    return name.isEmpty ? .unstated : .name(name)
  }
}
