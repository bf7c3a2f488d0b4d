import WebSocketMessages

/// The meaning of a client's frames (RFC 6455, section 5) by a reading of all of them at once.
struct FrameModel {
  private let bytes: [UInt8]
  private let limit: Int
  /// The planted fault.
  private let takesFramesWithoutMask: Bool

  init(_ bytes: [UInt8], limit: Int, takesFramesWithoutMask: Bool) {
    self.bytes = bytes
    self.limit = limit
    self.takesFramesWithoutMask = takesFramesWithoutMask
  }

  /// The length that a header states, and the place where it ends.
  private enum Length {
    case incomplete
    case wrong
    case stated(UInt64, end: Int)
  }

  var inputs: [WebSocketInput] {
    var inputs: [WebSocketInput] = []
    var fragments: (opcode: UInt8, content: [UInt8])?
    var start = 0
    while start < bytes.count {
      let first = bytes[start]
      let opcode = first & 0x0F
      let isFinal = first >= 0x80
      let isControl = opcode >= 8
      guard first & 0x70 == 0, [0, 1, 2, 8, 9, 10].contains(opcode), isFinal || !isControl else {
        return inputs + [.failed(.protocolError)]
      }
      guard start + 1 < bytes.count else { return inputs }
      let isMasked = bytes[start + 1] >= 0x80
      guard isMasked || takesFramesWithoutMask, !isControl || bytes[start + 1] & 0x7F < 126 else {
        return inputs + [.failed(.protocolError)]
      }
      let end: Int
      let length: UInt64
      switch self.length(at: start + 1) {
      case .incomplete: return inputs
      case .wrong: return inputs + [.failed(.protocolError)]
      case .stated(let stated, let after): (length, end) = (stated, after)
      }
      let content = end + (isMasked ? 4 : 0)
      guard content <= bytes.count else { return inputs }
      if !isControl {
        guard (opcode == 0) == (fragments != nil) else { return inputs + [.failed(.protocolError)] }
        guard length <= UInt64(limit - (fragments?.content.count ?? 0)) else {
          return inputs + [.failed(.tooBig)]
        }
      }
      let there = bytes[content..<min(bytes.count, content + Int(length))].enumerated().map { index, byte in
        isMasked ? byte ^ bytes[end + index % 4] : byte
      }
      let isWhole = there.count == Int(length)
      if isControl {
        guard isWhole else { return inputs }
        switch opcode {
        case 9: inputs.append(.ping(there))
        case 10: inputs.append(.pong(there))
        default: return inputs + [close(there)]
        }
      } else {
        let kind = fragments?.opcode ?? opcode
        let message = (fragments?.content ?? []) + there
        let isEnd = isFinal && isWhole
        guard kind == 2 || (isEnd ? isText(message) : beginsText(message)) else {
          return inputs + [.failed(.invalidText)]
        }
        guard isWhole else { return inputs }
        fragments = isFinal ? nil : (kind, message)
        if isFinal { inputs.append(kind == 1 ? .text(message) : .binary(message)) }
      }
      start = content + Int(length)
    }
    return inputs
  }

  private func length(at place: Int) -> Length {
    let short = bytes[place] & 0x7F
    guard short > 125 else { return .stated(UInt64(short), end: place + 1) }
    let end = place + (short == 126 ? 3 : 9)
    guard end <= bytes.count else { return .incomplete }
    let digits = bytes[place + 1..<end].map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    guard let length = UInt64(digits, radix: 16), length > (short == 126 ? 125 : 65_535), length < 1 << 63
    else {
      return .wrong
    }
    return .stated(length, end: end)
  }

  private func close(_ content: [UInt8]) -> WebSocketInput {
    guard content.count != 1 else { return .failed(.protocolError) }
    guard !content.isEmpty else { return .close(code: nil) }
    let code = UInt16(content[0]) * 256 + UInt16(content[1])
    guard
      [1000, 1001, 1002, 1003].contains(code) || (1007...1014).contains(code) || (3000...4999).contains(code)
    else { return .failed(.protocolError) }
    return isText(Array(content.dropFirst(2))) ? .close(code: code) : .failed(.invalidText)
  }

  private func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Whether some bytes after these make a text of them: at most three, of which the first decides.
  private func beginsText(_ bytes: [UInt8]) -> Bool {
    let second: [UInt8] = [0x80, 0x90, 0xA0]
    let ends: [[UInt8]] = [[]] + second.flatMap { [[$0], [$0, 0x80], [$0, 0x80, 0x80]] as [[UInt8]] }
    return ends.contains { isText(bytes + $0) }
  }
}
