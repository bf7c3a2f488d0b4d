/// An e-mail address as it was given, and the form by which addresses are the same.
package struct EmailAddress: Hashable, Sendable {
  /// As it was given, without white space around it.
  package let text: String
  /// The form that all spellings of an address share, and that an account is found by; no two accounts have one.
  package let key: String
  /// The form by which older versions distinguished addresses: only the capitals of ASCII are folded. Accounts that
  /// they made, and whose addresses have one `key`, are distinguished by it still (`docs/people.md`).
  package let formerKey: String

  /// The most bytes of an address (RFC 5321, section 4.5.3.1.3, less the angle brackets).
  private static let byteLimit = 254

  /// Takes an address that could be delivered to: one `@` with something on both sides, at most 254 bytes, and nothing in
  /// it that people do not see, or that other programs write around addresses.
  ///
  /// - Throws: `TimeclockError.invalidEmail`.
  package init(_ text: String) throws {
    guard let address = EmailAddress(ofAccount: text) else { throw TimeclockError.invalidEmail(.form) }
    self = address
    if let scalar = self.text.unicodeScalars.first(where: Self.isUnseen) {
      throw TimeclockError.invalidEmail(.unseen(scalar))
    }
    if let sign = self.text.unicodeScalars.first(where: { ",<>:".unicodeScalars.contains($0) }) {
      throw TimeclockError.invalidEmail(.sign(sign))
    }
    let domain = key.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard domain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }) else {
      throw TimeclockError.invalidEmail(.form)
    }
  }

  /// Takes the address of an account that there may be already: accounts of older versions have addresses that are
  /// refused today. Nil for a text that never was one: it has no `@`, two of them, white space or control characters in
  /// it, or 255 bytes.
  package init?(ofAccount text: String) {
    let trimmed = Text.trimmed(text)
    let parts = trimmed.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard trimmed.utf8.count <= Self.byteLimit, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
      !trimmed.unicodeScalars.contains(where: { $0.properties.isWhitespace || Text.isForbidden($0) })
    else { return nil }
    self.text = trimmed
    key = Self.key(of: trimmed)
    formerKey = Text.lowercasedASCII(trimmed)
  }

  /// The key of any text, whether it is an address or not: of an address in lower case as Unicode has it (σ for ς) and
  /// composed (NFC), with the domain's labels in ASCII. The key of a key is itself.
  ///
  /// A domain is in lower case and composed before it is written in ASCII (RFC 5891, section 5.2), and keeps its ς, which
  /// names another domain than σ there.
  package static func key(of text: String) -> String {
    guard let place = text.utf8.lastIndex(of: UInt8(ascii: "@")), text.utf8.count <= byteLimit else {
      return Text.lowercasedASCII(text)
    }
    return Text.folded(String(text[..<place])) + "@" + domainKey(text[text.utf8.index(after: place)...])
  }

  /// Whether the two are written alike but for the capitals of ASCII, as older versions compared addresses: byte by
  /// byte, if strings are the same however their letters are composed.
  package func isWritten(as other: EmailAddress) -> Bool {
    formerKey.utf8.elementsEqual(other.formerKey.utf8)
  }

  /// The keys by which the address's account is stored, in the order in which they are looked up: if older versions
  /// made several accounts of one address, the one that is written so comes first.
  package var storedKeys: [String] { formerKey.utf8.elementsEqual(key.utf8) ? [key] : [formerKey, key] }

  private static func domainKey(_ domain: Substring) -> String {
    // The full stops of East Asian keyboards part labels, too (RFC 3490, section 3.1).
    let labels = domain.unicodeScalars.split(omittingEmptySubsequences: false) {
      [0x2E, 0x3002, 0xFF0E, 0xFF61].contains($0.value)
    }
    return labels.map { labelKey(String($0)) }.joined(separator: ".")
  }

  private static func labelKey(_ label: String) -> String {
    let folded = Text.composed(Text.composed(label).lowercased())
    guard folded.utf8.allSatisfy({ $0 < 0x80 }) else { return asciiLabel(folded) ?? folded }
    guard folded.hasPrefix("xn--"), let decoded = Punycode.decoded(String(folded.dropFirst(4))),
      !decoded.utf8.allSatisfy({ $0 < 0x80 })
    else { return folded }
    return asciiLabel(Text.composed(Text.composed(decoded).lowercased())) ?? folded
  }

  private static func asciiLabel(_ label: String) -> String? {
    guard !label.utf8.allSatisfy({ $0 < 0x80 }) else { return label }
    return Punycode.encoded(label).map { "xn--" + $0 }
  }

  /// Whether the character is none that is seen: a format character, a control character, a space, or one that programs are
  /// to ignore (Unicode, `Default_Ignorable_Code_Point`).
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

extension EmailAddress {
  /// The reason why a text is no e-mail address.
  package enum Fault: Hashable, Sendable {
    /// It is not of the form, or too long.
    case form
    /// It has a character that is not seen.
    case unseen(Unicode.Scalar)
    /// It has a sign of the text around addresses.
    case sign(Unicode.Scalar)

    /// One English sentence, without its full stop.
    var detail: String {
      switch self {
      case .form: "This is not an e-mail address"
      case .unseen(let scalar):
        "This is not an e-mail address: it has the character U+\(Self.hex(scalar)), which is not seen"
      case .sign(let scalar):
        "This is not an e-mail address: it has \"\(scalar)\" in it, and has to be one address alone, such as ana@example.com"
      }
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }
}
