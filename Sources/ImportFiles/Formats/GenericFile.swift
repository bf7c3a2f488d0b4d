import TimeclockDomain

/// A row of the service's own format: `email,name,clockInTime,clockOutTime,notes,timeZone,kind`.
enum GenericFile {
  static func row(_ fields: ImportFields, _ dateOrder: DateOrder) throws -> ImportRow {
    guard !fields[.start].isEmpty else { throw ImportRefusal.timeMissing }
    return ImportRow(
      person: fields.person, clockIn: try fields.time(.start, dateOrder),
      clockOut: fields[.end].isEmpty
        ? try fields.endByDuration() : .time(try fields.time(.end, dateOrder)),
      statedSeconds: fields.seconds, timeZone: fields[.timeZone].isEmpty ? nil : fields[.timeZone],
      notes: fields.notes)
  }
}
