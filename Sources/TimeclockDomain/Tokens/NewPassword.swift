/// A password to set that is not hashed yet: hashing is slow on purpose, so it is left until everything else about
/// a request is known to be in order.
package struct NewPassword: Sendable {
  /// Hashes the password; throws `TimeclockError.invalidPassword` for one of forbidden length, and
  /// `.unavailable` when too many are being hashed.
  package let hash: @Sendable () async throws -> PasswordHash

  package init(hash: @escaping @Sendable () async throws -> PasswordHash) {
    self.hash = hash
  }
}
