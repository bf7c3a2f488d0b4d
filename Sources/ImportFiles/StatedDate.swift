import TimeclockDomain

/// The order of day and month in a date such as 03/04/2026.
package enum DateOrder: String, CaseIterable, Sendable {
  case dayFirst = "dmy"
  case monthFirst = "mdy"
}

/// A date in the forms in which files write it.
enum StatedDate: Hashable {
  /// A date that can be read in one way only.
  case certain(LocalDate)
  /// A date of two numbers, which are day and month in one order or the other, and the year.
  case open(Int, Int, year: Int)

  /// Reads `YYYY-MM-DD`, also with slashes or full stops; `DD.MM.YYYY`; and two numbers before the year, with slashes or
  /// hyphens. Years have four digits. Nil for any other text, and for text that is not a date in any order.
  init?(_ text: String) {
    guard var cursor = ASCIICursor(text.utf8, byteLimit: 10), let first = cursor.number(upTo: 9_999),
      let separator = cursor.take(where: { [0x2D, 0x2E, 0x2F].contains($0) }),
      let second = cursor.number(upTo: 99), cursor.skip(separator), let third = cursor.number(upTo: 9_999),
      cursor.isAtEnd
    else { return nil }
    if first >= 1_000 {
      guard let date = LocalDate(year: first, month: second, day: third) else { return nil }
      self = .certain(date)
    } else if separator == UInt8(ascii: ".") {
      guard let date = LocalDate(year: third, month: second, day: first) else { return nil }
      self = .certain(date)
    } else {
      self = .open(first, second, year: third)
      guard DateOrder.allCases.contains(where: { date($0) != nil }) else { return nil }
    }
  }

  /// Returns the date in an order; nil if it is not a date in that order.
  func date(_ order: DateOrder) -> LocalDate? {
    switch (self, order) {
    case (.certain(let date), _): date
    case (.open(let first, let second, let year), .dayFirst):
      LocalDate(year: year, month: second, day: first)
    case (.open(let first, let second, let year), .monthFirst):
      LocalDate(year: year, month: first, day: second)
    }
  }
}

/// Determines the order of a file's dates from all of them.
struct DateOrderSurvey: Sendable {
  private var isPossible: [DateOrder: Bool] = [.dayFirst: true, .monthFirst: true]
  private var matters = false

  mutating func note(_ date: StatedDate) {
    guard case .open(let first, let second, _) = date else { return }
    if first != second { matters = true }
    for order in DateOrder.allCases where date.date(order) == nil { isPossible[order] = false }
  }

  /// Returns the order, or any order if all dates are the same in both.
  ///
  /// - Throws: `ImportFileError.dateOrderUnknown`.
  func order() throws -> DateOrder {
    let possible = DateOrder.allCases.filter { isPossible[$0] == true }
    if let order = possible.first, possible.count == 1 || !matters { return order }
    throw ImportFileError.dateOrderUnknown(isContradictory: possible.isEmpty)
  }
}
