import TimeclockDomain

/// Sends messages to phones through Apple's service (APNs) over HTTP/2.
package final class PushSender: PushSending {
  private let key: ProviderKey
  private let host: String?
  private let clock: WallClock
  private let poster: Poster

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - host: The name of a service in place of Apple's two, perhaps with a port; nil for Apple's.
  ///   - certificates: A file of the certificates that are trusted; nil for those of the system.
  ///   - threadCount: The number of messages that are under way at once.
  ///   - queueLimit: The number of further ones that may wait.
  package init(
    key: ProviderKey, host: String? = nil, certificates: String? = nil, clock: WallClock = .system,
    threadCount: Int, queueLimit: Int
  ) {
    self.key = key
    self.host = host
    self.clock = clock
    poster = Poster(
      .init(
        name: "push", threadCount: threadCount, queueLimit: queueLimit, needsHTTP2: true,
        certificates: certificates))
  }

  package func send(_ message: PushMessage) async throws -> PushOutcome {
    let url = "https://\(host ?? message.environment.host)/3/device/\(message.token.text)"
    let result = try await poster.post(message.body, to: url) { [key, clock] in
      message.fields(token: try key.token(at: clock.now))
    }
    let outcome = PushOutcome(result)
    if outcome.reason == PushOutcome.expiredToken { key.expire(at: clock.now) }
    return outcome
  }

  /// Gives up sends under way, within about a second, and ends the threads. Call it once; it blocks.
  package func stop() {
    poster.stop()
  }
}

extension PushMessage {
  /// The fields of the request.
  func fields(token: String) -> [String] {
    // An empty `expect` sends the body at once.
    var fields = [
      "authorization: bearer \(token)", "apns-push-type: \(type.rawValue)", "apns-topic: \(topic)",
      "apns-priority: \(isUrgent ? 10 : 5)", "content-type: application/json", "expect:",
    ]
    if let expiresAt { fields.append("apns-expiration: \(expiresAt.millisecondsSince1970 / 1_000)") }
    return fields
  }
}

extension PushTarget.Environment {
  fileprivate var host: String {
    switch self {
    case .production: "api.push.apple.com"
    case .sandbox: "api.sandbox.push.apple.com"
    }
  }
}
