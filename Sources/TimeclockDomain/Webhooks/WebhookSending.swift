/// Sends messages to the addresses of webhooks.
package protocol WebhookSending: Sendable {
  /// Sends a message, signed, and waits for the answer.
  ///
  /// - Returns: The outcome, which may be that nobody was there.
  /// - Throws: `TimeclockError.unavailable` if too many messages wait, or the service ends.
  func send(_ message: WebhookMessage) async throws -> WebhookOutcome

  /// The address because of which every message would fail: one that is written out in the place of a name, and that no
  /// message may go to. Nil if only an attempt can show it.
  func refusedAddress(in url: WebhookURL) -> String?
}

extension WebhookSending {
  /// Refuses an address to which no message could ever be sent.
  ///
  /// - Throws: `TimeclockError.addressNotAllowed`.
  package func requireAllowed(_ url: WebhookURL) throws {
    if let address = refusedAddress(in: url) { throw TimeclockError.addressNotAllowed(address) }
  }
}

/// A message to a webhook.
package struct WebhookMessage: Sendable {
  /// The same for each attempt, so that a receiver recognizes repeats (Standard Webhooks, `webhook-id`).
  package var id: String
  package var url: WebhookURL
  package var secret: [UInt8]
  /// The time of the attempt.
  package var time: Instant
  /// JSON.
  package var body: [UInt8]

  package init(id: String, url: WebhookURL, secret: [UInt8], time: Instant, body: [UInt8]) {
    self.id = id
    self.url = url
    self.secret = secret
    self.time = time
    self.body = body
  }
}

/// The end of an attempt.
package struct WebhookOutcome: Hashable, Sendable {
  /// The status of the answer; nil if none came.
  package var status: Int64?
  /// The reason why there was no answer; nil if there was one.
  package var error: String?
  /// The time that it took, in milliseconds.
  package var milliseconds: Int64

  package init(status: Int64?, error: String?, milliseconds: Int64) {
    self.status = status
    self.error = error
    self.milliseconds = milliseconds
  }

  /// Whether the receiver has taken the message.
  package var isTaken: Bool { status.map { (200..<300).contains($0) } ?? false }

  /// Whether the receiver wants no more of them (Standard Webhooks on 410).
  package var isGone: Bool { status == 410 }

  /// The outcome as it is kept.
  package func attempt(of sequence: Int64?, at time: Instant) -> WebhookAttempt {
    let reason =
      isTaken
      ? nil : error ?? "The receiver answered \(status.map(String.init) ?? "nothing"), which is no 2xx."
    return WebhookAttempt(
      sequence: sequence, time: time, status: status, error: reason, milliseconds: milliseconds)
  }
}
