/// The segments of a report's entries, each member's in the order of time.
package struct ReportSegments {
  private let segments: [WorkedSegment]
  /// The places of each member's.
  private let places: [UserKey: Range<Int>]

  package init(_ segments: [WorkedSegment]) {
    var sorted = segments
    if !Self.areInOrder(sorted) {
      sorted = PlacesByMember.places(of: segments.map(\.user)).map { segments[$0] }
      if !Self.areInOrder(sorted) { sorted.sort(by: Self.comes) }
    }
    var places: [UserKey: Range<Int>] = [:]
    var first = 0
    for place in sorted.indices where sorted[place].user != sorted[first].user {
      places[sorted[first].user] = first..<place
      first = place
    }
    if let last = sorted.last { places[last.user] = first..<sorted.count }
    self.segments = sorted
    self.places = places
  }

  private static func areInOrder(_ segments: [WorkedSegment]) -> Bool {
    segments.indices.dropFirst().allSatisfy { !comes(segments[$0], before: segments[$0 - 1]) }
  }

  private static func comes(_ one: WorkedSegment, before other: WorkedSegment) -> Bool {
    one.user == other.user ? one.start < other.start : one.user.value < other.user.value
  }

  package subscript(place: Int) -> WorkedSegment { segments[place] }

  /// The places of a member's segments that begin in a span, in the order of time.
  package func places(of user: UserKey, from start: Instant, to end: Instant) -> Range<Int> {
    guard let places = places[user] else { return 0..<0 }
    var low = places.lowerBound
    var high = places.upperBound
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start < start { low = middle + 1 } else { high = middle }
    }
    var last = low
    while last < places.upperBound, segments[last].start < end { last += 1 }
    return low..<last
  }
}
