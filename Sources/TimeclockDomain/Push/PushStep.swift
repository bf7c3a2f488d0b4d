/// What is to be done for a target.
package enum PushStep: Hashable, Sendable {
  /// The target knows all there is.
  case nothing
  /// There is something for later.
  case wait(until: Instant)
  /// Nothing is sent, but the target counts as told.
  case note(PushProgress)
  /// A message, and the progress once it is taken.
  case send(PushContent, then: PushProgress)
}

/// The content of a message.
package enum PushContent: Hashable, Sendable {
  case start(LiveActivityContent, PushAlert)
  /// - Parameter isUrgent: Whether a person sees that something happened.
  case update(LiveActivityContent, isUrgent: Bool)
  /// - Parameter content: What was sent last, as JSON.
  case end(content: String?, LiveActivityDismissal)
  case alert(TimerEnd)

  /// Whether the target is over when it is taken.
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

/// What there is to tell of a member.
struct PushNews: Sendable {
  var activities: [LiveActivityForm: LiveActivity] = [:]
  /// The last end of a timer; nil where none is known.
  var timerEnd: TimerEnd?
}

extension PushDelivery {
  /// Decides what is to be done. Only the present state counts: older ones that were never sent are passed over.
  func step(seeing news: PushNews, at now: Instant) -> PushStep {
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
      // It goes at once, whatever was sent before.
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
    // What was before the target is no news to it.
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

/// A short name for what was sent, so that the database keeps no second copy of it.
enum PushDigest {
  /// The 64-bit FNV-1a hash of the parts: it tells one state from the one before, and is not meant against malice.
  static func text(_ parts: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      // No text holds byte 255.
      for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return String(hash, radix: 16)
  }
}
