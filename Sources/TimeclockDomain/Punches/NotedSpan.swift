/// A closed entry to keep with the work noted between its two ends, all or nothing.
package struct NewNotedSpan: Sendable {
  package var entry: NewTimeEntry
  /// In the order of their times, which lie in the entry.
  package var steps: [WorkStep]

  package init(entry: NewTimeEntry, steps: [WorkStep]) {
    self.entry = entry
    self.steps = steps
  }
}

/// A beginning or an end of work on something, or of a break, in a noted span.
package struct WorkStep: Sendable {
  package enum Action: Sendable {
    /// - Parameter name: Nil for the standard one.
    case start(SegmentPurpose, name: String?)
    case stop
  }

  package var action: Action
  package var time: Instant
  /// The id of the segment that begins with it: with a stop, of the resumed work.
  package var begins: SegmentID

  package init(_ action: Action, at time: Instant, begins: SegmentID) {
    self.action = action
    self.time = time
    self.begins = begins
  }
}

/// A noted span as it was kept.
package struct NotedSpan: Sendable {
  package var entry: TimeEntry
  package var segments: [Segment] = []
  /// The outcome of each step, in order.
  package var steps: [Step] = []
  /// The segment that ended with the entry.
  package var last: SegmentID?

  package struct Step: Hashable, Sendable {
    /// The segment that it began or ended; nil if none was.
    package var segmentID: SegmentID?
    /// The purpose, if that is gone or its time is taken: the time is kept in the entry, for nothing.
    package var dropped: [PunchDetail]

    package init(_ segmentID: SegmentID?, dropped: [PunchDetail] = []) {
      self.segmentID = segmentID
      self.dropped = dropped
    }
  }

  package init(entry: TimeEntry) {
    self.entry = entry
  }
}

extension [WorkStep] {
  /// The milliseconds of the breaks that the steps begin, the last of which may go on until `end`.
  package func breakMilliseconds(until end: Instant) -> Int64 {
    let ends = dropFirst().map(\.time) + [end]
    return zip(self, ends).reduce(0) { sum, span in
      guard case .start(let purpose, _) = span.0.action, purpose.breakTypeID != nil else { return sum }
      return sum + span.1.milliseconds(since: span.0.time)
    }
  }
}
