extension TimeEntry {
  /// The milliseconds by which a stated time lies ahead of the time that was kept for it; zero if it was kept as it is.
  package func clockAhead(ofClockIn clockIn: Instant? = nil, clockOut: Instant? = nil) -> Int64 {
    max(
      clockIn?.milliseconds(since: clockInTime) ?? 0,
      clockOut.flatMap { stated in clockOutTime.map { stated.milliseconds(since: $0) } } ?? 0)
  }
}

extension Segment {
  /// The milliseconds by which a stated time lies ahead of the time that was kept for it; zero if it was kept as it is.
  package func clockAhead(ofStart start: Instant? = nil, end: Instant? = nil) -> Int64 {
    max(
      start?.milliseconds(since: startTime) ?? 0,
      end.flatMap { stated in endTime.map { stated.milliseconds(since: $0) } } ?? 0)
  }
}

extension StartedSegment {
  /// The milliseconds by which the stated start lies ahead of the one that was kept; zero if the same was running
  /// already, since a time before.
  package func clockAhead(ofStart start: Instant?) -> Int64 {
    isNew ? segment.clockAhead(ofStart: start) : 0
  }
}
