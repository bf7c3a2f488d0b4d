/// The spans of one member that a trial has judged to be free, none of which overlaps another.
package struct SpanSet: Sendable {
  /// In order.
  private var spans: [(start: Instant, end: Instant)] = []

  package init() {}

  /// Whether a span of the set shares a moment with `[start, end)`.
  package func overlaps(_ start: Instant, _ end: Instant) -> Bool {
    let place = firstPlace(endingAfter: start)
    return place < spans.count && spans[place].start < end
  }

  /// Adds a span that is free.
  package mutating func insert(_ start: Instant, _ end: Instant) {
    spans.insert((start, end), at: firstPlace(endingAfter: start))
  }

  private func firstPlace(endingAfter instant: Instant) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].end <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
