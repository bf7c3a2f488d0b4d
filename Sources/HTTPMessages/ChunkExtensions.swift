/// `*( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )` (RFC 9112, section 7.1.1).
///
/// The server ignores extensions, but refuses one that another server could read as the end of the line.
enum ChunkExtensions {
  /// Whether the bytes from `start` up to `end` are chunk extensions; no bytes are valid too.
  static func isValid(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var position = start
    while position < end {
      position = skipWhitespace(bytes, from: position, to: end)
      guard position < end, bytes[position] == ASCII.semicolon else { return false }
      position = skipWhitespace(bytes, from: position + 1, to: end)
      guard let nameEnd = skipToken(bytes, from: position, to: end) else { return false }
      position = nameEnd
      let equals = skipWhitespace(bytes, from: position, to: end)
      guard equals < end, bytes[equals] == ASCII.equals else { continue }
      position = skipWhitespace(bytes, from: equals + 1, to: end)
      guard position < end else { return false }
      let isQuoted = bytes[position] == ASCII.quotationMark
      let valueEnd =
        isQuoted
        ? skipQuotedString(bytes, from: position + 1, to: end) : skipToken(bytes, from: position, to: end)
      guard let valueEnd else { return false }
      position = valueEnd
    }
    return true
  }

  private static func skipWhitespace(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, ASCII.isWhitespace(bytes[position]) { position += 1 }
    return position
  }

  private static func skipToken(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var position = start
    while position < end, ByteSet.token.contains(bytes[position]) { position += 1 }
    return position > start ? position : nil
  }

  /// Reads the rest of a `quoted-string` after its opening mark (RFC 9110, section 5.6.4).
  private static func skipQuotedString(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var position = start
    while position < end {
      if bytes[position] == ASCII.quotationMark { return position + 1 }
      if bytes[position] == ASCII.backslash { position += 1 }
      guard position < end, FieldLine.isFieldValue(bytes[position]) else { return nil }
      position += 1
    }
    return nil
  }
}
