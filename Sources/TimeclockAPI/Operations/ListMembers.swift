import HTTPMessages
import TimeclockDomain

extension Operation {
  /// The organisation's members, deactivated ones included.
  static let listMembers = Operation(
    "listMembers", .get, "/v1/organizations/{organizationID}/members", .role(.manager)
  ) { request in
    let (limit, cursor) = try request.query { ($0.limit(), $0.cursor() as RowCursor?) }
    try request.requireNoBody()
    let page = try await request.timeclock.members(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("members") { $1.write(to: &$0) }
  }
}
