import Glibc
import Logging
import Synchronization
import Threads

/// Writes log lines to standard error from a thread of its own, so that a slow terminal or disk never holds
/// a request back, nor the process's end. Lines wait 20 ms for company.
final class StandardErrorLog: Sendable {
  private let pending = Mutex(PendingLines())
  private let isWriting = Atomic(false)
  private let wake = WorkQueue<Void>()

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

  /// Adds a line, without its line feed; what could be taken for more than a line is escaped.
  func append(_ line: String, level: Logger.Level) {
    let isFirst = pending.withLock { $0.append(line, level: level) }
    if isFirst { _ = wake.append(()) }
  }

  /// Returns when everything is written, or after a second where nobody reads.
  func finish() {
    for _ in 0..<100 {
      let isEmpty = pending.withLock(\.bytes.isEmpty)
      if isEmpty, !isWriting.load(ordering: .acquiring) { return }
      usleep(10_000)
    }
  }

  /// Writes out everything that waits. The log's own thread only.
  private func writeOut() {
    isWriting.store(true, ordering: .releasing)
    defer { isWriting.store(false, ordering: .releasing) }
    let bytes = pending.withLock { $0.takeAll() }
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          return pending.withLock { $0.noteLost(rest) }
        }
        rest = rest.dropFirst(count)
      }
    }
  }
}
