import Testing
import WebSocketMessages

/// Bytes of a client, and their meaning.
struct FrameCase: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var expected: [WebSocketInput]

  init(_ name: String, _ bytes: [UInt8], _ expected: WebSocketInput...) {
    self.name = name
    self.bytes = bytes
    self.expected = expected
  }

  var testDescription: String { name }
}

/// A client's frame, right or wrong.
///
/// - Parameters:
///   - first: The first byte: 0x80 for a last fragment, 0x70 for reserved bits, 0x0F for the opcode.
///   - lengthByteCount: The bytes of an extended length, 0, 2 or 8; nil for the shortest form.
///   - statedLength: The length in the header; nil for that of the content.
func frame(
  _ first: UInt8, _ content: [UInt8] = [], mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D],
  lengthByteCount: Int? = nil, statedLength: UInt64? = nil
) -> [UInt8] {
  let length = statedLength ?? UInt64(content.count)
  let extended = lengthByteCount ?? (length <= 125 ? 0 : length <= 0xFFFF ? 2 : 8)
  let short: UInt8 = extended == 0 ? UInt8(length) : extended == 2 ? 126 : 127
  var bytes = [first, short | (mask == nil ? 0 : 0x80)]
  bytes += (0..<extended).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) }
  guard let mask else { return bytes + content }
  return bytes + mask + content.enumerated().map { $1 ^ mask[$0 % 4] }
}

/// A Close frame's content.
func closing(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
  [UInt8(code >> 8), UInt8(code & 0xFF)] + reason
}

enum FrameCases {
  static let limit = 65_536
  static let hello = Array("Hello".utf8)
  static let protocolError = WebSocketInput.failed(.protocolError)
  static let invalidText = WebSocketInput.failed(.invalidText)
  static let tooBig = WebSocketInput.failed(.tooBig)

  static let all = headers + lengths + fragments + texts + closes

  static let headers: [FrameCase] = {
    var cases = [
      FrameCase(
        "the RFC's masked Hello", [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58],
        .text(hello)),
      FrameCase("a mask of zeros", frame(0x81, hello, mask: [0, 0, 0, 0]), .text(hello)),
      FrameCase("nothing", []),
      FrameCase("half a header", [0x81]),
      FrameCase("a header without its content", [0x81, 0x85, 1, 2, 3, 4]),
      FrameCase(
        "two messages", frame(0x81, hello) + frame(0x82, [0, 255]), .text(hello), .binary([0, 255])),
    ]
    for opcode in [UInt8](3...7) + [UInt8](11...15) {
      cases.append(FrameCase("reserved opcode \(opcode)", frame(0x80 | opcode, hello), protocolError))
    }
    for bits: UInt8 in 1...7 {
      for opcode: UInt8 in [0x81, 0x89] {
        cases.append(
          FrameCase("reserved bits \(bits) of \(opcode)", frame(opcode | bits << 4, hello), protocolError))
      }
    }
    for opcode: UInt8 in [0x80, 0x81, 0x82, 0x88, 0x89, 0x8A] {
      cases.append(FrameCase("\(opcode) without a mask", frame(opcode, [], mask: nil), protocolError))
    }
    for opcode: UInt8 in [0x08, 0x09, 0x0A] {
      cases.append(FrameCase("fragmented control frame \(opcode)", frame(opcode, []), protocolError))
      for length in [2, 8] {
        cases.append(
          FrameCase(
            "control frame \(opcode) with a length of \(length) bytes",
            frame(0x80 | opcode, [], lengthByteCount: length, statedLength: 126), protocolError))
      }
    }
    for first in [protocolErrorFrame, frame(0x81, [0xFF])] {
      let failure = first == protocolErrorFrame ? protocolError : invalidText
      cases.append(FrameCase("nothing after \(failure)", first + frame(0x81, hello), failure))
    }
    return cases
  }()

  static let protocolErrorFrame = frame(0x83, [])

  static let lengths: [FrameCase] = {
    var cases: [FrameCase] = []
    for count in [0, 1, 2, 3, 4, 5, 124, 125, 126, 127, 128, 255, 256, 65_535, 65_536] {
      let content = (0..<count).map { UInt8(truncatingIfNeeded: 0x20 + $0 % 90) }
      cases.append(FrameCase("text of \(count)", frame(0x81, content), .text(content)))
      cases.append(FrameCase("binary of \(count)", frame(0x82, content), .binary(content)))
      guard count <= 125 else { continue }
      cases.append(FrameCase("ping of \(count)", frame(0x89, content), .ping(content)))
      cases.append(FrameCase("pong of \(count)", frame(0x8A, content), .pong(content)))
    }
    for (length, form) in [(0, 2), (5, 2), (125, 2), (0, 8), (125, 8), (126, 8), (65_535, 8)]
      as [(UInt64, Int)]
    {
      cases.append(
        FrameCase(
          "\(length) in \(form) bytes", frame(0x82, [], lengthByteCount: form, statedLength: length),
          protocolError))
    }
    for length: UInt64 in [1 << 63, .max] {
      cases.append(FrameCase("length \(length)", frame(0x82, [], statedLength: length), protocolError))
    }
    for length: UInt64 in [65_537, 1 << 32, (1 << 63) - 1] {
      cases.append(FrameCase("length \(length)", frame(0x82, [], statedLength: length), tooBig))
    }
    return cases
  }()

  static let fragments: [FrameCase] = {
    let half = [UInt8](repeating: 0x61, count: limit / 2)
    return [
      FrameCase("two fragments", frame(0x01, [0x48]) + frame(0x80, [0x69]), .text([0x48, 0x69])),
      FrameCase(
        "three, the middle one empty", frame(0x02, [1]) + frame(0x00) + frame(0x80, [2]), .binary([1, 2])),
      FrameCase("all empty", frame(0x01) + frame(0x00) + frame(0x80), .text([])),
      FrameCase(
        "a ping between fragments", frame(0x01, [0x48]) + frame(0x89, [7]) + frame(0x80, [0x69]), .ping([7]),
        .text([0x48, 0x69])),
      FrameCase(
        "a close between fragments", frame(0x01, [0x48]) + frame(0x88) + frame(0x80, [0x69]),
        .close(code: nil)),
      FrameCase("a continuation of nothing", frame(0x80, [1]), protocolError),
      FrameCase("a first fragment of nothing", frame(0x00, [1]), protocolError),
      FrameCase(
        "a continuation after the end", frame(0x01) + frame(0x80) + frame(0x80), .text([]), protocolError),
      FrameCase("a text within a text", frame(0x01, [0x48]) + frame(0x81, [0x69]), protocolError),
      FrameCase("a binary within a text", frame(0x01, [0x48]) + frame(0x02, [0x69]), protocolError),
      FrameCase("the limit in two", frame(0x02, half) + frame(0x80, half), .binary(half + half)),
      FrameCase("one byte more in two", frame(0x02, half) + frame(0x80, half + [1]), tooBig),
      FrameCase(
        "the limit again after a message", frame(0x82, half + half) + frame(0x82, half + half),
        .binary(half + half), .binary(half + half)),
    ]
  }()

  static let wholeTexts: [[UInt8]] = [
    [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF],
    [0xED, 0x80, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
    [0xF1, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83],
  ]
  static let brokenTexts: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC2], [0xE0, 0x80, 0x80],
    [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xE1, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE],
    [0xFF],
    [0x41, 0x80], [0xE1, 0x80, 0x80, 0x80],
  ]

  static let texts: [FrameCase] = {
    var cases: [FrameCase] = []
    for text in wholeTexts {
      cases.append(FrameCase("text \(text)", frame(0x81, text), .text(text)))
      cases.append(
        FrameCase("text \(text) in fragments", cut(text), .text(text)))
    }
    for text in brokenTexts {
      cases.append(FrameCase("broken text \(text)", frame(0x81, text), invalidText))
      cases.append(FrameCase("broken text \(text) in fragments", cut(text), invalidText))
      cases.append(FrameCase("binary \(text)", frame(0x82, text), .binary(text)))
    }
    cases.append(
      FrameCase("a text that fails before its end", frame(0x01, [0xFF], statedLength: 100), invalidText))
    return cases
  }()

  /// A text with a fragment for each byte.
  static func cut(_ text: [UInt8]) -> [UInt8] {
    text.enumerated().flatMap { index, byte in
      frame((index == 0 ? 0x01 : 0x00) | (index == text.count - 1 ? 0x80 : 0x00), [byte])
    }
  }

  static let closes: [FrameCase] = {
    var cases = [
      FrameCase("close", frame(0x88), .close(code: nil)),
      FrameCase("close of one byte", frame(0x88, [3]), protocolError),
      FrameCase("close with a reason", frame(0x88, closing(1000, hello)), .close(code: 1000)),
      FrameCase(
        "close with the longest reason", frame(0x88, closing(1000, .init(repeating: 0x61, count: 123))),
        .close(code: 1000)),
      FrameCase("nothing after close", frame(0x88) + frame(0x81, hello) + [0xFF], .close(code: nil)),
    ]
    for code: UInt16 in [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
    ] {
      cases.append(FrameCase("close \(code)", frame(0x88, closing(code)), .close(code: code)))
    }
    for code: UInt16 in [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] {
      cases.append(FrameCase("close \(code)", frame(0x88, closing(code)), protocolError))
    }
    for text in brokenTexts {
      cases.append(FrameCase("close for \(text)", frame(0x88, closing(1000, text)), invalidText))
    }
    return cases
  }()
}
