import HTTPMessages

/// Content that is written whole, in pieces: none of them takes an event loop long to send.
struct WrittenContent: Sendable {
  private var pieces: [[UInt8]] = []

  /// The capacity of a writer for content of about this many bytes.
  static func capacity(for byteCount: Int) -> Int { min(byteCount, pieceByteCount + 4 * 1024) }

  /// Takes the content written so far if it is enough for a piece.
  mutating func takePiece(of writer: inout some ContentWriter) {
    if writer.bytes.count >= Self.pieceByteCount { pieces.append(writer.takeBytes()) }
  }

  /// The content with all that is still with the writer.
  consuming func ended(by writer: consuming some ContentWriter) -> WrittenContent {
    pieces.append(writer.bytes)
    return self
  }

  /// The body of an answer: with its length if it is one piece.
  var body: HTTPResponseBody {
    if pieces.count == 1 { return .bytes(pieces[0]) }
    return .stream { [pieces] body in
      for piece in pieces { try await body.write(piece) }
    }
  }

  private static let pieceByteCount = 64 * 1024
}

/// Writes a kind of text into bytes that can be taken away meanwhile.
protocol ContentWriter {
  /// The bytes that wait to be taken.
  var bytes: [UInt8] { get }

  /// Takes away the bytes that have been written so far; later ones continue after them.
  mutating func takeBytes() -> [UInt8]
}

extension JSONWriter: ContentWriter {}
extension CSVWriter: ContentWriter {}
