import TimeclockDomain

extension PostgreSQLStorage {
  package func passwordHash(of user: UserKey) async throws -> PasswordHash? {
    try await read(TokenRows.passwordHash, [.integer(user.value)]).first { $0.optionalText(0) }
      .flatMap { $0 }.map(PasswordHash.init(text:))
  }

  package func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64
  ) async throws {
    try await changeAccess { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new)
      try await transaction.revokeTokens(of: user, except: tokenKey)
    }
  }

  package func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    at now: Instant
  ) async throws {
    try await changeAccess { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new)
      let organization = try await transaction.run(
        TokenRows.organization, [.bytes(digest.bytes), .integer(user.value), .instant(now)]
      ).first { $0.integer(0) }
      guard let organization else { throw TimeclockError.notFound(.apiToken) }
      try await transaction.run(TokenRows.accept, [.integer(organization), .integer(user.value)])
      try await transaction.revokeTokens(of: user, except: nil)
    }
  }
}

extension PostgreSQLTransaction {
  /// Throws `.wrongPassword` where the password was changed since its hash was read.
  fileprivate func replacePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash
  ) async throws {
    let changed = try await run(
      TokenRows.changePassword, [.integer(user.value), .text(current.text), .text(new.text)])
    guard changed.count > 0 else { throw TimeclockError.wrongPassword }
  }

  /// Revokes log-ins, and the API tokens of the organisations where log-ins are good: what was made elsewhere
  /// is not for whoever knows the password to revoke.
  fileprivate func revokeTokens(of user: UserKey, except kept: Int64?) async throws {
    try await run(TokenRows.revoke, [.integer(user.value), .optional(kept)])
  }
}
