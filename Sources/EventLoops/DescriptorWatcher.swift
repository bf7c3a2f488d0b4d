import CLinux

/// What to wait for on a descriptor, and what happened: EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP.
package struct DescriptorEvents: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = DescriptorEvents(rawValue: UInt32(EPOLLIN.rawValue))
  package static let writable = DescriptorEvents(rawValue: UInt32(EPOLLOUT.rawValue))
  package static let broken = DescriptorEvents(
    rawValue: UInt32(EPOLLERR.rawValue) | UInt32(EPOLLHUP.rawValue))
}

/// Is told what happens on a descriptor that an event loop watches for it; only on the loop's thread.
package protocol DescriptorWatcher: AnyObject {
  /// Does what the events call for.
  func handle(_ events: DescriptorEvents)
}

/// Takes part in an event loop's turns; only on the loop's thread.
package protocol EventLoopClient: AnyObject {
  /// Called at the end of every turn, when what was ready has run: the moment to send what was gathered, and
  /// to act on deadlines that have passed.
  func turnEnded()

  /// When the loop must come round again at the latest, in the nanoseconds of its `now`; `.max` for whenever.
  var nextDeadline: Int64 { get }
}
