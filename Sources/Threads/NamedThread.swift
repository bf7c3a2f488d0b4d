import CLinux
import Glibc

/// A joinable operating-system thread with a name that `ps -L` and debuggers show.
package struct NamedThread: Sendable {
  private let thread: pthread_t

  /// Starts a thread that runs `body` and ends with it.
  ///
  /// - Parameters:
  ///   - name: At most 15 bytes (pthread_setname_np(3)); the rest is cut off.
  ///   - precedence: The thread's place beside others on a busy processor.
  ///   - body: The thread's work.
  /// - Throws: `ThreadStartError` if the system cannot start a thread.
  package init(
    name: String, precedence: ThreadPrecedence = .usual, body: @escaping @Sendable () -> Void
  ) throws {
    let start = Unmanaged.passRetained(ThreadStart(name: name, precedence: precedence, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        linux_name_current_thread(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
        switch start.precedence {
        case .usual: break
        case .prompt: linux_set_current_thread_prompt()
        case .behind: linux_set_current_thread_niceness(10)
        }
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

/// A thread's place beside others on a busy processor.
package enum ThreadPrecedence: Sendable {
  case usual
  /// The thread runs as soon as it wakes, also beside threads that would hold the processor some milliseconds longer; its share
  /// of the time is the usual one. For threads that requests wait for. Linux 6.12 and newer know it; others treat it as `usual`.
  case prompt
  /// Other threads get most of the time: a niceness of 10 (sched(7)).
  case behind
}

/// The system refused to start a thread; `code` is the errno of pthread_create(3).
package struct ThreadStartError: Error, Sendable {
  package let code: Int32
}

private final class ThreadStart: Sendable {
  let name: String
  let precedence: ThreadPrecedence
  let body: @Sendable () -> Void

  init(name: String, precedence: ThreadPrecedence, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.precedence = precedence
    self.body = body
  }
}
