/// One field line (RFC 9112, section 5): `field-name ":" OWS field-value OWS`.
enum FieldLine {
  /// Parses the line that begins at `start` and ends before a CR.
  ///
  /// - Returns: The places of name and value in `bytes`, and of the line's CR.
  static func parse(
    _ bytes: Span<UInt8>, from start: Int, to limit: Int
  ) throws(HTTPRequestRejection) -> (entry: HTTPFields.Entry, end: Int) {
    var position = start
    while position < limit, ByteSet.token.contains(bytes[position]) { position += 1 }
    let nameEnd = position
    guard nameEnd > start, nameEnd < limit, bytes[nameEnd] == ASCII.colon else {
      throw .malformed("A field line does not begin with a field name and a colon.")
    }
    position += 1
    while position < limit, ASCII.isWhitespace(bytes[position]) { position += 1 }
    let valueStart = position
    while limit - position >= 8, EightBytes(bytes, at: position).isFreeOfControls { position += 8 }
    while position < limit, isFieldValue(bytes[position]) { position += 1 }
    let end = position
    guard end == limit || bytes[end] == ASCII.carriageReturn else {
      throw .malformed("A field value holds a control character.")
    }
    var valueEnd = end
    while valueEnd > valueStart, ASCII.isWhitespace(bytes[valueEnd - 1]) { valueEnd -= 1 }
    let entry = HTTPFields.Entry(
      nameStart: Int32(truncatingIfNeeded: start), nameEnd: Int32(truncatingIfNeeded: nameEnd),
      valueStart: Int32(truncatingIfNeeded: valueStart), valueEnd: Int32(truncatingIfNeeded: valueEnd))
    return (entry, end)
  }

  /// VCHAR, SP, HTAB and obs-text (RFC 9110, section 5.5).
  @inline(__always)
  static func isFieldValue(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == ASCII.tab
  }
}
