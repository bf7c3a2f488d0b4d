/// The public id of a timer's session.
package typealias TimerSessionID = Identifier<TimerSession>

/// The time that a timer leaves when it is over, for the member's own statistics. It has the id of its timer.
package struct TimerSession: Hashable, Sendable {
  package var id: TimerSessionID
  package var type: TimerType
  package var startTime: Instant
  package var endTime: Instant
  /// At least 1; a shorter session is not kept.
  package var durationMinutes: Int64
  package var interruptionsMinutes: Int64
  /// Whole seconds without pauses, cut.
  package var seconds: Int64
  package var label: String?
  package var projectID: ProjectID?
  package var taskID: TaskID?
  package var outcome: Outcome
  package var notes: Notes?
  package var isArchived: Bool
  /// The instant at which it was kept, which may be long after its end.
  package var createdAt: Instant

  /// The ways in which a timer is over.
  package enum Outcome: String, CaseIterable, Sendable {
    case finished
    case skipped
    case stopped
  }

  package init(
    id: TimerSessionID, type: TimerType, startTime: Instant, endTime: Instant, durationMinutes: Int64,
    interruptionsMinutes: Int64, seconds: Int64, label: String?, projectID: ProjectID?, taskID: TaskID?,
    outcome: Outcome, notes: Notes?, isArchived: Bool, createdAt: Instant
  ) {
    self.id = id
    self.type = type
    self.startTime = startTime
    self.endTime = endTime
    self.durationMinutes = durationMinutes
    self.interruptionsMinutes = interruptionsMinutes
    self.seconds = seconds
    self.label = label
    self.projectID = projectID
    self.taskID = taskID
    self.outcome = outcome
    self.notes = notes
    self.isArchived = isArchived
    self.createdAt = createdAt
  }

  /// Whether it is work; a break or a rest is not.
  package var isWork: Bool { type == .focus }
}

extension TimerSession {
  /// The session of a timer that is over; nil for one that is too short to be kept.
  ///
  /// - Parameters:
  ///   - timer: The timer as it ended, the last pause included in its pauses.
  ///   - present: The instant at which it is kept.
  init?(of timer: ActiveTimer, endingAt end: Instant, _ outcome: Outcome, keptAt present: Instant) {
    let total = max(0, end.milliseconds(since: timer.startTime))
    let paused = timer.pausedMilliseconds
    let counted = timer.type == .focus ? total - paused : total
    let minutes = (counted + TimerLimits.wiggle) / 60_000
    guard minutes >= 1 else { return nil }
    self.init(
      id: TimerSessionID(high: timer.id.high, low: timer.id.low), type: timer.type,
      startTime: timer.startTime, endTime: end, durationMinutes: minutes,
      interruptionsMinutes: timer.type == .focus ? paused / 60_000 : 0,
      seconds: max(0, total - paused) / 1_000, label: timer.label, projectID: timer.projectID,
      taskID: timer.taskID, outcome: outcome, notes: nil, isArchived: false, createdAt: present)
  }

  /// Restores fields that no change may change.
  package mutating func restoreFixed(from before: TimerSession) {
    let after = self
    self = before
    label = after.label
    projectID = after.projectID
    taskID = after.taskID
    notes = after.notes
    isArchived = after.isArchived
  }
}
