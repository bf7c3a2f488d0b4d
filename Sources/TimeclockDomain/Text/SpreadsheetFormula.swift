/// Finds text that spreadsheet programs take for a formula when they open a table: it begins with one of a few signs
/// (owasp.org/www-community/attacks/CSV_Injection).
package enum SpreadsheetFormula {
  /// Whether a cell with this text might be calculated instead of shown.
  ///
  /// Such text begins with `=`, `+`, `-` or `@`, also in their full-width or small forms (some programs turn these into
  /// the ASCII signs), also after blanks and characters without width, which a program may cut off first; or it begins
  /// with a tab or a new line.
  package static func begins(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D:
      return true
    case UInt8(ascii: " "), 0x80...0xFF:
      return beginsBehindBlanks(text)
    default:
      return false
    }
  }

  /// The text of a cell that an export of the service has written: without the apostrophe that protects it.
  package static func unprotected(_ cell: String) -> String {
    guard cell.utf8.first == UInt8(ascii: "'") else { return cell }
    var text = String(cell.utf8.dropFirst()) ?? cell
    return text.withUTF8(begins) ? text : cell
  }

  private static func beginsBehindBlanks(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where !isSkipped(scalar) {
      return isSign(scalar)
    }
    return false
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@",
      "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",  // Full-width forms.
      "\u{FE66}", "\u{FE62}", "\u{FE63}", "\u{FE6B}":  // Small forms.
      true
    default: false
    }
  }

  private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
  }
}
