/// Receives the events of a descriptor that an event loop watches. It is called only on the loop's thread.
package protocol DescriptorWatcher: AnyObject {
  /// Handles the events.
  func handle(_ events: DescriptorEvents)
}

/// Takes part in an event loop's turns. It is called only on the loop's thread.
package protocol EventLoopClient: AnyObject {
  /// Called at the end of every turn, when everything that was ready has run. It is the moment to send gathered output
  /// and to handle deadlines that have passed.
  func turnEnded()

  /// The latest time of the loop's next turn, in the nanoseconds of its `now`; `.max` for any time.
  var nextDeadline: Int64 { get }
}
