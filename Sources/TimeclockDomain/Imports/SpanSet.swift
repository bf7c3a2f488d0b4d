/// The spans of one member that a trial has judged to be free, none of which overlaps another.
struct SpanSet: Sendable {
  /// In order.
  private var spans: [(start: Instant, end: Instant)] = []

  /// The conflict of a new span with the set.
  enum Conflict: Hashable {
    /// The same span.
    case same
    case overlap
  }

  /// The conflict of `[start, end)` with the set; nil where it is free.
  func conflict(with start: Instant, _ end: Instant) -> Conflict? {
    let place = firstPlace(endingAfter: start)
    guard place < spans.count, spans[place].start < end else { return nil }
    return spans[place] == (start, end) ? .same : .overlap
  }

  /// Adds a span that is free.
  mutating func insert(_ start: Instant, _ end: Instant) {
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
