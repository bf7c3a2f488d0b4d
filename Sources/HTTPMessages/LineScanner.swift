/// Finds the end of a line, CR LF and nothing else, in input that is cut anywhere.
///
/// It decides at the first byte that decides, so the cuts never change the outcome, and it looks at
/// no byte twice, so byte-by-byte input costs no more than the whole at once.
struct LineScanner: Sendable {
  enum Outcome {
    /// The input ended within the line.
    case incomplete
    /// The line is complete; its bytes are counted without CR LF.
    case line(byteCount: Int)
    /// The line has more bytes than it may have.
    case tooLong
    /// A CR or LF stands alone (RFC 9112, section 2.2).
    case bareLineEnd
  }

  private var byteCount = 0
  private var sawCarriageReturn = false

  /// Consumes input up to the end of the line, or all of it.
  ///
  /// `limit` is how many bytes the line may have without CR LF; a negative one allows not even that.
  mutating func scan(_ input: Span<UInt8>, at position: inout Int, limit: Int) -> Outcome {
    if sawCarriageReturn { return finish(input, at: &position) }
    guard limit >= 0 else { return position < input.count ? .tooLong : .incomplete }
    let start = position
    let end = input.count - start > limit - byteCount ? start + (limit - byteCount) : input.count
    while end - position >= 8, EightBytes(input, at: position).isFreeOfLineEnds { position += 8 }
    while position < end, isOrdinary(input[position]) { position += 1 }
    byteCount += position - start
    guard position < input.count else { return .incomplete }
    switch input[position] {
    case ASCII.carriageReturn:
      position += 1
      sawCarriageReturn = true
      return finish(input, at: &position)
    case ASCII.lineFeed: return .bareLineEnd
    default: return .tooLong
    }
  }

  private mutating func finish(_ input: Span<UInt8>, at position: inout Int) -> Outcome {
    guard position < input.count else { return .incomplete }
    guard input[position] == ASCII.lineFeed else { return .bareLineEnd }
    position += 1
    let length = byteCount
    self = LineScanner()
    return .line(byteCount: length)
  }

  @inline(__always)
  private func isOrdinary(_ byte: UInt8) -> Bool {
    byte != ASCII.carriageReturn && byte != ASCII.lineFeed
  }
}
