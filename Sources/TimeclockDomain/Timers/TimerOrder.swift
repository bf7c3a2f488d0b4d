/// A command to a timer that no rule about its content refuses.
package enum TimerOrder: Hashable, Sendable {
  case start(TimerStart)
  case pause
  case resume
  case adjust(milliseconds: Int64)
  case skip
  case next
  case stop
}

/// A start as the rules leave it.
package struct TimerStart: Hashable, Sendable {
  var type: TimerType
  var durationSeconds: Int64?
  var isCountdown: Bool?
  var purpose: TimerPurpose
  var subject: TimerSubject?
  /// Takes the place of the member's routine; nil leaves it.
  var routine: TimerRoutine?
  var isAutomatic: Bool
}

/// The things that a timer is for.
struct TimerPurpose: Hashable, Sendable {
  var label: String?
  var projectID: ProjectID?
  var taskID: TaskID?

  var isEmpty: Bool { self == TimerPurpose() }
}

extension TimerCommand {
  /// The command with its content checked.
  ///
  /// - Parameters:
  ///   - now: The present, which nothing stated lies behind.
  ///   - work: The project and the task that it states, looked up.
  /// - Throws: `.invalidTimerDuration`, `.mustCountDown`, `.invalidName`, `.invalidSubjectID`, `.invalidRoutine`.
  package func validated(at now: Instant, work: SegmentPurpose) throws -> TimerOrder {
    switch self {
    case .start(let request): .start(try request.validated(at: now, work: work))
    case .pause: .pause
    case .resume: .resume
    case .adjust(let seconds):
      if seconds != 0, TimerLimits.adjustment.contains(seconds) {
        .adjust(milliseconds: seconds * 1_000)
      } else {
        throw TimeclockError.invalidTimerDuration
      }
    case .skip: .skip
    case .next: .next
    case .stop: .stop
    }
  }
}

extension StartTimerRequest {
  fileprivate func validated(at now: Instant, work: SegmentPurpose) throws -> TimerStart {
    guard durationSeconds.map(TimerLimits.seconds.contains) ?? true else {
      throw TimeclockError.invalidTimerDuration
    }
    guard type == .focus || isCountdown != false else { throw TimeclockError.mustCountDown }
    return TimerStart(
      type: type, durationSeconds: durationSeconds, isCountdown: isCountdown,
      purpose: TimerPurpose(
        label: try TimerText.name(label), projectID: work.projectID, taskID: work.taskID),
      subject: try subject.map(TimerText.subject), routine: try routine?.validated(at: now),
      isAutomatic: isAutomatic)
  }
}
