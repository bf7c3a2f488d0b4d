/// The kinds of timers.
package enum TimerType: String, CaseIterable, Sendable {
  case focus
  case shortBreak
  case longBreak
  /// The rest between two sets of an exercise; it belongs to no round of focus and breaks.
  case rest

  package var isBreak: Bool { self == .shortBreak || self == .longBreak }
}

/// The stages of a timer; `reset` is the absence of one.
package enum TimerState: String, CaseIterable, Sendable {
  case reset
  case running
  case paused
  case finished
}

/// The next step that a finished timer offers, as a button of a notification does.
package enum TimerAction: String, CaseIterable, Sendable {
  case startBreak = "start_break"
  case startFocus = "start_focus"
}

/// The thing that a timer is about, such as an exercise, a machine or a room.
package struct TimerSubject: Hashable, Sendable {
  package var id: String
  package var name: String

  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}
