/// The timer of a member, or its remains between two: one a member, so that there is never a second.
///
/// It is written only when something happens to it. Its state at any moment follows from it and the time by
/// `TimerFold`.
package struct MemberTimer: Hashable, Sendable {
  /// Nil if nothing was started, or it has been stopped or dismissed.
  package var active: ActiveTimer?
  /// The focus sessions since the last long break that ran to their end or were skipped.
  package var streak: Int64
  /// The instant at which the last of them ended.
  package var lastFocusEnd: Instant?
  /// The number of timers in a row that were started by themselves, the active one included.
  package var autoStarts: Int64
  /// The progress of a workout or a round; there without a timer too.
  package var routine: TimerRoutine?
  package var settings: TimerSettings
  /// The time of the last command that was applied, by a request or out of a queue.
  package var lastCommandTime: Instant?
  /// The timer as it was before time alone changed it since the last command; nil if it has not.
  package var past: TimerPast?
  /// Counts the changes, each transition one; the entity tag is made of it. 0 if the storage has none.
  package var version: Int64
  /// The instant of the last transition, which no later one is before; settings and routine do not touch it.
  package var updatedAt: Instant

  package init(
    active: ActiveTimer?, streak: Int64, lastFocusEnd: Instant?, autoStarts: Int64,
    routine: TimerRoutine?, settings: TimerSettings, lastCommandTime: Instant?, past: TimerPast?,
    version: Int64, updatedAt: Instant
  ) {
    self.active = active
    self.streak = streak
    self.lastFocusEnd = lastFocusEnd
    self.autoStarts = autoStarts
    self.routine = routine
    self.settings = settings
    self.lastCommandTime = lastCommandTime
    self.past = past
    self.version = version
    self.updatedAt = updatedAt
  }

  /// The timer of a member who never had one.
  package static let unused = MemberTimer(
    active: nil, streak: 0, lastFocusEnd: nil, autoStarts: 0, routine: nil, settings: .standard,
    lastCommandTime: nil, past: nil, version: 0, updatedAt: Instant(millisecondsSince1970: 0))
}

extension MemberTimer {
  package var state: TimerState { active?.state ?? .reset }

  /// Whether the active timer was started by itself at the end of another.
  package var isAutoStarted: Bool { active != nil && autoStarts > 0 }

  /// The step that a finished timer offers; nil for any other.
  package var pendingAction: TimerAction? {
    guard let active, active.finishedAt != nil, active.type != .rest else { return nil }
    return nextType(after: active.type).isBreak ? .startBreak : .startFocus
  }

  /// The type that follows a focus, which the streak counts already, or a break.
  func nextType(after type: TimerType) -> TimerType {
    guard type == .focus, settings.breaksEnabled else { return .focus }
    return settings.longBreaksEnabled && streak >= settings.sessionsBeforeLongBreak ? .longBreak : .shortBreak
  }

  /// The first instant at which time alone changes it; nil if none does.
  package var dueAt: Instant? {
    guard let active else { return nil }
    switch active.phase {
    case .running:
      return [active.end, active.backgroundEnd?.adding(milliseconds: 1)].compactMap { $0 }.min()
    case .paused(let since, _): return since.adding(milliseconds: TimerLimits.longestPause)
    case .finished(let end): return end.adding(milliseconds: TimerLimits.nextWindow + 1)
    }
  }
}

extension ActiveTimer {
  /// The instant at which it finishes by itself while it runs on.
  var end: Instant {
    endTime ?? startTime.adding(milliseconds: pausedMilliseconds + originalMilliseconds)
  }

  /// The last instant at which a client in the background lets it run; nil if none limits it.
  var backgroundEnd: Instant? {
    guard pausesInBackground, let backgroundSince else { return nil }
    return max(startTime, backgroundSince.adding(milliseconds: TimerLimits.longestBackground))
  }
}

/// Bounds of timers, in milliseconds if nothing else is said.
package enum TimerLimits {
  /// The seconds that a timer may have.
  package static let seconds: ClosedRange<Int64> = 1...28_800
  /// The seconds of one adjustment; 0 is none.
  package static let adjustment: ClosedRange<Int64> = -28_800...28_800
  /// The time after its end in which a timer offers the next step, 1,800 s: no later one starts by itself, and then it goes.
  package static let nextWindow: Int64 = 1_800_000
  /// The time for which a client may be in the background before its timer pauses, 300 s.
  package static let longestBackground: Int64 = 300_000
  /// The length of a pause at which a timer counts as stopped, 24 h.
  package static let longestPause: Int64 = 86_400_000
  /// The time that a session may lack to its next full minute, 10 s.
  package static let wiggle: Int64 = 10_000
  /// The time beside a focus and a long break after which a streak is forgotten, 15 min.
  package static let streakSlack: Int64 = 900_000
  /// The most code points of a label, of a subject's name and of the names of a routine.
  package static let nameCharacters = 200
  /// The most code points of a subject's id.
  package static let subjectIDCharacters = 100
}
