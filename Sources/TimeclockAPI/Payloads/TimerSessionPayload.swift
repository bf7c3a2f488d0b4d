import TimeclockDomain

extension TimerSession {
  /// Writes the contract's TimerSession.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("type", type.rawValue)
      writer.member("startTime", startTime)
      writer.member("endTime", endTime)
      writer.member("durationMinutes", durationMinutes)
      writer.member("interruptionsMinutes", interruptionsMinutes)
      writer.member("seconds", seconds)
      writer.member("isWork", isWork)
      writer.member("label", label)
      writer.member("projectId", projectID)
      writer.member("taskId", taskID)
      writer.member("outcome", outcome.rawValue)
      writer.member("notes", notes?.text)
      writer.member("isArchived", isArchived)
      writer.member("createdAt", createdAt)
    }
  }

  /// The contract's TimerSession.
  var payload: [UInt8] {
    var writer = JSONWriter(capacity: 640)
    write(to: &writer)
    return writer.bytes
  }
}

extension TimerSettings {
  /// Writes the contract's TimerSettings.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("focusSeconds", focusSeconds)
      writer.member("shortBreakSeconds", shortBreakSeconds)
      writer.member("longBreakSeconds", longBreakSeconds)
      writer.member("sessionsBeforeLongBreak", sessionsBeforeLongBreak)
      writer.member("isCountdown", isCountdown)
      writer.member("breaksEnabled", breaksEnabled)
      writer.member("longBreaksEnabled", longBreaksEnabled)
      writer.member("autoStartFocus", autoStartFocus)
      writer.member("autoStartBreak", autoStartBreak)
      writer.member("autoStartMaximum", autoStartMaximum)
      writer.member("countUpLimitSeconds", countUpLimitSeconds)
      writer.member("restEnabled", restEnabled)
      writer.member("restSeconds", restSeconds)
      writer.name("restBySubject")
      writer.integers(restBySubject)
      writer.member("pauseInBackground", pauseInBackground)
      writer.member("version", version)
    }
  }

  /// The contract's TimerSettings.
  var payload: [UInt8] {
    var writer = JSONWriter(capacity: 640 + restBySubject.count * 48)
    write(to: &writer)
    return writer.bytes
  }
}
