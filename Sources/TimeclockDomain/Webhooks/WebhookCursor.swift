/// The place that a webhook has reached in the log of changes, and its luck there.
package struct WebhookCursor: Hashable, Sendable {
  /// The sequence number of the last change that was sent, or was none of the webhook's.
  package var position: Int64
  /// The attempts in a row that have failed.
  package var failures: Int64
  /// The time of the first of them.
  package var failingSince: Instant?
  /// The time of the next attempt.
  package var dueAt: Instant

  package init(position: Int64, failures: Int64, failingSince: Instant?, dueAt: Instant) {
    self.position = position
    self.failures = failures
    self.failingSince = failingSince
    self.dueAt = dueAt
  }
}

extension WebhookCursor {
  /// The time between an attempt that failed and the next, in milliseconds, by the number of failures in a row.
  private static let pauses: [Int64] = [
    5_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, longestPause,
  ]
  /// The longest of these times, in milliseconds.
  package static let longestPause: Int64 = 43_200_000
  /// The longest time for which attempts fail before a webhook is disabled, in milliseconds: 5 days.
  package static let patience: Int64 = 5 * 86_400_000
  /// The least number of attempts that fail before a webhook is disabled: a clock that is wrong for a moment makes days pass,
  /// and no attempts.
  package static let leastFailures: Int64 = 10

  /// The place after a change that has been sent.
  package func reached(_ sequence: Int64, nextAt due: Instant) -> WebhookCursor {
    WebhookCursor(position: max(sequence, position), failures: 0, failingSince: nil, dueAt: due)
  }

  /// The same place after one more failure.
  package func failed(at now: Instant) -> WebhookCursor {
    let pause = Self.pauses[Int(min(max(failures, 0), Int64(Self.pauses.count - 1)))]
    return WebhookCursor(
      position: position, failures: failures + 1, failingSince: failingSince ?? now,
      dueAt: now.adding(milliseconds: pause))
  }

  /// Whether it has failed for too long, and often enough.
  package func isHopeless(at now: Instant) -> Bool {
    guard let failingSince, failures >= Self.leastFailures else { return false }
    return failingSince.adding(milliseconds: Self.patience) <= now
  }
}

/// The numbers of webhooks whose last attempt has failed.
package struct FailingWebhookCount: Hashable, Sendable {
  /// Those that are tried again.
  package var enabled: Int
  /// Those that the service has disabled, or an admin while they failed: they are sent nothing.
  package var disabled: Int

  package init(enabled: Int, disabled: Int) {
    self.enabled = enabled
    self.disabled = disabled
  }
}

/// A webhook whose next change is to be sent.
package struct DueWebhook: Sendable {
  package var organization: OrganizationKey
  package var webhook: Webhook
  package var secret: [UInt8]
  package var cursor: WebhookCursor

  package init(
    organization: OrganizationKey, webhook: Webhook, secret: [UInt8], cursor: WebhookCursor
  ) {
    self.organization = organization
    self.webhook = webhook
    self.secret = secret
    self.cursor = cursor
  }
}

/// An attempt to send something to a webhook.
package struct WebhookAttempt: Hashable, Sendable {
  /// The sequence number of the change; nil for a ping.
  package var sequence: Int64?
  package var time: Instant
  /// The status of the answer; nil if none came.
  package var status: Int64?
  /// The reason why it failed; nil if it did not.
  package var error: String?
  /// The time that it took, in milliseconds.
  package var milliseconds: Int64

  package init(sequence: Int64?, time: Instant, status: Int64?, error: String?, milliseconds: Int64) {
    self.sequence = sequence
    self.time = time
    self.status = status
    self.error = error
    self.milliseconds = milliseconds
  }

  /// The time for which attempts are kept, in milliseconds: 30 days.
  package static let lifetime: Int64 = 30 * 86_400_000
}
