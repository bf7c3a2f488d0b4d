import HTTPMessages
import TimeclockDomain

extension Operation {
  /// The time that each member worked on each date of a pay period.
  static let getTimesheet = Operation("getTimesheet") { request in
    let (stated, period, date, purpose, format, durations, dialect) = try request.query { query in
      // The dates are the period's.
      let wanted = ReportRequest(
        startDate: .earliest, endDate: .earliest, attribution: query.choice("attribution") ?? .split,
        timeZone: query.text("timeZone"), members: query.members(), filter: query.reportFilter(),
        rounding: query.rounding(), anomalyCodes: query.anomalyCodes(), asOf: query.instant("asOf"))
      let period: PayPeriod = query.require("period", query.choice("period"), else: .monthly)
      return (
        wanted, period, query.date("date"), query.choice("groupBy") as ReportPurpose?,
        query.choice("format") as ReportFormat?,
        query.choice("durations") as DurationForm? ?? .seconds, query.tableDialect()
      )
    }
    try request.requireNoBody()
    let form = format ?? ReportFormat(accepted: request.http.fields.values(of: "Accept"))
    var wanted = stated
    wanted.showsAnomalies = form == .json
    return try await request.timeclock.timesheet(
      period, around: date, wanted, by: purpose?.dimension, for: request.requireMembership()
    ) { timesheet in
      switch form {
      case .json: HTTPResponse(status: .ok, fields: StandardFields.json, body: timesheet.content.body)
      case .csv: .csv(timesheet.csv(dialect, durations: durations), fileName: "timesheet.csv")
      }
    }
  }
}
