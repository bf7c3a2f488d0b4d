import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Tells whether a member is clocked in, and since when.
  static let getCurrentTimeEntry = Operation(
    "getCurrentTimeEntry", .get, "/v1/organizations/{organizationID}/timeEntries/current", .role(.member)
  ) { request in
    let userID: UserID? = try request.query { $0.identifier("userId") }
    try request.requireNoBody()
    let membership = try request.requireMembership()
    let entry = try await request.timeclock.currentTimeEntry(of: userID, for: membership)
    let now = request.timeclock.clock.now
    let allowance = entry.map { request.timeclock.allowance(of: $0, for: membership) }
    return .json(
      JSONWriter.object(capacity: 1_024) { writer in
        writer.member("status", (entry?.status ?? .clockedOut).rawValue)
        writer.member("timeEntry", entry) { $1.write(to: &$0, at: now) }
        writer.member("allowed", allowance) { $1.write(to: &$0, at: now) }
        writer.member("serverTime", now)
      })
  }
}

extension TimeEntryAllowance {
  /// Writes the contract's TimeEntryAllowance.
  fileprivate func write(to writer: inout JSONWriter, at now: Instant) {
    writer.object { writer in
      writer.member("edit", editableUntil.map { now <= $0 } ?? true)
      writer.member("editUntil", editableUntil)
      writer.member("cancel", cancelableUntil.map { now <= $0 } ?? true)
      writer.member("cancelUntil", cancelableUntil)
    }
  }
}
