import TimeclockDomain

/// Receivers of webhooks: an address with `refuse` in it answers 503, one with `silent` not at all, and any other 204.
struct StubWebhooks: WebhookSending {
  func send(_ message: WebhookMessage) async throws -> WebhookOutcome {
    if message.url.text.contains("silent") {
      return WebhookOutcome(status: nil, error: "Nobody is there", milliseconds: 5_000)
    }
    return WebhookOutcome(
      status: message.url.text.contains("refuse") ? 503 : 204, error: nil, milliseconds: 12)
  }
}
