/// A column of one of the formats.
enum ImportColumn: CaseIterable, Sendable {
  case billable, breakLength, breakMinutes, category, client, date, description, duration, durationDecimal,
    email, end
  case endDate, endTime, firstName, kind, lastName, project, start, startDate, startTime, tags, task, timeZone
  case user, userID

  /// The column's names in a format, the usual one first: services have renamed some columns, and Kimai writes them in the
  /// language of the export. Names are compared without capitals, spaces, hyphens and underscores. Empty if the format has
  /// no such column.
  func names(in format: ImportFormat) -> [String] {
    switch format {
    case .generic: genericNames
    case .kimai: kimaiNames
    default: usualNames(format)
    }
  }

  private func usualNames(_ format: ImportFormat) -> [String] {
    switch self {
    // Harvest asks.
    case .billable: ["Billable", "Billable?"]
    case .breakLength: ["Break"]
    case .breakMinutes, .category, .timeZone: []
    case .client: ["Client"]
    case .date: ["Date"]
    case .description: format == .harvest ? ["Notes"] : ["Description"]
    case .duration: format == .harvest ? ["Hours"] : ["Duration", "Duration (h)"]
    case .durationDecimal: ["Duration (decimal)"]
    case .email: ["Email", "E-mail"]
    case .end: Self.ends[format] ?? []
    case .endDate: ["End date", "Stop date"]
    case .endTime: ["End time", "Stop time"]
    case .firstName: ["First Name"]
    case .kind: [.clockify, .solidtime].contains(format) ? ["Type"] : []
    case .lastName: ["Last Name"]
    case .project: ["Project"]
    case .start: Self.starts[format] ?? []
    case .startDate: ["Start date"]
    case .startTime: ["Start time"]
    // TimeTagger's tags are words of the description.
    case .tags: format == .timetagger ? [] : ["Tags"]
    // A workspace of Clockify may call its tasks so.
    case .task: format == .clockify ? ["Task", "Activity"] : ["Task"]
    case .user: ["User", "Member", "Name"]
    // The export of an organization has no other word for whose a row is.
    case .userID: format == .solidtime ? ["user_id"] : []
    }
  }

  private static let starts: [ImportFormat: [String]] = [
    .harvest: ["Started At"], .timetagger: ["start"], .solidtime: ["Start"],
  ]
  private static let ends: [ImportFormat: [String]] = [
    .harvest: ["Ended At"], .timetagger: ["stop"], .solidtime: ["End"],
  ]

  private var kimaiNames: [String] {
    switch self {
    case .billable: ["Billable", "Abrechenbar"]
    case .breakLength: ["Break", "Pause"]
    case .category: ["Category", "Kategorie"]
    case .client: ["Customer", "Kunde"]
    case .date: ["Date", "Datum"]
    case .description: ["Description", "Beschreibung"]
    case .duration: ["Duration", "Dauer"]
    case .email: ["E-mail"]
    case .end: ["To", "Bis", "End", "Ende"]
    case .kind: ["Type", "Typ"]
    case .project: ["Project", "Projekt"]
    case .start: ["From", "Von", "Begin", "Beginn", "Start"]
    case .tags: ["Tags", "Schlagworte"]
    case .task: ["Activity", "Tätigkeit"]
    case .user: ["Name", "User", "Username", "Benutzer"]
    case .breakMinutes, .durationDecimal, .endDate, .endTime, .firstName, .lastName, .startDate, .startTime,
      .timeZone,
      .userID:
      []
    }
  }

  private var genericNames: [String] {
    switch self {
    case .billable: ["billable"]
    case .breakLength: ["break", "breaks", "pause", "pauses", "unpaid break", "break time"]
    case .breakMinutes:
      ["break (min)", "breaks (min)", "pause (min)", "break (minutes)", "break minutes", "break min"]
    case .client: ["client", "customer"]
    case .date: ["date", "day"]
    case .description: ["notes", "note", "description", "comment"]
    case .duration: ["duration", "hours", "duration (h)"]
    case .durationDecimal: ["duration (decimal)"]
    case .email: PersonColumns.email
    case .endDate: ["end date", "stop date"]
    case .endTime: ["end time", "stop time"]
    case .end:
      ["clockOutTime", "clock out", "end", "end time", "ended at", "stop", "stop time", "finish", "to"]
    case .firstName: PersonColumns.firstName
    case .kind: ["kind"]
    case .lastName: PersonColumns.lastName
    case .project: ["project"]
    case .start: ["clockInTime", "clock in", "start", "start time", "started at", "begin", "from"]
    case .startDate: ["start date"]
    case .startTime: ["start time"]
    case .tags: ["tags"]
    case .task: ["task", "activity"]
    case .timeZone: ["timeZone", "zone", "tz"]
    case .user: PersonColumns.name
    case .category, .userID: []
    }
  }
}
