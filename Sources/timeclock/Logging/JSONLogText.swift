import Logging

/// JSON of a line of the log.
enum JSONLogText {
  /// Appends a string (RFC 8259, section 7), with every character escaped that `LogText` escapes.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      case _ where LogText.needsEscape(scalar):
        // All of them have four hexadecimal digits or fewer.
        let digits = String(scalar.value, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: String(repeating: "0", count: max(0, 4 - digits.utf8.count)).utf8)
        bytes.append(contentsOf: digits.utf8)
      default:
        bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the value of a field: a number if it is one, or else a string.
  static func append(_ value: Logger.MetadataValue, to bytes: inout [UInt8]) {
    if case .stringConvertible(let number as Int) = value {
      bytes.append(contentsOf: String(number).utf8)
    } else {
      append(value.description, to: &bytes)
    }
  }
}
