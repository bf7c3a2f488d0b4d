import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Takes away what tells who a deactivated member was, for good.
  static let anonymizeMember = Operation(
    "anonymizeMember", .post, "/v1/organizations/{organizationID}/members/{userId}/anonymize", .role(.admin)
  ) { request in
    try request.requireNoQuery()
    let userID: UserID = try request.pathIdentifier(.member)
    let reason = try request.optionalBody { $0.optionalString("reason") }
    let member = try await request.timeclock.anonymizeMember(
      userID, reason: reason, by: request.requireMembership())
    return .json(version: member.version, member.payload)
  }
}
