/// Deducts the breaks that long days lack.
struct ReportBreaks {
  let policy: Policy
  let segments: ReportSegments
  /// The instant to which open breaks count.
  let asOf: Instant

  /// - Parameter slices: Those of one member after the other, a member's by date, a date's by start.
  func deduct(from slices: inout [ReportSlice], of entries: [WorkedEntry]) {
    var first = 0
    while first < slices.count {
      let (user, date) = (entries[slices[first].entry].user, slices[first].date)
      var end = first + 1
      while end < slices.count, slices[end].date == date, entries[slices[end].entry].user == user { end += 1 }
      deduct(from: &slices[first..<end])
      first = end
    }
  }

  /// Takes what is missing from the last work of one member's date.
  private func deduct(from day: inout ArraySlice<ReportSlice>) {
    var missing = missing(in: day)
    for place in day.indices.reversed() where missing > 0 && !day[place].isBreak {
      day[place].deductedSeconds = min(missing, day[place].seconds)
      guard day[place].deductedSeconds > 0 else { continue }
      missing -= day[place].deductedSeconds
      let part = day[place]
      for other in day.indices where day[other].isOfPart(of: part) { day[other].lacksBreak = true }
    }
  }

  /// The seconds to deduct from a member's date.
  private func missing(in day: ArraySlice<ReportSlice>) -> Int64 {
    let worked = day.reduce(0) { $1.isBreak ? $0 : $0 + $1.seconds }
    guard let rule = policy.breakRules.last(where: { worked > $0.afterSeconds }) else { return 0 }
    let taken = day.reduce(0) { $1.kind == .unpaidBreak && isLongEnough($1) ? $0 + $1.seconds : $0 }
    return min(rule.breakSeconds - taken, worked - rule.afterSeconds)
  }

  /// Whether the whole break that a slice is of counts towards a rule.
  private func isLongEnough(_ slice: ReportSlice) -> Bool {
    slice.segment.map { milliseconds(of: segments[$0]) >= policy.breakMinimumSeconds * 1_000 } ?? false
  }

  private func milliseconds(of segment: WorkedSegment) -> Int64 {
    (segment.end ?? asOf).milliseconds(since: segment.start)
  }

  /// Whether a segment is a break that is longer than its type expects.
  func isTooLong(_ segment: WorkedSegment, _ expected: [Int64: Int64]) -> Bool {
    guard let type = segment.breakType, let seconds = expected[type] else { return false }
    return milliseconds(of: segment) > seconds * 1_000
  }
}
