import TimeclockDomain

/// Finds the events in the nested components of an iCalendar file (RFC 5545, section 3.6).
///
/// All lines that are in no event are stepped over unread, but for those that say whether the file can be read at all. Each
/// component has to end, so that a file that was cut off is no calendar with fewer holidays.
struct CalendarComponents {
  private struct Component {
    var name: String
    var line: Int
  }

  private var open: [Component] = []
  private var events: [CalendarEvent] = []

  /// The values that a calendar has to state, if it states them at all.
  private static let conditions = ["version": "2.0", "calscale": "GREGORIAN"]

  /// Returns the events of the file in order.
  ///
  /// - Throws: `CalendarFileError`.
  static func events(in lines: CalendarLines) throws(CalendarFileError) -> [CalendarEvent] {
    var components = CalendarComponents()
    var isEmpty = true
    for line in lines {
      let property = CalendarProperty(line)
      if isEmpty { try components.checkBeginning(property) }
      isEmpty = false
      try components.take(property)
    }
    if let last = components.open.last {
      throw CalendarFileError(
        line: last.line, "\(last.name) begins here, and the file ends without END:\(last.name).")
    }
    guard !isEmpty else { throw CalendarFileError(line: nil, "The file is empty.") }
    return components.events
  }

  private func checkBeginning(_ property: CalendarProperty) throws(CalendarFileError) {
    guard property.name == "begin", try property.value.lowercasedASCII == "vcalendar" else {
      throw CalendarFileError(
        line: property.line, "The file is no iCalendar file: it does not begin with BEGIN:VCALENDAR.")
    }
  }

  private var isInCalendar: Bool { open.count == 1 && open[0].name == "VCALENDAR" }

  private var isInEvent: Bool {
    open.count == 2 && open[0].name == "VCALENDAR" && open[1].name == "VEVENT"
  }

  private mutating func take(_ property: CalendarProperty) throws(CalendarFileError) {
    switch property.name {
    case "begin":
      let name = Text.quotable(try property.value).uppercased()
      open.append(Component(name: name, line: property.line))
      if isInEvent { events.append(CalendarEvent(line: property.line)) }
    case "end":
      let name = Text.quotable(try property.value).uppercased()
      guard let last = open.popLast(), last.name == name else {
        throw CalendarFileError(line: property.line, "END:\(name) ends no component that began before it.")
      }
    default:
      if isInEvent, !events.isEmpty {
        try events[events.count - 1].take(property)
      } else if isInCalendar, let wanted = Self.conditions[property.name], try property.value != wanted {
        throw property.fault("says \"\(Text.quotable(try property.value))\", and only \(wanted) can be read")
      }
    }
  }
}
