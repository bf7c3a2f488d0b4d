import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Uses an invitation up: sets the person's password, opens the organization that invites to their log-ins, and logs
  /// them in. A token that is unknown, used, revoked or expired gets the same answer.
  static let acceptInvitation = Operation("acceptInvitation") { request in
    try request.requireNoQuery()
    let (digest, new, current, client) = try request.body { body in
      (
        body.token("token", "an invitation's token"), body.string("password"),
        body.optionalString("currentPassword"), body.optionalChoice("client") as LogInClient?
      )
    }
    let invited = try await request.timeclock.invitedAccount(by: digest, from: request.network)
    try NewPasswordRules.check(new, obvious: [invited.user.email, invited.organizationName])
    let passwords = request.context.passwords
    let attempt = LogInAttempt(email: invited.user.email, from: request.network)
    let checked = try await checkedPassword(current, of: invited, attempt, request)
    if checked != nil, let current, new.utf8.elementsEqual(current.utf8) {
      throw TimeclockError.passwordUnchanged
    }
    let hash = try await passwords.hash(new, by: .logIn(attempt))
    let now = request.timeclock.clock.now
    let token = BearerToken()
    let logIn = NewToken(logIn: token.digest, with: client, at: now)
    let change = ChangeContext(
      author: Author(means: .logIn, userID: invited.user.id, requestID: request.id),
      operation: "acceptInvitation", time: now)
    let accept = { (present: PasswordHash?) in
      try await request.timeclock.storage.acceptInvitation(
        digest, from: present, to: hash, logIn: logIn, context: change)
    }
    if let checked {
      try await checked.hold(request.timeclock, passwords, accept)
    } else {
      try await accept(nil)
    }
    return .json(
      TokenGrant(
        token: token.text, expiresAt: logIn.expiresAt, mustChangePassword: false, user: invited.user
      ).payload)
  }

  /// Checks the present password of an account that opens another organization, as a log-in that is counted.
  ///
  /// - Returns: Nil for an account that opens no other.
  /// - Throws: `TimeclockError.wrongPassword`, `.tooManyAttempts`, `.passwordChangeRequired` for a one-time password.
  private static func checkedPassword(
    _ current: String?, of invited: InvitedAccount, _ attempt: LogInAttempt, _ request: OperationRequest
  ) async throws -> CheckedPassword? {
    guard invited.isShared else { return nil }
    // Nobody has guessed if nothing is stated.
    guard let current else { throw TimeclockError.wrongPassword }
    let hash = try await request.timeclock.counting(attempt) {
      let isCorrect = try await request.context.passwords.isCorrect(
        current, for: invited.passwordHash, by: .logIn(attempt))
      return isCorrect ? invited.passwordHash : nil
    }
    guard let hash else { throw TimeclockError.wrongPassword }
    guard !hash.isOneTime else { throw TimeclockError.passwordChangeRequired }
    return CheckedPassword(user: invited.key, text: current, hash: hash, caller: .logIn(attempt))
  }
}
