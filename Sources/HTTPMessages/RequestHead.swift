/// A request's head while it arrives: its bytes, and the statements of its complete lines.
///
/// The bytes become the request's `HTTPFields` as they are, so a head is copied once.
struct RequestHead: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var requestLine: RequestLine?
  private var entries: [HTTPFields.Entry] = []
  private var framingFields = FramingFields()
  private var scanner = LineScanner()
  /// Bytes of `bytes` that belong to complete lines, as far as the scanner got.
  private var completeByteCount = 0
  /// Bytes of `bytes` that belong to parsed lines.
  private var parsedByteCount = 0
  private var lineCount = 0
  private var leadingEmptyLineCount = 0

  /// Whether no part of a request has arrived, apart from empty lines before it.
  var isEmpty: Bool { bytes.isEmpty }

  /// Whether the request begins like a HEAD request, even if the rest of its request line is not valid.
  var isHead: Bool { bytes.count >= 5 && bytes.span.equals("HEAD ", from: 0, to: 5) }

  /// Takes bytes of the head from `input`.
  ///
  /// - Returns: Whether the head is complete; if not, all input is consumed.
  mutating func read(
    _ input: Span<UInt8>, at position: inout Int, limits: HTTPRequestLimits
  ) throws(HTTPRequestRejection) -> Bool {
    var start = position
    let end = scan(input, at: &position, from: &start, limits: limits)
    // The pointer is used only within the closure.
    input.extracting(start..<position).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    try parseCompleteLines(limits: limits)
    switch end {
    case .incomplete: return false
    case .emptyLine: return true
    case .failed(let rejection): throw rejection
    case .requestLineTooLong:
      // A line without a space is not a request line that is too long, but no request line at all.
      throw bytes.contains(ASCII.space)
        ? .requestLineTooLong : .malformed("The request line has no request target.")
    }
  }

  /// Checks the complete head as a whole, and returns how the content is framed.
  func framing(
    of requestLine: RequestLine, bodyLimit: Int
  ) throws(HTTPRequestRejection) -> BodyFraming {
    if framingFields.hostIndex == nil, requestLine.version == .http11 {
      throw .malformed("There is no Host.")
    }
    let framing = try framingFields.framing(version: requestLine.version, bodyLimit: bodyLimit)
    if framingFields.hasUnknownExpectation { throw .unknownExpectation }
    return framing
  }

  /// Whether the client waits for a 100 before it sends content (RFC 9110, section 10.1.1).
  func expectsContinue(_ version: HTTPVersion) -> Bool {
    framingFields.expectsContinue && version == .http11
  }

  /// Whether the connection stays open after the response (RFC 9112, section 9.3).
  func keepsConnectionOpen(_ version: HTTPVersion) -> Bool {
    !framingFields.closes && (version == .http11 || framingFields.keepsAlive)
  }

  /// Returns the head's fields; the authority of an absolute-form target replaces `Host`
  /// (RFC 9112, section 3.2.2).
  func fields(of requestLine: RequestLine) -> HTTPFields {
    var fields = HTTPFields(bytes: bytes, entries: entries)
    guard let authority = requestLine.target.authority else { return fields }
    if let hostIndex = framingFields.hostIndex {
      fields.entries[hostIndex].valueStart = Int32(truncatingIfNeeded: authority.lowerBound)
      fields.entries[hostIndex].valueEnd = Int32(truncatingIfNeeded: authority.upperBound)
    } else {
      fields.append("Host", String(decoding: bytes[authority], as: UTF8.self))
    }
    return fields
  }

  private enum ScanEnd {
    case incomplete
    case emptyLine
    case requestLineTooLong
    case failed(HTTPRequestRejection)
  }

  /// Finds lines in `input` until the head ends; `start` moves past the empty lines before the head.
  private mutating func scan(
    _ input: Span<UInt8>, at position: inout Int, from start: inout Int, limits: HTTPRequestLimits
  ) -> ScanEnd {
    while true {
      let isRequestLine = lineCount == 0
      let room = limits.headByteCount - completeByteCount - 2
      let limit = isRequestLine ? min(limits.requestLineByteCount, room) : room
      switch scanner.scan(input, at: &position, limit: limit) {
      case .incomplete:
        if isRequestLine, bytes.isEmpty, input.first(from: start) == ASCII.carriageReturn {
          // This is half of an empty line: the scanner remembers it, and the head has not begun.
          start = position
        }
        return .incomplete
      case .bareLineEnd: return .failed(.malformed("A CR or LF stands alone."))
      case .tooLong: return isRequestLine ? .requestLineTooLong : .failed(.fieldsTooLarge)
      case .line(byteCount: 0) where isRequestLine:
        start = position
        leadingEmptyLineCount += 1
        guard leadingEmptyLineCount <= limits.leadingEmptyLineCount else {
          return .failed(.malformed("There are too many empty lines before the request."))
        }
      case .line(let byteCount):
        completeByteCount += byteCount + 2
        lineCount += 1
        if byteCount == 0 { return .emptyLine }
      }
    }
  }

  /// Parses the complete lines in order, so that the first fault counts.
  private mutating func parseCompleteLines(limits: HTTPRequestLimits) throws(HTTPRequestRejection) {
    if requestLine == nil, completeByteCount > 0 {
      let end = bytes.span.index(of: ASCII.carriageReturn, from: 0, to: completeByteCount)
      requestLine = try RequestLine(bytes.span, end: end)
      parsedByteCount = end + 2
      entries.reserveCapacity(lineCount)
    }
    while parsedByteCount < completeByteCount, bytes[parsedByteCount] != ASCII.carriageReturn {
      guard bytes[parsedByteCount] != ASCII.space, bytes[parsedByteCount] != ASCII.tab else {
        throw .malformed("A field line begins with white space.")
      }
      let (entry, end) = try FieldLine.parse(bytes.span, from: parsedByteCount, to: completeByteCount)
      guard entries.count < limits.fieldCount else { throw .fieldsTooLarge }
      // A copy, because the span of `bytes` counts as an access to all of `self`.
      var noted = framingFields
      try noted.note(entry, index: entries.count, in: bytes.span)
      framingFields = noted
      entries.append(entry)
      parsedByteCount = end + 2
    }
  }
}
