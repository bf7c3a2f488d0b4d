import HTTPMessages
import TimeclockDomain

extension Operation {
  /// The organisation's API tokens; never the secrets.
  static let listApiTokens = Operation(
    "listApiTokens", .get, "/v1/organizations/{organizationID}/apiTokens", .role(.admin)
  ) { request in
    let (limit, cursor) = try request.query { ($0.limit(), $0.cursor() as RowCursor?) }
    try request.requireNoBody()
    let page = try await request.timeclock.apiTokens(
      after: cursor, limit: limit, for: request.requireMembership())
    return page.response("apiTokens") { $1.write(to: &$0) }
  }
}
