/// The state of one member for a wall clock: whether they are in, since when, and for which purpose.
package struct ClockState: Hashable, Sendable {
  /// Whether a member works, or is on a break.
  package enum Status: String, CaseIterable, Sendable {
    case clockedOut = "clocked-out"
    case clockedIn = "clocked-in"
    case onBreak = "on-break"

    /// The status of a member who is in.
    ///
    /// - Parameter running: The kind of the open segment; nil if nothing runs.
    package init(running: SegmentKind?) {
      self = running == .break ? .onBreak : .clockedIn
    }
  }

  /// The active entry; nil when clocked out.
  package var timeEntry: TimeEntry?
  /// The open segment; nil if nothing runs.
  package var segment: Segment?
  /// Whole seconds since the clock-in, breaks included.
  package var sessionSeconds: Int64 = 0
  /// Whole seconds of the breaks of the active entry.
  package var breakSeconds: Int64 = 0
  /// Whole seconds of the entries that began today.
  package var dailySeconds: Int64 = 0
  /// Whole seconds of the open segment.
  package var segmentSeconds: Int64 = 0
  /// Whole seconds of the segments that began today on the same project, or on the same task if there is none.
  package var segmentDailySeconds: Int64 = 0
  package var time: Instant
  /// The entries that the seconds of the day come from.
  package var entries: [TimeEntry]
  /// The segments that the seconds of breaks and of the same work come from.
  package var segments: [Segment] = []
  /// The beginning of today. As long as this, `entries` and `segments` stay the same, the seconds only run on.
  package var dayStart: Instant

  package var status: Status {
    timeEntry == nil ? .clockedOut : Status(running: segment?.kind)
  }

  /// The times of the running entry and of the day, such as `0:05:30 (2:45:15)`.
  package var display: String { "\(Self.text(sessionSeconds)) (\(Self.text(dailySeconds)))" }

  private static func text(_ seconds: Int64) -> String {
    func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3_600):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
  }

  /// The state of a member who is in.
  ///
  /// - Parameters:
  ///   - entries: The member's entries that began today.
  ///   - segments: The member's segments since the clock-in and since the day began.
  ///   - dayStart: The beginning of today.
  package init(
    of timeEntry: TimeEntry, entries: [TimeEntry], segments: [Segment], dayStart: Instant, at now: Instant
  ) {
    time = now
    (self.entries, self.segments, self.dayStart) = (entries, segments, dayStart)
    self.timeEntry = timeEntry
    let open = segments.first { $0.endTime == nil && $0.timeEntryID == timeEntry.id }
    segment = open
    sessionSeconds = timeEntry.durationSeconds(at: now)
    breakSeconds = segments.filter { $0.kind == .break && $0.timeEntryID == timeEntry.id }
      .reduce(0) { $0 + $1.durationSeconds(at: now) }
    dailySeconds = entries.reduce(0) { $0 + $1.durationSeconds(at: now) }
    guard let open else { return }
    segmentSeconds = open.durationSeconds(at: now)
    segmentDailySeconds = segments.filter { $0.startTime >= dayStart && $0.purpose.isSame(as: open.purpose) }
      .reduce(0) { $0 + $1.durationSeconds(at: now) }
  }

  /// The state of a member who is out.
  package init(clockedOutAt now: Instant, entries: [TimeEntry], dayStart: Instant) {
    time = now
    (self.entries, self.dayStart) = (entries, dayStart)
    dailySeconds = entries.reduce(0) { $0 + $1.durationSeconds(at: now) }
  }
}

extension SegmentPurpose {
  /// Whether time for the other counts with time for this one: by project, by task if there is none, by kind of break.
  fileprivate func isSame(as other: SegmentPurpose) -> Bool {
    guard breakTypeID == other.breakTypeID, projectID == other.projectID else { return false }
    return projectID != nil || taskID == other.taskID
  }
}
