import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Ends the running segment.
  static let stopSegment = Operation("stopSegment") { request in
    try request.requireNoQuery()
    let stop = try request.optionalBody { body in
      StopSegmentRequest(
        userID: body.optionalIdentifier("userId"), endTime: body.optionalInstant("endTime"),
        resume: body.optionalBool("resume") ?? true, clockOut: body.optionalBool("clockOut") ?? false)
    }
    let membership = try request.requireMembership()
    return try await request.once { stopped in
      .json(
        stopped.payload(
          at: request.timeclock.clock.now, clockAhead: stopped.segment.clockAhead(end: stop.endTime)))
    } perform: { recording in
      try await request.timeclock.stopSegment(stop, by: membership, recording: recording)
    }
  }
}

extension StoppedSegment {
  /// The contract's StoppedSegment.
  fileprivate func payload(at now: Instant, clockAhead: Int64) -> [UInt8] {
    JSONWriter.object(capacity: 2_048) { writer in
      writer.name("segment")
      segment.write(to: &writer, at: now, clockAhead: clockAhead)
      writer.member("resumed", resumed) { $1.write(to: &$0, at: now) }
      writer.name("timeEntry")
      timeEntry.write(to: &writer, at: now)
    }
  }
}
