import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Changes the caller's own name, zone and address. A new address asks for the present password.
  static let updateMe = Operation("updateMe", .patch, "/v1/me", .user) { request in
    try request.requireNoQuery()
    let authentication = try request.requireAuthentication()
    try authentication.requireLogIn()
    let (changes, password) = try request.optionalBody { body in
      let isZoneGiven = body.has("timeZone")
      let timeZone = body.optionalString("timeZone")
      let changes = AccountChangesRequest(
        name: body.optionalString("name"), timeZone: isZoneGiven ? .some(timeZone) : nil,
        email: body.optionalString("email"))
      return (changes, body.optionalString("currentPassword"))
    }
    let profile = try await request.timeclock.updateAccount(
      changes, by: authentication, requestID: request.id
    ) { write in
      // Nobody has guessed where nothing is stated.
      guard let password else { throw TimeclockError.wrongPassword }
      try await request.withCurrentPassword(password, of: authentication, write)
    }
    return .json(profile.payload(scope: nil))
  }
}

extension OperationRequest {
  /// Checks the caller's password, as an attempt that is counted, and runs a write with its hash.
  ///
  /// - Throws: `TimeclockError.wrongPassword`, `.tooManyAttempts`; any error of `write`.
  fileprivate func withCurrentPassword(
    _ password: String, of authentication: Authentication, _ write: (PasswordHash) async throws -> Void
  ) async throws {
    let passwords = context.passwords
    let checkedHash = try await timeclock.counting(LogInAttempt(by: authentication.userID)) {
      let hash = try await timeclock.storage.passwordHash(of: authentication.user)
      return try await passwords.isCorrect(password, for: hash, by: hashingCaller) ? hash : nil
    }
    guard let checkedHash else { throw TimeclockError.wrongPassword }
    let checked = CheckedPassword(
      user: authentication.user, text: password, hash: checkedHash, caller: hashingCaller)
    try await checked.hold(timeclock, passwords, write)
  }
}
