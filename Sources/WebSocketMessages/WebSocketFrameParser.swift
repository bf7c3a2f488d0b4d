/// A reader of a client's frames (RFC 6455, section 5), from bytes that come in any pieces. It does no input or output.
///
/// It keeps at most one message and one control frame. Its output does not depend on how the bytes are cut.
package struct WebSocketFrameParser: Sendable {
  /// The most bytes of a message, of all its fragments together; a longer one fails before its content comes.
  package let maximumMessageByteCount: Int

  private enum Step {
    case header
    /// The content of a frame, of which `remaining` bytes have not come.
    case content(WebSocketFrameHeader.Whole, remaining: Int)
    case over
  }

  private var step = Step.header
  private var header = WebSocketFrameHeader()
  /// The opcode of the message whose fragments come; nil between messages.
  private var kind: WebSocketOpcode?
  private var message: [UInt8] = []
  private var text = UTF8Progress()
  private var control: [UInt8] = []

  /// Makes a reader for the beginning of a connection.
  package init(maximumMessageByteCount: Int = 65_536) {
    self.maximumMessageByteCount = maximumMessageByteCount
  }

  /// Whether the peer has closed or was failed; nothing is read after that.
  package var isOver: Bool {
    if case .over = step { true } else { false }
  }

  /// Reads the next bytes of the connection.
  ///
  /// - Returns: The inputs that the bytes complete, in order. After `.close` and `.failed` nothing more comes, now or
  ///   later.
  package mutating func read(_ bytes: Span<UInt8>) -> [WebSocketInput] {
    var inputs: [WebSocketInput] = []
    var position = 0
    do throws(WebSocketFailure) {
      while position < bytes.count {
        switch step {
        case .over: return inputs
        case .header:
          let whole = try header.take(bytes[position])
          position += 1
          if let whole { try begin(whole, &inputs) }
        case .content(let frame, let remaining):
          let count = min(remaining, bytes.count - position)
          try take(bytes.extracting(position..<position + count), of: frame, remaining: remaining)
          position += count
          step = .content(frame, remaining: remaining - count)
          if remaining == count { try end(frame, &inputs) }
        }
      }
    } catch {
      inputs.append(.failed(error))
      finish()
    }
    return inputs
  }

  private mutating func begin(
    _ frame: WebSocketFrameHeader.Whole, _ inputs: inout [WebSocketInput]
  ) throws(WebSocketFailure) {
    switch frame.opcode {
    case .continuation:
      guard kind != nil else { throw .protocolError }
    case .text, .binary:
      guard kind == nil else { throw .protocolError }
      kind = frame.opcode
    case .close, .ping, .pong: break
    }
    if !frame.opcode.isControl {
      guard frame.byteCount <= UInt64(maximumMessageByteCount - message.count) else { throw .tooBig }
    }
    step = .content(frame, remaining: Int(frame.byteCount))
    if frame.byteCount == 0 { try end(frame, &inputs) }
  }

  /// Takes a piece of a frame's content off its mask (section 5.3).
  private mutating func take(
    _ piece: Span<UInt8>, of frame: WebSocketFrameHeader.Whole, remaining: Int
  ) throws(WebSocketFailure) {
    let offset = Int(frame.byteCount) - remaining
    for index in piece.indices {
      let byte = piece[index] ^ frame.mask(at: offset + index)
      if frame.opcode.isControl {
        control.append(byte)
      } else {
        guard kind != .text || text.take(byte) else { throw .invalidText }
        message.append(byte)
      }
    }
  }

  private mutating func end(
    _ frame: WebSocketFrameHeader.Whole, _ inputs: inout [WebSocketInput]
  ) throws(WebSocketFailure) {
    step = .header
    guard !frame.opcode.isControl else { return try endControl(frame.opcode, &inputs) }
    guard frame.isFinal, let kind else { return }
    guard text.isWhole else { throw .invalidText }
    inputs.append(kind == .text ? .text(message) : .binary(message))
    self.kind = nil
    message = []
  }

  private mutating func endControl(
    _ opcode: WebSocketOpcode, _ inputs: inout [WebSocketInput]
  ) throws(WebSocketFailure) {
    let content = control
    control = []
    switch opcode {
    case .ping: inputs.append(.ping(content))
    case .pong: inputs.append(.pong(content))
    default:
      inputs.append(.close(code: try WebSocketCloseCode.code(of: content)))
      finish()
    }
  }

  private mutating func finish() {
    step = .over
    message = []
    control = []
  }
}

extension WebSocketFrameHeader.Whole {
  func mask(at index: Int) -> UInt8 {
    switch index & 3 {
    case 0: mask.0
    case 1: mask.1
    case 2: mask.2
    default: mask.3
    }
  }
}
