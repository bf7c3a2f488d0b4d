import CLinux
import Glibc

/// A joinable operating-system thread with a name that `ps -L` and debuggers show.
package struct NamedThread: Sendable {
  private let thread: pthread_t

  /// Starts a thread that runs `body` and ends with it.
  ///
  /// - Parameters:
  ///   - name: At most 15 bytes (pthread_setname_np(3)); the rest is cut off.
  ///   - niceness: How much other threads take precedence over it on a busy processor: 0 for not at all, 19 for the most.
  ///   - body: The thread's work.
  /// - Throws: `ThreadStartError` if the system cannot start a thread.
  package init(name: String, niceness: Int32 = 0, body: @escaping @Sendable () -> Void) throws {
    let start = Unmanaged.passRetained(ThreadStart(name: name, niceness: niceness, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        linux_name_current_thread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
        if start.niceness > 0 { linux_set_current_thread_niceness(start.niceness) }
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw ThreadStartError(code: code)
    }
    self.thread = thread
  }

  /// Lets the system release the thread as soon as its body has returned. It cannot be joined afterwards.
  package func detach() {
    pthread_detach(thread)
  }

  /// Waits until the thread's body has returned. Call it once, and not from the thread itself.
  package func join() {
    pthread_join(thread, nil)
  }
}

/// The system refused to start a thread; `code` is the errno of pthread_create(3).
package struct ThreadStartError: Error, Sendable {
  package let code: Int32
}

private final class ThreadStart: Sendable {
  let name: String
  let niceness: Int32
  let body: @Sendable () -> Void

  init(name: String, niceness: Int32, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.niceness = niceness
    self.body = body
  }
}
