/// The end of a focus or a break that ran out, for a notification.
package struct TimerEnd: Hashable, Sendable {
  /// Whether it was a focus.
  package var isFocus: Bool
  package var time: Instant

  init(isFocus: Bool, time: Instant) {
    (self.isFocus, self.time) = (isFocus, time)
  }

  /// The last end that the member's timer knows; nil for none.
  ///
  /// A timer that started by itself did so when the one before it finished.
  package init?(of timer: MemberTimer) {
    guard let active = timer.active, active.type != .rest else { return nil }
    if let end = active.finishedAt {
      self.init(isFocus: active.type == .focus, time: end)
    } else if timer.isAutoStarted {
      self.init(isFocus: active.type.isBreak, time: active.startTime)
    } else {
      return nil
    }
  }

  /// The words of the notification.
  package var alert: PushAlert {
    PushAlert(title: isFocus ? "Focus Complete" : "Break Complete", body: "Tap to continue")
  }

  /// The instant after which no notification is needed: the next step is no longer offered.
  package var expiresAt: Instant { time.adding(milliseconds: TimerLimits.nextWindow) }

  /// Distinguishes the end from others.
  var name: String { "\(isFocus ? "focus" : "break") \(time.millisecondsSince1970)" }

  func isNews(at now: Instant) -> Bool { now < expiresAt }
}

extension LiveActivityForm {
  /// The words with which an activity starts: without them the system starts none.
  func startAlert(_ content: LiveActivityContent) -> PushAlert {
    func text(_ name: String) -> String {
      for member in content.attributes where member.name == name {
        if case .text(let text) = member.value { return text }
      }
      return ""
    }
    return switch self {
    case .task: PushAlert(title: text("taskName"), body: "Started")
    case .work: PushAlert(title: "Clocked In", body: "Started")
    case .focus:
      PushAlert(
        title: content.attributes.contains { $0.name == "isFocus" && $0.value == .flag(true) }
          ? "Focus" : "Break",
        body: text("label").isEmpty ? "Started" : text("label"))
    case .rest: PushAlert(title: "Rest", body: text("exerciseName"))
    case .routine:
      PushAlert(title: text("workoutName").isEmpty ? "Workout" : text("workoutName"), body: "Started")
    }
  }
}
