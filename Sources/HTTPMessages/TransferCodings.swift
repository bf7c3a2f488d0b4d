/// The codings that a request's `Transfer-Encoding` fields state together (RFC 9112, sections 6.1 and 7).
struct TransferCodings: Sendable {
  private var isPresent = false
  private var chunkedCount = 0
  private var isChunkedLast = false
  private var hasUnknown = false

  /// Whether the request has such a field.
  var isEmpty: Bool { !isPresent }

  /// Adds the codings of one field's value.
  mutating func add(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(HTTPRequestRejection) {
    isPresent = true
    try bytes.forEachListElement(from: start, to: end) { (element) throws(HTTPRequestRejection) in
      var nameEnd = element.lowerBound
      while nameEnd < element.upperBound, ByteSet.token.contains(bytes[nameEnd]) { nameEnd += 1 }
      let isBare = nameEnd == element.upperBound
      let isNamed =
        nameEnd > element.lowerBound
        && (isBare || bytes[nameEnd] == ASCII.semicolon || ASCII.isWhitespace(bytes[nameEnd]))
      guard isNamed else { throw .malformed("Transfer-Encoding is not a list of transfer codings.") }
      isChunkedLast = bytes.equalsIgnoringCase("chunked", from: element.lowerBound, to: nameEnd)
      if !isChunkedLast {
        hasUnknown = true
      } else if isBare {
        chunkedCount += 1
      } else {
        // RFC 9112, section 7.1: parameters of chunked are to be treated as an error.
        throw .malformed("The chunked transfer coding has no parameters.")
      }
    }
  }

  /// Checks that the only coding is `chunked`.
  func validate() throws(HTTPRequestRejection) {
    // RFC 9112, section 6.3: without chunked at the end, the length cannot be known.
    guard isChunkedLast, chunkedCount == 1 else {
      throw .malformed("Transfer-Encoding does not end with chunked, applied once.")
    }
    if hasUnknown { throw .unknownTransferCoding }
  }
}
