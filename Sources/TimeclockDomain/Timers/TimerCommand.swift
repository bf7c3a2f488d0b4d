/// A client's request to start a timer.
package struct StartTimerRequest: Hashable, Sendable {
  package var type: TimerType
  /// Nil means the settings' length; of no account if it counts up.
  package var durationSeconds: Int64?
  /// Nil means the settings' way for a focus, and down for all others.
  package var isCountdown: Bool?
  package var projectID: ProjectID?
  package var taskID: TaskID?
  package var label: String?
  package var subject: TimerSubject?
  /// Takes the place of the member's routine; nil leaves it.
  package var routine: RoutineRequest?
  /// Whether a client starts a rest by itself, which settings and routine may refuse. Of no account for other types.
  package var isAutomatic: Bool

  package init(
    type: TimerType, durationSeconds: Int64? = nil, isCountdown: Bool? = nil, projectID: ProjectID? = nil,
    taskID: TaskID? = nil, label: String? = nil, subject: TimerSubject? = nil,
    routine: RoutineRequest? = nil, isAutomatic: Bool = false
  ) {
    self.type = type
    self.durationSeconds = durationSeconds
    self.isCountdown = isCountdown
    self.projectID = projectID
    self.taskID = taskID
    self.label = label
    self.subject = subject
    self.routine = routine
    self.isAutomatic = isAutomatic
  }
}

/// A command to a timer, as a client states it.
package enum TimerCommand: Hashable, Sendable {
  case start(StartTimerRequest)
  case pause
  case resume
  /// Moves the end by this many seconds.
  case adjust(seconds: Int64)
  case skip
  /// Starts the timer that a finished one offers.
  case next
  case stop
}

/// The id of a queued command, which a client makes as it makes a punch's.
package typealias TimerCommandID = PunchID

/// The name under which a queued command is remembered, and the fingerprint that distinguishes it from another of the
/// same id.
package typealias TimerCommandKey = PunchKey

/// A command that a client noted while offline.
package struct QueuedTimerCommand: Sendable {
  package var id: TimerCommandID
  /// The time by the client's clock.
  package var time: Instant
  package var command: TimerCommand

  package init(id: TimerCommandID, time: Instant, command: TimerCommand) {
    self.id = id
    self.time = time
    self.command = command
  }

  /// The most commands of one request.
  package static let maximumCount = 100
  /// The time for which a command is remembered: 90 days, in milliseconds.
  package static let memory = Punch.memory
}

/// The fate of a queued command, with the timer after it.
package struct TimerCommandResult: Sendable {
  package var id: TimerCommandID
  package var outcome: Outcome
  package var timer: MemberTimer
  /// The session that the command itself left.
  package var session: TimerSession?
  /// The instant that the timer is of.
  package var time: Instant

  /// The effect of a command.
  package enum Outcome: Sendable {
    /// An automatic start may still have started nothing.
    case applied
    /// It is older than another that was applied, and was not.
    case stale
    case refused(TimeclockError)
  }

  package init(
    id: TimerCommandID, outcome: Outcome, timer: MemberTimer, session: TimerSession?, time: Instant
  ) {
    self.id = id
    self.outcome = outcome
    self.timer = timer
    self.session = session
    self.time = time
  }
}

/// The reasons for which an automatic start does nothing.
package enum TimerNotStarted: String, CaseIterable, Sendable {
  /// The settings have no rests.
  case disabled
  /// The routine is at its last set.
  case lastSet = "last_set"
}

/// The outcome of a command.
package struct TimerOutcome: Sendable {
  /// Nil if a start started, and for any other command.
  package var notStarted: TimerNotStarted?
  package var timer: MemberTimer
  /// The session that the command itself left; earlier ones by time alone are in lists.
  package var session: TimerSession?
  /// The instant that the timer is of.
  package var time: Instant

  package init(
    notStarted: TimerNotStarted? = nil, timer: MemberTimer, session: TimerSession?, time: Instant
  ) {
    self.notStarted = notStarted
    self.timer = timer
    self.session = session
    self.time = time
  }
}

/// A member's timer as it is now.
package struct CurrentTimer: Sendable {
  package var timer: MemberTimer
  /// The newest session.
  package var lastSession: TimerSession?
  /// The instant that the timer is of, which is the service's present.
  package var time: Instant

  package init(timer: MemberTimer, lastSession: TimerSession?, time: Instant) {
    self.timer = timer
    self.lastSession = lastSession
    self.time = time
  }
}

/// The places in which a client can be.
package enum TimerPresence: String, CaseIterable, Sendable {
  case foreground
  case background
}
