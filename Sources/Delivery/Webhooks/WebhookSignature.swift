import Crypto
import FoundationEssentials
import TimeclockDomain

extension WebhookMessage {
  /// The fields that identify the message, its time and its sender (Standard Webhooks, "Signature scheme"): the
  /// HMAC-SHA256 of id, seconds since 1970 and body, between full stops.
  var signedFields: [String] {
    let seconds = time.millisecondsSince1970 / 1_000
    var code = HMAC<SHA256>(key: SymmetricKey(data: secret))
    code.update(data: Array("\(id).\(seconds).".utf8))
    code.update(data: body)
    let signature = Data(code.finalize()).base64EncodedString()
    return ["webhook-id: \(id)", "webhook-timestamp: \(seconds)", "webhook-signature: v1,\(signature)"]
  }
}
