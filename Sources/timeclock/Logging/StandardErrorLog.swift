import Glibc
import Logging
import Synchronization
import Threads
import TimeclockDomain

/// Writes log lines to standard error from a thread of its own, so that a slow terminal or disk never holds
/// a request back, nor the process's end. Lines wait 20 ms for company.
final class StandardErrorLog: Sendable {
  private let pending = Mutex<[UInt8]>([])
  private let isWriting = Atomic(false)
  private let wake = WorkQueue<Void>()

  /// More than this many bytes are not kept for a reader who has stopped reading; lines are dropped instead.
  private static let pendingLimit = 4 << 20

  /// How long lines are gathered before they are written, in microseconds.
  private static let delay: UInt32 = 20_000

  /// The log of the process.
  static let shared = StandardErrorLog()

  private init() {
    // Without the thread, which only a machine out of threads denies, there is no log.
    _ = try? NamedThread(name: "log") { [self] in
      while wake.takeAll() != nil {
        usleep(Self.delay)
        writeOut()
      }
    }
  }

  /// Adds a line, without its line feed; control characters become question marks.
  func append(_ line: String, level: Logger.Level) {
    let isFirst = pending.withLock { bytes in
      guard bytes.count < Self.pendingLimit else { return false }
      let isFirst = bytes.isEmpty
      Timestamp.append(to: &bytes)
      bytes.append(UInt8(ascii: " "))
      bytes.append(contentsOf: level.rawValue.utf8)
      bytes.append(UInt8(ascii: " "))
      var line = line
      line.withUTF8 { line in
        if line.contains(where: Self.isControl) {
          bytes.append(contentsOf: line.lazy.map { Self.isControl($0) ? UInt8(ascii: "?") : $0 })
        } else {
          bytes.append(contentsOf: line)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
      return isFirst
    }
    if isFirst { _ = wake.append(()) }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F
  }

  /// Returns when everything is written, or after a second where nobody reads.
  func finish() {
    for _ in 0..<100 {
      let isEmpty = pending.withLock(\.isEmpty)
      if isEmpty, !isWriting.load(ordering: .acquiring) { return }
      usleep(10_000)
    }
  }

  /// Writes out everything that waits. The log's own thread only.
  private func writeOut() {
    isWriting.store(true, ordering: .releasing)
    defer { isWriting.store(false, ordering: .releasing) }
    let bytes = pending.withLock { bytes in
      defer { bytes.removeAll(keepingCapacity: bytes.count < 65_536) }
      return bytes
    }
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return
        }
        rest = rest.dropFirst(count)
      }
    }
  }
}

/// The time of a log line: `2026-11-20T09:00:00.000Z`.
private enum Timestamp {
  static func append(to bytes: inout [UInt8]) {
    WallClock.system.now.appendRFC3339(to: &bytes)
  }
}
