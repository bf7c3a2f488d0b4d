import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the time entries of a range of days, newest first.
  static let listTimeEntries = Operation("listTimeEntries") { request in
    let (wanted, list) = try request.query { query in
      let list = try request.list("listTimeEntries", query)
      var wanted = query.timeEntryList()
      wanted.cursor = query.cursor(in: list)
      wanted.limit = query.limit()
      return (wanted, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.timeEntries(
      wanted, by: .listTimeEntries, for: request.requireMembership())
    let now = request.timeclock.clock.now
    return page.response("timeEntries", of: list, bytesPerElement: 600) { $1.write(to: &$0, at: now) }
  }
}
