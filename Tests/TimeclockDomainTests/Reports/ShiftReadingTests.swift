import Testing

@testable import TimeclockDomain

@Suite("Whole shifts of a report")
struct ShiftReadingTests {
  private static let origin = Instant(millisecondsSince1970: 20_770 * 86_400_000)

  /// The entries and segments that a storage gives for a query.
  private static func found(_ query: WorkedTimeQuery, in time: WorkedTime) -> WorkedTime {
    var found = time
    found.entries = time.entries.filter { entry in
      (query.members.user ?? entry.user) == entry.user && entry.clockIn < query.beginningBefore
        && entry.clockOut.map { $0 > query.endingAfter } ?? true
    }
    found.segments = time.segments.filter { (query.members.user ?? $0.user) == $0.user }
    return found
  }

  /// The time read for a report of some dates, and the number of readings.
  private static func read(
    _ time: WorkedTime, from first: LocalDate, through last: LocalDate, _ zone: Zone
  ) throws -> (time: WorkedTime, readings: Int) {
    let stretches = zone.dayStretches(from: first, through: last)
    let query = WorkedTimeQuery(
      organization: OrganizationKey(1), members: .everybody,
      endingAfter: try #require(stretches.first).start.adding(milliseconds: -1),
      beginningBefore: try #require(stretches.last).end, session: nil, hasDetails: false, hasWholeShifts: true
    )
    var reading = ShiftReading(query, first: found(ShiftReading.first(of: query), in: time))
    var readings = 1
    while let next = reading.next {
      readings += 1
      let more = found(next, in: time)
      reading.add(entries: more.entries, segments: more.segments)
    }
    return (reading.time, readings)
  }

  /// Members with entries from hours 0 to 400, some of which follow each other closely for days.
  private static func sample(_ random: inout RepeatableRandom) -> ShiftSample {
    var entries: [ShiftSample.Span] = []
    var breaks: [ShiftSample.Span] = []
    for member in 1...4 as ClosedRange<Int64> {
      var start = Int64.random(in: 0...1_000, using: &random)
      while start < 24_000 {
        let length = Int64.random(
          in: 1...(Int.random(in: 0..<12, using: &random) == 0 ? 6_000 : 700), using: &random)
        entries.append(.init(member: member, start: start, end: start + length))
        if length > 60, Bool.random(using: &random) {
          breaks.append(
            .init(member: member, start: start + 20, end: start + Int64.random(in: 21...60, using: &random)))
        }
        let gaps: [Int64] = member < 3 ? [0, 10, 45, 300, 479] : [10, 45, 480, 700, 900]
        start += length + (gaps.randomElement(using: &random) ?? 0)
      }
      if Bool.random(using: &random) { entries.append(.init(member: member, start: start, end: nil)) }
    }
    return ShiftSample(
      zone: "Europe/Berlin", origin: origin, entries: entries.shuffled(using: &random), breaks: breaks,
      policy: ShiftSample.policy(random.rules()))
  }

  @Test("give each date what a report of all time says, whatever dates are asked for")
  func ranges() throws {
    var random = RepeatableRandom(state: 7)
    let zone = try #require(SystemZones.zone("Europe/Berlin"))
    var most = 0
    for number in 0..<40 {
      let sample = Self.sample(&random)
      let time = sample.time
      let (first, last) = (LocalDate(daysSince1970: 20_765), LocalDate(daysSince1970: 20_860))
      for attribution in ReportAttribution.allCases {
        let all = try sample.sums(from: first, through: last, attribution)
        let start = LocalDate(daysSince1970: 20_770 + Int32.random(in: 0...16, using: &random))
        let end = start.adding(days: Int.random(in: 0...3, using: &random))
        let (read, readings) = try Self.read(time, from: start, through: end, zone)
        most = max(most, readings)
        let shown = try sample.sums(from: start, through: end, attribution, of: read)
        #expect(
          shown == all.filter { start <= $0.key.date && $0.key.date <= end },
          "sample \(number), \(start.iso8601) to \(end.iso8601), \(attribution)")
      }
    }
    #expect(most > 2, "no shift is long")
  }

  @Test("are read at once if nobody's is long, and by few readings if one is")
  func readings() throws {
    let zone = try #require(SystemZones.zone("UTC"))
    let date = LocalDate(daysSince1970: 20_777)
    let days = ShiftSample(
      origin: Self.origin, entries: (0..<14).map { .init(start: $0 * 1_440 + 480, end: $0 * 1_440 + 1_020) })
    #expect(try Self.read(days.time, from: date, through: date, zone).readings == 1)
    // An hour of work and an hour out, for 400 days.
    let restless = ShiftSample(
      origin: Self.origin, entries: (-2_400..<2_400).map { .init(start: $0 * 120, end: $0 * 120 + 60) })
    let (time, readings) = try Self.read(restless.time, from: date, through: date, zone)
    #expect(time.entries.count == 4_800)
    #expect(readings < 15)
    // Nothing comes after a member who is still in.
    let active = ShiftSample(origin: Self.origin, entries: [.init(start: -100_000, end: nil)])
    let (found, ofActive) = try Self.read(active.time, from: date, through: date, zone)
    #expect(found.entries.count == 1)
    #expect(ofActive == 2)
  }
}
