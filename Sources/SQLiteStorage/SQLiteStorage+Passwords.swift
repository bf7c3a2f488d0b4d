import TimeclockDomain

extension SQLiteStorage {
  package func passwordHash(of user: UserKey) async throws -> PasswordHash? {
    try read { connection in
      try connection.statement("SELECT password_hash FROM users WHERE user_id = ?1")
        .first([.integer(user.value)]) { $0.optionalText(0) }
        .flatMap { $0 }.map(PasswordHash.init(text:))
    }
  }

  package func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64
  ) async throws {
    try await changeAccess { transaction in
      try transaction.replacePassword(of: user, from: current, to: new)
      try transaction.revokeTokens(of: user, except: tokenKey)
    }
  }

  package func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    at now: Instant
  ) async throws {
    try await changeAccess { transaction in
      try transaction.replacePassword(of: user, from: current, to: new)
      let organization = try transaction.statement(
        "SELECT organization_id FROM tokens WHERE digest = ?1 AND user_id = ?2 AND expires_at > ?3"
      ).first([.blob(digest.bytes), .integer(user.value), .instant(now)]) { $0.optionalInteger(0) }
      guard let organization = organization.flatMap({ $0 }) else {
        throw TimeclockError.notFound(.apiToken)
      }
      try transaction.statement(
        "UPDATE members SET accepted = 1 WHERE organization_id = ?1 AND user_id = ?2"
      ).run([.integer(organization), .integer(user.value)])
      try transaction.revokeTokens(of: user, except: nil)
    }
  }
}

extension SQLiteTransaction {
  /// Throws `.wrongPassword` where the password was changed since its hash was read.
  fileprivate func replacePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash
  ) throws {
    let changed = try statement(
      "UPDATE users SET password_hash = ?3 WHERE user_id = ?1 AND password_hash = ?2 RETURNING 1"
    ).first([.integer(user.value), .text(current.text), .text(new.text)]) { _ in true }
    guard changed == true else { throw TimeclockError.wrongPassword }
  }

  /// Revokes log-ins, and the API tokens of the organisations where log-ins are good: what was made elsewhere
  /// is not for whoever knows the password to revoke.
  fileprivate func revokeTokens(of user: UserKey, except kept: Int64?) throws {
    try statement(
      """
      DELETE FROM tokens WHERE user_id = ?1 AND token_id IS NOT ?2 AND (organization_id IS NULL
        OR organization_id IN (SELECT organization_id FROM members WHERE user_id = ?1 AND accepted = 1))
      """
    ).run([.integer(user.value), kept.map(SQLiteValue.integer) ?? .null])
  }
}
