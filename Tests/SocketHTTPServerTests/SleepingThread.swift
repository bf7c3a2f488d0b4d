import Glibc

/// Reports whether a thread sleeps. A loop that spins never sleeps, however little of the processor it gets.
final class ThreadStatus: Sendable {
  /// The thread's proc_pid_stat(5), which can be read repeatedly.
  private let descriptor: Int32

  /// Opens the calling thread's; nil if the system has no descriptor left.
  init?() {
    descriptor = open("/proc/thread-self/stat", O_RDONLY)
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Whether the thread waits for something: the field after its name is then S.
  var isAsleep: Bool {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains(") S ")
  }
}
