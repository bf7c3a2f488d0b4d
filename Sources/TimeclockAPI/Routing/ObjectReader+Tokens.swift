import Credentials
import TimeclockDomain

extension ObjectReader {
  /// Reads the digest of a token.
  func token(_ name: String, _ noun: String) -> TokenDigest {
    let isSent = has(name)
    return digest(of: string(name), name, noun, isSent: isSent)
  }

  /// Reads the digest of a token that may be left out.
  func optionalToken(_ name: String, _ noun: String) -> TokenDigest? {
    optionalString(name).map { digest(of: $0, name, noun, isSent: true) }
  }

  /// The digest of a token; text that does not have the form of one is refused.
  private func digest(of text: String, _ name: String, _ noun: String, isSent: Bool) -> TokenDigest {
    if isSent, text.utf8.count != 64 || !text.utf8.allSatisfy("0123456789abcdef".utf8.contains) {
      refuse(name, code: "invalid", "must be \(noun): 64 digits and letters from a to f")
    }
    return BearerToken.digest(of: text)
  }
}
