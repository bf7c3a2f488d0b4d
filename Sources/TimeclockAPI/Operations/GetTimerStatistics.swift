import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Adds up what the caller's timers have left.
  static let getTimerStatistics = Operation(
    "getTimerStatistics", .get, "/v1/organizations/{organizationID}/timers/statistics", .role(.member)
  ) { request in
    let (dates, grouping) = try request.query { query in
      (query.dates(), query.choice("groupBy") as TimerGrouping?)
    }
    try request.requireNoBody()
    let statistics = try await request.timeclock.timerStatistics(
      dates, by: grouping ?? .day, for: request.requireMembership())
    return .json(statistics.payload)
  }
}

extension TimerStatistics {
  /// The contract's TimerStatistics.
  fileprivate var payload: [UInt8] {
    JSONWriter.object(capacity: 256 + rows.count * 96) { writer in
      writer.member("groupBy", grouping.rawValue)
      writer.member("startDate", startDate) { $0.date($1) }
      writer.member("endDate", endDate) { $0.date($1) }
      writer.member("timeZone", timeZone.name)
      total.writeMembers(to: &writer)
      writer.member("streak", streak)
      writer.array("rows", rows) { writer, row in
        writer.object { writer in
          writer.member("key", row.key)
          row.sums.writeMembers(to: &writer)
        }
      }
    }
  }
}

extension TimerStatistics.Sums {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("minutes", minutes)
    writer.member("interruptionsMinutes", interruptionsMinutes)
    writer.member("sessions", sessions)
  }
}
