import TimeclockDomain

/// Receivers of webhooks: an address with `refuse` in it answers 503, one with `silent` not at all, and any other 204. Nothing may
/// be sent to `10.0.0.1`.
struct StubWebhooks: WebhookSending {
  func send(_ message: WebhookMessage) async throws -> WebhookOutcome {
    if message.url.text.contains("silent") {
      return WebhookOutcome(status: nil, error: "Nobody is there", milliseconds: 5_000)
    }
    return WebhookOutcome(
      status: message.url.text.contains("refuse") ? 503 : 204, error: nil, milliseconds: 12)
  }

  func refusedAddress(in url: WebhookURL) -> String? { url.host == "10.0.0.1" ? url.host : nil }
}
