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
  /// Bytes of all chunk extensions of one request; beyond it 400.
  package var chunkExtensionByteCount = 4 * 1024
  /// Bytes of a trailer section with the empty line that ends it; beyond it 431.
  package var trailerByteCount = 8 * 1024
  /// Empty lines skipped before a request line (RFC 9112, section 2.2); beyond it 400.
  package var leadingEmptyLineCount = 4

  /// The default limits.
  package init() {}
}
