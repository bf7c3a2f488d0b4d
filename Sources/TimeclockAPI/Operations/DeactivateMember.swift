import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Ends a membership: an active entry is closed, and the next request of the member is refused.
  static let deactivateMember = Operation("deactivateMember") { request in
    let version = try request.query { $0.sequence("version") }
    try request.requireNoBody()
    let userID: UserID = try request.pathIdentifier(.member)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.member(userID, for: membership).version
    }
    _ = try await request.timeclock.updateMember(
      userID, MemberChanges(isActive: false), expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}
