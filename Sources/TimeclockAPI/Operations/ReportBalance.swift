import HTTPMessages
import Threads
import TimeclockDomain

extension Operation {
  /// Reports what members owed and worked in a range of dates, and their accounts.
  static let reportBalance = Operation("reportBalance") { request in
    let (wanted, format, durations, dialect) = try request.query { query in
      let wanted = BalanceRequest(
        startDate: query.require("startDate", query.date("startDate"), else: .earliest),
        endDate: query.require("endDate", query.date("endDate"), else: .earliest),
        grouping: query.choice("groupBy") ?? .user, includesFuture: query.bool("future") ?? false,
        members: query.members(), asOf: query.instant("asOf"))
      return (
        wanted, query.choice("format") as ReportFormat?,
        query.choice("durations") as DurationForm? ?? .seconds, query.tableDialect()
      )
    }
    try request.requireNoBody()
    let form = format ?? ReportFormat(accepted: request.http.fields.values(of: "Accept"))
    let caller = try request.requireMembership()
    // The schedules of many members are much to prepare.
    return try await LongWorkExecutor.run {
      try await request.timeclock.balance(wanted, for: caller) { report in
        switch form {
        case .json: HTTPResponse(status: .ok, fields: StandardFields.json, body: report.content.body)
        case .csv: .csv(report.csv(dialect, durations: durations), fileName: "balance.csv")
        }
      }
    }
  }
}
