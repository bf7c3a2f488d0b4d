/// Finds text that spreadsheet programs take for a number, a date or a time when they open a table, and show otherwise
/// than it was written: `0001` as 1, `1-2` as the first of February, `12345678901234567890` with zeros at its end.
package enum SpreadsheetNumber {
  /// Whether a cell with this text might be read as a number.
  ///
  /// Such text has a digit, and nothing but digits, blanks, `.`, `,`, `:`, `/`, `-`, `+`, `%`, `'` and `E`, which stands
  /// in numbers such as `1E5`. None of them is a quotation mark, so that it can stand in a string of a formula as it is. A
  /// string of a formula has 255 characters at most; longer text is no number.
  package static func reads(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= 255 else { return false }
    var hasDigit = false
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      case UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "/"),
        UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "%"), UInt8(ascii: "'"), UInt8(ascii: "E"),
        UInt8(ascii: "e"):
        continue
      default: return false
      }
    }
    return hasDigit
  }

  /// The text of a cell that a table of the service keeps as text, `0001` of `="0001"`; any other cell as it is.
  package static func unwrapped(_ cell: String) -> String {
    guard cell.utf8.starts(with: "=\"".utf8), cell.utf8.count > 3, cell.utf8.last == UInt8(ascii: "\"") else {
      return cell
    }
    var text = String(cell.dropFirst(2).dropLast())
    return text.withUTF8(reads) ? text : cell
  }
}
