import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Tells whether a member is clocked in, and since when.
  static let getCurrentTimeEntry = Operation(
    "getCurrentTimeEntry", .get, "/v1/organizations/{organizationID}/timeEntries/current", .role(.member)
  ) { request in
    let userID: UserID? = try request.query { $0.identifier("userId") }
    try request.requireNoBody()
    let entry = try await request.timeclock.currentTimeEntry(
      of: userID, for: request.requireMembership())
    let now = request.timeclock.clock.now
    return .json(
      JSONWriter.object(capacity: 896) { writer in
        writer.member("status", (entry?.status ?? .clockedOut).rawValue)
        writer.member("timeEntry", entry) { $1.write(to: &$0, at: now) }
        writer.member("serverTime", now)
      })
  }
}
