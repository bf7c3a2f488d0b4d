import Credentials
import Procedures
import TimeclockDomain

/// A password that has been verified, and the hash that it was verified against.
struct CheckedPassword {
  let user: UserKey
  let text: String
  let hash: PasswordHash
  /// The caller that hashing counts for.
  let caller: HashingCaller

  /// Runs a write that succeeds only while the hash is the user's. If a log-in has rehashed the same password
  /// meanwhile, the write runs once more with the new hash: the caller still knows the password.
  ///
  /// - Throws: Any error of `write`: `.invalidCredentials` or `.wrongPassword` if the password has been changed.
  func hold<Value>(
    _ timeclock: Timeclock, _ passwords: PasswordHasher, _ write: (PasswordHash) async throws -> Value
  ) async throws -> Value {
    do {
      return try await write(hash)
    } catch let refusal as TimeclockError where [.invalidCredentials, .wrongPassword].contains(refusal) {
      guard let present = try await timeclock.storage.passwordHash(of: user), present != hash,
        try await passwords.isCorrect(text, for: present, by: caller)
      else { throw refusal }
      return try await write(present)
    }
  }
}

extension OperationRequest {
  /// Checks the present password of the logged-in user, as a counted attempt.
  ///
  /// - Throws: `TimeclockError.wrongPassword`, `.tooManyAttempts`.
  func checkedPassword(_ text: String, of authentication: Authentication) async throws -> CheckedPassword {
    let hash = try await timeclock.counting(LogInAttempt(by: authentication.userID)) {
      let hash = try await timeclock.storage.passwordHash(of: authentication.user)
      return try await context.passwords.isCorrect(text, for: hash, by: hashingCaller) ? hash : nil
    }
    guard let hash else { throw TimeclockError.wrongPassword }
    return CheckedPassword(user: authentication.user, text: text, hash: hash, caller: hashingCaller)
  }
}
