/// The forms of Live Activities that are known: which attributes and which content an app's `ActivityAttributes` has.
package enum LiveActivityForm: String, CaseIterable, Sendable {
  /// Work on a task, counting up.
  case task
  /// The time since the clock-in and of the day, with the project.
  case work
  /// A focus or a break.
  case focus
  /// A rest between two sets.
  case rest
  /// A workout, or a round through rooms.
  case routine

  /// The name of the structure that such apps call their attributes by.
  package var attributesType: String {
    switch self {
    case .task, .work: "TimerActivityAttributes"
    case .focus: "GoodtimeActivityAttributes"
    case .rest: "RestTimerAttributes"
    case .routine: "WorkoutActivityAttributes"
    }
  }
}

/// The ways in which dates stand in the content of a Live Activity.
package enum LiveActivityDates: String, CaseIterable, Sendable {
  /// Seconds since 2001-01-01T00:00:00Z, as Swift's `JSONDecoder` reads dates by default.
  case reference
  /// Seconds since 1970-01-01T00:00:00Z.
  case unix
  /// Text of RFC 3339 with whole seconds, as the decoder's strategy `iso8601` reads it.
  case iso8601

  /// 2001-01-01T00:00:00Z in milliseconds since 1970.
  package static let referenceMilliseconds: Int64 = 978_307_200_000
}

/// The time for which an activity that is over still stands on the lock screen.
package enum LiveActivityDismissal: String, CaseIterable, Sendable {
  case immediate
  /// As long as the system likes, at most four hours.
  case `default`
}
