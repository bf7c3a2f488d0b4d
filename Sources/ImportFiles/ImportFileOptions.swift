import TimeclockDomain

/// The form of a file, as the importer states it.
package struct ImportFileOptions: Hashable, Sendable {
  package var format: ImportFormat
  /// The order of day and month in dates; nil if the file itself has to determine it.
  package var dateOrder: DateOrder?
  /// The time of day at which the first hours of a row without a start begin; nil if such rows are refused.
  package var dayStart: DayStart?
  /// The form in which clients, projects and tasks are kept.
  package var projects: ImportProjects
  /// The people that rows identify only by ids of another service.
  package var people: [String: ImportPerson]
  /// The names of the settings in messages.
  package var names: ImportSettingNames

  package init(
    format: ImportFormat, dateOrder: DateOrder? = nil, dayStart: DayStart? = nil,
    projects: ImportProjects = .notes, people: [String: ImportPerson] = [:],
    names: ImportSettingNames = .parameters
  ) {
    self.format = format
    self.dateOrder = dateOrder
    self.dayStart = dayStart
    self.projects = projects
    self.people = people
    self.names = names
  }
}

/// The forms in which an import keeps the clients, projects and tasks of a file.
package enum ImportProjects: String, CaseIterable, Sendable {
  /// As words in the notes of the entries.
  case notes
  /// As projects and tasks of the organization, with a segment of each entry.
  case create
}

/// The time of day at which days begin whose rows have hours, and no times.
package struct DayStart: Hashable, Sendable {
  let millisecondOfDay: Int64

  /// Reads `HH:MM` on a clock of 24 hours; nil for any other text.
  package init?(_ text: String) {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 5), let hour = cursor.number(digits: 2), hour <= 23,
      cursor.skip(UInt8(ascii: ":")), let minute = cursor.number(digits: 2), minute <= 59
    else { return nil }
    millisecondOfDay = Int64(hour * 60 + minute) * 60_000
  }
}

/// The facts about a file that only a scan of all of it shows.
package struct ImportFileShape: Hashable, Sendable {
  /// The order of day and month in its dates.
  var dateOrder: DateOrder
  /// Whether it is Windows-1252, and not UTF-8; a byte order mark of UTF-16 shows that by itself.
  var isWindows1252: Bool
  /// The names of the columns of which nothing is read, cut, in their order and each once.
  package var ignoredColumns: [String] = []
}
