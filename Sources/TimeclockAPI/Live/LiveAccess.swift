import Credentials
import Procedures
import TimeclockDomain

extension OperationRequest {
  /// The right by which the caller, of this membership, goes on listening.
  func liveAccess(as caller: Membership) throws -> LiveAccess {
    LiveAccess(
      timeclock: timeclock, token: try Authenticator(context: context).digest(of: http),
      organizationID: caller.organizationID, role: caller.role, sight: caller.sight)
  }
}

/// The right by which somebody listens, judged again and again while it is used.
struct LiveAccess: Sendable {
  let timeclock: Timeclock
  let token: TokenDigest
  let organizationID: OrganizationID
  let role: Role
  let sight: Sight

  /// Whether the token is good and the caller still has the role, and sees whom they saw; true if the storage is unavailable, because then
  /// nothing can be read from it either.
  var holds: Bool {
    get async {
      do {
        let authentication = try await timeclock.authenticate(token, organizationID: organizationID)
        try authentication.requireOwnPassword()
        let membership = try authentication.requireMembership()
        return membership.role == role && membership.sight == sight
      } catch TimeclockError.unavailable {
        return true
      } catch {
        return false
      }
    }
  }
}
