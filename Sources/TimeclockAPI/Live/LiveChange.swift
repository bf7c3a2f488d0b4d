import TimeclockDomain

/// A committed change on its way to listeners. It is written out once for all listeners with the same view of it.
final class LiveChange: Sendable {
  let change: Change
  /// The change as an event of a stream.
  let frame: [UInt8]
  private let epoch: LogEpoch
  private let time: Instant

  /// - Parameters:
  ///   - epoch: The epoch of the log that it is of.
  ///   - now: The end of an active entry's `durationSeconds`.
  init(_ change: Change, of epoch: LogEpoch, at now: Instant) {
    self.change = change
    self.epoch = epoch
    time = now
    frame = EventFrame.change(change, of: epoch, at: now)
  }

  /// The event for a listener who sees this of the change.
  func frame(showing shown: Change) -> [UInt8] {
    shown == change ? frame : EventFrame.change(shown, of: epoch, at: time)
  }

  /// The memory that it takes, more or less: the event, and the records that it was made of.
  var byteCount: Int { 2 * frame.count + 512 }
}
