/// An e-mail address as it was given, and the form by which addresses are the same.
package struct EmailAddress: Hashable, Sendable {
  /// As it was given, without white space around it.
  package let text: String
  /// The address with ASCII letters in lower case; two accounts never share it.
  package let key: String

  /// Takes an address that could be delivered to: one `@` with something on both sides, no white space or
  /// control characters, at most 254 bytes (RFC 5321, section 4.5.3.1.3, less the angle brackets).
  ///
  /// - Throws: `TimeclockError.invalidEmail`.
  package init(_ text: String) throws {
    let trimmed = Text.trimmed(text)
    let parts = trimmed.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard trimmed.utf8.count <= 254, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
      !trimmed.unicodeScalars.contains(where: { $0.properties.isWhitespace || Text.isForbidden($0) })
    else { throw TimeclockError.invalidEmail }
    self.text = trimmed
    key = Text.lowercasedASCII(trimmed)
  }
}
