/// The number of values in each of some ranges, for each of some series.
package final class Histogram: Sendable {
  /// The count of each range of a series, not added up, and the sum of the values.
  package struct Reading: Hashable, Sendable {
    package let counts: [Int]
    package let sum: Int

    /// The number of values.
    package var count: Int { counts.reduce(0, +) }
  }

  /// The greatest value of each range but the last, which has none.
  package let bounds: [Int]
  private let table: CounterTable

  /// - Parameters:
  ///   - bounds: In ascending order.
  ///   - seriesCount: The number of series.
  package init(bounds: [Int], seriesCount: Int = 1) {
    self.bounds = bounds
    table = CounterTable(count: (bounds.count + 2) * seriesCount)
  }

  /// Counts a value.
  package func observe(_ value: Int, series: Int = 0) {
    var range = 0
    while range < bounds.count, value > bounds[range] { range += 1 }
    let start = series * (bounds.count + 2)
    table.add(1, at: start + range)
    table.add(value, at: start + bounds.count + 1)
  }

  /// The numbers that have been counted so far.
  package func reading(series: Int = 0) -> Reading {
    let start = series * (bounds.count + 2)
    return Reading(
      counts: (0...bounds.count).map { table.sum(at: start + $0) },
      sum: table.sum(at: start + bounds.count + 1))
  }

  /// The bounds of times: half a millisecond to ten seconds, in nanoseconds.
  package static let times = [
    500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
    500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]
}
