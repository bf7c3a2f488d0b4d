import TimeclockDomain

/// The properties of an event (RFC 5545, section 3.6.1) that its holidays are made of.
struct CalendarEvent {
  /// The line in which the event begins.
  let line: Int
  private var single: [String: CalendarProperty] = [:]
  private var added: [CalendarProperty] = []
  private var removed: [CalendarProperty] = []

  /// The most dates that an event takes at once.
  private static let dateLimit = 366
  private static let singles: Set = ["dtstart", "dtend", "duration", "summary", "rrule", "status"]

  init(line: Int) {
    self.line = line
  }

  /// Takes a property, of which those that change no holiday are left unread.
  ///
  /// - Throws: `CalendarFileError` for one that says what cannot be followed.
  mutating func take(_ property: CalendarProperty) throws(CalendarFileError) {
    switch property.name {
    case "rdate": added.append(property)
    case "exdate": removed.append(property)
    case "recurrence-id", "exrule": throw property.fault("cannot be read: give each date an event of its own")
    case let name where Self.singles.contains(name):
      guard single.updateValue(property, forKey: name) == nil else {
        throw property.fault("stands twice in one event")
      }
    default: break
    }
  }

  /// Returns the holidays within a range, by date; none if the event is canceled.
  ///
  /// - Throws: `CalendarFileError`.
  func holidays(
    within range: ClosedRange<LocalDate>, _ effort: inout CalendarEffort
  ) throws(CalendarFileError) -> [CalendarFile.Holiday] {
    if let status = single["status"], try status.value.uppercased() == "CANCELLED" { return [] }
    let start = try required("dtstart").time
    let name = try name
    let count = try dateCount(from: start)
    let first = range.lowerBound.adding(days: 1 - count)
    var starts = try repeated(from: start.date, within: first...range.upperBound, &effort)
    for property in added { starts.formUnion(try property.times.map(\.date)) }
    for property in removed { starts.subtract(try property.times.map(\.date)) }
    var dates: Set<LocalDate> = []
    for start in starts where start >= first && start <= range.upperBound {
      try effort.spend(count, line)
      for day in 0..<count {
        let date = start.adding(days: day)
        if range.contains(date) { dates.insert(date) }
      }
    }
    return dates.sorted().map { CalendarFile.Holiday(date: $0, name: name) }
  }

  private func required(_ name: String) throws(CalendarFileError) -> CalendarProperty {
    guard let property = single[name] else {
      throw CalendarFileError(line: line, "The event has no \(name.uppercased()).")
    }
    return property
  }

  /// The summary as one line without control characters.
  private var name: String {
    get throws(CalendarFileError) {
      let summary = try required("summary")
      var line = ""
      for scalar in try summary.text.unicodeScalars {
        if scalar == "\n" || scalar == "\t" {
          line.unicodeScalars.append(" ")
        } else if scalar.properties.generalCategory != .control {
          line.unicodeScalars.append(scalar)
        }
      }
      guard let name = try? Name.validated(line) else {
        throw summary.fault(
          "is no name of 1 to \(Name.maximumCharacters) characters without marks that turn the direction of text"
        )
      }
      return name
    }
  }

  /// The number of dates that the event takes from its first one on: an end is no part of it (section 3.6.1).
  private func dateCount(from start: CalendarTime) throws(CalendarFileError) -> Int {
    guard let end = single["dtend"] ?? single["duration"] else { return 1 }
    let seconds: Int
    if end.name == "dtend" {
      if let duration = single["duration"] { throw duration.fault("stands beside DTEND") }
      seconds = start.seconds(to: try end.time)
      guard seconds >= 0 else { throw end.fault("is before DTSTART") }
    } else {
      guard let duration = CalendarDuration.seconds(try end.value) else {
        throw end.fault("is no length of time such as P1D")
      }
      seconds = duration
    }
    let count = max(1, (start.second + seconds + 86_399) / 86_400)
    guard count <= Self.dateLimit else {
      throw end.fault("makes the event longer than \(Self.dateLimit) days")
    }
    return count
  }

  /// The dates within a range on which the event begins, without those that are added or removed.
  private func repeated(
    from start: LocalDate, within range: ClosedRange<LocalDate>, _ effort: inout CalendarEffort
  ) throws(CalendarFileError) -> Set<LocalDate> {
    guard let property = single["rrule"] else { return [start] }
    guard let rule = YearlyRule(try property.value) else {
      throw property.fault(
        "says \"\(Text.quotable(try property.value))\". Only FREQ=YEARLY can be read, with INTERVAL, COUNT or UNTIL, "
          + "BYMONTH, BYMONTHDAY, and BYDAY such as 4TH or -1MO; give other dates an event each")
    }
    // RFC 5545, section 3.8.5.3, leaves undefined if the first date is then a holiday.
    guard rule.matches(start, start: start) else { throw property.fault("does not give the date of DTSTART") }
    return try rule.dates(from: start, within: range, line: line, &effort)
  }
}
