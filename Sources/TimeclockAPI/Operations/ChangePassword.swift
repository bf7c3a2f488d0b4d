import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Replaces the caller's password and revokes the caller's other tokens. With an API token of an organization that has
  /// added the person, the person's log-ins are valid in that organization from then on.
  static let changePassword = Operation("changePassword") { request in
    try request.requireNoQuery()
    let authentication = try request.requireAuthentication()
    try authentication.requireLogIn()
    let (current, new, apiToken) = try request.body { body in
      (
        body.string("currentPassword"), body.string("newPassword"),
        body.optionalToken("apiToken", "an API token")
      )
    }
    // The admin who chose a one-time password might open another organization with it.
    if apiToken != nil { try authentication.requireOwnPassword() }
    let passwords = request.context.passwords
    let storage = request.timeclock.storage
    let profile = try await storage.profile(of: authentication.user)
    // The answer reveals nothing about an organization that the person has not accepted.
    let organizations = profile.memberships.filter(\.isAccepted).map(\.organizationName)
    try NewPasswordRules.check(new, obvious: [profile.user.email] + organizations)
    let checked = try await request.checkedPassword(current, of: authentication)
    guard !new.utf8.elementsEqual(current.utf8) else { throw TimeclockError.passwordUnchanged }
    let newHash = try await passwords.hash(new, by: request.hashingCaller)
    let change = ChangeContext(
      author: authentication.author(requestID: request.id), operation: "changePassword",
      time: request.timeclock.clock.now)
    try await checked.hold(request.timeclock, passwords) { oldHash in
      if let apiToken {
        try await storage.acceptMembership(
          of: authentication.user, with: apiToken, from: oldHash, to: newHash,
          context: change)
      } else {
        try await storage.changePassword(
          of: authentication.user, from: oldHash, to: newHash, keepingToken: authentication.tokenKey,
          context: change)
      }
    }
    return .noContent
  }
}
