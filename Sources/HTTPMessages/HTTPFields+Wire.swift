extension HTTPFields {
  /// Appends all fields but the reserved ones, each with CR LF; false, and nothing is appended, if one
  /// of them is not valid.
  func appendLines(to output: inout [UInt8]) -> Bool {
    if isWireForm {
      output.append(contentsOf: bytes)
      return true
    }
    let start = output.count
    for entry in entries where !isReserved(entry) {
      guard isValid(entry) else {
        output.removeSubrange(start...)
        return false
      }
      output.append(contentsOf: bytes[Int(entry.nameStart)..<Int(entry.nameEnd)])
      output.append(": ")
      output.append(contentsOf: bytes[Int(entry.valueStart)..<Int(entry.valueEnd)])
      output.append("\r\n")
    }
    return true
  }

  /// Whether the name is a token and the value holds no control character (RFC 9110, section 5).
  func isValid(_ entry: Entry) -> Bool {
    guard entry.nameStart < entry.nameEnd else { return false }
    let bytes = bytes.span
    for position in Int(entry.nameStart)..<Int(entry.nameEnd)
    where !ByteSet.token.contains(bytes[position]) { return false }
    for position in Int(entry.valueStart)..<Int(entry.valueEnd)
    where !FieldLine.isFieldValue(bytes[position]) { return false }
    return true
  }

  /// Whether the field is one that the response writer alone sets.
  func isReserved(_ entry: Entry) -> Bool {
    switch entry.nameEnd - entry.nameStart {
    case 4: isNamed(entry, "Date")
    case 10: isNamed(entry, "Connection") || isNamed(entry, "Keep-Alive")
    case 14: isNamed(entry, "Content-Length")
    case 17: isNamed(entry, "Transfer-Encoding")
    default: false
    }
  }
}
