/// Deducts the breaks that long shifts lack, and finds breaks that are too long.
package struct ReportBreaks {
  let segments: ReportSegments
  /// The instant to which open breaks count.
  let asOf: Instant

  package init(
    segments: ReportSegments, asOf: Instant
  ) {
    self.segments = segments
    self.asOf = asOf
  }

  /// Takes each shift's missing breaks from its last work.
  ///
  /// - Parameter slices: Those of one member after the other, a member's by date, a date's by start; after a slice of a shift, all
  ///   later ones of that shift.
  static func deduct(from slices: inout [ReportSlice], _ shifts: ReportShifts) {
    var left = shifts.deductions
    var end = slices.count
    while end > 0 {
      var first = end - 1
      while first > 0, slices[first - 1].isOfPart(of: slices[first]) { first -= 1 }
      if let shift = shifts.shift(of: slices[first].entry), left[shift] > 0 {
        deduct(&left[shift], from: &slices[first..<end])
      }
      end = first
    }
  }

  /// Takes missing breaks from the last work of a part.
  private static func deduct(_ missing: inout Int64, from part: inout ArraySlice<ReportSlice>) {
    let before = missing
    for place in part.indices.reversed() where !part[place].isBreak {
      part[place].deductedSeconds = min(missing, part[place].seconds)
      missing -= part[place].deductedSeconds
    }
    guard missing < before else { return }
    for place in part.indices { part[place].lacksBreak = true }
  }

  /// Whether a segment is a break that is longer than its type expects.
  package func isTooLong(_ segment: WorkedSegment, _ expected: [Int64: Int64]) -> Bool {
    guard let type = segment.breakType, let seconds = expected[type] else { return false }
    return (segment.end ?? asOf).milliseconds(since: segment.start) > seconds * 1_000
  }
}
