/// The way in which the end of a request's content is found (RFC 9112, section 6.3).
enum BodyFraming: Sendable {
  case length(Int)
  case chunked
}

/// `Content-Length = 1*DIGIT` (RFC 9110, section 8.6).
enum ContentLength {
  /// Reads the length in `bytes` from `start` up to `end`.
  ///
  /// - Throws: 400 for anything but digits, and for a length beyond the range of `Int`.
  static func parse(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(HTTPRequestRejection) -> Int {
    guard start < end else { throw .malformed("Content-Length is empty.") }
    var length = 0
    for position in start..<end {
      guard let digit = ASCII.digit(bytes[position]) else {
        throw .malformed("Content-Length is not a number in plain digits.")
      }
      let (product, isTooLong) = length.multipliedReportingOverflow(by: 10)
      let (sum, isTooLarge) = product.addingReportingOverflow(digit)
      guard !isTooLong, !isTooLarge else { throw .malformed("Content-Length is beyond any length.") }
      length = sum
    }
    return length
  }
}
