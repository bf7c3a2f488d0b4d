import HTTPMessages
import Threads
import TimeclockDomain

extension Operation {
  /// Adds up the sessions of the caller's timers.
  static let getTimerStatistics = Operation("getTimerStatistics") { request in
    let (dates, grouping) = try request.query { query in
      (query.dates(), query.choice("groupBy") as TimerGrouping?)
    }
    try request.requireNoBody()
    let caller = try request.requireMembership()
    return try await LongWorkExecutor.run {
      let statistics = try await request.timeclock.timerStatistics(dates, by: grouping ?? .day, for: caller)
      return .tagged(capacity: 256 + statistics.rows.count * 96) { statistics.writeMembers(to: &$0) }
    }
  }
}

extension TimerStatistics {
  /// Writes the members of the contract's TimerStatistics.
  fileprivate func writeMembers(to writer: inout JSONWriter) {
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

extension TimerStatistics.Sums {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("minutes", minutes)
    writer.member("interruptionsMinutes", interruptionsMinutes)
    writer.member("sessions", sessions)
  }
}
