import FoundationEssentials
import TimeclockDomain

/// A routine as the column keeps it: a JSON object, whose instants are milliseconds since 1970.
struct StoredRoutine: Codable {
  private var name: String?
  private var startTime: Int64
  private var currentItem: String?
  private var currentSet: Int64
  private var totalSets: Int64
  private var itemsCompleted: Int64
  private var totalItems: Int64

  /// Nil for no routine.
  static func text(_ routine: TimerRoutine?) -> String? {
    routine.flatMap { routine in
      StoredJSON.text(
        StoredRoutine(
          name: routine.name, startTime: routine.startTime.millisecondsSince1970,
          currentItem: routine.currentItem, currentSet: routine.currentSet, totalSets: routine.totalSets,
          itemsCompleted: routine.itemsCompleted, totalItems: routine.totalItems))
    }
  }

  /// - Throws: `DecodingError` for other text than that of `text`.
  static func routine(_ text: String?) throws -> TimerRoutine? {
    try text.map { text in
      let stored: StoredRoutine = try StoredJSON.value(text)
      return TimerRoutine(
        name: stored.name, startTime: Instant(millisecondsSince1970: stored.startTime),
        currentItem: stored.currentItem, currentSet: stored.currentSet, totalSets: stored.totalSets,
        itemsCompleted: stored.itemsCompleted, totalItems: stored.totalItems)
    }
  }
}

/// Settings as the column keeps them: a JSON object. A member that it lacks has its default, for a version of this program
/// may add some.
struct StoredTimerSettings: Codable {
  private var focusSeconds: Int64?
  private var shortBreakSeconds: Int64?
  private var longBreakSeconds: Int64?
  private var sessionsBeforeLongBreak: Int64?
  private var isCountdown: Bool?
  private var breaksEnabled: Bool?
  private var longBreaksEnabled: Bool?
  private var autoStartFocus: Bool?
  private var autoStartBreak: Bool?
  private var autoStartMaximum: Int64?
  private var countUpLimitSeconds: Int64?
  private var restEnabled: Bool?
  private var restSeconds: Int64?
  private var restBySubject: [String: Int64]?
  private var pauseInBackground: Bool?
  private var version: Int64?

  private init(_ settings: TimerSettings) {
    focusSeconds = settings.focusSeconds
    shortBreakSeconds = settings.shortBreakSeconds
    longBreakSeconds = settings.longBreakSeconds
    sessionsBeforeLongBreak = settings.sessionsBeforeLongBreak
    isCountdown = settings.isCountdown
    breaksEnabled = settings.breaksEnabled
    longBreaksEnabled = settings.longBreaksEnabled
    autoStartFocus = settings.autoStartFocus
    autoStartBreak = settings.autoStartBreak
    autoStartMaximum = settings.autoStartMaximum
    countUpLimitSeconds = settings.countUpLimitSeconds
    restEnabled = settings.restEnabled
    restSeconds = settings.restSeconds
    restBySubject = settings.restBySubject.isEmpty ? nil : settings.restBySubject
    pauseInBackground = settings.pauseInBackground
    version = settings.version
  }

  private var settings: TimerSettings {
    var settings = TimerSettings.standard
    settings.focusSeconds = focusSeconds ?? settings.focusSeconds
    settings.shortBreakSeconds = shortBreakSeconds ?? settings.shortBreakSeconds
    settings.longBreakSeconds = longBreakSeconds ?? settings.longBreakSeconds
    settings.sessionsBeforeLongBreak = sessionsBeforeLongBreak ?? settings.sessionsBeforeLongBreak
    settings.isCountdown = isCountdown ?? settings.isCountdown
    settings.breaksEnabled = breaksEnabled ?? settings.breaksEnabled
    settings.longBreaksEnabled = longBreaksEnabled ?? settings.longBreaksEnabled
    settings.autoStartFocus = autoStartFocus ?? settings.autoStartFocus
    settings.autoStartBreak = autoStartBreak ?? settings.autoStartBreak
    settings.autoStartMaximum = autoStartMaximum ?? settings.autoStartMaximum
    settings.countUpLimitSeconds = countUpLimitSeconds ?? settings.countUpLimitSeconds
    settings.restEnabled = restEnabled ?? settings.restEnabled
    settings.restSeconds = restSeconds ?? settings.restSeconds
    settings.restBySubject = restBySubject ?? settings.restBySubject
    settings.pauseInBackground = pauseInBackground ?? settings.pauseInBackground
    settings.version = version ?? settings.version
    return settings
  }

  /// Nil for those that nobody has stated, so that most timers are read without it.
  static func text(_ settings: TimerSettings) -> String? {
    settings == .standard ? nil : StoredJSON.text(StoredTimerSettings(settings))
  }

  /// - Throws: `DecodingError` for other text than that of `text`.
  static func settings(_ text: String?) throws -> TimerSettings {
    guard let text else { return .standard }
    let stored: StoredTimerSettings = try StoredJSON.value(text)
    return stored.settings
  }
}

/// JSON in a column: equal values are equal texts.
enum StoredJSON {
  static func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func value<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}
