import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the organization's API tokens without their secrets.
  static let listApiTokens = Operation("listApiTokens") { request in
    let (limit, cursor, list) = try request.query { query in
      let list = try request.list("listApiTokens", query)
      return (query.limit(), query.cursor(in: list) as RowCursor?, list)
    }
    try request.requireNoBody()
    let page = try await request.timeclock.apiTokens(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("apiTokens", of: list) { $1.write(to: &$0) }
  }
}
