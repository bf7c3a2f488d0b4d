import FoundationEssentials
import TimeclockDomain

extension PushOutcome {
  /// Apple's word for a token of the sender's that is too old.
  static let expiredToken = "ExpiredProviderToken"

  /// Apple's words for a place that is none, or none of this app's.
  private static let goneReasons: Set = [
    "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Unregistered",
  ]
  /// Reasons that mean our credentials are wrong; the same message may succeed once they are fixed.
  private static let senderReasons: Set = [
    expiredToken, "InvalidProviderToken", "MissingProviderToken", "BadCertificate",
    "BadCertificateEnvironment",
    "Forbidden", "IdleTimeout",
  ]
  /// The seconds after which a message is tried again that failed because of the key.
  private static let senderPause: Int64 = 60

  /// The outcome of Apple's answer
  /// (developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns); without an answer
  /// the message is tried again.
  init(_ result: Poster.Result) {
    guard let status = result.status else {
      self.init(.later(seconds: nil), reason: result.fault ?? "")
      return
    }
    self.init(status: status, reason: Self.reason(in: result.body), retryAfter: result.retryAfter)
  }

  /// - Parameters:
  ///   - reason: Apple's word; nil if there is none.
  ///   - retryAfter: The seconds that were asked for.
  init(status: Int, reason: String?, retryAfter: Int64?) {
    let shown = reason ?? "status \(status)"
    switch status {
    case 200: self.init(.taken, reason: "")
    case 410: self.init(.gone, reason: shown)
    case 429, 500...: self.init(.later(seconds: retryAfter), reason: shown)
    case _ where Self.goneReasons.contains(reason ?? ""): self.init(.gone, reason: shown)
    case _ where reason == Self.expiredToken: self.init(.later(seconds: nil), reason: shown)
    case 403,
      _ where Self.senderReasons.contains(reason ?? ""):
      self.init(.later(seconds: Self.senderPause), reason: shown)
    default: self.init(.refused, reason: shown)
    }
  }

  private struct Answer: Decodable {
    let reason: String
  }

  /// The word in an answer; nil for none, or for anything else.
  private static func reason(in body: [UInt8]) -> String? {
    guard let reason = try? JSONDecoder().decode(Answer.self, from: Data(body)).reason else { return nil }
    let isWord =
      (1...64).contains(reason.utf8.count) && reason.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
    return isWord ? reason : nil
  }
}
