extension Span<UInt8> {
  /// Calls `body` with each element of a comma-separated list, trimmed; empty elements are skipped
  /// (RFC 9110, section 5.6.1.2).
  func forEachListElement(
    from start: Int, to end: Int, _ body: (Range<Int>) throws(HTTPRequestRejection) -> Void
  ) throws(HTTPRequestRejection) {
    var position = start
    while position < end {
      let comma = index(of: ASCII.comma, from: position, to: end)
      let element = trimmed(from: position, to: comma)
      if !element.isEmpty { try body(element) }
      position = comma + 1
    }
  }
}
