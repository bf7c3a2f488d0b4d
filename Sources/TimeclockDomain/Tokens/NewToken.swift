/// A token of a log-in to keep: its digest, its life, and its client.
package struct NewToken: Sendable {
  package var digest: TokenDigest
  package var createdAt: Instant
  package var expiresAt: Instant
  package var client: LogInClient?

  package init(digest: TokenDigest, createdAt: Instant, expiresAt: Instant, client: LogInClient?) {
    self.digest = digest
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.client = client
  }

  /// A log-in that is made now.
  package init(logIn digest: TokenDigest, with client: LogInClient?, at now: Instant) {
    self.init(
      digest: digest, createdAt: now, expiresAt: now.adding(milliseconds: TokenLifetime.logIn), client: client
    )
  }
}

/// An account as a log-in sees it.
package struct LogInAccount: Sendable {
  package var key: UserKey
  package var user: User
  package var passwordHash: PasswordHash?
  /// Whether any membership is active; without one nobody logs in.
  package var isActive: Bool

  package init(key: UserKey, user: User, passwordHash: PasswordHash?, isActive: Bool) {
    self.key = key
    self.user = user
    self.passwordHash = passwordHash
    self.isActive = isActive
  }
}
