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
