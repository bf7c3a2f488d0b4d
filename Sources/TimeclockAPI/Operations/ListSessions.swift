import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the sessions of a range of days, oldest first.
  static let listSessions = Operation(
    "listSessions", .get, "/v1/organizations/{organizationID}/sessions", .role(.member)
  ) { request in
    let membership = try request.requireMembership()
    let (wanted, list) = try request.query { query in
      let list = try request.list("listSessions", query)
      query.refuse("date", beside: "startDate", "endDate")
      let date = query.date("date")
      let startDate = query.date("startDate")
      let endDate = query.date("endDate")
      let wanted = SessionListRequest(
        startDate: date ?? startDate, endDate: date ?? endDate,
        assignedTo: query.identifier("assignedTo", me: membership.userID), cursor: query.cursor(in: list),
        limit: query.limit())
      return (wanted, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.sessions(wanted, for: membership)
    return page.response("sessions", of: list) { $1.write(to: &$0) }
  }
}
