import Testing

@testable import HTTPMessages

@Suite("Random input")
struct RandomInputTests {
  @Test("Random input never traps the parser, and gives the same results however it is cut", arguments: 0..<8)
  func mutations(_ seed: UInt64) {
    var generator = SplitMix(state: seed)
    let wires =
      (FramingTests.lengthCases + FramingTests.codingCases + FramingTests.connectionCases
      + ChunkedBodyTests.cases + FieldLineTests.cases + RequestTargetTests.cases).map(\.bytes)
    for _ in 0..<400 {
      let bytes = mutated(wires.randomElement(using: &generator) ?? [], using: &generator)
      let whole = transcript([bytes])
      let isSameByteByByte = transcript(bytes.map { [$0] }) == whole
      let isSameInPieces = transcript(randomPieces(bytes, using: &generator)) == whole
      let isSameWhenTaken = transcript(bytes.map { [$0] }, takesBody: true) == whole
      #expect(isSameByteByByte && isSameInPieces && isSameWhenTaken, "\(bytes)")
    }
  }

  /// Returns the bytes with a few of them changed, added, left out or repeated.
  private func mutated(_ bytes: [UInt8], using generator: inout SplitMix) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !result.isEmpty {
      let index = Int.random(in: 0..<result.count, using: &generator)
      // Half of the new bytes are those that frame messages.
      let special = latin1("\r\n\0 \t:;,%\"0f[]").randomElement(using: &generator) ?? 0
      let byte = Bool.random(using: &generator) ? special : UInt8.random(in: 0...255, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: result[index] = byte
      case 1: result.insert(byte, at: index)
      case 2: result.remove(at: index)
      default: result.insert(contentsOf: result[index...].prefix(20), at: index)
      }
    }
    return result
  }
}
