import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Enters several spans of time by hand.
  static let createTimeEntries = Operation(
    "createTimeEntries", .post, "/v1/organizations/{organizationID}/timeEntries/bulk", .role(.member)
  ) { request in
    try request.requireNoQuery()
    let (mode, entries) = try request.body { body in
      let mode: BulkMode? = body.choice("mode")
      return (
        mode ?? .atomic,
        body.objects("timeEntries", count: 1...Timeclock.bulkMaximumCount) { $0.manualEntry() }
      )
    }
    let outcomes = try await request.timeclock.createTimeEntries(
      entries, mode: mode, by: request.requireMembership())
    return .json(BulkPayload.outcomes(outcomes, at: request.timeclock.clock.now))
  }
}
