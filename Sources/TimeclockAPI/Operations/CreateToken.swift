import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Logs in. An unknown address, a wrong password and a deactivated person answer alike and take as long.
  static let createToken = Operation("createToken", .post, "/v1/auth/token", .open) { request in
    try request.requireNoQuery()
    let (email, password) = try request.body { ($0.string("email"), $0.string("password")) }
    let account = try await account(email, request.timeclock)
    let isCorrect = try await request.context.passwords.isCorrect(password, for: account?.passwordHash)
    guard let account, let checkedHash = account.passwordHash, isCorrect, account.isActive else {
      throw TimeclockError.invalidCredentials
    }
    let now = request.timeclock.clock.now
    let token = BearerToken()
    let expiresAt = now.adding(milliseconds: TokenLifetime.logIn)
    // Only who knows the password learns whether a key was used.
    return try await request.once(by: account.key, isSecret: true) { _ in
      .json(
        JSONWriter.object { writer in
          writer.member("token", token.text)
          writer.member("expiresAt", expiresAt)
          writer.name("user")
          account.user.write(to: &writer)
        })
    } perform: { recording in
      try await request.timeclock.storage.createLogInToken(
        NewToken(digest: token.digest, createdAt: now, expiresAt: expiresAt), for: account.key,
        checkedHash: checkedHash, recording: recording)
    }
  }

  private static func account(_ email: String, _ timeclock: Timeclock) async throws -> LogInAccount? {
    guard let email = try? EmailAddress(email) else { return nil }
    return try await timeclock.storage.logInAccount(for: email)
  }
}
