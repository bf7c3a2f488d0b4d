/// A member's words about an entry, sanitized.
package struct Notes: Hashable, Sendable {
  /// Trimmed, with `<` and `>` as `&lt;` and `&gt;`. Never empty.
  package let text: String

  /// Notes that were sanitized before, as a storage keeps them.
  package init(stored text: String) {
    self.text = text
  }

  /// Sanitizes a client's text.
  ///
  /// Nothing but `<` and `>` is escaped, so reading notes and writing them back changes nothing.
  ///
  /// - Returns: Nil when nothing but white space was sent.
  /// - Throws: `TimeclockError.notesTooLong` above `maximumCharacters` code points, counted after trimming
  ///   and before escaping; `TimeclockError.notesInvalid` for control characters other than new line and
  ///   tab, and for bidirectional overrides.
  package static func sanitized(_ text: String, maximumCharacters: Int64) throws -> Notes? {
    let trimmed = Text.trimmed(text)
    guard !trimmed.isEmpty else { return nil }
    guard trimmed.unicodeScalars.count <= maximumCharacters else {
      throw TimeclockError.notesTooLong(maximumCharacters: maximumCharacters)
    }
    guard !trimmed.unicodeScalars.contains(where: Text.isForbidden) else {
      throw TimeclockError.notesInvalid
    }
    return Notes(stored: escaped(trimmed))
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }) else {
      return text
    }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
