import Credentials
import TimeclockDomain

/// A password that was found right, and the hash that it was found right by.
struct CheckedPassword {
  let user: UserKey
  let text: String
  let hash: PasswordHash
  /// Whom hashing counts for.
  let caller: HashingCaller

  /// Runs a write that holds only while the hash is the user's, and once more where a log-in has hashed the same password
  /// anew meanwhile, which takes nothing from whoever knows it.
  ///
  /// - Throws: What `write` throws, `.invalidCredentials` or `.wrongPassword` where the password is another by now.
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
