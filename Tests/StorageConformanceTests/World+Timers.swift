import TimeclockDomain

extension World {
  /// A timer that began at an hour, and ends `hours` hours after it; not kept yet.
  func timer(at hour: Double = 0, hours: Double = 1) -> MemberTimer {
    var timer = MemberTimer.unused
    timer.active = activeTimer(at: hour, hours: hours)
    timer.version = 1
    timer.updatedAt = .hour(hour)
    return timer
  }

  func activeTimer(at hour: Double = 0, hours: Double = 1) -> ActiveTimer {
    ActiveTimer(
      id: id(), type: .focus, phase: .running, startTime: .hour(hour), endTime: .hour(hour + hours),
      lastStartTime: .hour(hour), pausedMilliseconds: 0, originalMilliseconds: Int64(hours * 3_600_000),
      adjustedMilliseconds: 0, wasAdjusted: false, pausesInBackground: false,
      backgroundSince: nil, label: nil, projectID: nil, taskID: nil, subject: nil)
  }

  /// A session of half an hour that began at an hour; not kept yet.
  func timerSession(at hour: Double, _ type: TimerType = .focus) -> TimerSession {
    TimerSession(
      id: id(), type: type, startTime: .hour(hour), endTime: .hour(hour + 0.5), durationMinutes: 30,
      interruptionsMinutes: 0, seconds: 1_800, label: nil, projectID: nil, taskID: nil, outcome: .finished,
      notes: nil, isArchived: false, createdAt: .hour(hour + 0.5))
  }

  /// Writes a timer over the member's, with sessions.
  func keep(_ timer: MemberTimer, _ sessions: [TimerSession] = [], of member: TestMember) async throws {
    try await storage.changeTimer(of: member.key, recording: nil) { change in
      change.timer = timer
      change.sessions = sessions
    }
  }

  /// A member's sessions, read in pages.
  func timerSessions(
    of member: TestMember, from start: Instant? = nil, to end: Instant? = nil, pageSize: Int = 100
  ) async throws -> [TimerSession] {
    try await all(of: pageSize) { cursor in
      try await storage.timerSessions(
        TimerSessionQuery(member: member.key, start: start, end: end, cursor: cursor, limit: pageSize))
    }
  }
}
