/// Takes the chunked transfer coding off a request's content (RFC 9112, section 7.1).
struct ChunkedBodyDecoder: Sendable {
  private enum Stage {
    case sizeLine
    case data
    case dataEnd
    case trailerLine
  }

  private var stage = Stage.sizeLine
  private var scanner = LineScanner()
  /// The bytes of the line that is arriving.
  private var line: [UInt8] = []
  private var remainingInChunk = 0
  private var extensionByteCount = 0
  private var trailerByteCount = 0
  private var trailerCount = 0

  /// Decodes as much of `input` as possible and appends it to `body`, up to `bodyLimit` bytes: the request's limit,
  /// less the bytes that were taken out of `body` before.
  ///
  /// - Returns: Whether the content is complete; if not, all input is consumed.
  mutating func decode(
    _ input: Span<UInt8>, at position: inout Int, into body: inout [UInt8], limits: HTTPRequestLimits,
    bodyLimit: Int
  ) throws(HTTPRequestRejection) -> Bool {
    while position < input.count {
      switch stage {
      case .sizeLine: try readSizeLine(input, at: &position, room: bodyLimit - body.count, limits: limits)
      case .data: readData(input, at: &position, into: &body)
      case .dataEnd: try readDataEnd(input, at: &position)
      case .trailerLine:
        if try readTrailerLine(input, at: &position, limits: limits) { return true }
      }
    }
    return false
  }

  private mutating func readSizeLine(
    _ input: Span<UInt8>, at position: inout Int, room: Int, limits: HTTPRequestLimits
  ) throws(HTTPRequestRejection) {
    let limit = Self.sizeDigitCount + limits.chunkExtensionByteCount - extensionByteCount
    guard let byteCount = try readLine(input, at: &position, limit: limit) else {
      throw .malformed("A chunk size or its extensions are too long.")
    }
    guard byteCount >= 0 else { return }
    let (size, digitCount) = try Self.chunkSize(line.span, end: byteCount)
    guard ChunkExtensions.isValid(line.span, from: digitCount, to: byteCount) else {
      throw .malformed("A chunk size is followed by something that is no chunk extension.")
    }
    extensionByteCount += byteCount - digitCount
    guard extensionByteCount <= limits.chunkExtensionByteCount else {
      throw .malformed("A chunk size or its extensions are too long.")
    }
    guard size <= room else { throw .bodyTooLarge }
    line.removeAll(keepingCapacity: true)
    remainingInChunk = size
    stage = size > 0 ? .data : .trailerLine
  }

  private mutating func readData(_ input: Span<UInt8>, at position: inout Int, into body: inout [UInt8]) {
    let count = min(remainingInChunk, input.count - position)
    // The pointer is used only within the closure.
    input.extracting(position..<position + count).withUnsafeBufferPointer { body.append(contentsOf: $0) }
    position += count
    remainingInChunk -= count
    if remainingInChunk == 0 { stage = .dataEnd }
  }

  private mutating func readDataEnd(
    _ input: Span<UInt8>, at position: inout Int
  ) throws(HTTPRequestRejection) {
    switch scanner.scan(input, at: &position, limit: 0) {
    case .incomplete: break
    case .line: stage = .sizeLine
    case .tooLong, .bareLineEnd: throw .malformed("A chunk's data does not end with CR LF.")
    }
  }

  /// Checks one line of the trailer section, and forgets it: trailers are never merged into the fields.
  ///
  /// - Returns: Whether it was the empty line at the end.
  private mutating func readTrailerLine(
    _ input: Span<UInt8>, at position: inout Int, limits: HTTPRequestLimits
  ) throws(HTTPRequestRejection) -> Bool {
    let limit = limits.trailerByteCount - trailerByteCount - 2
    guard let byteCount = try readLine(input, at: &position, limit: limit) else { throw .fieldsTooLarge }
    guard byteCount >= 0 else { return false }
    if byteCount == 0 { return true }
    _ = try FieldLine.parse(line.span, from: 0, to: byteCount)
    trailerCount += 1
    guard trailerCount <= limits.fieldCount else { throw .fieldsTooLarge }
    trailerByteCount += byteCount + 2
    line.removeAll(keepingCapacity: true)
    return false
  }

  /// Collects a line in `line`.
  ///
  /// - Returns: Its length without CR LF, -1 while it is incomplete, nil when it is too long.
  private mutating func readLine(
    _ input: Span<UInt8>, at position: inout Int, limit: Int
  ) throws(HTTPRequestRejection) -> Int? {
    let start = position
    let outcome = scanner.scan(input, at: &position, limit: limit)
    // The pointer is used only within the closure.
    input.extracting(start..<position).withUnsafeBufferPointer { line.append(contentsOf: $0) }
    switch outcome {
    case .incomplete: return -1
    case .line(let byteCount): return byteCount
    case .tooLong: return nil
    case .bareLineEnd: throw .malformed("A CR or LF stands alone.")
    }
  }

  /// `chunk-size = 1*HEXDIG`, of at most eight digits, so that no server's integer overflows.
  private static func chunkSize(
    _ bytes: Span<UInt8>, end: Int
  ) throws(HTTPRequestRejection) -> (size: Int, digitCount: Int) {
    var size = 0
    var position = 0
    while position < end, let digit = ASCII.hexadecimalDigit(bytes[position]) {
      guard position < sizeDigitCount else { throw .malformed("A chunk size has too many digits.") }
      size = size << 4 | digit
      position += 1
    }
    guard position > 0 else { throw .malformed("A chunk does not begin with its size.") }
    return (size, position)
  }

  private static let sizeDigitCount = 8
}
