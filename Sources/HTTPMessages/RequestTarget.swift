/// A request target (RFC 9112, section 3.2), validated and taken apart.
struct RequestTarget: Sendable {
  /// The path, still percent-encoded; begins with `/`, or is `*`.
  let path: String
  /// The part after the first `?`, still percent-encoded; nil without a `?`.
  let query: String?
  /// The place of the authority of an absolute-form target; nil in the other forms.
  let authority: Range<Int>?

  /// Parses the target in `bytes` from `start` up to `end`.
  init(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, method: HTTPMethod
  ) throws(HTTPRequestRejection) {
    if case .other("CONNECT") = method { throw .connectNotImplemented }
    var pathStart = start
    var authority: Range<Int>?
    if bytes[start] != ASCII.slash {
      if bytes[start] == ASCII.asterisk, end - start == 1, method == .options {
        (path, query, self.authority) = ("*", nil, nil)
        return
      }
      let found = try Self.authority(bytes, from: start, to: end)
      authority = found
      pathStart = found.upperBound
    }
    let pathEnd = try Self.validate(bytes, from: pathStart, to: end)
    self.authority = authority
    query = pathEnd < end ? bytes.text(from: pathEnd + 1, to: end) : nil
    if pathEnd > pathStart {
      path = bytes.text(from: pathStart, to: pathEnd)
    } else {
      // An absolute form without a path: RFC 9112, section 3.2.4.
      path = method == .options && query == nil ? "*" : "/"
    }
  }

  /// Finds the authority of `("http" / "https") "://" authority …` (RFC 9110, section 4.2; user information is an error).
  private static func authority(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(HTTPRequestRejection) -> Range<Int> {
    let schemeEnd = bytes.index(of: ASCII.colon, from: start, to: end)
    guard
      bytes.equalsIgnoringCase("http", from: start, to: schemeEnd)
        || bytes.equalsIgnoringCase("https", from: start, to: schemeEnd),
      end - schemeEnd >= 3, bytes.equals("://", from: schemeEnd, to: schemeEnd + 3)
    else { throw .malformed("The request target is neither a path nor an http URI.") }
    let authorityStart = schemeEnd + 3
    var position = authorityStart
    while position < end, bytes[position] != ASCII.slash, bytes[position] != ASCII.questionMark {
      position += 1
    }
    guard Authority.isValid(bytes, from: authorityStart, to: position) else {
      throw .malformed("The request target's authority is not a host with an optional port.")
    }
    return authorityStart..<position
  }

  /// Checks every byte of `path [ "?" query ]` (RFC 3986, sections 3.3 and 3.4).
  ///
  /// - Returns: The place of the first `?`, or `end`.
  private static func validate(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(HTTPRequestRejection) -> Int {
    var pathEnd = end
    var position = start
    while position < end {
      let byte = bytes[position]
      if ByteSet.path.contains(byte) {
        position += 1
      } else if byte == ASCII.percent, PercentEncoding.isValid(bytes, at: position, to: end) {
        position += 3
      } else if byte == ASCII.questionMark {
        if pathEnd == end { pathEnd = position }
        position += 1
      } else {
        throw .malformed("The request target holds a character that a URI may not hold unescaped.")
      }
    }
    return pathEnd
  }
}
