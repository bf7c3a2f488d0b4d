import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Reports the hours that each member worked in a range of dates.
  static let reportHours = Operation("reportHours") { request in
    let (stated, groupBy, format, durations, dialect) = try request.query { query in
      let dates = query.reportDates()
      let wanted = ReportRequest(
        startDate: dates.start, endDate: dates.end, range: dates.range,
        attribution: query.choice("attribution") ?? .split, timeZone: query.text("timeZone"),
        members: query.members(),
        filter: query.reportFilter(sessionID: query.identifier("sessionId")),
        rounding: query.rounding(), anomalyCodes: query.anomalyCodes(), asOf: query.instant("asOf"))
      let groupBy: [ReportDimension] = query.choices("groupBy", atMost: 3) ?? [.user]
      return (
        wanted, groupBy, query.choice("format") as ReportFormat?,
        query.choice("durations") as DurationForm? ?? .seconds, query.tableDialect()
      )
    }
    try request.requireNoBody()
    let form = format ?? ReportFormat(accepted: request.http.fields.values(of: "Accept"))
    var wanted = stated
    wanted.showsAnomalies = form == .json
    let zones = request.timeclock.zones
    return try await request.timeclock.hours(
      wanted, groupBy: groupBy, for: request.requireMembership()
    ) { report in
      switch form {
      case .json: HTTPResponse(status: .ok, fields: StandardFields.json, body: report.content.body)
      case .csv:
        .csv(report.csv(dialect, durations: durations, zones: zones), fileName: "hours.csv")
      }
    }
  }
}
