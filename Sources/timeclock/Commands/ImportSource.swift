import Glibc
import ImportFiles

/// The file of an import, read piece by piece.
struct ImportSource: ~Copyable {
  private let path: String
  private let descriptor: Int32
  /// The file's size in bytes when it was opened.
  let size: Int
  /// The number of bytes that have been read.
  private(set) var position = 0
  private var isAtEnd = false

  private static let pieceSize = 262_144
  private static let wholeByteLimit = 16_777_216

  /// - Throws: `CommandError` if the path is not a file that can be read.
  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandError("The file \(path) cannot be opened: \(String(cString: strerror(errno))).")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw CommandError("\(path) is no file: it is read twice, so it cannot be a pipe or a folder.")
    }
    size = Int(status.st_size)
  }

  deinit {
    close(descriptor)
  }

  /// Reads the next piece: at the end an empty one, once, and then nil.
  ///
  /// - Throws: `CommandError` if the file cannot be read further.
  mutating func next() throws -> [UInt8]? {
    guard !isAtEnd else { return nil }
    let descriptor = descriptor
    var failure: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
      var result: Int
      repeat {
        result = read(descriptor, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = errno }
      count = max(0, result)
    }
    guard failure == 0 else {
      throw CommandError("The file \(path) cannot be read: \(String(cString: strerror(failure))).")
    }
    position += piece.count
    isAtEnd = piece.isEmpty
    return piece
  }

  /// Returns the bytes of the whole file.
  ///
  /// - Throws: `CommandError`, also for a file that is too long to be one of an organization's members.
  consuming func whole() throws -> [UInt8] {
    guard size <= Self.wholeByteLimit else {
      throw CommandError("The file \(path) is longer than \(Self.wholeByteLimit) bytes.")
    }
    var bytes: [UInt8] = []
    while let piece = try next() { bytes += piece }
    return bytes
  }

  /// Surveys the whole file.
  ///
  /// - Throws: `ImportFileError`; `CommandError`.
  consuming func survey(_ options: ImportFileOptions) throws -> ImportFileShape {
    var survey = ImportFileSurvey(options)
    while let piece = try next() { try survey.read(piece) }
    return try survey.finish()
  }
}
