/// The storage of tokens and passwords.
package protocol TokenStorage: Sendable {
  /// The user that a token speaks for. A log-in shows a membership only once the person has accepted it; until then the
  /// organization is one that the person is not in.
  ///
  /// - Parameters:
  ///   - organizationID: The organization whose membership to look up; nil for none.
  ///   - now: An expired token is as good as none.
  /// - Returns: Nil for a token that is unknown, revoked or expired.
  func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication?

  /// Notes that a token was used; soon, without waiting, and without a promise. A log-in then ends
  /// `TokenLifetime.logIn` later at the earliest.
  func noteTokenUse(_ tokenKey: Int64, at now: Instant)

  /// The account for a log-in with this address; nil for an address without an account.
  func logInAccount(for email: EmailAddress) async throws -> LogInAccount?

  /// The password hash of a user; nil for a user without a password.
  func passwordHash(of user: UserKey) async throws -> PasswordHash?

  /// Keeps a token for a log-in, and forgets the user's expired ones.
  ///
  /// Checking a password takes so long that it may be changed, or its owner deactivated, meanwhile; so what
  /// was checked must still hold.
  ///
  /// - Parameters:
  ///   - checkedHash: The hash of the password that was given.
  ///   - newHash: Another hash of that password, to be kept instead of it from now on; nil leaves it. Nothing else
  ///     changes, and no change is logged.
  /// - Throws: `.invalidCredentials` when it is no longer the user's, or the user has no active membership. Then nothing is
  ///   changed.
  func createLogInToken(
    _ token: NewToken, for user: UserKey, checkedHash: PasswordHash, newHash: PasswordHash?,
    recording: AnswerRecording<Void>?
  ) async throws

  /// A user's log-ins that have not expired, those made last first; at most `LogIn.listLimit`.
  func logIns(of user: UserKey, at now: Instant) async throws -> [LogIn]

  /// Revokes every log-in of a user but one; they are refused from the next request on.
  func deleteLogIns(of user: UserKey, keepingToken tokenKey: Int64) async throws

  /// Revokes one token; it is refused from the next request on.
  func deleteToken(_ tokenKey: Int64) async throws

  /// Replaces a user's password and revokes the user's tokens but one: all other log-ins, and the API tokens of
  /// every organization where log-ins are good.
  ///
  /// - Throws: `.wrongPassword` when the hash is no longer `current`, because it was changed meanwhile.
  func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64,
    context: ChangeContext
  ) async throws

  /// Makes log-ins good in one more organization: the one of an API token in the user's name. The password is
  /// replaced, and every log-in and the API tokens of every organization where log-ins are good now are revoked,
  /// the one that was shown among them, all in one transaction.
  ///
  /// A caller who knows the password and has the API token too is the person, and nobody who knew the old password gets
  /// in with it.
  ///
  /// - Parameters:
  ///   - digest: The digest of the API token.
  ///   - context: At its time, an expired token is as good as none.
  /// - Throws: `.wrongPassword` when the hash is no longer `current`; `.notFound(.apiToken)` when the token is
  ///   no valid API token in the user's name, or one that only reads. Then nothing is changed.
  func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    context: ChangeContext
  ) async throws

  /// A page of an organization's API tokens, in the order in which they were made.
  func apiTokens(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<ApiToken, RowCursor>

  /// Keeps an API token that is good in one organization.
  ///
  /// - Throws: `.notFound(.member)` when the token's user is no member; `.memberDeactivated`.
  func createApiToken(
    _ apiToken: ApiToken, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>?
  ) async throws

  /// Revokes an API token; it is refused from the next request on.
  ///
  /// - Throws: `.notFound(.apiToken)`.
  func deleteApiToken(
    _ id: ApiTokenID, in organization: OrganizationKey, context: ChangeContext
  ) async throws
}

extension TokenStorage {
  /// Keeps a token for a log-in, without an idempotency key.
  package func createLogInToken(
    _ token: NewToken, for user: UserKey, checkedHash: PasswordHash
  ) async throws {
    try await createLogInToken(token, for: user, checkedHash: checkedHash, newHash: nil, recording: nil)
  }

  /// Keeps an API token, without an idempotency key.
  package func createApiToken(
    _ apiToken: ApiToken, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext
  ) async throws {
    try await createApiToken(apiToken, digest: digest, in: organization, context: context, recording: nil)
  }
}

/// A token of a log-in to keep: its digest, its life, and what it was made with.
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
