/// The public id of a timer.
package typealias TimerID = Identifier<ActiveTimer>

/// A timer that was started and has been neither stopped nor dismissed.
package struct ActiveTimer: Hashable, Sendable {
  package var id: TimerID
  package var type: TimerType
  package var phase: Phase
  package var startTime: Instant
  /// The instant at which a countdown ends unless something changes; nil if the timer counts up. While it is paused,
  /// the end as it was at the pause.
  package var endTime: Instant?
  /// The instant of the start, or of the last resumption.
  package var lastStartTime: Instant
  /// The length of the pauses that are over, in milliseconds; of all pauses once it is finished.
  package var pausedMilliseconds: Int64
  /// The length that a countdown was started with, in milliseconds; of a timer that counts up, the longest time for which it
  /// runs without pauses.
  package var originalMilliseconds: Int64
  /// The sum of the adjustments, in milliseconds; negative if it became shorter.
  package var adjustedMilliseconds: Int64
  /// Whether it was adjusted at all, be it there and back.
  package var wasAdjusted: Bool
  /// Whether a client that is in the background for long pauses it; as the settings were at its start.
  package var pausesInBackground: Bool
  /// The instant since which the client has been in the background; nil if it is not, or nobody said so.
  package var backgroundSince: Instant?
  package var label: String?
  package var projectID: ProjectID?
  package var taskID: TaskID?
  package var subject: TimerSubject?

  /// The state of a timer.
  package enum Phase: Hashable, Sendable {
    case running
    /// - Parameter byBackground: Whether the client's being in the background did it.
    case paused(since: Instant, byBackground: Bool)
    case finished(at: Instant)
  }

  package init(
    id: TimerID, type: TimerType, phase: Phase, startTime: Instant, endTime: Instant?,
    lastStartTime: Instant, pausedMilliseconds: Int64, originalMilliseconds: Int64,
    adjustedMilliseconds: Int64, wasAdjusted: Bool, pausesInBackground: Bool, backgroundSince: Instant?,
    label: String?, projectID: ProjectID?, taskID: TaskID?, subject: TimerSubject?
  ) {
    self.id = id
    self.type = type
    self.phase = phase
    self.startTime = startTime
    self.endTime = endTime
    self.lastStartTime = lastStartTime
    self.pausedMilliseconds = pausedMilliseconds
    self.originalMilliseconds = originalMilliseconds
    self.adjustedMilliseconds = adjustedMilliseconds
    self.wasAdjusted = wasAdjusted
    self.pausesInBackground = pausesInBackground
    self.backgroundSince = backgroundSince
    self.label = label
    self.projectID = projectID
    self.taskID = taskID
    self.subject = subject
  }
}

extension ActiveTimer {
  package var isCountdown: Bool { endTime != nil }

  package var state: TimerState {
    switch phase {
    case .running: .running
    case .paused: .paused
    case .finished: .finished
    }
  }

  /// The instant since which it is paused; nil if it is not.
  package var pausedSince: Instant? {
    if case .paused(let since, _) = phase { since } else { nil }
  }

  /// The instant at which it finished; nil before.
  package var finishedAt: Instant? {
    if case .finished(let end) = phase { end } else { nil }
  }

  /// The end to show: the instant at which it finished, before that the end of a countdown.
  package var shownEndTime: Instant? { finishedAt ?? endTime }

  /// The time that it has run, in milliseconds and without pauses, never below zero.
  package func elapsedMilliseconds(at now: Instant) -> Int64 {
    let end =
      switch phase {
      case .running: max(now, lastStartTime)
      case .paused(let since, _): since
      case .finished(let end): end
      }
    return max(0, end.milliseconds(since: startTime) - pausedMilliseconds)
  }

  /// The time that is left of a countdown, in milliseconds, never below zero; nil if it counts up.
  package func remainingMilliseconds(at now: Instant) -> Int64? {
    endTime.map { end in
      switch phase {
      case .running: max(0, end.milliseconds(since: max(now, lastStartTime)))
      case .paused(let since, _): max(0, end.milliseconds(since: since))
      case .finished: 0
      }
    }
  }

  /// The share of the original length that is left, from 0 to 1; nil if it counts up.
  package func progress(at now: Instant) -> Double? {
    remainingMilliseconds(at: now).map { remaining in
      min(1, Double(remaining) / Double(max(1, originalMilliseconds)))
    }
  }
}
