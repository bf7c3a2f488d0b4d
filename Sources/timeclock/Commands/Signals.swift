import Glibc
import Threads

/// Waits for the signals that end the process.
enum Signals {
  /// Keeps SIGTERM and SIGINT from ending the process at once, in this thread and all it starts later.
  static func block() {
    var signals = stopSignals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Returns the number of the first such signal that comes. Call `block()` first, before any thread starts.
  ///
  /// - Throws: `ThreadStartError`.
  static func onStop(_ body: @escaping @Sendable (Int32) -> Void) throws {
    _ = try NamedThread(name: "signals") {
      var signals = stopSignals
      var received: Int32 = 0
      while sigwait(&signals, &received) != 0 {}
      body(received)
    }
  }

  private static var stopSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    return signals
  }
}
