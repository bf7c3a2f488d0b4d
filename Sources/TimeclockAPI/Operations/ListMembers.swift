import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the organization's members, deactivated ones included.
  static let listMembers = Operation(
    "listMembers", .get, "/v1/organizations/{organizationID}/members", .role(.manager)
  ) { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listMembers", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.members(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("members", of: list) { $1.write(to: &$0) }
  }
}
