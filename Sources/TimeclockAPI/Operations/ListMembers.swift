import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the organization's members, or those that are found by a search.
  static let listMembers = Operation("listMembers") { request in
    let (filter, groupID, limit, cursor, list) = try request.query { query in
      let list = try request.list("listMembers", query)
      let filter = MemberFilter(
        isActive: query.bool("active"), role: query.choice("role"), search: query.search("search"))
      return (
        filter, query.identifier("groupId") as GroupID?, query.limit(), query.cursor(in: list) as RowCursor?,
        list
      )
    }
    try request.requireNoBody()
    let page = try await request.timeclock.members(
      in: groupID, matching: filter, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("members", of: list) { $1.write(to: &$0) }
  }
}
