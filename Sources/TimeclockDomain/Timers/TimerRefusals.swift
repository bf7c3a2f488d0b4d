/// The states of a timer that a command runs against.
package enum TimerConflict: String, CaseIterable, Sendable {
  case notRunning = "timer_not_running"
  case notPaused = "timer_not_paused"
  case notCountdown = "not_a_countdown"
  case notFinished = "timer_not_finished"
  case noPendingAction = "no_pending_action"

  /// One English sentence or two for the person who reads the answer.
  var detail: String {
    switch self {
    case .notRunning: "The timer is not running."
    case .notPaused: "The timer is not paused."
    case .notCountdown: "The timer counts up, so it has no end to move."
    case .notFinished: "The timer has not finished. Skip it to go on at once."
    case .noPendingAction: "Nothing follows a rest. Start what comes next."
    }
  }
}

/// A resource of timers as it stands, for a writer who has read another version.
package enum CurrentTimerResource: Hashable, Sendable {
  case timer(MemberTimer)
  case settings(TimerSettings)

  package var version: Int64 {
    switch self {
    case .timer(let timer): timer.version
    case .settings(let settings): settings.version
    }
  }
}

extension TimeclockError {
  package static let noTimer = TimeclockError.plain(
    PlainRefusal("no_timer", against: .absence, "You have no timer. Start one first."))

  package static let timerSessionNotFound = TimeclockError.plain(
    PlainRefusal("timer_session_not_found", against: .absence, "You have no such timer session."))

  package static let invalidTimerDuration = TimeclockError.plain(
    PlainRefusal(
      "invalid_duration", against: .rule,
      """
      A timer lasts \(TimerLimits.seconds.lowerBound) to \(TimerLimits.seconds.upperBound) seconds; an adjustment is at most \
      that long either way, and not 0
      """))

  package static let mustCountDown = TimeclockError.plain(
    PlainRefusal("must_count_down", against: .rule, "Breaks and rests count down; only a focus counts up"))

  package static let timerTooLong = TimeclockError.plain(
    PlainRefusal(
      "timer_too_long", against: .rule,
      "A timer without its pauses lasts at most \(TimerLimits.seconds.upperBound) seconds"))

  package static let invalidRoutine = TimeclockError.plain(
    PlainRefusal(
      "invalid_routine", against: .rule,
      "The counters of a routine are from 0 to \(TimerRoutine.counters.upperBound)"))

  package static let invalidSubjectID = TimeclockError.plain(
    PlainRefusal(
      "invalid_name", against: .rule,
      """
      The id of a subject has 1 to \(TimerLimits.subjectIDCharacters) characters, none of them control characters
      """))
}
