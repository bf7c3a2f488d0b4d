/// A request line (RFC 9112, section 3): `method SP request-target SP HTTP-version`.
struct RequestLine: Sendable {
  let method: HTTPMethod
  let target: RequestTarget
  let version: HTTPVersion

  /// Parses the line in `bytes` from 0 to `end`, where its CR is.
  init(_ bytes: Span<UInt8>, end: Int) throws(HTTPRequestRejection) {
    var position = 0
    while position < end, ByteSet.token.contains(bytes[position]) { position += 1 }
    let methodEnd = position
    guard methodEnd > 0, methodEnd < end, bytes[methodEnd] == ASCII.space else {
      throw .malformed("The request line does not begin with a method and a space.")
    }
    let targetStart = methodEnd + 1
    position = targetStart
    while position < end, bytes[position] != ASCII.space { position += 1 }
    guard position > targetStart, position < end else {
      throw .malformed("The request line is not a method, a target and a version.")
    }
    version = try Self.version(bytes, from: position + 1, to: end)
    method = Self.method(bytes, end: methodEnd)
    target = try RequestTarget(bytes, from: targetStart, to: position, method: method)
  }

  /// The method; the most frequent ones are recognized without a `String`.
  private static func method(_ bytes: Span<UInt8>, end: Int) -> HTTPMethod {
    if bytes.equals("GET", from: 0, to: end) { return .get }
    if bytes.equals("POST", from: 0, to: end) { return .post }
    return HTTPMethod(name: bytes.text(from: 0, to: end))
  }

  /// `HTTP-version` (RFC 9112, section 2.3), which is case-sensitive.
  private static func version(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(HTTPRequestRejection) -> HTTPVersion {
    guard end - start == 8, bytes.equals("HTTP/", from: start, to: start + 5),
      let major = ASCII.digit(bytes[start + 5]), bytes[start + 6] == ASCII.dot,
      let minor = ASCII.digit(bytes[start + 7])
    else { throw .malformed("The request line does not end with an HTTP version.") }
    switch (major, minor) {
    case (1, 0): return .http10
    // A higher minor version is read as the highest one that is known (RFC 9110, section 2.5).
    case (1, _): return .http11
    default: throw .versionNotSupported
    }
  }
}
