import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Ends the active time entry.
  static let clockOut = Operation(
    "clockOut", .post, "/v1/organizations/{organizationID}/timeEntries/clockOut", .role(.member)
  ) { request in
    try request.requireNoQuery()
    let clockOut = try request.optionalBody { body in
      ClockOutRequest(
        userID: body.optionalIdentifier("userId"), clockOutTime: body.optionalInstant("clockOutTime"),
        notes: body.optionalString("notes"))
    }
    let entry = try await request.timeclock.clockOut(clockOut, by: request.requireMembership())
    return .json(version: entry.version, entry.payload(at: request.timeclock.clock.now))
  }
}
