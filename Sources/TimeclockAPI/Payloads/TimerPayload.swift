import HTTPMessages
import TimeclockDomain

extension CurrentTimer {
  /// Writes the contract's CurrentTimer.
  ///
  /// - Parameter now: The end of the seconds that run.
  func write(to writer: inout JSONWriter, at now: Instant) {
    writer.object { writer in
      writer.member("state", timer.state.rawValue)
      writer.name("timer")
      timer.write(to: &writer, at: now)
      writer.member("routine", timer.routine) { $1.write(to: &$0) }
      writer.member("lastSession", lastSession) { $1.write(to: &$0) }
      writer.member("serverTime", now)
    }
  }

  /// The contract's CurrentTimer.
  var payload: [UInt8] {
    var writer = JSONWriter(capacity: 1_536)
    write(to: &writer, at: time)
    return writer.bytes
  }

  /// The tag of everything but the running seconds and the time: of the timer at its last transition.
  var entityTag: String {
    var writer = JSONWriter(capacity: 1_536)
    write(to: &writer, at: timer.updatedAt)
    return EntityTag.weakText(of: [String(decoding: writer.bytes, as: UTF8.self)])
  }
}

extension MemberTimer {
  /// Writes the contract's Timer, or null if there is none.
  ///
  /// - Parameter now: The end of the seconds that run; a clock that was set back counts as the instant of the last transition.
  func write(to writer: inout JSONWriter, at now: Instant) {
    guard let active else { return writer.null() }
    writer.object { writer in
      active.writeTimes(to: &writer, at: max(now, updatedAt))
      writer.member("streak", streak)
      writer.member("sessionsBeforeLongBreak", settings.sessionsBeforeLongBreak)
      writer.member("autoStarted", isAutoStarted)
      writer.member("pendingAction", pendingAction?.rawValue)
      writer.member("projectId", active.projectID)
      writer.member("taskId", active.taskID)
      writer.member("label", active.label)
      writer.member("subject", active.subject) { writer, subject in
        writer.object { writer in
          writer.member("id", subject.id)
          writer.member("name", subject.name)
        }
      }
      writer.member("routine", routine) { $1.write(to: &$0) }
      writer.member("version", version)
      writer.member("updatedAt", updatedAt)
    }
  }
}

extension ActiveTimer {
  fileprivate func writeTimes(to writer: inout JSONWriter, at now: Instant) {
    let remaining = remainingMilliseconds(at: now)
    writer.member("id", id)
    writer.member("type", type.rawValue)
    writer.member("state", state.rawValue)
    writer.member("isCountdown", isCountdown)
    writer.member("startTime", startTime)
    writer.member("endTime", shownEndTime)
    writer.member("lastStartTime", lastStartTime)
    writer.member("lastPauseTime", pausedSince)
    writer.member("timeSpentPausedSeconds", pausedMilliseconds / 1_000)
    writer.member("elapsedSeconds", elapsedMilliseconds(at: now) / 1_000)
    writer.member("remainingSeconds", remaining.map { ($0 + 999) / 1_000 })
    writer.member("originalDurationSeconds", originalMilliseconds / 1_000)
    writer.member("adjustedSeconds", adjustedMilliseconds / 1_000)
    writer.member("wasAdjusted", wasAdjusted)
    writer.member("progress", remaining) { writer, remaining in
      writer.tenThousandths(min(10_000, remaining * 10_000 / max(1, originalMilliseconds)))
    }
  }
}

extension TimerRoutine {
  /// Writes the contract's Routine.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("startTime", startTime)
      writer.member("currentItem", currentItem)
      writer.member("currentSet", currentSet)
      writer.member("totalSets", totalSets)
      writer.member("itemsCompleted", itemsCompleted)
      writer.member("totalItems", totalItems)
    }
  }
}

extension TimerOutcome {
  /// The contract's TimerOutcome.
  var payload: [UInt8] {
    JSONWriter.object(capacity: 1_536) { writer in
      writeMembers(to: &writer)
    }
  }

  /// The contract's StartedTimer.
  var startPayload: [UInt8] {
    JSONWriter.object(capacity: 1_536) { writer in
      writer.member("started", notStarted == nil)
      writer.member("reason", notStarted?.rawValue)
      writeMembers(to: &writer)
    }
  }

  private func writeMembers(to writer: inout JSONWriter) {
    writer.name("timer")
    timer.write(to: &writer, at: time)
    writer.member("session", session) { $1.write(to: &$0) }
  }
}
