/// Seconds of one date: its paid work, or an adjustment of the balance.
package struct DatedSeconds: Hashable, Sendable {
  package var date: LocalDate
  package var seconds: Int64

  package init(date: LocalDate, seconds: Int64) {
    self.date = date
    self.seconds = seconds
  }

  /// The seconds that one adjustment may have, but for 0: ten thousand hours either way, so that no account overflows.
  package static let adjustmentBounds: ClosedRange<Int64> = -36_000_000...36_000_000
}

/// A walk through seconds that stand in the order of their dates.
struct DatedSecondsCursor {
  private let all: [DatedSeconds]
  private var place: Int

  /// - Parameter all: By date.
  init(_ all: [DatedSeconds], from date: LocalDate) {
    self.all = all
    place = all.firstPlace { $0.date >= date }
  }

  /// The seconds of a date together. Dates are asked for in their order, and each one is.
  mutating func seconds(on date: LocalDate) -> Int64 {
    var sum: Int64 = 0
    while place < all.count, all[place].date <= date {
      sum += all[place].seconds
      place += 1
    }
    return sum
  }
}

extension [DatedSeconds] {
  /// The same in the order of their dates.
  func byDate() -> [DatedSeconds] {
    let isSorted = zip(self, dropFirst()).allSatisfy { $0.date <= $1.date }
    return isSorted ? self : sorted { $0.date < $1.date }
  }
}
