/// The limits of a request that the parser takes: exactly the limit passes, one more is refused.
package struct HTTPRequestLimits: Hashable, Sendable {
  /// Bytes of the request line without its CR LF; beyond it the answer is 414.
  package var requestLineByteCount = 8 * 1024
  /// Bytes of the request line, the field lines and the empty line that ends them; beyond it 431.
  package var headByteCount = 32 * 1024
  /// Field lines of a head, and of a trailer section; beyond it 431.
  package var fieldCount = 100
  /// Bytes of content without its transfer coding; beyond it 413.
  package var bodyByteCount = 256 * 1024
  /// The targets whose content may be longer than that, up to `longBodyByteCount`.
  package var longBodies: [LongBodyTarget] = []
  /// Bytes of content of a request to one of `longBodies`, if that is more than `bodyByteCount`; beyond it 413.
  package var longBodyByteCount = 16 * 1024 * 1024
  /// Bytes of all chunk extensions of one request; beyond it 400.
  package var chunkExtensionByteCount = 4 * 1024
  /// Bytes of a trailer section with the empty line that ends it; beyond it 431.
  package var trailerByteCount = 8 * 1024
  /// Empty lines skipped before a request line (RFC 9112, section 2.2); beyond it 400.
  package var leadingEmptyLineCount = 4

  /// The default limits.
  package init() {}

  /// Returns the most bytes of content that a request may have.
  func bodyByteCount(of requestLine: RequestLine) -> Int {
    guard longBodyByteCount > bodyByteCount,
      longBodies.contains(where: { $0.matches(requestLine.method, requestLine.target.path) })
    else { return bodyByteCount }
    return longBodyByteCount
  }
}

/// A target of requests whose content may be long, such as a file.
package struct LongBodyTarget: Hashable, Sendable {
  private let method: HTTPMethod
  private let segments: [String]

  /// - Parameter path: The path; a segment in braces stands for any segment.
  package init(_ method: HTTPMethod, _ path: String) {
    self.method = method
    segments = Self.segments(of: path).map { $0.hasPrefix("{") ? "" : String($0) }
  }

  func matches(_ method: HTTPMethod, _ path: String) -> Bool {
    guard method == self.method else { return false }
    // The last segment tells most other targets apart before anything is taken apart.
    guard let last = segments.last, path.utf8.count >= last.utf8.count, path.hasSuffix(last) else {
      return false
    }
    let parts = Self.segments(of: path)
    return parts.count == segments.count && zip(segments, parts).allSatisfy { $0.isEmpty || $0 == $1 }
  }

  private static func segments(of path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }
}
