/// Cuts entries into slices: at the ends of their member's dates, and where their segments begin and end.
///
/// An entry has whole seconds on each of its dates, cut once, and its slices of a date share these by cumulative floors: one
/// gets the whole seconds up to its end, less those up to its beginning. So it makes no difference to a sum which segments
/// were looked at.
struct ReportCutting {
  /// The dates of the report, and those that overtime depends on.
  private let dates: ReportDateLists
  private let frame: ReportFrame
  private let segments: ReportSegments
  /// The member of the last entry; nil before the first.
  private var user: UserKey?
  /// The member's dates, in the order of time.
  private var stretches: [DayStretch] = []
  /// Whether one of the member's dates is shown again after the next one.
  private var datesComeBack = false
  private(set) var slices: [ReportSlice] = []

  init(_ dates: ReportDateLists, _ frame: ReportFrame, _ segments: ReportSegments, entries: Int) {
    self.dates = dates
    self.frame = frame
    self.segments = segments
    slices.reserveCapacity(entries + entries / 4)
  }

  /// - Parameter place: The entry's place among all.
  mutating func cut(_ entry: WorkedEntry, at place: Int) {
    let end = entry.clockOut ?? frame.asOf
    guard entry.clockIn < end else { return }
    if entry.user != user { turn(to: entry.user) }
    let first = slices.count
    var section = Section(entry: place, isActive: entry.clockOut == nil, entryEnd: end)
    switch frame.attribution {
    case .split: break
    case .start: section.date = date(of: entry.clockIn)
    case .end: section.date = date(of: end)
    }
    guard frame.attribution == .split || section.date != nil else { return }
    var reached = entry.clockIn
    for segment in segments.places(of: entry.user, from: entry.clockIn, to: end) {
      let start = segments[segment].start
      if reached < start { append(section.with(nil, .nothing), reached, start) }
      let segmentEnd = segments[segment].end ?? end
      append(section.with(segment, segments.kind(segment)), max(start, reached), min(segmentEnd, end))
      reached = max(reached, min(segmentEnd, end))
    }
    if reached < end { append(section.with(nil, .nothing), reached, end) }
    count(from: first)
  }

  private mutating func turn(to user: UserKey) {
    self.user = user
    let list = dates[user]
    stretches = list.stretches
    datesComeBack = list.datesComeBack
  }

  /// A span of an entry for one thing.
  private struct Section {
    var entry: Int
    var isActive: Bool
    var entryEnd: Instant
    /// The date of the whole entry; nil for the dates of its moments.
    var date: LocalDate?
    var segment: Int?
    var kind = ReportSlice.Kind.nothing

    func with(_ segment: Int?, _ kind: ReportSlice.Kind) -> Section {
      var section = self
      section.segment = segment
      section.kind = kind
      return section
    }

    /// A slice of it, in milliseconds for now.
    func slice(on date: LocalDate, from start: Instant, to end: Instant) -> ReportSlice {
      ReportSlice(
        entry: entry, segment: segment, kind: kind, date: date, start: start, end: end,
        seconds: end.milliseconds(since: start), isRunning: isActive && end == entryEnd)
    }
  }

  private mutating func append(_ section: Section, _ start: Instant, _ end: Instant) {
    guard start < end else { return }
    if let date = section.date {
      slices.append(section.slice(on: date, from: start, to: end))
      return
    }
    var place = stretches.place(endingAfter: start)
    while place < stretches.count, stretches[place].start < end {
      let stretch = stretches[place]
      place += 1
      slices.append(
        section.slice(on: stretch.date, from: max(start, stretch.start), to: min(end, stretch.end)))
    }
  }

  /// Makes whole seconds of the milliseconds of one entry's slices.
  private mutating func count(from first: Int) {
    if datesComeBack { return countComingBack(from: first) }
    var date: LocalDate?
    var milliseconds: Int64 = 0
    for place in first..<slices.count {
      if slices[place].date != date { (date, milliseconds) = (slices[place].date, 0) }
      let before = milliseconds
      milliseconds += slices[place].seconds
      slices[place].seconds = milliseconds / 1_000 - before / 1_000
    }
  }

  /// The same if a date may come back, and goes on then where it was left.
  private mutating func countComingBack(from first: Int) {
    // Few: an entry has hardly ever more than two dates.
    var counted: [(date: LocalDate, milliseconds: Int64)] = []
    for place in first..<slices.count {
      let slice = slices[place]
      let known = counted.lastIndex { $0.date == slice.date } ?? counted.count
      if known == counted.count { counted.append((slice.date, 0)) }
      let before = counted[known].milliseconds
      counted[known].milliseconds += slice.seconds
      slices[place].seconds = counted[known].milliseconds / 1_000 - before / 1_000
    }
    guard counted.count > 1 else { return }
    for place in first..<slices.count { slices[place].mayComeAgain = true }
  }

  /// The member's date of an instant; nil outside of the report's.
  private func date(of instant: Instant) -> LocalDate? {
    let place = stretches.place(endingAfter: instant)
    guard place < stretches.count, stretches[place].start <= instant else { return nil }
    return stretches[place].date
  }
}
