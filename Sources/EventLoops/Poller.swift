import CLinux
import Glibc

/// An epoll instance. It reports which descriptors are ready, and for which events.
///
/// Everything about waiting that is specific to Linux is here and in `Wakeup`, so that kqueue could be added.
struct Poller {
  private let descriptor: Int32
  /// The descriptor of the instance. The value's single holder owns it from `init` to `close`.
  private let buffer: UnsafeMutableBufferPointer<epoll_event>

  init() throws(EventLoopError) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw EventLoopError(call: "epoll_create1", code: errno) }
    buffer = .allocate(capacity: 256)
  }

  func close() {
    Glibc.close(descriptor)
    buffer.deallocate()
  }

  /// Begins to report a descriptor, level-triggered; false if the system has no memory for it.
  func add(_ watched: Int32, _ events: DescriptorEvents) -> Bool {
    linux_epoll_control(descriptor, EPOLL_CTL_ADD, watched, events.rawValue) == 0
  }

  func change(_ watched: Int32, to events: DescriptorEvents) {
    _ = linux_epoll_control(descriptor, EPOLL_CTL_MOD, watched, events.rawValue)
  }

  func remove(_ watched: Int32) {
    _ = linux_epoll_control(descriptor, EPOLL_CTL_DEL, watched, 0)
  }

  /// Waits for events.
  ///
  /// - Parameter milliseconds: The longest time to wait; negative waits for ever, 0 not at all.
  /// - Returns: The number of events.
  func wait(milliseconds: Int32) -> Int {
    // EINTR counts as no event; the loop waits again at once.
    max(0, Int(epoll_wait(descriptor, buffer.baseAddress, Int32(buffer.count), milliseconds)))
  }

  /// Returns the event at an index below the number that `wait` returned.
  @inline(__always)
  subscript(_ index: Int) -> (descriptor: Int32, events: DescriptorEvents) {
    let event = buffer[index]
    return (event.data.fd, DescriptorEvents(rawValue: event.events))
  }
}
