/// Adds up entries and segments for a history.
///
/// An entry has whole seconds on each of its dates, as in reports, and its segments and the time between them share these by
/// cumulative floors: a section of the entry gets the whole seconds up to its end, less those up to its beginning. So every
/// grouping sums to the same total.
package struct HistoryCalculation {
  /// The dates of the period in the zone, in the order of time.
  let stretches: [DayStretch]
  let frame: ReportFrame
  private(set) var sums: HistorySums

  init(stretches: [DayStretch], frame: ReportFrame) {
    self.stretches = stretches
    self.frame = frame
    sums = HistorySums(from: frame.startDate, through: frame.endDate)
  }

  /// The sums of some time.
  ///
  /// - Parameter segments: The segments of each member, in any order.
  package static func sums(
    of time: WorkedTime, _ segments: [UserID: [HistorySegment]], stretches: [DayStretch], frame: ReportFrame
  ) -> HistorySums {
    var calculation = HistoryCalculation(stretches: stretches, frame: frame)
    let sorted = segments.mapValues { $0.sorted { $0.start < $1.start } }
    let inside = sorted.mapValues { $0.filter(\.isInEntry) }
    for entry in time.entries {
      let ofMember = time.people[entry.user].flatMap { inside[$0.id] } ?? []
      calculation.add(entry, with: ofMember)
    }
    for segment in sorted.values.joined() where !segment.isInEntry { calculation.addOutside(segment) }
    return calculation.sums
  }

  /// - Parameter segments: The segments in entries of the entry's owner, by start.
  private mutating func add(_ entry: WorkedEntry, with segments: [HistorySegment]) {
    let end = entry.clockOut ?? frame.asOf
    guard entry.clockIn < end else { return }
    var counter = Counter(from: entry.clockIn)
    var reached = entry.clockIn
    var place = segments.partition(before: entry.clockIn)
    while place < segments.count, segments[place].start < end {
      let segment = segments[place]
      place += 1
      // Entries and segments are not read at one moment, so a segment may not fit its entry.
      let start = max(segment.start, reached)
      let segmentEnd = min(segment.end ?? end, end)
      guard start < segmentEnd else { continue }
      count(reached, start, as: .nothing, &counter)
      count(start, segmentEnd, as: segment.content, &counter)
      reached = segmentEnd
    }
    count(reached, end, as: .nothing, &counter)
  }

  private mutating func addOutside(_ segment: HistorySegment) {
    let end = segment.end ?? frame.asOf
    guard segment.start < end else { return }
    var counter = Counter(from: segment.start)
    count(segment.start, end, as: .outside, &counter)
  }

  /// Counts a section, which begins where the one before it ended.
  private mutating func count(
    _ start: Instant, _ end: Instant, as content: HistoryContent, _ counter: inout Counter
  ) {
    guard start < end else { return }
    switch frame.attribution {
    case .split:
      var place = stretches.place(endingAfter: start)
      while place < stretches.count, stretches[place].start < end {
        let stretch = stretches[place]
        place += 1
        let milliseconds = min(end, stretch.end).milliseconds(since: max(start, stretch.start))
        let seconds = counter.next(milliseconds, on: stretch.date)
        sums.add(seconds, as: content, workedOn: stretch.date, doneOn: stretch.date)
      }
    case .start, .end:
      let seconds = counter.next(end.milliseconds(since: start), on: nil)
      sums.add(seconds, as: content, workedOn: date(of: counter.start), doneOn: date(of: start))
    }
  }

  /// The date of an instant; nil outside of the period.
  private func date(of instant: Instant) -> LocalDate? {
    let place = stretches.place(endingAfter: instant)
    guard place < stretches.count, stretches[place].start <= instant else { return nil }
    return stretches[place].date
  }

  /// The milliseconds of an entry so far: on each date, or all of them under nil.
  private struct Counter {
    /// The beginning of the entry.
    let start: Instant
    /// Few: an entry has hardly ever more than two dates.
    private var counted: [(date: LocalDate?, milliseconds: Int64)] = []

    init(from start: Instant) {
      self.start = start
    }

    /// The whole seconds that a section adds.
    mutating func next(_ milliseconds: Int64, on date: LocalDate?) -> Int64 {
      // A date that comes back goes on where it was left.
      guard let place = counted.lastIndex(where: { $0.date == date }) else {
        counted.append((date, milliseconds))
        return milliseconds / 1_000
      }
      let before = counted[place].milliseconds
      counted[place].milliseconds += milliseconds
      return (before + milliseconds) / 1_000 - before / 1_000
    }
  }
}

extension [HistorySegment] {
  /// The place of the first of these segments, which stand in the order of time, that begins at an instant or later.
  fileprivate func partition(before instant: Instant) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].start < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
