import Cryptography
import FoundationEssentials
import TimeclockDomain

extension WebhookMessage {
  /// The fields that identify the message, its time and its sender (Standard Webhooks, "Signature scheme"): the
  /// HMAC-SHA256 of id, seconds since 1970 and body, between full stops.
  var signedFields: [String] {
    let seconds = time.millisecondsSince1970 / 1_000
    let code = HMACSHA256.code(of: Array("\(id).\(seconds).".utf8) + body, key: secret)
    let signature = Data(code).base64EncodedString()
    return ["webhook-id: \(id)", "webhook-timestamp: \(seconds)", "webhook-signature: v1,\(signature)"]
  }
}
