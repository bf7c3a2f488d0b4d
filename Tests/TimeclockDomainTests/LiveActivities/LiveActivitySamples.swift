import TimeclockDomain

/// Clocks and timers for the tests of Live Activities. The morning is that of 2026-11-20, a Friday, in UTC.
enum LiveActivitySamples {
  /// 09:00 and this many seconds.
  static func nine(_ seconds: Int64 = 0, milliseconds: Int64 = 0) -> Instant {
    Instant(millisecondsSince1970: 1_795_165_200_000 + seconds * 1_000 + milliseconds)
  }

  private static let organization = OrganizationID(high: 1, low: 1)
  private static let user = UserID(high: 2, low: 1)
  private static let zone = {
    guard let zone = TimeZoneIdentifier("UTC") else { fatalError("UTC is no zone") }
    return zone
  }()

  static func entry(_ number: UInt64, from start: Instant, to end: Instant?) -> TimeEntry {
    TimeEntry(
      id: TimeEntryID(high: 3, low: number), userID: user, organizationID: organization, clockInTime: start,
      clockOutTime: end, date: LocalDate(daysSince1970: 20_777), timeZone: zone, offsetSeconds: 0,
      sessionID: nil, notes: nil, source: .api, flags: [], version: 1, createdAt: start, updatedAt: start)
  }

  static func segment(
    _ number: UInt64, of entry: TimeEntry, for purpose: SegmentPurpose, from start: Instant
  ) -> Segment {
    Segment(
      id: SegmentID(high: 4, low: number), organizationID: organization, userID: user,
      timeEntryID: entry.id, purpose: purpose, isPaid: true, isBillable: false, name: "Time entry", tags: [],
      startTime: start, endTime: nil, timeZone: zone, source: .api, version: 1, createdAt: start,
      updatedAt: start)
  }

  /// A member who is in since 09:00, has worked an hour before, and works on `purpose` since 09:30.
  static func clock(for purpose: SegmentPurpose? = nil, at now: Instant) -> ClockState {
    let before = entry(1, from: nine(-7_200), to: nine(-3_600))
    let active = entry(2, from: nine(), to: nil)
    let segments = purpose.map { [segment(1, of: active, for: $0, from: nine(1_800))] } ?? []
    return ClockState(
      of: active, entries: [active, before], segments: segments, dayStart: nine(-32_400), at: now)
  }

  static func timer(
    _ type: TimerType, _ phase: ActiveTimer.Phase = .running, until end: Instant?, paused: Int64 = 0,
    original: Int64 = 1_500_000, subject: TimerSubject? = nil
  ) -> ActiveTimer {
    ActiveTimer(
      id: TimerID(high: 5, low: 1), type: type, phase: phase, startTime: nine(), endTime: end,
      lastStartTime: nine(), pausedMilliseconds: paused, originalMilliseconds: original,
      adjustedMilliseconds: 0, wasAdjusted: false,
      pausesInBackground: false, backgroundSince: nil, label: nil, projectID: nil, taskID: nil,
      subject: subject)
  }

  static func member(_ active: ActiveTimer?, routine: TimerRoutine? = nil) -> MemberTimer {
    var timer = MemberTimer.unused
    (timer.active, timer.routine) = (active, routine)
    return timer
  }

  static let routine = TimerRoutine(
    name: "Push day", startTime: nine(-600), currentItem: "Bench press", currentSet: 2, totalSets: 4,
    itemsCompleted: 1, totalItems: 6)
}

extension [LiveActivityMember] {
  /// The members as lines, instants in milliseconds from 09:00 on.
  var lines: [String] {
    map { member in
      let value =
        switch member.value {
        case .text(let text): "'\(text)'"
        case .flag(let flag): "\(flag)"
        case .count(let count): "\(count)"
        case .seconds(let milliseconds): "\(milliseconds) ms"
        case .tenThousandths(let count): "\(count)/10000"
        case .date(let time): "09:00 + \(time.milliseconds(since: LiveActivitySamples.nine()))"
        }
      return "\(member.name) \(value)"
    }
  }
}
