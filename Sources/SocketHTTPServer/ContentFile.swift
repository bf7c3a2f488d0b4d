import CLinux
import Glibc
import HTTPMessages

/// The content of a long request in a file without a name. The system takes the file away with its descriptor, even if
/// the process is killed.
///
/// `@unchecked Sendable`: it grows only while its request arrives, on the thread of the event loop that reads it. After that
/// nothing of it changes, and the handler reads it on any thread.
final class ContentFile: HTTPBodyFile, @unchecked Sendable {
  /// The reason why the system keeps no more.
  struct Failure: Error, CustomStringConvertible {
    /// The system call and its subject.
    let call: String
    /// Its errno.
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  private let descriptor: Int32
  private let whenClosed: @Sendable () -> Void
  private(set) var byteCount = 0

  /// Makes an empty file.
  ///
  /// - Parameters:
  ///   - folder: A folder on the file system that has room for it.
  ///   - isNamedAtFirst: Whether the file has a name for a moment, as if the file system knows no files without one.
  ///   - whenClosed: Called when the file is gone, on any thread; never if it cannot be made.
  init(
    in folder: String, isNamedAtFirst: Bool = false, whenClosed: @escaping @Sendable () -> Void = {}
  ) throws(Failure) {
    descriptor = try isNamedAtFirst ? Self.openNamed(in: folder) : Self.open(in: folder)
    self.whenClosed = whenClosed
  }

  deinit {
    close(descriptor)
    whenClosed()
  }

  /// Writes bytes at the end, which are in the system's page cache then. After a failure the file is of no use.
  func append(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(byteCount)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(call: "write", code: count < 0 ? errno : ENOSPC) }
      byteCount += count
      rest = rest.dropFirst(count)
    }
  }

  func read(from offset: Int, byteCount: Int) throws -> [UInt8] {
    let wanted = min(byteCount, self.byteCount - offset)
    guard offset >= 0, wanted > 0 else { return [] }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      var result: Int
      repeat {
        result = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
      } while result < 0 && errno == EINTR
      if result < 0 { failure = errno }
      count = max(0, result)
    }
    // Within the file there is something to read, unless somebody has cut it.
    guard !bytes.isEmpty else { throw Failure(call: "read", code: failure == 0 ? EIO : failure) }
    return bytes
  }

  private static func open(in folder: String) throws(Failure) -> Int32 {
    let descriptor = linux_open_unnamed_file(folder)
    if descriptor >= 0 { return descriptor }
    guard errno == EOPNOTSUPP || errno == EISDIR else { throw Failure(call: "open \(folder)", code: errno) }
    return try openNamed(in: folder)
  }

  private static func openNamed(in folder: String) throws(Failure) -> Int32 {
    let path = "\(folder)/timeclock-\(UInt64.random(in: 0 ... .max))"
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(call: "open \(folder)", code: errno) }
    unlink(path)
    return descriptor
  }
}
