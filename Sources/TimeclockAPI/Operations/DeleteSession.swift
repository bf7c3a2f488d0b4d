import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Deletes a session and, on request, takes it off the entries that refer to it.
  static let deleteSession = Operation(
    "deleteSession", .delete, "/v1/organizations/{organizationID}/sessions/{sessionId}", .role(.manager)
  ) { request in
    let (detaches, version) = try request.query { ($0.bool("detach"), $0.sequence("version")) }
    try request.requireNoBody()
    let id: SessionID = try request.pathIdentifier(.session)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.session(id, for: membership).session.version
    }
    try await request.timeclock.deleteSession(
      id, detachesEntries: detaches ?? false, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}
