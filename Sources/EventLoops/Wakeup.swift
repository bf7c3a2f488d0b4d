import CLinux
import Glibc

/// An eventfd by which other threads end an event loop's wait.
struct Wakeup {
  let descriptor: Int32

  init() throws(EventLoopError) {
    descriptor = linux_nonblocking_eventfd()
    guard descriptor >= 0 else { throw EventLoopError(call: "eventfd", code: errno) }
  }

  /// Makes the descriptor readable.
  func signal() {
    _ = eventfd_write(descriptor, 1)
  }

  /// Makes the descriptor unreadable again.
  func clear() {
    var count: eventfd_t = 0
    _ = eventfd_read(descriptor, &count)
  }

  func close() {
    Glibc.close(descriptor)
  }
}
