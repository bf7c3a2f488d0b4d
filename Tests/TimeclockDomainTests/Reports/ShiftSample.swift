import Testing

@testable import TimeclockDomain

/// Entries and breaks in minutes since an instant, and reports about them.
struct ShiftSample {
  /// A span of one member.
  struct Span {
    var member: Int64 = 1
    var start: Int64
    /// Nil while it runs.
    var end: Int64?
  }

  var zone = "UTC"
  /// The instant of minute 0.
  var origin: Instant
  var entries: [Span]
  /// Unpaid breaks, within the entries.
  var breaks: [Span] = []
  var policy = Policy.standard
  /// The rules of each date; nil for the policy's.
  var rules: PayRulesCalendar?

  static func policy(_ rules: [BreakRule], minimum: Int64 = 900) -> Policy {
    var policy = Policy.standard
    policy.breakRules = rules
    policy.breakMinimumSeconds = minimum
    return policy
  }

  /// The rules of a law: half an hour after six hours, 45 minutes after nine.
  static let lawful = [
    BreakRule(afterSeconds: 21_600, breakSeconds: 1_800),
    BreakRule(afterSeconds: 32_400, breakSeconds: 2_700),
  ]

  func instant(_ minute: Int64) -> Instant { origin.adding(milliseconds: minute * 60_000) }

  var time: WorkedTime {
    WorkedTime(
      entries: entries.map { span in
        WorkedEntry(
          user: UserKey(span.member), clockIn: instant(span.start), clockOut: span.end.map(instant),
          session: nil, source: .api, flags: [], id: nil)
      }, people: [:], sessions: [:],
      segments: breaks.map { span in
        WorkedSegment(
          user: UserKey(span.member), start: instant(span.start), end: span.end.map(instant), traits: [],
          project: nil, task: nil, breakType: 1, entryID: nil)
      })
  }

  /// The sums of each member by date, of a range of dates.
  ///
  /// - Parameter time: The time that was read; nil for all of the sample.
  func sums(
    from first: LocalDate, through last: LocalDate, _ attribution: ReportAttribution = .split,
    of time: WorkedTime? = nil, asOf: Int64 = 100_000
  ) throws -> [Key: ReportFigures] {
    let zone = try #require(SystemZones.zone(zone))
    let time = time ?? self.time
    let segments = ReportSegments(time.segments)
    let calculation = ReportCalculation(
      dates: ReportDates(of: zone, from: first, through: last),
      frame: ReportFrame(
        startDate: first, endDate: last, timeZone: zone.identifier, attribution: attribution,
        asOf: instant(asOf)),
      rules: rules ?? PayRulesCalendar(policy))
    var sums: [Key: ReportFigures] = [:]
    for slice in calculation.slices(of: time, segments) {
      let key = Key(member: time.entries[slice.entry].user.value, date: slice.date)
      sums[key, default: ReportFigures()].seconds += slice.seconds
      sums[key]?.deductedBreakSeconds += slice.deductedSeconds
      if slice.kind == .unpaidBreak { sums[key]?.unpaidBreakSeconds += slice.seconds }
    }
    return sums
  }

  struct Key: Hashable {
    var member: Int64
    var date: LocalDate
  }
}

/// A repeatable source of numbers: SplitMix64.
struct RepeatableRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// One to five rules, as an organization may have them.
  mutating func rules() -> [BreakRule] {
    let after = Set(
      (0..<Int.random(in: 1...5, using: &self)).map { _ in Int64.random(in: 0...57_600, using: &self) })
    return after.sorted().map {
      BreakRule(afterSeconds: $0, breakSeconds: Int64.random(in: 0...7_200, using: &self))
    }
  }
}
