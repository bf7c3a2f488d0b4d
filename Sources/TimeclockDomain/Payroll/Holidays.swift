/// The holidays of one calendar.
package struct Holidays: Hashable, Sendable {
  /// A holiday, and the part of its date that is free.
  package struct Holiday: Hashable, Sendable {
    package var date: LocalDate
    /// The hundredths of the plan that need not be worked.
    package var percent: Int64

    package init(date: LocalDate, percent: Int64 = 100) {
      self.date = date
      self.percent = percent
    }
  }

  /// One for each date, by date.
  package let all: [Holiday]

  /// - Parameter holidays: In any order; of several on one date the greatest percent counts.
  package init(_ holidays: [Holiday] = []) {
    var all: [Holiday] = []
    all.reserveCapacity(holidays.count)
    for holiday in holidays.sorted(by: { ($0.date, $1.percent) < ($1.date, $0.percent) })
    where all.last?.date != holiday.date {
      all.append(holiday)
    }
    self.all = all
  }

  /// The percents that a holiday may have.
  package static let bounds: ClosedRange<Int64> = 1...100

  /// A percent that somebody states for a holiday.
  ///
  /// - Throws: `TimeclockError.invalidPercent` outside of `bounds`.
  package static func validated(percent: Int64) throws -> Int64 {
    guard bounds.contains(percent) else { throw TimeclockError.invalidPercent }
    return percent
  }

  /// The place in `all` of the first holiday at a date or after it; the count if there is none.
  func place(from date: LocalDate) -> Int {
    all.firstPlace { $0.date >= date }
  }
}

extension TimeclockError {
  package static let invalidPercent = TimeclockError.plain(
    PlainRefusal(
      "invalid_percent", against: .rule,
      "A holiday takes \(Holidays.bounds.lowerBound) to \(Holidays.bounds.upperBound) percent of its date's plan"
    ))
}
