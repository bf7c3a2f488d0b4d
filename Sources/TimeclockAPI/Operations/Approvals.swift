import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists what was approved.
  static let listApprovals = Operation("listApprovals") { request in
    let (members, limit, cursor, list) = try request.query { query in
      let list = try request.list("listApprovals", query)
      return (query.members(), query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.approvals(
      of: members, after: cursor, limit: limit, for: request.requireMembership())
    return page.response("approvals", of: list) { writer, listed in
      writer.object { writer in
        listed.approval.writeMembers(to: &writer)
        writer.member("sequence", listed.sequence)
      }
    }
  }
}
