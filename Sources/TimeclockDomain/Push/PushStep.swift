/// The next action for a target.
package enum PushStep: Hashable, Sendable {
  /// The target is up to date.
  case nothing
  /// A message has to wait.
  case wait(until: Instant)
  /// No message, but the progress changes.
  case note(PushProgress)
  /// A message, and the progress after its acceptance.
  case send(PushContent, then: PushProgress)
}

/// The content of a message.
package enum PushContent: Hashable, Sendable {
  case start(LiveActivityContent, PushAlert)
  /// - Parameter isUrgent: Whether the state changed, and not only details.
  case update(LiveActivityContent, isUrgent: Bool)
  /// - Parameter content: The last content, as JSON.
  case end(content: String?, LiveActivityDismissal)
  case alert(TimerEnd)

  /// Whether its acceptance ends the target.
  package var isEnd: Bool { if case .end = self { true } else { false } }
}

/// The words of a notification.
package struct PushAlert: Hashable, Sendable {
  package var title: String
  package var body: String

  package init(title: String, body: String) {
    (self.title, self.body) = (title, body)
  }
}

/// A member's present activities, and the last end of a timer.
package struct PushNews: Sendable {
  package var activities: [LiveActivityForm: LiveActivity] = [:]
  /// The last end of a timer; nil if none is known.
  package var timerEnd: TimerEnd? = nil

  package init(
    activities: [LiveActivityForm: LiveActivity] = [:], timerEnd: TimerEnd? = nil
  ) {
    self.activities = activities
    self.timerEnd = timerEnd
  }
}

extension PushDelivery {
  /// Decides the next action. Only the present state counts; unsent older states are skipped.
  package func step(seeing news: PushNews, at now: Instant) -> PushStep {
    if let dueAt = progress.dueAt, dueAt > now { return .wait(until: dueAt) }
    switch target.kind {
    case .alert: return alertStep(news.timerEnd, at: now)
    case .liveActivity, .pushToStart:
      guard let form = target.form, let activity = news.activities[form] else { return .nothing }
      return target.kind == .liveActivity
        ? activityStep(activity, at: now) : startStep(activity, at: now)
    }
  }

  private func activityStep(_ activity: LiveActivity, at now: Instant) -> PushStep {
    guard let content = activity.content, progress.activity ?? content.activity == content.activity else {
      // Exempt from both limits.
      return .send(
        .end(content: progress.content, activity.dismissal ?? .immediate), then: progress.sent(at: now))
    }
    let (stateTag, tag) = (PushDigest.text(content.stateTag), PushDigest.text(content.tag))
    guard progress.tag != tag else { return .nothing }
    var next = progress.sent(at: now)
    (next.activity, next.stateTag, next.tag) = (content.activity, stateTag, tag)
    let isUrgent = progress.stateTag.map { $0 != stateTag } ?? false
    return turn(.update(content, isUrgent: isUrgent), then: next, at: now)
  }

  private func startStep(_ activity: LiveActivity, at now: Instant) -> PushStep {
    let name = activity.content?.activity ?? ""
    guard let known = progress.activity else { return noted(name) }
    guard let content = activity.content, known != name else { return .nothing }
    var next = progress.sent(at: now)
    next.activity = name
    return turn(.start(content, activity.form.startAlert(content)), then: next, at: now)
  }

  private func alertStep(_ end: TimerEnd?, at now: Instant) -> PushStep {
    guard let end else { return progress.activity == nil ? noted("") : .nothing }
    // An end before the registration is not announced.
    let isOld = progress.activity == nil && end.time <= target.createdAt
    guard !isOld, end.isNews(at: now) else { return progress.activity == nil ? noted(end.name) : .nothing }
    guard progress.activity != end.name else { return .nothing }
    var next = progress.sent(at: now)
    next.activity = end.name
    return turn(.alert(end), then: next, at: now)
  }

  private func noted(_ name: String) -> PushStep {
    var next = progress.free
    next.activity = name
    return .note(next)
  }

  private func turn(_ content: PushContent, then next: PushProgress, at now: Instant) -> PushStep {
    let turn = progress.nextTurn(at: now)
    return turn > now ? .wait(until: turn) : .send(content, then: next)
  }
}

/// A digest of sent content, so that the database needs no second copy.
enum PushDigest {
  /// The 64-bit FNV-1a hash of the parts: it distinguishes one state from the one before, and is not meant against
  /// malice.
  static func text(_ parts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      // No text holds byte 255.
      for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return String(hash, radix: 16)
  }
}
