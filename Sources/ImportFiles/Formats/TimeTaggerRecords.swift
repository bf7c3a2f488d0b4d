import TimeclockDomain

/// A row of TimeTagger's records. The description holds the tags. A running record has no stop, or its start as its stop.
enum TimeTaggerRecords {
  static func row(_ fields: ImportFields) throws -> ImportRow {
    guard !fields[.start].isEmpty else { throw ImportRefusal.timeMissing }
    guard !fields[.stop].isEmpty, fields[.stop] != fields[.start] else { throw ImportRefusal.stillRunning }
    return ImportRow(
      person: .unstated, clockIn: try fields.time(.start), clockOut: try fields.time(.stop),
      notes: fields[.description])
  }
}
