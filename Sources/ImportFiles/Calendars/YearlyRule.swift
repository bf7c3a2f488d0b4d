import TimeclockDomain

/// A rule by which an event repeats every year or every few years (RFC 5545, section 3.3.10).
struct YearlyRule: Hashable {
  /// A day of the week, or one of the month's or the year's: the fourth Thursday, the last Monday.
  struct Day: Hashable {
    let weekday: Weekday
    /// From the end if negative; nil for each.
    let ordinal: Int?
  }

  private(set) var interval = 1
  private(set) var count: Int?
  /// The last date.
  private(set) var until: LocalDate?
  private(set) var months: Set<Int> = []
  /// From the month's end if negative.
  private(set) var monthDays: Set<Int> = []
  private(set) var days: Set<Day> = []

  /// Reads a rule; nil for one with other parts than these, or that is none.
  init?(_ text: String) {
    var parts: [String: String] = [:]
    for part in text.lowercasedASCII.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, parts.updateValue(String(sides[1]), forKey: String(sides[0])) == nil else {
        return nil
      }
    }
    guard parts.removeValue(forKey: "freq") == "yearly" else { return nil }
    // The day on which weeks begin matters to rules by weeks alone.
    parts["wkst"] = nil
    for (name, value) in parts {
      guard read(name, value) else { return nil }
    }
    guard count == nil || until == nil else { return nil }
    // Of a day's number in a month and in a year at once, the standard does not say which ordinals are meant.
    guard monthDays.isEmpty || days.allSatisfy({ $0.ordinal == nil }) else { return nil }
  }

  private mutating func read(_ name: String, _ value: String) -> Bool {
    switch name {
    case "interval":
      guard let number = Self.number(value, 1...9_999) else { return false }
      interval = number
    case "count":
      guard let number = Self.number(value, 1...1_000_000_000) else { return false }
      count = number
    case "until":
      guard let time = CalendarTime(value.uppercased()) else { return false }
      until = time.date
    case "bymonth":
      guard let numbers = Self.list(value, { Self.number($0, 1...12) }) else { return false }
      months = numbers
    case "bymonthday":
      guard let numbers = Self.list(value, { Self.number($0, 1...31, isSigned: true) }) else { return false }
      monthDays = numbers
    case "byday":
      guard let found = Self.list(value, { Self.day($0) }) else { return false }
      days = found
    default: return false
    }
    return true
  }

  private static func list<Element: Hashable>(
    _ text: String, _ read: (String) -> Element?
  ) -> Set<Element>? {
    var found: Set<Element> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = read(String(part)) else { return nil }
      found.insert(element)
    }
    return found
  }

  private static func number(_ text: String, _ bounds: ClosedRange<Int>, isSigned: Bool = false) -> Int? {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 16) else { return nil }
    let isNegative = isSigned && cursor.skip(UInt8(ascii: "-"))
    if isSigned, !isNegative { _ = cursor.skip(UInt8(ascii: "+")) }
    guard let number = cursor.number(upTo: bounds.upperBound), cursor.isAtEnd, bounds.contains(number) else {
      return nil
    }
    return isNegative ? -number : number
  }

  private static func day(_ text: String) -> Day? {
    guard let weekday = Weekday.allCases.first(where: { $0.rawValue.prefix(2) == text.suffix(2) }) else {
      return nil
    }
    let ordinal = String(text.dropLast(2))
    if ordinal.isEmpty { return Day(weekday: weekday, ordinal: nil) }
    guard let number = number(ordinal, 1...53, isSigned: true) else { return nil }
    return Day(weekday: weekday, ordinal: number)
  }
}
