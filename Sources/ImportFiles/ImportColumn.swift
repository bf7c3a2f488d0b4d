/// A column of one of the formats.
enum ImportColumn: CaseIterable, Sendable {
  case client, date, description, duration, durationDecimal, email, end, endDate, endTime, firstName, kind
  case lastName, project, start, startDate, startTime, tags, task, timeZone, user

  /// The column's names in a format, the usual one first: services have renamed some columns. Names are compared without
  /// capitals, spaces, hyphens and underscores.
  func names(in format: ImportFormat) -> [String] {
    switch self {
    case .client: ["Client"]
    case .date: ["Date"]
    case .description: format == .generic ? ["notes"] : format == .harvest ? ["Notes"] : ["Description"]
    case .duration: format == .harvest ? ["Hours"] : ["Duration", "Duration (h)"]
    case .durationDecimal: ["Duration (decimal)"]
    case .email: ["Email"]
    case .end: Self.ends[format] ?? []
    case .endDate: ["End date", "Stop date"]
    case .endTime: ["End time", "Stop time"]
    case .firstName: ["First Name"]
    case .kind: format == .generic ? ["kind"] : format == .clockify ? ["Type"] : []
    case .lastName: ["Last Name"]
    case .project: ["Project"]
    case .start: Self.starts[format] ?? []
    case .startDate: ["Start date"]
    case .startTime: ["Start time"]
    case .tags: ["Tags"]
    case .task: ["Task"]
    case .timeZone: format == .generic ? ["timeZone"] : []
    case .user: format == .generic ? ["name", "user", "member"] : ["User", "Member", "Name"]
    }
  }

  private static let starts: [ImportFormat: [String]] = [
    .harvest: ["Started At"], .timetagger: ["start"], .generic: ["clockInTime"],
  ]
  private static let ends: [ImportFormat: [String]] = [
    .harvest: ["Ended At"], .timetagger: ["stop"], .generic: ["clockOutTime"],
  ]
}
