import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns one session.
  static let getSession = Operation(
    "getSession", .get, "/v1/organizations/{organizationID}/sessions/{sessionId}", .role(.member)
  ) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let found = try await request.timeclock.session(
      request.pathIdentifier(.session), for: request.requireMembership())
    return .json(version: found.session.version, found.payload)
  }
}
