import TimeclockDomain

/// A row of the service's own format: `email,name,clockInTime,clockOutTime,notes,timeZone`.
enum GenericFile {
  static func row(_ fields: ImportFields) throws -> ImportRow {
    guard !fields[.clockInTime].isEmpty else { throw ImportRefusal.timeMissing }
    guard !fields[.clockOutTime].isEmpty else { throw ImportRefusal.stillRunning }
    return ImportRow(
      person: fields.personWithEmail, clockIn: try fields.time(.clockInTime),
      clockOut: try fields.time(.clockOutTime),
      timeZone: fields[.timeZone].isEmpty ? nil : fields[.timeZone], notes: fields[.notes])
  }
}
