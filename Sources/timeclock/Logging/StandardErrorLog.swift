import Glibc
import Logging
import Synchronization
import Threads

/// Writes log lines to standard error on a separate thread, so that a slow terminal or disk never delays a request, nor
/// the end of the process. Lines wait 20 ms, so that several are written together.
final class StandardErrorLog: Sendable {
  private let pending = Mutex(PendingLines())
  private let isWriting = Atomic(false)
  private let wake = WorkQueue<Void>()

  /// The time for which lines are gathered before they are written, in microseconds.
  private static let delay: UInt32 = 20_000

  /// The log of the process.
  static let shared = StandardErrorLog()

  private init() {
    // Without the thread, which only a system out of threads refuses, the log is off.
    _ = try? NamedThread(name: "log") { [self] in
      while wake.takeAll() != nil {
        usleep(Self.delay)
        writeOut()
      }
    }
  }

  /// Sets the form of the lines that are added from now on.
  func setFormat(_ format: LogFormat) {
    pending.withLock { $0.format = format }
  }

  /// Adds a line, without its line feed. Characters that could be taken for more than one line are escaped.
  ///
  /// - Parameter fields: Facts with their names, which stand behind the message.
  func append(_ message: String, level: Logger.Level, fields: Logger.Metadata = [:]) {
    let isFirst = pending.withLock { $0.append(message, level: level, fields: fields) }
    if isFirst { _ = wake.append(()) }
  }

  /// Returns when all lines are written, or after a second if nobody reads them.
  func finish() {
    for _ in 0..<100 {
      let isEmpty = pending.withLock(\.bytes.isEmpty)
      if isEmpty, !isWriting.load(ordering: .acquiring) { return }
      usleep(10_000)
    }
  }

  /// Writes all waiting lines. Called on the log's own thread only.
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
