import FoundationEssentials

/// The key by which a receiver knows that a message is from here, as Standard Webhooks writes it: `whsec_` and base64.
package struct WebhookSecret: Sendable {
  package let bytes: [UInt8]

  private static let prefix = "whsec_"

  /// Makes a new secret of 32 bytes from the system's random source.
  package init() {
    var random = SystemRandomNumberGenerator()
    bytes = (0..<32).map { _ in random.next() }
  }

  /// Takes a secret that somebody states; nil if it is not of the form.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.prefix), text.utf8.count <= 256,
      let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count)))
    else { return nil }
    bytes = Array(data)
  }

  /// The secret in the receiver's form. It is shown once.
  package var text: String { Self.prefix + Data(bytes).base64EncodedString() }
}
