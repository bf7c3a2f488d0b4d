import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns the caller's settings of timers.
  static let getTimerSettings = Operation("getTimerSettings") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let settings = try await request.timeclock.timerSettings(for: request.requireMembership())
    return .json(version: settings.version, settings.payload)
  }

  /// Replaces the caller's settings of timers.
  static let putTimerSettings = Operation("putTimerSettings") { request in
    try request.requireNoQuery()
    let (settings, version) = try request.body { ($0.timerSettings(), $0.optionalSequence("version")) }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.timerSettings(for: membership).version
    }
    let kept = try await request.timeclock.putTimerSettings(
      settings, expectedVersion: expectedVersion, by: membership)
    return .json(version: kept.version, kept.payload)
  }
}

extension ObjectReader {
  /// The contract's PutTimerSettingsRequest: members left out are standard.
  fileprivate func timerSettings() -> TimerSettings {
    var settings = TimerSettings.standard
    func take(_ name: String, _ number: inout Int64) { number = optionalInteger(name) ?? number }
    func take(_ name: String, _ flag: inout Bool) { flag = optionalBool(name) ?? flag }
    take("focusSeconds", &settings.focusSeconds)
    take("shortBreakSeconds", &settings.shortBreakSeconds)
    take("longBreakSeconds", &settings.longBreakSeconds)
    take("sessionsBeforeLongBreak", &settings.sessionsBeforeLongBreak)
    take("isCountdown", &settings.isCountdown)
    take("breaksEnabled", &settings.breaksEnabled)
    take("longBreaksEnabled", &settings.longBreaksEnabled)
    take("autoStartFocus", &settings.autoStartFocus)
    take("autoStartBreak", &settings.autoStartBreak)
    take("autoStartMaximum", &settings.autoStartMaximum)
    take("countUpLimitSeconds", &settings.countUpLimitSeconds)
    take("restEnabled", &settings.restEnabled)
    take("restSeconds", &settings.restSeconds)
    settings.restBySubject = optionalIntegers("restBySubject") ?? settings.restBySubject
    take("pauseInBackground", &settings.pauseInBackground)
    return settings
  }
}
