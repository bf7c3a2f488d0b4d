/// The text that a line of the log may hold: it is one line in every program that shows it, and its characters appear
/// unchanged.
enum LogText {
  /// Returns the text with every character escaped as its number, `\u{1B}`, that could begin a line, command a terminal
  /// or turn the direction of text. Bytes that are not UTF-8 have become U+FFFD before, as in every `String`.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: needsEscape) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if needsEscape(scalar) {
        escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Whether a character is a control character (C0, DEL, C1), a separator of lines or paragraphs, or a control of text
  /// direction: marks, embeddings, overrides and isolates (Unicode Standard Annex 9, section 2).
  static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    case 0...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
