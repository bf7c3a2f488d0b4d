import TimeclockDomain

/// A timer as the last command left it, as the column keeps it: a JSON object, whose instants are milliseconds since 1970, and
/// whose ids are texts.
struct StoredTimerPast: Codable {
  private var active: StoredActiveTimer?
  private var streak: Int64
  private var lastFocusEnd: Int64?
  private var autoStarts: Int64
  private var updatedAt: Int64
  private var sessions: [String]
  private var sets: Int64

  /// Nil for none.
  static func text(_ past: TimerPast?) -> String? {
    past.flatMap { past in
      StoredJSON.text(
        StoredTimerPast(
          active: past.active.map(StoredActiveTimer.init), streak: past.streak,
          lastFocusEnd: past.lastFocusEnd?.millisecondsSince1970, autoStarts: past.autoStarts,
          updatedAt: past.updatedAt.millisecondsSince1970, sessions: past.sessions.map(\.text),
          sets: past.sets))
    }
  }

  /// - Throws: `DecodingError`, or an error of a value, for other text than that of `text`.
  static func past(_ text: String?) throws -> TimerPast? {
    try text.map { text in
      let stored: StoredTimerPast = try StoredJSON.value(text)
      return TimerPast(
        active: try stored.active?.timer(), streak: stored.streak,
        lastFocusEnd: stored.lastFocusEnd.map(Instant.init(millisecondsSince1970:)),
        autoStarts: stored.autoStarts, updatedAt: Instant(millisecondsSince1970: stored.updatedAt),
        sessions: try stored.sessions.map(StoredActiveTimer.identifier), sets: stored.sets)
    }
  }
}

/// A timer in JSON.
struct StoredActiveTimer: Codable {
  private var id: String
  private var type: String
  private var pausedSince: Int64?
  private var isPausedByBackground: Bool
  private var finishedAt: Int64?
  private var startTime: Int64
  private var endTime: Int64?
  private var lastStartTime: Int64
  private var pausedMilliseconds: Int64
  private var originalMilliseconds: Int64
  private var adjustedMilliseconds: Int64
  private var wasAdjusted: Bool
  private var pausesInBackground: Bool
  private var backgroundSince: Int64?
  private var label: String?
  private var projectID: String?
  private var taskID: String?
  private var subjectID: String?
  private var subjectName: String?

  init(_ timer: ActiveTimer) {
    id = timer.id.text
    type = timer.type.rawValue
    pausedSince = timer.pausedSince?.millisecondsSince1970
    isPausedByBackground = if case .paused(_, byBackground: true) = timer.phase { true } else { false }
    finishedAt = timer.finishedAt?.millisecondsSince1970
    startTime = timer.startTime.millisecondsSince1970
    endTime = timer.endTime?.millisecondsSince1970
    lastStartTime = timer.lastStartTime.millisecondsSince1970
    pausedMilliseconds = timer.pausedMilliseconds
    originalMilliseconds = timer.originalMilliseconds
    adjustedMilliseconds = timer.adjustedMilliseconds
    wasAdjusted = timer.wasAdjusted
    pausesInBackground = timer.pausesInBackground
    backgroundSince = timer.backgroundSince?.millisecondsSince1970
    label = timer.label
    projectID = timer.projectID?.text
    taskID = timer.taskID?.text
    subjectID = timer.subject?.id
    subjectName = timer.subject?.name
  }

  /// - Throws: `UnreadableTimer` for other values than those of `init`.
  func timer() throws -> ActiveTimer {
    guard let type = TimerType(rawValue: type) else { throw UnreadableTimer() }
    let phase: ActiveTimer.Phase =
      if let pausedSince {
        .paused(since: Instant(millisecondsSince1970: pausedSince), byBackground: isPausedByBackground)
      } else if let finishedAt {
        .finished(at: Instant(millisecondsSince1970: finishedAt))
      } else {
        .running
      }
    return ActiveTimer(
      id: try Self.identifier(id), type: type, phase: phase,
      startTime: Instant(millisecondsSince1970: startTime),
      endTime: endTime.map(Instant.init(millisecondsSince1970:)),
      lastStartTime: Instant(millisecondsSince1970: lastStartTime), pausedMilliseconds: pausedMilliseconds,
      originalMilliseconds: originalMilliseconds, adjustedMilliseconds: adjustedMilliseconds,
      wasAdjusted: wasAdjusted, pausesInBackground: pausesInBackground,
      backgroundSince: backgroundSince.map(Instant.init(millisecondsSince1970:)), label: label,
      projectID: try projectID.map(Self.identifier), taskID: try taskID.map(Self.identifier),
      subject: subjectID.flatMap { id in subjectName.map { TimerSubject(id: id, name: $0) } })
  }

  static func identifier<Value>(_ text: String) throws -> Identifier<Value> {
    guard let identifier = Identifier<Value>(text) else { throw UnreadableTimer() }
    return identifier
  }

  /// Thrown for a text in the column that this program has not written.
  struct UnreadableTimer: Error {}
}
