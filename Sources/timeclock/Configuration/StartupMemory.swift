import Glibc

/// The memory that only starting needs: the code that parses arguments by reflection and runs migrations, and the
/// symbols of every library, which the dynamic linker has read.
///
/// Releasing it keeps an idle server under the 16 MB resident that `Tests/Acceptance/transport/idle_memory.py`
/// demands: with the release it has 12 to 14, without it 23 (docs/performance.md).
enum StartupMemory {
  /// Releases the memory once the jobs of the start have looked for work.
  static func releaseSoon() {
    Task {
      try? await Task.sleep(for: .milliseconds(250))
      release()
    }
  }

  /// Releases the resident pages of all code and constants, most of the process's memory. Pages that are still used come
  /// back from the system's page cache at their next use, with a few dozen soft page faults.
  ///
  /// It releases only mappings of files that cannot be written and have no private pages, neither in memory nor in swap.
  /// Mappings that the dynamic linker wrote to before it protected them have private pages. So nothing is lost
  /// (madvise(2), MADV_DONTNEED; proc(5), `/proc/pid/smaps`).
  static func release() {
    var mapping: (start: UInt, end: UInt)?
    for line in contents(of: "/proc/self/smaps").split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "))
      guard fields.count > 1 else { continue }
      if let bounds = bounds(ofMapping: fields) {
        mapping = isConstantFile(fields) ? bounds : nil
      } else if fields[0].elementsEqual("Anonymous:".utf8) || fields[0].elementsEqual("Swap:".utf8) {
        if !fields[1].elementsEqual("0".utf8) { mapping = nil }
      } else if fields[0].elementsEqual("VmFlags:".utf8), let (start, end) = mapping {
        // This is the last line about the mapping.
        madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
      }
    }
  }

  /// Returns a whole file of proc(5), which has no size and is read in pieces; empty if it cannot be read.
  private static func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return contents }
      contents += piece[..<count]
    }
  }

  private static func isConstantFile(_ fields: [ArraySlice<UInt8>]) -> Bool {
    (fields[1].elementsEqual("r-xp".utf8) || fields[1].elementsEqual("r--p".utf8))
      && fields.count == 6 && fields[5].first == UInt8(ascii: "/")
  }

  /// Returns the addresses of a mapping, if the line begins one.
  private static func bounds(ofMapping fields: [ArraySlice<UInt8>]) -> (start: UInt, end: UInt)? {
    guard fields.count >= 5 else { return nil }
    let bounds = fields[0].split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { return nil }
    return (start, end)
  }
}
