import Cryptography
import FoundationEssentials
import Synchronization
import TimeclockDomain

/// The key by which Apple knows the sender, and the token made with it, which every message carries.
package final class ProviderKey: Sendable {
  /// The reason why a key is none.
  package enum Fault: Error, Sendable {
    /// It is no P-256 key in the form PEM.
    case key
    /// An identifier is not made of letters and digits.
    case identifier
  }

  private let key: P256SigningKey
  private let keyID: String
  private let teamID: String
  private let token = Mutex<(text: String, madeAt: Instant)?>(nil)

  /// The time for which a token is used, in milliseconds. Apple takes one for an hour, and a new one not within 20 minutes.
  private static let lifetime: Int64 = 45 * 60_000
  private static let shortestLifetime: Int64 = 20 * 60_000

  /// - Parameters:
  ///   - pem: The content of the file that Apple gives out, `AuthKey_….p8`.
  ///   - keyID: The identifier of the key.
  ///   - teamID: The identifier of the team that it is of.
  package init(pem: String, keyID: String, teamID: String) throws(Fault) {
    for identifier in [keyID, teamID] {
      let isWord =
        (1...64).contains(identifier.utf8.count)
        && identifier.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
      guard isWord else { throw .identifier }
    }
    guard let key = try? P256SigningKey(pem: pem) else { throw .key }
    (self.key, self.keyID, self.teamID) = (key, keyID, teamID)
  }

  /// The token for a message that is sent now.
  func token(at now: Instant) throws -> String {
    try token.withLock { token in
      if let token, (0..<Self.lifetime).contains(now.milliseconds(since: token.madeAt)) { return token.text }
      let text = try signed(at: now)
      token = (text, now)
      return text
    }
  }

  /// Takes note that Apple holds the token for too old, as when this machine's clock is wrong.
  func expire(at now: Instant) {
    token.withLock { token in
      if let present = token, now.milliseconds(since: present.madeAt) >= Self.shortestLifetime { token = nil }
    }
  }

  /// A token of RFC 7519, signed by ES256 (RFC 7518, section 3.4).
  private func signed(at now: Instant) throws -> String {
    let head = #"{"alg":"ES256","kid":"\#(keyID)"}"#
    let claims = #"{"iss":"\#(teamID)","iat":\#(now.millisecondsSince1970 / 1_000)}"#
    let content = "\(Self.base64URL(head.utf8)).\(Self.base64URL(claims.utf8))"
    let signature = try key.signature(of: Array(content.utf8))
    return "\(content).\(Self.base64URL(signature))"
  }

  /// Base64 for addresses, without padding (RFC 4648, section 5).
  private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    let text = Data(bytes).base64EncodedString().utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
