import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Logs in. An unknown address, a wrong password, a person without a password and a deactivated person get the same
  /// answer after the same time.
  static let createToken = Operation("createToken") { request in
    try request.requireNoQuery()
    let (email, password, client) = try request.body {
      ($0.string("email"), $0.string("password"), $0.optionalChoice("client") as LogInClient?)
    }
    return try await logIn(email, password, with: client, request) { $0.payload }
  }

  /// Answers a log-in.
  ///
  /// - Parameter payload: Writes the answer.
  static func logIn(
    _ email: String, _ password: String, with client: LogInClient?, _ request: OperationRequest,
    payload: @escaping @Sendable (TokenGrant) -> [UInt8]
  ) async throws -> HTTPResponse {
    let attempt = LogInAttempt(email: email, from: request.network)
    let caller = HashingCaller.logIn(attempt)
    let checked = try await request.timeclock.counting(attempt) {
      try await account(email, password, caller, request)
    }
    guard let (account, hash) = checked else { throw TimeclockError.invalidCredentials }
    let token = BearerToken()
    let logIn = NewToken(logIn: token.digest, with: client, at: request.timeclock.clock.now)
    // Only a caller who knows the password learns whether a key was used.
    return try await request.once(by: (account.key, account.user.id), secrecy: .password(caller)) { _ in
      .json(
        payload(
          TokenGrant(
            token: token.text, expiresAt: logIn.expiresAt, mustChangePassword: hash.isOneTime,
            user: account.user)))
    } perform: { recording in
      let checked = CheckedPassword(user: account.key, text: password, hash: hash, caller: caller)
      try await keep(logIn, checked, request, recording)
    }
  }

  /// Returns the account of an address and the hash of its password; nil unless this is the password and the person may
  /// log in. One password is hashed in every case.
  private static func account(
    _ email: String, _ password: String, _ caller: HashingCaller, _ request: OperationRequest
  ) async throws -> (LogInAccount, PasswordHash)? {
    var account: LogInAccount?
    if let email = EmailAddress(ofAccount: email) {
      account = try await request.timeclock.storage.logInAccount(for: email)
    }
    let isCorrect = try await request.context.passwords.isCorrect(
      password, for: account?.passwordHash, by: caller)
    guard let account, let hash = account.passwordHash, isCorrect, account.isActive else { return nil }
    return (account, hash)
  }

  /// Stores the token, and a new hash of the password if the present hash has outdated parameters.
  private static func keep(
    _ token: NewToken, _ password: CheckedPassword, _ request: OperationRequest,
    _ recording: AnswerRecording<Void>?
  ) async throws {
    let passwords = request.context.passwords
    try await password.hold(request.timeclock, passwords) { hash in
      let newHash = try await passwords.renewedHash(
        of: password.text, insteadOf: hash, by: password.caller)
      try await request.timeclock.storage.createLogInToken(
        token, for: password.user, checkedHash: hash, newHash: newHash, recording: recording)
    }
  }
}
