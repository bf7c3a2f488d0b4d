import Testing

@testable import HTTPMessages

/// Literal bytes from a client, and the result that the parser must give.
struct WireCase: CustomTestStringConvertible, Sendable {
  /// The section of the RFC, and the subject of the case.
  let rule: String
  /// The bytes; every character represents the byte of its code point.
  let wire: String
  /// The expected result of `transcript`.
  let expected: [String]

  init(_ rule: String, _ wire: String, _ expected: String...) {
    self.rule = rule
    self.wire = wire
    self.expected = expected
  }

  var testDescription: String { rule }

  var bytes: [UInt8] { latin1(wire) }
}

/// Returns the bytes of text in which every character represents the byte of its code point.
func latin1(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8($0.value) }
}

/// Returns all events of the parser for `pieces`, one line of text for each.
///
/// A request reads `METHOD path[?query] [|body] keep` or `… close`; a rejection is its status; `…` means
/// a request that is not complete.
///
/// - Parameter takesBody: Whether the content is taken from the parser after each piece.
func transcript(
  _ pieces: [[UInt8]], limits: HTTPRequestLimits = HTTPRequestLimits(), takesBody: Bool = false
) -> [String] {
  var parser = HTTPRequestParser(limits: limits)
  var lines: [String] = []
  var taken: [UInt8] = []
  for piece in pieces {
    var position = 0
    repeat {
      switch parser.next(in: piece.span, at: &position) {
      case .needsMore:
        #expect(position == piece.count)
        if takesBody { taken += parser.takeBody() }
      case .expectsContinue: lines.append("100")
      case .request(let received):
        lines.append(line(received, takenBefore: taken))
        taken = []
      case .rejected(let rejection):
        #expect(position == piece.count)
        lines.append("\(rejection.status.code)")
      }
    } while position < piece.count
  }
  if !parser.isBetweenRequests, lines.last?.hasSuffix("close") != true, Int(lines.last ?? "") ?? 0 < 400 {
    lines.append("…")
  }
  return lines
}

private func line(_ received: HTTPReceivedRequest, takenBefore taken: [UInt8]) -> String {
  let request = received.request
  let body = taken + request.body
  var parts = ["\(request.method.name) \(request.path)\(request.query.map { "?\($0)" } ?? "")"]
  if !body.isEmpty { parts.append("|\(String(decoding: body, as: UTF8.self))") }
  parts.append(received.keepsConnectionOpen ? "keep" : "close")
  return parts.joined(separator: " ")
}

/// A generator that gives the same numbers on every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Cuts `bytes` into pieces of random length, none of them empty.
func randomPieces(_ bytes: [UInt8], using generator: inout SplitMix) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = Int.random(in: 1...min(rest.count, 40), using: &generator)
    pieces.append(Array(rest.prefix(count)))
    rest = rest.dropFirst(count)
  }
  return pieces
}

/// Checks the case whole, byte by byte and at random cuts, and each of these also after a valid request.
func check(_ testCase: WireCase) {
  let bytes = testCase.bytes
  #expect(transcript([bytes]) == testCase.expected, "whole")
  #expect(transcript(bytes.map { [$0] }) == testCase.expected, "byte by byte")
  let before = latin1("POST /before HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok")
  let expectedBehind = ["POST /before |ok keep"] + testCase.expected
  #expect(transcript([before + bytes]) == expectedBehind, "behind a request")
  #expect(transcript((before + bytes).map { [$0] }) == expectedBehind, "behind a request, byte by byte")
  var generator = SplitMix(state: 7)
  for _ in 0..<20 {
    #expect(transcript(randomPieces(bytes, using: &generator)) == testCase.expected, "at random cuts")
    let pieces = randomPieces(before + bytes, using: &generator)
    #expect(transcript(pieces) == expectedBehind, "behind a request, at random cuts")
  }
}
