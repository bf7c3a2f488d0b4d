import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Begins work or a break, and ends the running segment.
  static let startSegment = Operation("startSegment") { request in
    try request.requireNoQuery()
    let start = try request.body { body in
      StartSegmentRequest(
        userID: body.optionalIdentifier("userId"), purpose: body.segmentPurpose(),
        name: body.optionalString("name"), tags: body.optionalStrings("tags") ?? [],
        startTime: body.optionalInstant("startTime"), clockIn: body.optionalBool("clockIn") ?? true,
        timeZone: body.optionalString("timeZone"))
    }
    let membership = try request.requireMembership()
    return try await request.once { started in
      .json(
        status: started.isNew ? .created : .ok, location: started.isNew ? started.segment.location : nil,
        started.payload(
          at: request.timeclock.clock.now, clockAhead: started.clockAhead(ofStart: start.startTime)))
    } perform: { recording in
      try await request.timeclock.startSegment(start, by: membership, recording: recording)
    }
  }
}

extension ObjectReader {
  /// The project, the task or the break that a new segment is for: either work or a break.
  func segmentPurpose() -> SegmentPurpose {
    let purpose = SegmentPurpose(
      projectID: optionalIdentifier("projectId"), taskID: optionalIdentifier("taskId"),
      breakTypeID: optionalIdentifier("breakTypeId"))
    refuseBreakBesideWork(purpose)
    if purpose == SegmentPurpose() {
      refuse(
        "projectId", code: "missing", "is missing, and so are taskId and breakTypeId: state what it is for")
    }
    return purpose
  }

  /// Refuses a break that is stated together with work.
  func refuseBreakBesideWork(_ purpose: SegmentPurpose) {
    guard purpose.breakTypeID != nil, purpose.projectID != nil || purpose.taskID != nil else { return }
    refuse("breakTypeId", code: "conflict", "cannot be combined with projectId or taskId")
  }
}

extension StartedSegment {
  /// The contract's StartedSegment.
  fileprivate func payload(at now: Instant, clockAhead: Int64) -> [UInt8] {
    JSONWriter.object(capacity: 2_048) { writer in
      writer.name("segment")
      segment.write(to: &writer, at: now, clockAhead: clockAhead)
      writer.member("stopped", stopped) { $1.write(to: &$0, at: now) }
      writer.name("timeEntry")
      timeEntry.write(to: &writer, at: now)
      writer.member("clockedIn", clockedIn)
    }
  }
}
