import HTTPMessages

/// Chunked content (RFC 9112, section 7.1) by a reading of all of it at once, line by line.
struct ChunkModel {
  enum Outcome: Equatable {
    case complete(body: [UInt8], byteCount: Int)
    /// Something is still to come; `body` has come so far.
    case incomplete(body: [UInt8])
    case rejected(status: Int)
  }

  private enum Line {
    case whole([UInt8])
    case incomplete
    case tooLong
    case bareLineEnd
  }

  private let bytes: [UInt8]
  private let limits: HTTPRequestLimits
  /// The planted fault.
  private let takesBareLineFeed: Bool
  private var position = 0
  private var body: [UInt8] = []

  init(_ bytes: [UInt8], limits: HTTPRequestLimits, takesBareLineFeed: Bool) {
    self.bytes = bytes
    self.limits = limits
    self.takesBareLineFeed = takesBareLineFeed
  }

  var outcome: Outcome {
    var model = self
    return model.readChunks() ?? model.readTrailer()
  }

  /// Reads up to the last chunk; nil if it is there.
  private mutating func readChunks() -> Outcome? {
    var extensionByteCount = 0
    while true {
      let line: [UInt8]
      switch readLine(limit: 8 + limits.chunkExtensionByteCount - extensionByteCount) {
      case .whole(let whole): line = whole
      case .incomplete: return .incomplete(body: body)
      case .tooLong, .bareLineEnd: return .rejected(status: 400)
      }
      let digits = line.prefix { Character(Unicode.Scalar($0)).isHexDigit }
      let extensions = line.dropFirst(digits.count)
      guard (1...8).contains(digits.count),
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
        ChunkExtensionModel.isValid(Array(extensions))
      else { return .rejected(status: 400) }
      extensionByteCount += extensions.count
      guard extensionByteCount <= limits.chunkExtensionByteCount else { return .rejected(status: 400) }
      guard body.count + size <= limits.bodyByteCount else { return .rejected(status: 413) }
      if size == 0 { return nil }
      let data = bytes[position...].prefix(size)
      body += data
      position += data.count
      guard data.count == size else { return .incomplete(body: body) }
      switch readLine(limit: 0) {
      case .whole: break
      case .incomplete: return .incomplete(body: body)
      case .tooLong, .bareLineEnd: return .rejected(status: 400)
      }
    }
  }

  private mutating func readTrailer() -> Outcome {
    var lineCount = 0
    var room = limits.trailerByteCount
    while true {
      switch readLine(limit: room - 2) {
      case .whole([]): return .complete(body: body, byteCount: position)
      case .whole(let line):
        guard Self.isField(line) else { return .rejected(status: 400) }
        lineCount += 1
        guard lineCount <= limits.fieldCount else { return .rejected(status: 431) }
        room -= line.count + 2
      case .incomplete: return .incomplete(body: body)
      case .tooLong: return .rejected(status: 431)
      case .bareLineEnd: return .rejected(status: 400)
      }
    }
  }

  private mutating func readLine(limit: Int) -> Line {
    let rest = bytes[position...]
    guard !rest.isEmpty else { return .incomplete }
    guard limit >= 0 else { return .tooLong }
    let text = rest.prefix { $0 != 0x0D && $0 != 0x0A }
    guard text.count <= limit else { return .tooLong }
    let end = rest.dropFirst(text.count).prefix(2)
    if takesBareLineFeed, end.first == 0x0A {
      position += text.count + 1
      return .whole(Array(text))
    }
    if end.elementsEqual([0x0D, 0x0A]) {
      position += text.count + 2
      return .whole(Array(text))
    }
    return end.isEmpty || end.elementsEqual([0x0D]) ? .incomplete : .bareLineEnd
  }

  /// `field-name ":" OWS field-value OWS` (RFC 9112, section 5).
  private static func isField(_ line: [UInt8]) -> Bool {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    let value = line.dropFirst(name.count + 1)
    return !name.isEmpty && name.count < line.count && name.allSatisfy(ChunkExtensionModel.isToken)
      && value.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
  }
}
