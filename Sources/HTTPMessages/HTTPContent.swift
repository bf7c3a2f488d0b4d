/// A request's content in parts, whether it is in memory or in a file.
package struct HTTPContent: Sendable {
  private let bytes: [UInt8]
  private let file: (any HTTPBodyFile)?

  /// The most bytes of a part.
  package static let partByteCount = 65_536

  fileprivate init(bytes: [UInt8], file: (any HTTPBodyFile)?) {
    self.bytes = bytes
    self.file = file
  }

  /// The number of bytes of all parts.
  package var byteCount: Int { file?.byteCount ?? bytes.count }

  /// Returns the part that begins at an offset; an empty one at the end. Reading a file waits for the disk.
  ///
  /// - Throws: The system's error.
  package func part(from offset: Int) throws -> ArraySlice<UInt8> {
    if let file { return try file.read(from: offset, byteCount: Self.partByteCount)[...] }
    return bytes.dropFirst(offset).prefix(Self.partByteCount)
  }

  /// Calls `body` with each part in order.
  ///
  /// - Throws: The system's error; any error of `body`.
  package func forEachPart(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    var offset = 0
    while offset < byteCount {
      let part = try part(from: offset)
      guard !part.isEmpty else { return }
      try body(part)
      offset += part.count
    }
  }
}

extension HTTPRequest {
  /// The content, of which no more than a part needs to be in memory.
  package var content: HTTPContent { HTTPContent(bytes: body, file: bodyFile) }
}
