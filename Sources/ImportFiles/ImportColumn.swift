/// A column of one of the formats.
enum ImportColumn: CaseIterable, Sendable {
  case client, clockInTime, clockOutTime, date, description, duration, durationDecimal, email, endDate,
    endTime
  case endedAt, firstName, hours, kind, lastName, notes, project, start, startDate, startTime, startedAt, stop, tags
  case task, timeZone, type, user

  /// The column's names in lower case, the usual one first: services have renamed some columns.
  var names: [String] {
    switch self {
    case .client: ["client"]
    case .clockInTime: ["clockintime"]
    case .clockOutTime: ["clockouttime"]
    case .date: ["date"]
    case .description: ["description"]
    case .duration: ["duration", "duration (h)"]
    case .durationDecimal: ["duration (decimal)"]
    case .email: ["email"]
    case .endDate: ["end date", "stop date"]
    case .endTime: ["end time", "stop time"]
    case .endedAt: ["ended at"]
    case .firstName: ["first name"]
    case .hours: ["hours"]
    case .kind: ["kind"]
    case .lastName: ["last name"]
    case .notes: ["notes"]
    case .project: ["project"]
    case .start: ["start"]
    case .startDate: ["start date"]
    case .startTime: ["start time"]
    case .startedAt: ["started at"]
    case .stop: ["stop"]
    case .tags: ["tags"]
    case .task: ["task"]
    case .timeZone: ["timezone"]
    case .type: ["type"]
    case .user: ["user", "member", "name"]
    }
  }
}

/// The places of the columns in a file.
struct ImportHeader: Sendable {
  private var places: [ImportColumn: Int] = [:]
  let count: Int

  /// - Throws: `ImportFileError.malformed` if a column that the format needs is missing, or two columns have one name.
  init(_ names: [String], format: ImportFormat) throws {
    count = names.count
    for (place, name) in names.enumerated() {
      let key = Self.key(name)
      guard let column = ImportColumn.allCases.first(where: { $0.names.contains(key) }) else { continue }
      guard names[..<place].allSatisfy({ Self.key($0) != key }) else {
        throw ImportFileError.malformed("The first line has the column \"\(key)\" twice.")
      }
      if places[column] == nil { places[column] = place }
    }
    for column in format.requiredColumns where places[column] == nil {
      throw ImportFileError.malformed(
        """
        The first line has no column "\(column.names[0])", so this is no \(format.rawValue) file. It has to be \
        comma-separated text in UTF-8 with the names of the columns in the first line.
        """)
    }
  }

  func place(of column: ImportColumn) -> Int? { places[column] }

  private static func key(_ name: String) -> String {
    name.lowercasedASCII.split(separator: " ").joined(separator: " ")
  }
}

/// A row's fields by their columns.
struct ImportFields {
  let header: ImportHeader
  let fields: [String]

  /// Returns the text without spaces around it; empty if the file has no such column.
  subscript(_ column: ImportColumn) -> String {
    guard let place = header.place(of: column), place < fields.count else { return "" }
    let scalars = fields[place].unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension String {
  /// The text with the capital letters of ASCII in lower case.
  var lowercasedASCII: String {
    String(decoding: utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
