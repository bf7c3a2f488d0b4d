import TimeclockDomain

extension Storage {
  /// The password hash of a user; nil for a user without a password.
  package func passwordHash(of user: UserKey) async throws -> PasswordHash? {
    try await first(PasswordStatements.hash, [.key(user)], in: .accounts) { PasswordHash(&$0) }.flatMap { $0 }
  }

  /// Replaces a user's password and revokes the user's tokens but one: all other log-ins, and the API tokens of every
  /// organization where log-ins are valid.
  ///
  /// - Throws: `.wrongPassword` when the hash is no longer `current`, because it was changed meanwhile.
  package func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64,
    context: ChangeContext
  ) async throws {
    try await write(RecordWrite(.accounts, changesAccess: true), recording: nil) { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new, orThrow: .wrongPassword)
      try await transaction.revoke(.ofAccount, [.key(user), .integer(tokenKey)], in: nil, context)
    }
  }

  /// Makes log-ins valid in one more organization: the one of an API token in the user's name. The password is
  /// replaced, and every log-in and the API tokens of every organization where log-ins are valid now are revoked, the
  /// given one included, all in one transaction.
  ///
  /// A caller who knows the password and has the API token too is the person, and the old password does not help to log
  /// in.
  ///
  /// - Parameters:
  ///   - digest: The digest of the API token.
  ///   - context: At its time, an expired token is as good as none.
  /// - Throws: `.wrongPassword` when the hash is no longer `current`; `.notFound(.apiToken)` when the token is
  ///   no valid API token in the user's name, or one that only reads. Then nothing is changed.
  package func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    context: ChangeContext
  ) async throws {
    let token: [RecordValue] = [.bytes(digest.bytes), .key(user), .instant(context.time)]
    let found = try await first(
      PasswordStatements.organization, token, in: .everyone(because: .tokensAreFoundByDigest)
    ) { OrganizationKey($0.integer("organization_id")) }
    guard let organization = found else { throw TimeclockError.notFound(.apiToken) }
    let kind = RecordWrite(.organization(organization), changesAccess: true)
    try await write(kind, recording: nil) { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new, orThrow: .wrongPassword)
      // It may have been revoked meanwhile.
      guard try await transaction.exists(PasswordStatements.organization, token) else {
        throw TimeclockError.notFound(.apiToken)
      }
      try await transaction.run(PasswordStatements.accept, [.key(organization), .key(user)])
      try await transaction.revoke(.ofAccount, [.key(user), .null], in: nil, context)
    }
  }
}

extension RecordTransaction {
  /// Replaces a password.
  ///
  /// - Throws: `error` if the password was changed since its hash was read.
  func replacePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, orThrow error: TimeclockError
  ) async throws {
    let isChanged = try await exists(
      PasswordStatements.change,
      [.key(user), .text(current.text), .text(new.text), .bool(new.isOneTime)])
    guard isChanged else { throw error }
  }
}

extension PasswordHash {
  /// The hash in a row with `password_hash` and `one_time_password`; nil if the user has no password.
  init?<Row>(_ row: inout RecordRow<Row>) {
    let isOneTime = row.bool("one_time_password")
    guard let text = row.optionalText("password_hash") else { return nil }
    self.init(text: text, isOneTime: isOneTime)
  }
}

/// The statements on passwords, and on their use.
enum PasswordStatements {
  static let hash = RecordStatement(
    "FROM users WHERE user_id = $1", columns: RecordColumns("password_hash", "one_time_password"))
  static let change = RecordStatement(
    "UPDATE users SET password_hash = $3, one_time_password = $4 WHERE user_id = $1 AND password_hash = $2",
    returning: RecordColumns("user_id"))
  /// The organization of an API token. One that only reads accepts nothing.
  static let organization = RecordStatement(
    """
    FROM tokens WHERE digest = $1 AND user_id = $2 AND expires_at > $3 AND organization_id IS NOT NULL \
    AND NOT read_only
    """,
    columns: RecordColumns("organization_id"))
  static let accept = RecordStatement(
    "UPDATE members SET accepted = TRUE WHERE organization_id = $1 AND user_id = $2")
}
