/// Sends messages to phones.
package protocol PushSending: Sendable {
  /// Sends a message and waits for the answer.
  ///
  /// - Returns: The outcome, which may be that nobody was there.
  /// - Throws: `TimeclockError.unavailable` if too many messages wait, or the service ends.
  func send(_ message: PushMessage) async throws -> PushOutcome
}

/// A message to a phone.
package struct PushMessage: Sendable {
  package var token: PushToken
  package var environment: PushTarget.Environment
  package var topic: String
  package var type: MessageType
  package var isUrgent: Bool
  /// The time after which it is of no use; nil for whenever the phone is reached.
  package var expiresAt: Instant?
  /// JSON.
  package var body: [UInt8]

  /// The kinds of messages, as Apple calls them.
  package enum MessageType: String, Sendable {
    case liveActivity = "liveactivity"
    case alert
  }

  /// The message with a content to a target.
  package init(_ content: PushContent, to target: PushTarget, body: [UInt8], at now: Instant) {
    token = target.token
    environment = target.environment
    self.body = body
    switch content {
    case .alert(let end):
      (topic, type, isUrgent, expiresAt) = (target.topic.text, .alert, true, end.expiresAt)
      return
    case .update(_, let isUrgent): self.isUrgent = isUrgent
    case .start, .end: isUrgent = true
    }
    (topic, type) = (target.topic.text + PushTopic.ofActivities, .liveActivity)
    expiresAt = now.adding(milliseconds: PushTarget.longestActivity)
  }
}

/// The end of an attempt to send a message.
package struct PushOutcome: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// Apple has taken it.
    case taken
    /// Nothing more goes to this place.
    case gone
    /// It may be taken later, after the seconds that were asked for.
    case later(seconds: Int64?)
    /// It will not be taken, however often it is sent.
    case refused
  }

  package var verdict: Verdict
  /// The reason in Apple's word, or of the failed connection; empty for an accepted message.
  package var reason: String

  package init(_ verdict: Verdict, reason: String) {
    (self.verdict, self.reason) = (verdict, reason)
  }
}
