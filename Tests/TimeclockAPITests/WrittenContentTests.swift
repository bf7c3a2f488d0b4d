import HTTPMessages
import Testing

@testable import TimeclockAPI

@Suite("Content that is written whole")
struct WrittenContentTests {
  @Test("is sent with its length if it is short")
  func short() throws {
    let (content, bytes) = written(lineCount: 3)
    guard case .bytes(let body) = content.body else { throw Unexpected() }
    #expect(body == bytes)
  }

  @Test("is sent in pieces if it is long", arguments: [3_000, 20_000])
  func long(lineCount: Int) async throws {
    let (content, bytes) = written(lineCount: lineCount)
    guard case .stream(let write) = content.body else { throw Unexpected() }
    let collector = PieceCollector()
    try await write(collector)
    let pieces = await collector.pieces
    #expect(Array(pieces.joined()) == bytes)
    #expect(pieces.allSatisfy { $0.count < 66 * 1_024 })
    #expect(pieces.dropLast().allSatisfy { $0.count >= 64 * 1_024 })
  }

  /// Content in lines of 50 bytes, and the same written at once.
  private func written(lineCount: Int) -> (WrittenContent, [UInt8]) {
    var content = WrittenContent()
    var writer = CSVWriter(capacity: WrittenContent.capacity(for: lineCount * 50))
    var whole = CSVWriter()
    for number in 0..<lineCount {
      let line = String(repeating: "x", count: 40) + "\(10_000_000 + number)"
      writer.text(line)
      writer.endLine()
      whole.text(line)
      whole.endLine()
      content.takePiece(of: &writer)
    }
    return (content.ended(by: writer), whole.bytes)
  }

  private struct Unexpected: Error {}
}

private actor PieceCollector: HTTPBodyWriter {
  private(set) var pieces: [[UInt8]] = []

  func write(_ bytes: [UInt8]) {
    pieces.append(bytes)
  }
}
