import HTTPMessages

/// The origin of a web page as browsers write it in `Origin`: scheme, host and, unless it is the scheme's default, port
/// (RFC 6454, section 6.2; the HTML standard, "ASCII serialization of an origin").
package struct WebOrigin: Hashable, Sendable {
  /// The origin as it stands in the field.
  package let text: String

  /// Reads an origin; nil for text that no browser sends (an address with a path, capitals, the scheme's default port),
  /// for `*`, and for `null`, which many different pages send, and which any page can send.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//"), Self.isScheme(parts[0]) else { return nil }
    let authority = parts[1].dropFirst(2)
    // Colons in brackets belong to the address.
    let bracket = authority.firstIndex(of: "]").map { authority.index(after: $0) }
    let colon = authority[(bracket ?? authority.startIndex)...].firstIndex(of: ":")
    if let colon, !Self.isPort(authority[colon...].dropFirst(), scheme: parts[0]) { return nil }
    guard Self.isHost(authority[..<(colon ?? authority.endIndex)]) else { return nil }
    self.text = text
  }

  /// Whether the text is `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`, in lower case.
  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// Whether the text is a name or an IPv4 address, or an IPv6 address in brackets.
  private static func isHost(_ text: Substring) -> Bool {
    guard text.hasPrefix("[") else {
      return !text.isEmpty && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-._".utf8.contains($0) }
    }
    let address = String(text.dropFirst().dropLast())
    return text.hasSuffix("]") && IPAddress(address).map { !$0.isIPv4 && $0.description == address } ?? false
  }

  /// Whether the text is a port without leading zeros that is not the scheme's default.
  private static func isPort(_ text: Substring, scheme: Substring) -> Bool {
    guard (1...5).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0"),
      text.utf8.allSatisfy(isDigit)
    else { return false }
    switch scheme {
    case "http": return text != "80"
    case "https": return text != "443"
    default: return true
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
