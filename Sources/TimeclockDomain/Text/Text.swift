/// The checks and changes that the rules ask of text from outside. They work on Unicode code points, as JSON Schema and
/// the databases count them; a Swift `Character` can hold thousands.
package enum Text {
  /// The text without white space and new lines at its ends.
  package static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// Control characters other than new line and tab, and bidirectional overrides and isolates.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether the text is one line, of at most `maximumCharacters` code points, without control characters and
  /// bidirectional overrides and isolates.
  static func isLine(_ text: String, maximumCharacters: Int) -> Bool {
    let scalars = text.unicodeScalars
    return scalars.count <= maximumCharacters
      && !scalars.contains { isForbidden($0) || $0 == "\n" || $0 == "\t" }
  }

  /// The text as a message quotes it: of at most `maximumCharacters` code points, with "…" if it is cut, and "?" for
  /// each new line, tab, control character, and bidirectional override or isolate.
  package static func quotable(_ text: String, maximumCharacters: Int = 80) -> String {
    let scalars = text.unicodeScalars
    let shown = scalars.prefix(maximumCharacters).map {
      isForbidden($0) || $0 == "\n" || $0 == "\t" ? "?" : $0
    }
    let isCut = !scalars.dropFirst(maximumCharacters).isEmpty
    return String(String.UnicodeScalarView(shown)) + (isCut ? "…" : "")
  }

  /// The text by which texts are the same that differ in case alone, as Unicode's full lower case has it (ς as σ), or in how
  /// their letters with accents are composed: in lower case, and composed (NFC).
  ///
  /// It is done here and not in SQL: SQLite folds ASCII only, and PostgreSQL as the database's locale says.
  package static func folded(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return lowercasedASCII(text) }
    let lower = composed(text).lowercased().unicodeScalars.map { $0 == "ς" ? "σ" : $0 }
    return composed(String(String.UnicodeScalarView(lower)))
  }

  /// The text in normalization form C (Unicode, annex 15). `FoundationEssentials` has no such thing; the standard library
  /// compares strings by these very code units.
  static func composed(_ text: String) -> String {
    String(decoding: text._nfcCodeUnits, as: UTF8.self)
  }

  /// The text with `A` to `Z` in lower case and nothing else changed.
  static func lowercasedASCII(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
