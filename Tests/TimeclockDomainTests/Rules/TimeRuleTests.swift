import Testing

@testable import TimeclockDomain

/// Noon of an ordinary day; times below are milliseconds from it.
private let now = Instant(millisecondsSince1970: 1_795_176_000_000)

@Suite("Times of manual entries")
struct ManualTimesTests {
  struct Case: CustomTestStringConvertible {
    var start: Int64
    var end: Int64
    var refusal: TimeclockError?
    var testDescription: String { "\(start)…\(end) → \(refusal?.code ?? "allowed")" }
  }

  private static let hour: Int64 = 3_600_000
  private static let tooLong = TimeclockError.tooLong(maximumSeconds: 57_600)
  private static let tooShort = TimeclockError.tooShort(minimumSeconds: 60)

  @Test(
    "are judged at, one below and one above each limit",
    arguments: [
      Case(start: -hour, end: 0, refusal: nil),
      Case(start: -hour, end: 120_000, refusal: nil),
      Case(start: -hour, end: 119_999, refusal: nil),
      Case(start: -hour, end: 120_001, refusal: .inFuture),
      // An end that is ahead counts as now.
      Case(start: -16 * hour, end: 120_000, refusal: nil),
      Case(start: -59_999, end: 120_000, refusal: tooShort),
      Case(start: 0, end: 120_000, refusal: .endNotAfterStart),
      Case(start: -hour, end: -hour, refusal: .endNotAfterStart),
      Case(start: -hour, end: -hour - 1, refusal: .endNotAfterStart),
      Case(start: -hour, end: -hour + 1, refusal: tooShort),
      Case(start: -hour, end: -hour + 59_999, refusal: tooShort),
      Case(start: -hour, end: -hour + 60_000, refusal: nil),
      Case(start: -hour, end: -hour + 60_001, refusal: nil),
      Case(start: -16 * hour, end: 0, refusal: nil),
      Case(start: -16 * hour + 1, end: 0, refusal: nil),
      Case(start: -16 * hour - 1, end: 0, refusal: tooLong),
      Case(start: hour, end: 2 * hour, refusal: .inFuture),
      Case(start: .min, end: 0, refusal: tooLong),
    ])
  func limits(_ example: Case) {
    let result = Result {
      try ManualTimes(
        clockIn: now.adding(milliseconds: example.start), clockOut: now.adding(milliseconds: example.end),
        now: now, policy: .standard)
    }
    #expect(throws: example.refusal ?? TimeclockError.forbidden) {
      if case .success = result, example.refusal == nil { throw TimeclockError.forbidden }
      _ = try result.get()
    }
  }

  @Test(
    "of a member lie as many days back as the policy says, to the millisecond",
    arguments: [
      (nil, 9_999 * 86_400_000, true), (31, 31 * 86_400_000, true), (31, 31 * 86_400_000 + 1, false),
      (0, 3_600_000, false), (1, 86_400_000, true),
    ] as [(Int64?, Int64, Bool)])
  func daysBack(_ days: Int64?, _ age: Int64, _ isAllowed: Bool) throws {
    var policy = Policy.standard
    policy.manualEntryDays = days
    let start = now.adding(milliseconds: -age)
    func judge(isLimited: Bool) throws {
      _ = try ManualTimes(
        clockIn: start, clockOut: start.adding(milliseconds: Self.hour), now: now, policy: policy,
        isDaysBackLimited: isLimited)
    }
    if isAllowed {
      try judge(isLimited: true)
    } else {
      #expect(throws: TimeclockError.daysTooFarBack(days: days ?? -1)) { try judge(isLimited: true) }
    }
    try judge(isLimited: false)
  }

  @Test("follow the organization's own limits")
  func followsPolicy() throws {
    var policy = Policy.standard
    policy.minimumSeconds = 0
    policy.maximumSeconds = 120
    let start = now.adding(milliseconds: -120_000)
    #expect(throws: Never.self) {
      _ = try ManualTimes(clockIn: start, clockOut: now, now: now, policy: policy)
    }
    #expect(throws: TimeclockError.tooLong(maximumSeconds: 120)) {
      _ = try ManualTimes(
        clockIn: start.adding(milliseconds: -1), clockOut: now, now: now, policy: policy)
    }
  }
}

@Suite("Stated times")
struct StatedTimeTests {
  private static let lookBack: Int64 = 72 * 3_600_000

  @Test(
    "of clock-ins and clock-outs may lie from now to the look-back",
    arguments: [0, -1, -lookBack + 1, -lookBack])
  func allows(_ offset: Int64) throws {
    let time = now.adding(milliseconds: offset)
    #expect(try StatedTime.backdated(time, now: now, policy: .standard) == time)
  }

  @Test(
    "count as now while they are no more than two minutes ahead",
    arguments: [1, 1_000, 119_999, 120_000] as [Int64])
  func ahead(_ offset: Int64) throws {
    let time = now.adding(milliseconds: offset)
    #expect(try StatedTime.backdated(time, now: now, policy: .standard) == now)
    #expect(try StatedTime.counted(time, now: now) == now)
  }

  @Test("never lie in the future, not by a millisecond more")
  func refusesFuture() {
    #expect(throws: TimeclockError.inFuture) {
      try StatedTime.backdated(now.adding(milliseconds: 120_001), now: now, policy: .standard)
    }
  }

  @Test("lie no further back than the look-back, unless a manager states them")
  func refusesLongAgo() throws {
    let longAgo = now.adding(milliseconds: -Self.lookBack - 1)
    #expect(throws: TimeclockError.tooFarBack(hours: 72)) {
      try StatedTime.backdated(longAgo, now: now, policy: .standard)
    }
    #expect(
      try StatedTime.backdated(longAgo, now: now, policy: .standard, isLookBackLimited: false) == longAgo)
  }
}

@Suite("Closing an entry")
struct ClosingTests {
  private func activeEntry() throws -> TimeEntry {
    let identifiers = IdentifierGenerator()
    return TimeEntry(
      id: identifiers.next(at: now), userID: identifiers.next(at: now),
      organizationID: identifiers.next(at: now),
      clockInTime: now, clockOutTime: nil, date: LocalDate(daysSince1970: 20_777),
      timeZone: try #require(TimeZoneIdentifier("UTC")), offsetSeconds: 0, sessionID: nil, notes: nil,
      source: .api, flags: [], version: 1, createdAt: now, updatedAt: now)
  }

  @Test(
    "flags what is too short or too long, at, below and above the limits",
    arguments: [
      (59_999, TimeEntryFlags.underMinimum), (60_000, []), (57_600_000, []),
      (57_600_001, TimeEntryFlags.overMaximum), (340 * 3_600_000, TimeEntryFlags.overMaximum),
    ] as [(Int64, TimeEntryFlags)])
  func flags(_ length: Int64, _ expected: TimeEntryFlags) throws {
    var entry = try activeEntry()
    let end = now.adding(milliseconds: length)
    try entry.close(at: end, isStated: false, by: .standard, now: end)
    #expect(entry.flags == expected)
    #expect(entry.clockOutTime == end)
    #expect(entry.version == 2)
    #expect(entry.updatedAt == end)
  }

  @Test("always works when the clock was set back", arguments: [0, -1, -86_400_000] as [Int64])
  func worksBackwards(_ offset: Int64) throws {
    var entry = try activeEntry()
    try entry.close(
      at: now.adding(milliseconds: offset), isStated: false, by: .standard, extraFlags: .autoClosed, now: now)
    #expect(entry.clockOutTime == now.adding(milliseconds: 1))
    #expect(entry.flags == [.underMinimum, .autoClosed])
    #expect(entry.durationSeconds(at: now) == 0)
  }

  @Test(
    "by the service comes once the entry is open for longer than the policy waits",
    arguments: [
      (nil, .max, nil), (3_600, 3_599_999, nil), (3_600, 3_600_000, nil), (3_600, 3_600_001, 3_600),
      (57_599, 57_599_001, 57_599), (57_600, 57_600_001, 57_600), (57_601, 57_601_001, 57_600),
      (1_209_600, 1_209_600_000, nil), (1_209_600, 1_209_600_001, 57_600), (60, .max, 60),
    ] as [(Int64?, Int64, Int64?)])
  func forgotten(_ limit: Int64?, _ open: Int64, _ length: Int64?) throws {
    var policy = Policy.standard
    policy.autoClockOutSeconds = limit
    var entry = try activeEntry()
    let before = entry
    let later = now.adding(milliseconds: open)
    let reason = try entry.closeIfForgotten(by: policy, now: later)
    #expect((reason == nil) == (length == nil))
    guard let length else {
      #expect(entry == before)
      return
    }
    #expect(entry.clockOutTime == now.adding(milliseconds: length * 1_000))
    #expect(entry.flags == .autoClosed)
    #expect(entry.version == 2)
    #expect(entry.updatedAt == later)
    // A closed entry stays as it is.
    let closed = entry
    #expect(try entry.closeIfForgotten(by: policy, now: later) == nil)
    #expect(entry == closed)
  }

  @Test("refuses a stated time that is not after the clock-in")
  func refusesStated() throws {
    var entry = try activeEntry()
    let before = entry
    #expect(throws: TimeclockError.endNotAfterStart) {
      try entry.close(at: now, isStated: true, by: .standard, now: now)
    }
    #expect(entry == before)
  }

  @Test("an active entry's seconds run to now, and never below zero")
  func activeDuration() throws {
    let entry = try activeEntry()
    #expect(entry.durationSeconds(at: now.adding(milliseconds: 61_999)) == 61)
    #expect(entry.durationSeconds(at: now.adding(milliseconds: -5_000)) == 0)
  }
}
