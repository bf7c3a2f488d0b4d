import HTTPMessages
import Metrics
import TimeclockDomain

/// The numbers that the API counts of its requests.
package final class RequestMetrics: Sendable {
  /// A series of the requests' times.
  package struct Series: Sendable {
    /// The contract's operationId; `page`, `pageWorker` and `pageAsset` for the page's files; `none` for requests that are no
    /// operation's, and for bytes that are no request.
    package let operation: String
    /// The class of the status: `2xx`.
    package let status: String
    package let reading: Histogram.Reading
  }

  private let times: Histogram
  private let refusals = CounterTable(count: 2)
  private let operationCount: Int

  private static let statusClasses = 5
  private static var counted: [Operation] { Operation.all + Operation.ofPage }

  /// Makes metrics of nothing so far.
  package init() {
    operationCount = Self.counted.count
    times = Histogram(bounds: Histogram.times, seriesCount: (operationCount + 1) * Self.statusClasses)
  }

  /// The bounds of the series' readings.
  package var bounds: [Int] { times.bounds }

  /// The series that have counted anything, in the order of the contract; the page's files are behind it.
  package var series: [Series] {
    let operations = Self.counted.map { (number(of: $0), $0.id) } + [(operationCount, "none")]
    return operations.flatMap { number, id in
      (0..<Self.statusClasses).compactMap { statusClass in
        let reading = times.reading(series: number * Self.statusClasses + statusClass)
        guard reading.count > 0 else { return nil }
        return Series(operation: id, status: "\(statusClass + 1)xx", reading: reading)
      }
    }
  }

  /// The log-ins that were refused: for a wrong password or address, and for want of patience.
  package var refusedLogIns: (credentials: Int, attempts: Int) {
    (refusals.sum(at: 0), refusals.sum(at: 1))
  }

  /// Counts a request that was answered after `time`.
  func count(_ operation: Operation?, _ status: HTTPStatus, after time: Duration) {
    let (seconds, attoseconds) = time.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    let series = operation.map(number) ?? operationCount
    let statusClass = min(max(status.code / 100, 1), Self.statusClasses) - 1
    times.observe(nanoseconds, series: series * Self.statusClasses + statusClass)
  }

  /// Counts a refused log-in, if this is one.
  func countRefusal(_ error: any Error, of operation: Operation?) {
    guard operation === Operation.createToken else { return }
    switch error {
    case TimeclockError.invalidCredentials: refusals.add(1, at: 0)
    case TimeclockError.tooManyAttempts: refusals.add(1, at: 1)
    default: break
    }
  }

  /// The number of the operation among those that are counted; one that a test has made is none of them.
  private func number(of operation: Operation) -> Int {
    min(operation.number, operationCount)
  }
}
