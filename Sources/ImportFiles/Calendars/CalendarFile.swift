import TimeclockDomain

/// Reads the holidays of an iCalendar file (RFC 5545).
///
/// Only what holidays are made of is read: the events (VEVENT) with their dates, names and yearly repetition. Everything
/// else in the file, zones and alarms included, is stepped over and may be anything. An event that cannot be read refuses
/// the file as a whole, so that no holiday is missing from a calendar without anybody knowing.
package enum CalendarFile {
  /// A date, and the event on it.
  package struct Holiday: Hashable, Sendable {
    package var date: LocalDate
    /// A name as `Name` allows it.
    package var name: String

    package init(date: LocalDate, name: String) {
      self.date = date
      self.name = name
    }
  }

  /// Returns the dates of all events within a range, by date; events of one date in the order of the file.
  ///
  /// The date of an event with a time of day is the one that the file writes, in whatever zone.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, in UTF-8.
  ///   - range: The dates that are wanted. Repetition is worked out for these alone.
  ///   - byteLimit: The most bytes that are read.
  ///   - holidayLimit: The most holidays that are returned.
  /// - Throws: `CalendarFileError`, also for more bytes or holidays than the limits.
  package static func holidays(
    in bytes: [UInt8], within range: ClosedRange<LocalDate>, byteLimit: Int = 1_048_576,
    holidayLimit: Int = 5_000
  ) throws(CalendarFileError) -> [Holiday] {
    guard bytes.count <= byteLimit else {
      throw CalendarFileError(line: nil, "The file is longer than \(byteLimit) bytes.")
    }
    var effort = CalendarEffort()
    var found: [Holiday] = []
    for event in try CalendarComponents.events(in: CalendarLines(bytes)) {
      found += try event.holidays(within: range, &effort)
      guard found.count <= holidayLimit else {
        throw CalendarFileError(line: event.line, "The file has more than \(holidayLimit) holidays.")
      }
    }
    // Sorted by place too, since the order of equal dates counts.
    return found.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
      .map(\.element)
  }
}

/// The work that one file may ask for, so that no short file keeps a thread busy for long.
struct CalendarEffort {
  /// The dates that may still be looked at: a thousand holidays of a hundred years, or some tenths of a second.
  private var dates = 400_000

  /// Takes dates off the rest.
  ///
  /// - Throws: `CalendarFileError` for the event that begins in this line, if there are not as many.
  mutating func spend(_ count: Int, _ line: Int) throws(CalendarFileError) {
    dates -= count
    guard dates >= 0 else {
      throw CalendarFileError(line: line, "The events up to here repeat too often to be worked out.")
    }
  }
}
