/// A password to set that is not hashed yet: hashing is slow on purpose, so it is left until everything else about
/// a request is known to be in order.
package struct NewPassword: Sendable {
  /// Throws the errors of `hash` about the password itself, and costs nothing. Takes the same words.
  package let check: @Sendable (_ obvious: [String]) throws -> Void
  /// Hashes the password. Takes the words of the account that an attacker knows: the e-mail address, the organization's
  /// name.
  ///
  /// Throws `TimeclockError.invalidPassword` for one of forbidden length, `.passwordTooCommon` for one that is easily
  /// guessed, and `.unavailable` when too many are being hashed.
  package let hash: @Sendable (_ obvious: [String]) async throws -> PasswordHash

  package init(
    check: @escaping @Sendable (_ obvious: [String]) throws -> Void = { _ in },
    hash: @escaping @Sendable (_ obvious: [String]) async throws -> PasswordHash
  ) {
    self.check = check
    self.hash = hash
  }
}
