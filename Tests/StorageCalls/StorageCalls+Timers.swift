import TimeclockDomain

extension StoragePart {
  /// A timer that runs, and two sessions that timers have left.
  static let timers = StoragePart(StorageCalls.timers) { organization, storage in
    try await storage.changeTimer(of: organization.member.key, recording: nil) { change in
      change.timer = organization.timer
      change.sessions = [organization.timerSession(hours: -3), organization.timerSession(hours: -2)]
    }
  }
}

extension PreparedOrganization {
  /// A timer that ends an hour after `start`.
  fileprivate var timer: MemberTimer {
    var timer = MemberTimer.unused
    timer.active = ActiveTimer(
      id: Self.next(), type: .focus, phase: .running, startTime: Self.start,
      endTime: Self.start.adding(milliseconds: 3_600_000), lastStartTime: Self.start, pausedMilliseconds: 0,
      originalMilliseconds: 3_600_000, adjustedMilliseconds: 0, wasAdjusted: false, pausesInBackground: false,
      backgroundSince: nil, label: names.text,
      projectID: nil, taskID: nil, subject: nil)
    timer.version = 1
    timer.updatedAt = Self.start
    return timer
  }

  /// The id of the session that began `hours` hours after `start`, the same in organizations of equal names.
  fileprivate func timerSessionID(hours: Int64) -> TimerSessionID {
    let id: TimerSessionID = names.id(of: .timeEntry)
    return TimerSessionID(high: id.high, low: id.low &+ UInt64(bitPattern: hours))
  }

  /// A session of an hour that began `hours` hours after `start`.
  fileprivate func timerSession(hours: Int64) -> TimerSession {
    let begin = Self.start.adding(milliseconds: hours * 3_600_000)
    return TimerSession(
      id: timerSessionID(hours: hours), type: .focus, startTime: begin,
      endTime: begin.adding(milliseconds: 3_600_000), durationMinutes: 60, interruptionsMinutes: 0,
      seconds: 3_600, label: names.text, projectID: nil, taskID: nil, outcome: .finished, notes: nil,
      isArchived: false, createdAt: Self.start)
  }
}

extension StorageCalls {
  fileprivate static let timers: [StorageMethod] = [
    StorageMethod(
      "timer(of:)", .reads, .organization, [StorageCall { try await $1.timer(of: $0.member.key) }]),
    StorageMethod(
      "changeTimer(of:recording:_:)", .writes, .organization,
      onceAndRecorded { organization, storage, recording in
        try await storage.changeTimer(of: organization.member.key, recording: recording) { change in
          change.timer.streak += 1
          change.timer.version += 1
          change.sessions = [organization.timerSession(hours: -1)]
          return change.timer
        }
      } + [
        StorageCall("for the first time") { organization, storage in
          try await storage.changeTimer(of: organization.admin.key, recording: nil) { change in
            change.timer = organization.timer
          }
        },
        StorageCall("taking a session back") { organization, storage in
          try await storage.changeTimer(of: organization.member.key, recording: nil) { change in
            change.timer.version += 1
            change.retracted = [organization.timerSessionID(hours: -3)]
          }
        },
        StorageCall("by nothing") { organization, storage in
          try await storage.changeTimer(of: organization.member.key, recording: nil) { $0.timer.version }
        },
      ]),
    StorageMethod(
      "changeDueTimers(at:limit:_:)", .writes, .service,
      [
        StorageCall("of none") { _, storage in
          try await storage.changeDueTimers(at: .earliest, limit: 9) { $0.timer.active = nil }.count
        },
        StorageCall("of some") { _, storage in
          try await storage.changeDueTimers(at: .latest, limit: 1) { change in
            change.timer.active = nil
            change.timer.version += 1
          }.count
        },
      ]),
    StorageMethod("nextDueTimer()", .reads, .service, [StorageCall { try await $1.nextDueTimer() != nil }]),
    StorageMethod(
      "listen(toTimerOf:_:)", .reads, .organization,
      [
        StorageCall { organization, storage in
          withExtendedLifetime(storage.listen(toTimerOf: organization.member.key) {}) { "listening" }
        }
      ]),
    StorageMethod(
      "listenToDueTimers(_:)", .reads, .service,
      [
        StorageCall { _, storage in
          withExtendedLifetime(storage.listenToDueTimers { _ in }) { "listening" }
        }
      ]),
    StorageMethod(
      "timerSession(_:of:)", .reads, .organization,
      [StorageCall { try await $1.timerSession($0.timerSessionID(hours: -2), of: $0.member.key) }]),
    StorageMethod(
      "timerSessions(_:)", .reads, .organization,
      [
        StorageCall { try await $1.timerSessions(TimerSessionQuery(member: $0.member.key, limit: 9)) },
        StorageCall("of a span, behind a place") { organization, storage in
          try await storage.timerSessions(
            TimerSessionQuery(
              member: organization.member.key, start: hour(-9), end: hour(9),
              cursor: RowCursor(row: hour(-2).millisecondsSince1970 * 4), limit: 1))
        },
      ]),
    StorageMethod(
      "updateTimerSession(_:of:_:)", .writes, .organization,
      [
        StorageCall { organization, storage in
          try await storage.updateTimerSession(
            organization.timerSessionID(hours: -2), of: organization.member.key
          ) { $0.isArchived = true }
        },
        StorageCall("that is not there") { organization, storage in
          try await storage.updateTimerSession(
            organization.timerSessionID(hours: 9), of: organization.member.key
          ) { _ in }
        },
      ]),
    StorageMethod(
      "deleteTimerSession(_:of:)", .writes, .organization,
      [
        StorageCall {
          try await $1.deleteTimerSession($0.timerSessionID(hours: -2), of: $0.member.key)
        }
      ]),
    StorageMethod(
      "deleteTimerSessions(of:before:limit:)", .writes, .organization,
      [
        StorageCall { try await $1.deleteTimerSessions(of: $0.member.key, before: nil, limit: 9) },
        StorageCall("before an instant") {
          try await $1.deleteTimerSessions(of: $0.member.key, before: hour(-2), limit: 9)
        },
      ]),
    StorageMethod(
      "deleteExpiredTimerSessions(at:limit:)", .writes, .service,
      [
        StorageCall { _, storage in
          try await storage.deleteExpiredTimerSessions(at: PreparedOrganization.start, limit: 9)
        }
      ]),
  ]
}
