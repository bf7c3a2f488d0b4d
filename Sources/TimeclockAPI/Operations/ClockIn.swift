import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Begins an active time entry.
  static let clockIn = Operation("clockIn") { request in
    try request.requireNoQuery()
    let clockIn = try request.optionalBody { body in
      ClockInRequest(
        userID: body.optionalIdentifier("userId"), clockInTime: body.optionalInstant("clockInTime"),
        timeZone: body.optionalString("timeZone"), sessionID: body.optionalIdentifier("sessionId"),
        notes: body.optionalString("notes"),
        purpose: SegmentPurpose(
          projectID: body.optionalIdentifier("projectId"), taskID: body.optionalIdentifier("taskId")))
    }
    let membership = try request.requireMembership()
    return try await request.once { entry in
      .json(
        status: .created, version: entry.version, location: entry.location,
        entry.payload(
          at: request.timeclock.clock.now, clockAhead: entry.clockAhead(ofClockIn: clockIn.clockInTime)))
    } perform: { recording in
      try await request.timeclock.clockIn(
        clockIn, by: membership, recording: recording?.mapping(\.timeEntry))
    }
  }
}
