/// The address of a webhook: `http` or `https`, a host, perhaps a port, a path and a query (RFC 3986, section 3).
package struct WebhookURL: Hashable, Sendable {
  package let text: String
  /// The host without the brackets of an IPv6 address.
  package let host: String

  /// The most characters.
  package static let maximumLength = 2_048

  /// Takes an address as somebody states it.
  ///
  /// - Throws: `TimeclockError.invalidURL` for another scheme, a name and password before the host, a fragment, a character
  ///   that an address has to encode, and one that is too long.
  package init(_ text: String) throws {
    guard let host = Self.host(of: text) else { throw TimeclockError.invalidURL }
    self.text = text
    self.host = host
  }

  /// An address that was taken before.
  package init(stored text: String) {
    self.text = text
    host = Self.host(of: text) ?? ""
  }

  private static func host(of text: String) -> String? {
    guard text.utf8.count <= maximumLength, text.utf8.allSatisfy(isAllowed) else { return nil }
    let lower = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
    let rest = lower.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else { return nil }
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      let address = authority[authority.index(after: authority.startIndex)..<end]
      let isAddress =
        address.contains(":") && address.utf8.allSatisfy { isHexadecimal($0) || $0 == 58 || $0 == 46 }
      return isAddress && isPort(authority[authority.index(after: end)...]) ? String(address) : nil
    }
    let host = authority.prefix { $0 != ":" }
    guard isName(host), isPort(authority[host.endIndex...]) else { return nil }
    return String(host)
  }

  /// Whether the byte may stand in an address; a fragment is none of the server's.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !##""#<>\^`{|}"##.utf8.contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }

  /// Labels of letters, digits, hyphens and underscores, between single dots (RFC 1123, section 2.1).
  private static func isName(_ name: Substring) -> Bool {
    let labels = (name.hasSuffix(".") ? name.dropLast() : name)
      .split(separator: ".", omittingEmptySubsequences: false)
    return name.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count)
          && label.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95
          }
      }
  }

  /// Nothing, or a colon and 1 to 65535.
  private static func isPort(_ text: Substring) -> Bool {
    guard !text.isEmpty else { return true }
    let digits = text.dropFirst()
    guard text.hasPrefix(":"), digits.utf8.count <= 5, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let port = Int(digits)
    else { return false }
    return (1...65_535).contains(port)
  }
}

extension TimeclockError {
  package static let invalidURL = TimeclockError.plain(
    PlainRefusal(
      "invalid_url", against: .rule,
      """
      url must be an absolute https or http address of at most \(WebhookURL.maximumLength) characters, without a user \
      name, a password and a fragment
      """))

  /// - Parameter address: The address that the URL has in the place of a name.
  package static func addressNotAllowed(_ address: String) -> TimeclockError {
    .plain(
      PlainRefusal(
        "address_not_allowed", against: .rule,
        """
        Webhooks may not send to \(address), which is no address of the Internet. The operator of the service may allow \
        it (--webhook-allow)
        """))
  }
}
