/// The statements of a head's fields about the connection and the content.
///
/// It reads only the fields that the protocol itself acts on, and the one that states the content's type. Fields are
/// distinguished by the length of their names first, so that the others cost nothing.
struct FramingFields: Sendable {
  /// The number of the field line that is `Host`.
  private(set) var hostIndex: Int?
  private(set) var contentLength: Int?
  private(set) var codings = TransferCodings()
  private(set) var closes = false
  private(set) var keepsAlive = false
  private(set) var expectsContinue = false
  private(set) var hasUnknownExpectation = false
  private var hasContentType = false

  /// Notes one field line, whose number in the head is `index`.
  mutating func note(
    _ entry: HTTPFields.Entry, index: Int, in bytes: Span<UInt8>
  ) throws(HTTPRequestRejection) {
    let nameStart = Int(entry.nameStart)
    let nameEnd = Int(entry.nameEnd)
    let start = Int(entry.valueStart)
    let end = Int(entry.valueEnd)
    switch nameEnd - nameStart {
    case 4 where bytes.equalsIgnoringCase("host", from: nameStart, to: nameEnd):
      try noteHost(bytes, from: start, to: end, index: index)
    case 6 where bytes.equalsIgnoringCase("expect", from: nameStart, to: nameEnd):
      try noteExpectation(bytes, from: start, to: end)
    case 10 where bytes.equalsIgnoringCase("connection", from: nameStart, to: nameEnd):
      try noteConnection(bytes, from: start, to: end)
    case 12 where bytes.equalsIgnoringCase("content-type", from: nameStart, to: nameEnd):
      // RFC 9110, section 8.3: of several, some recipients take the first and some the last.
      guard !hasContentType else { throw .malformed("There is more than one Content-Type.") }
      hasContentType = true
    case 14 where bytes.equalsIgnoringCase("content-length", from: nameStart, to: nameEnd):
      guard contentLength == nil else { throw .malformed("There is more than one Content-Length.") }
      contentLength = try ContentLength.parse(bytes, from: start, to: end)
    case 17 where bytes.equalsIgnoringCase("transfer-encoding", from: nameStart, to: nameEnd):
      try codings.add(bytes, from: start, to: end)
    default: break
    }
  }

  /// Determines how the content is framed.
  ///
  /// If RFC 9112 leaves a choice, a request that two servers could frame differently is refused.
  func framing(version: HTTPVersion, bodyLimit: Int) throws(HTTPRequestRejection) -> BodyFraming {
    guard !codings.isEmpty else {
      let length = contentLength ?? 0
      guard length <= bodyLimit else { throw .bodyTooLarge }
      return .length(length)
    }
    guard contentLength == nil else {
      throw .malformed("Content-Length and Transfer-Encoding exclude each other.")
    }
    guard version == .http11 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
    try codings.validate()
    return .chunked
  }

  private mutating func noteHost(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, index: Int
  ) throws(HTTPRequestRejection) {
    guard hostIndex == nil else { throw .malformed("There is more than one Host.") }
    guard Authority.isValid(bytes, from: start, to: end) else {
      throw .malformed("Host is not a host with an optional port.")
    }
    hostIndex = index
  }

  private mutating func noteExpectation(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(HTTPRequestRejection) {
    try bytes.forEachListElement(from: start, to: end) { (element) throws(HTTPRequestRejection) in
      if bytes.equalsIgnoringCase("100-continue", from: element.lowerBound, to: element.upperBound) {
        expectsContinue = true
      } else {
        hasUnknownExpectation = true
      }
    }
  }

  private mutating func noteConnection(
    _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) throws(HTTPRequestRejection) {
    try bytes.forEachListElement(from: start, to: end) { (element) throws(HTTPRequestRejection) in
      if bytes.equalsIgnoringCase("close", from: element.lowerBound, to: element.upperBound) {
        closes = true
      } else if bytes.equalsIgnoringCase("keep-alive", from: element.lowerBound, to: element.upperBound) {
        keepsAlive = true
      }
    }
  }
}
