import TimeclockDomain

/// Reads the rows of a file in turn, and knows those before: the hours of one person's day come one behind the other.
struct ImportRowReader: Sendable {
  private let options: ImportFileOptions
  let dateOrder: DateOrder
  /// The seconds that a person's day has so far.
  private var days: [PersonDay: Int64] = [:]

  private struct PersonDay: Hashable {
    var person: String
    var date: LocalDate
  }

  /// The most seconds of a day that are added up, so that no file can make the sum overflow.
  private static let secondLimit: Int64 = 1_000_000_000

  init(_ options: ImportFileOptions, dateOrder: DateOrder) {
    self.options = options
    self.dateOrder = dateOrder
  }

  /// Reads a row.
  ///
  /// - Throws: `ImportRefusal`.
  mutating func row(_ fields: ImportFields) throws -> ImportRow {
    var row = try stated(fields)
    if case .id(let id) = row.person, let known = options.people[id] { row.person = known }
    return row
  }

  private mutating func stated(_ fields: ImportFields) throws -> ImportRow {
    let kind = try fields.kind
    do {
      let rest = try fields.breakSeconds
      if kind == .work {
        // A row that is refused takes none of a day's hours.
        let purpose = options.projects == .create ? try fields.purpose : nil
        var row = try options.format.entry(fields, &self)
        row.breakSeconds = rest
        if let purpose {
          row.purpose = purpose
          row.notes = fields[.description]
        }
        return row
      }
      // Time that is not worked takes none of a day's hours.
      var copy = self
      var row = try options.format.entry(fields, &copy)
      row.kind = kind
      return row
    } catch let refusal as ImportRefusal {
      // Time off often has no times, and lacks nothing without them.
      throw kind == .work ? refusal : .notWork(kind)
    }
  }

  /// Returns the times of a row with a date and hours, and neither a start nor an end: its hours begin where those of the
  /// person's row before it on this date have ended.
  ///
  /// - Throws: `ImportRefusal.timeMissing` if the importer has not stated when days begin.
  mutating func hoursOnly(_ fields: ImportFields) throws -> (ImportTime, ImportEnd) {
    let duration = [ImportColumn.duration, .durationDecimal].first { !fields[$0].isEmpty }
    guard let duration,
      let dateColumn = [ImportColumn.date, .startDate].first(where: { !fields[$0].isEmpty })
    else { throw ImportRefusal.timeMissing(hasHours: false, options.names) }
    guard let dayStart = options.dayStart else {
      throw ImportRefusal.timeMissing(hasHours: true, options.names)
    }
    let date = try fields.date(dateColumn, dateOrder)
    guard let seconds = try fields.seconds else { throw fields.malformed(duration) }
    // A row that is refused takes none of a day's hours.
    guard try fields.breakSeconds == nil else {
      throw ImportRefusal.breakUnplaced(options.names, isEnded: false)
    }
    let day = PersonDay(person: fields.person.key, date: date)
    let before = days[day] ?? 0
    days[day] = min(before + seconds, Self.secondLimit)
    let start = LocalTime(date: date, millisecondOfDay: dayStart.millisecondOfDay)
    return (.elapsed(seconds: before, since: start), .after(seconds: seconds))
  }
}

extension ImportPerson {
  /// The same text for the same person of a file.
  fileprivate var key: String {
    switch self {
    case .email(let email, _): EmailAddress.key(of: email)
    case .name(let name), .id(let name): name
    case .unstated: ""
    }
  }
}
