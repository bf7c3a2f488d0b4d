import Testing
import WebSocketMessages

@Suite("Frames of a client")
struct FrameParserTests {
  @Test("mean the same however they are cut", arguments: FrameCases.all)
  func cases(_ frameCase: FrameCase) {
    let bytes = frameCase.bytes
    #expect(read([bytes]) == frameCase.expected)
    #expect(read(bytes.map { [$0] }) == frameCase.expected)
    var generator = SplitMix(seed: UInt64(bytes.count) + 1)
    for _ in 0..<4 {
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 0...min(rest.count, 300), using: &generator)
        pieces.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(read(pieces) == frameCase.expected)
    }
  }

  @Test("of any bytes are read without harm, and alike in pieces")
  func anyBytes() {
    var generator = SplitMix(seed: 6_455)
    for _ in 0..<20_000 {
      var bytes = frame(0x81, Array("Hello".utf8)) + frame(0x01, [0x41]) + frame(0x80, [0x42])
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      #expect(read([bytes]) == read(bytes.map { [$0] }))
    }
  }

  private func read(_ pieces: [[UInt8]]) -> [WebSocketInput] {
    var parser = WebSocketFrameParser(maximumMessageByteCount: FrameCases.limit)
    return pieces.flatMap { parser.read($0.span) }
  }
}

/// Numbers that are the same in each run (SplitMix64).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
