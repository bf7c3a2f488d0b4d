import Testing

@testable import TimeclockDomain

@Suite("What break rules deduct from a shift")
struct ReportShiftsTests {
  /// Midnight in UTC of Friday, 2026-11-20.
  private static let origin = Instant(millisecondsSince1970: 20_777 * 86_400_000)

  /// Each case: minutes of work after six hours of it, and the minutes that the rules of a law deduct.
  @Test(
    "is what the strictest of the rules asks for that the work exceeds",
    arguments: [
      (360, 0), (361, 1), (390, 30), (540, 30), (541, 30), (555, 30), (570, 30), (571, 31), (585, 45),
      (960, 45),
    ]
      as [(Int64, Int64)])
  func rules(_ work: Int64, _ deducted: Int64) {
    #expect(ShiftSample.lawful.deduction(work: work * 60_000, breaks: 0) == deducted * 60)
  }

  @Test(
    "never falls as work grows, and never grows by more, at any minute of 16 hours under 200 sets of rules")
  func growth() {
    var random = RepeatableRandom(state: 39)
    for _ in 0..<200 {
      let rules = random.rules()
      let breaks = Bool.random(using: &random) ? 0 : Int64.random(in: 0...5_400_000, using: &random)
      var before: Int64 = 0
      for minute in 0...960 as ClosedRange<Int64> {
        let deduction = rules.deduction(work: minute * 60_000, breaks: breaks)
        guard deduction < before || deduction > before + 60 else {
          before = deduction
          continue
        }
        Issue.record(
          "\(rules), \(breaks) ms of breaks: \(before) s, then \(deduction) s at \(minute) minutes")
        return
      }
    }
  }

  /// Each case: entries and breaks in minutes, and the minutes that are unpaid, deducted and paid under the rules of a law.
  @Test(
    "counts every stretch without paid work that is long enough",
    arguments: [
      ("an hour out", [(360, 720), (780, 900)], [], 0, 0, 480),
      ("ten minutes out are none", [(360, 720), (730, 850)], [], 0, 30, 450),
      ("fourteen minutes out are none", [(360, 720), (734, 854)], [], 0, 30, 450),
      ("a quarter out", [(360, 720), (735, 855)], [], 0, 15, 465),
      ("two short ones are not joined", [(360, 720), (730, 800), (810, 860)], [], 0, 30, 450),
      ("breaks that touch are one", [(360, 870)], [(600, 610), (610, 630)], 30, 0, 480),
      ("breaks that do not touch are two", [(360, 870)], [(600, 610), (611, 631)], 30, 10, 470),
      ("a break and the time out that it touches", [(360, 720), (730, 860)], [(710, 720)], 10, 10, 470),
      ("time out between two breaks", [(360, 720), (725, 860)], [(715, 720), (725, 730)], 10, 15, 470),
      ("seven hours and 59 minutes out", [(0, 240), (719, 959)], [], 0, 0, 480),
      ("eight hours out are another shift", [(0, 400), (880, 1_000)], [], 0, 30, 490),
      ("a night", [(-360, 360)], [], 0, 45, 675),
      ("a night with a break behind midnight", [(-360, 360)], [(60, 105)], 45, 0, 675),
      ("a night with lunch before midnight", [(-360, -60), (0, 360)], [], 0, 0, 660),
    ] as [(String, [(Int64, Int64)], [(Int64, Int64)], Int64, Int64, Int64)])
  func breaks(
    _ title: String, _ entries: [(Int64, Int64)], _ breaks: [(Int64, Int64)], _ unpaid: Int64,
    _ deducted: Int64, _ paid: Int64
  ) throws {
    let sample = ShiftSample(
      origin: Self.origin, entries: entries.map { .init(start: $0.0, end: $0.1) },
      breaks: breaks.map { .init(start: $0.0, end: $0.1) }, policy: ShiftSample.policy(ShiftSample.lawful))
    let date = LocalDate(daysSince1970: 20_777)
    for attribution in ReportAttribution.allCases {
      let sums = try sample.sums(from: date.adding(days: -1), through: date, attribution).values
      #expect(sums.reduce(0) { $0 + $1.unpaidBreakSeconds } == unpaid * 60, "\(title), \(attribution)")
      #expect(sums.reduce(0) { $0 + $1.deductedBreakSeconds } == deducted * 60, "\(title), \(attribution)")
      #expect(sums.reduce(0) { $0 + $1.paidSeconds } == paid * 60, "\(title), \(attribution)")
    }
  }

  @Test("is by the rules of the date on which the shift begins, wherever its breaks and its end are")
  func dated() throws {
    let date = LocalDate(daysSince1970: 20_777)
    var sample = ShiftSample(
      origin: Self.origin,
      // Nights before, to and after the date, each with ten minutes that are no break by the first rules.
      entries: [-1, 0, 1].map { .init(start: $0 * 1_440 - 120, end: $0 * 1_440 + 500) },
      breaks: [-1, 0, 1].map { .init(start: $0 * 1_440 + 60, end: $0 * 1_440 + 70) })
    sample.rules = PayRulesCalendar(
      before: PayRules(breakRules: ShiftSample.lawful),
      then: [date: PayRules(breakRules: ShiftSample.lawful, breakMinimumSeconds: 600)])
    for attribution in ReportAttribution.allCases {
      for last in [1, 9] {
        let sums = try sample.sums(
          from: date.adding(days: -9), through: date.adding(days: last), attribution)
        let deducted = sums.values.map(\.deductedBreakSeconds).reduce(0, +)
        #expect(deducted == (45 + 45 + 35) * 60)
      }
    }
    // The last night begins on the date, and is deducted from on the next.
    let next = try sample.sums(from: date.adding(days: 1), through: date.adding(days: 1)).values
    #expect(next.map { $0.deductedBreakSeconds / 60 } == [35])
  }

  @Test("is taken from the last work of the shift, on whichever date, also beyond the dates of the report")
  func place() throws {
    let sample = ShiftSample(
      origin: Self.origin, entries: [.init(start: -600, end: 10), .init(start: 15, end: 25)],
      policy: ShiftSample.policy(ShiftSample.lawful))
    let date = LocalDate(daysSince1970: 20_777)
    let deducted = { (first: LocalDate, last: LocalDate, attribution: ReportAttribution) in
      try sample.sums(from: first, through: last, attribution).mapValues { $0.deductedBreakSeconds / 60 }
    }
    func key(_ days: Int) -> ShiftSample.Key { .init(member: 1, date: date.adding(days: days)) }
    // 20 minutes of the 45 are behind midnight.
    let both = try deducted(date.adding(days: -1), date, .split)
    #expect(both == [key(-1): 25, key(0): 20])
    #expect(try deducted(date.adding(days: -1), date.adding(days: -1), .split) == [key(-1): 25])
    #expect(try deducted(date, date, .split) == [key(0): 20])
    // The first entry is of the day before, and has the rest.
    #expect(try deducted(date.adding(days: -1), date.adding(days: -1), .start) == [key(-1): 35])
    #expect(try deducted(date, date, .start) == [key(0): 10])
    #expect(try deducted(date, date, .end) == [key(0): 45])
  }

  /// The nights of both clock changes in Berlin, an evening before midnight, and a morning.
  private static let origins = [
    "2026-03-28T15:00:00Z", "2026-10-24T14:00:00Z", "2026-11-20T17:30:00Z", "2026-11-20T05:00:00Z",
  ]

  @Test(
    "leaves more pay with every minute that somebody stays, the same for each attribution, and each date its own report's"
  )
  func presence() throws {
    var random = RepeatableRandom(state: 2)
    for number in 0..<200 {
      let rules = random.rules()
      // A member for each minute of presence: everybody has the same entries and breaks, but for the end of the last one.
      let first = Int64.random(in: 1...300, using: &random)
      let gap = Int64.random(in: 1...90, using: &random)
      let pause = Int64.random(in: 1...60, using: &random)
      let hasGap = number % 2 == 0
      let lengths = Array(Int64.random(in: 1...60, using: &random)...960)
      var entries: [ShiftSample.Span] = []
      var breaks: [ShiftSample.Span] = []
      for (member, length) in lengths.enumerated() {
        let member = Int64(member)
        let begin = hasGap ? first + gap : 0
        if hasGap { entries.append(.init(member: member, start: 0, end: first)) }
        entries.append(.init(member: member, start: begin, end: begin + length))
        if number % 3 == 0 {
          // Within the shortest presence, if there is room.
          let end = min(pause, lengths[0])
          breaks.append(.init(member: member, start: begin, end: begin + end))
        }
      }
      let sample = ShiftSample(
        zone: "Europe/Berlin", origin: try #require(Instant(rfc3339: Self.origins[number % 4])),
        entries: entries, breaks: breaks,
        policy: ShiftSample.policy(rules, minimum: [900, 0, 600, 1_800][number / 4 % 4]))
      let zone = try #require(SystemZones.zone("Europe/Berlin"))
      let date = zone.localDate(at: sample.origin)
      let last = date.adding(days: 2)
      let split = try sample.sums(from: date, through: last)
      let paid = Self.byMember(split, lengths.count, \.paidSeconds)
      let deducted = Self.byMember(split, lengths.count, \.deductedBreakSeconds)
      for place in lengths.indices.dropFirst() {
        let more = (lengths[place] - lengths[place - 1]) * 60
        let (gained, lost) = (paid[place] - paid[place - 1], deducted[place] - deducted[place - 1])
        #expect(lost >= 0 && gained >= 0 && gained <= more, "set \(number), \(lengths[place]) minutes")
      }
      for attribution in [ReportAttribution.start, .end] {
        let sums = try sample.sums(from: date, through: last, attribution)
        #expect(Self.byMember(sums, lengths.count, \.paidSeconds) == paid, "set \(number), \(attribution)")
      }
      var ofDays: [ShiftSample.Key: ReportFigures] = [:]
      for day in 0...2 {
        let one = try sample.sums(from: date.adding(days: day), through: date.adding(days: day))
        ofDays.merge(one) { _, _ in
          Issue.record("a date in two reports"); return ReportFigures()
        }
      }
      #expect(ofDays == split, "set \(number)")
    }
  }

  private static func byMember(
    _ sums: [ShiftSample.Key: ReportFigures], _ count: Int, _ figure: (ReportFigures) -> Int64
  ) -> [Int64] {
    sums.reduce(into: Array(repeating: 0, count: count)) { $0[Int($1.key.member)] += figure($1.value) }
  }
}
