/// The shifts of a report's entries, and the deductions from each by the break rules of the date on which it begins.
///
/// A shift is the entries of one member that follow each other with less than `separation` between the end of one and the start
/// of the next. It is counted in milliseconds, by no date but that of its beginning: so its deduction is
/// the same for each attribution and range.
struct ReportShifts {
  /// The milliseconds between two entries from which on they are of two shifts: eight hours.
  static let separation: Int64 = 28_800_000

  /// The shift of each entry; -1 for an entry that begins after all that counts.
  private var numbers: [Int32]
  /// The whole seconds to deduct, by shift.
  private(set) var deductions: [Int64] = []
  /// The latest end of a shift that reaches over its member's last date, and is deducted from; nil if none does.
  private(set) var lastEnd: Instant?

  /// - Parameters:
  ///   - places: The places of the entries, each member's together.
  ///   - asOf: The instant to which active entries and open breaks count.
  ///   - dates: Those of the report, whose ends `lastEnd` is about, and whose clocks date the beginnings of shifts.
  init(
    of entries: [WorkedEntry], at places: [Int], _ segments: ReportSegments, rules: PayRulesCalendar,
    asOf: Instant,
    over dates: ReportDateLists
  ) {
    numbers = Array(repeating: -1, count: entries.count)
    var shift: Shift?
    for place in Self.sorted(places, entries) {
      let entry = entries[place]
      let end = entry.clockOut ?? asOf
      guard entry.clockIn < end else { continue }
      if let known = shift, known.isFollowed(by: entry) {
        shift?.rest(from: known.end, to: entry.clockIn)
      } else {
        finish(shift, over: dates)
        shift = Shift(
          user: entry.user, start: entry.clockIn,
          rules: rules.rules { dates[entry.user].date(of: entry.clockIn) })
      }
      shift?.add(entry, to: end, segments)
      numbers[place] = Int32(truncatingIfNeeded: deductions.count)
    }
    finish(shift, over: dates)
  }

  /// The shift of an entry; nil for an entry that begins after all that counts.
  func shift(of entry: Int) -> Int? { numbers[entry] < 0 ? nil : Int(numbers[entry]) }

  private mutating func finish(_ shift: Shift?, over dates: ReportDateLists) {
    guard var shift else { return }
    shift.endRest()
    let deduction = shift.rules.breakRules.deduction(work: shift.work, breaks: shift.breaks)
    deductions.append(deduction)
    // One that ends at the edge may count for the date that begins there.
    guard deduction > 0, let edge = dates[shift.user].stretches.last?.end, shift.start < edge,
      shift.end >= edge
    else { return }
    lastEnd = max(lastEnd ?? shift.end, shift.end)
  }

  /// The places in the order of members, and of time.
  private static func sorted(_ places: [Int], _ entries: [WorkedEntry]) -> [Int] {
    func comes(_ one: Int, before other: Int) -> Bool {
      let (one, other) = (entries[one], entries[other])
      return one.user == other.user ? one.clockIn < other.clockIn : one.user.value < other.user.value
    }
    let isInOrder = places.indices.dropFirst().allSatisfy { !comes(places[$0], before: places[$0 - 1]) }
    return isInOrder ? places : places.sorted(by: comes)
  }
}

/// A shift as its entries are gone through, in milliseconds.
private struct Shift {
  let user: UserKey
  let start: Instant
  /// Those of the date on which it begins.
  let rules: PayRules
  private(set) var end: Instant
  /// All time of the entries but breaks, paid ones too.
  private(set) var work: Int64 = 0
  /// The stretches without paid work that are long enough.
  private(set) var breaks: Int64 = 0
  /// The stretch without paid work that may go on.
  private var rest: (start: Instant, end: Instant)?

  init(user: UserKey, start: Instant, rules: PayRules) {
    self.user = user
    self.start = start
    self.rules = rules
    end = start
  }

  func isFollowed(by entry: WorkedEntry) -> Bool {
    entry.user == user && entry.clockIn.milliseconds(since: end) < ReportShifts.separation
  }

  mutating func add(_ entry: WorkedEntry, to end: Instant, _ segments: ReportSegments) {
    var reached = max(entry.clockIn, self.end)
    for place in segments.places(of: entry.user, from: entry.clockIn, to: end) {
      let start = max(segments[place].start, reached)
      let segmentEnd = min(segments[place].end ?? end, end)
      guard start < segmentEnd else { continue }
      work += start.milliseconds(since: reached)
      switch segments.kind(place) {
      case .nothing, .work: work += segmentEnd.milliseconds(since: start)
      case .paidBreak: break
      case .unpaidBreak: rest(from: start, to: segmentEnd)
      }
      reached = segmentEnd
    }
    if reached < end { work += end.milliseconds(since: reached) }
    self.end = max(self.end, end)
  }

  /// Counts a gap or an unpaid break, which extends one that ends as it begins.
  mutating func rest(from start: Instant, to end: Instant) {
    guard start < end else { return }
    if let rest, rest.end == start {
      self.rest = (rest.start, end)
    } else {
      endRest()
      rest = (start, end)
    }
  }

  mutating func endRest() {
    guard let rest else { return }
    let milliseconds = rest.end.milliseconds(since: rest.start)
    if milliseconds >= rules.breakMinimumSeconds * 1_000 { breaks += milliseconds }
    self.rest = nil
  }
}

extension [BreakRule] {
  /// The whole seconds to deduct from a shift: the most that any rule asks for which its work exceeds, and by none so much that
  /// less than the rule's `afterSeconds` is left. So a longer shift never loses less, nor more than it is longer.
  ///
  /// - Parameters:
  ///   - work: The milliseconds of work.
  ///   - breaks: The milliseconds of breaks that count.
  func deduction(work: Int64, breaks: Int64) -> Int64 {
    reduce(0) { most, rule in
      Swift.max(most, Swift.min(rule.breakSeconds * 1_000 - breaks, work - rule.afterSeconds * 1_000) / 1_000)
    }
  }
}
