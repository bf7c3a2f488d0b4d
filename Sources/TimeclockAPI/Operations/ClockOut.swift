import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Ends the active time entry.
  static let clockOut = Operation("clockOut") { request in
    try request.requireNoQuery()
    let clockOut = try request.optionalBody { body in
      ClockOutRequest(
        userID: body.optionalIdentifier("userId"), clockOutTime: body.optionalInstant("clockOutTime"),
        notes: body.optionalString("notes"))
    }
    let membership = try request.requireMembership()
    return try await request.once { entry in
      .json(
        version: entry.version,
        entry.payload(
          at: request.timeclock.clock.now, clockAhead: entry.clockAhead(clockOut: clockOut.clockOutTime)))
    } perform: { recording in
      try await request.timeclock.clockOut(
        clockOut, by: membership, recording: recording?.mapping(\.timeEntry))
    }
  }
}
