import Glibc
import Threads

/// Reports the signals that end the process.
enum Signals {
  /// The descriptor that the handler writes to. It is set once, before the handler is installed, and stays open until the
  /// process ends, so the handler can never write elsewhere.
  nonisolated(unsafe) private static var pipeEnd: Int32 = -1

  /// Calls `body` on a separate thread with the number of the first SIGTERM or SIGINT.
  ///
  /// The handler only writes the number into a pipe with write(2), which is safe in a handler (signal-safety(7)) and
  /// works on any thread that the system picks. A second signal ends the process.
  ///
  /// - Throws: `ThreadStartError`; `CommandError` if no pipe can be made.
  static func onStop(_ body: @escaping @Sendable (Int32) -> Void) throws {
    signal(SIGPIPE, SIG_IGN)
    // A file that may grow no further (RLIMIT_FSIZE) is an error of the write like a full disk, not the process's end.
    signal(SIGXFSZ, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CommandError("The system has no file descriptors left.") }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    pipeEnd = writeEnd
    let thread = try NamedThread(name: "signals") {
      var number: UInt8 = 0
      while read(readEnd, &number, 1) != 1 {}
      body(Int32(number))
    }
    thread.detach()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let savedErrno = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Signals.pipeEnd, &byte, 1)
      errno = savedErrno
    }
    action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
    for number in [SIGTERM, SIGINT] { sigaction(number, &action, nil) }
  }
}
