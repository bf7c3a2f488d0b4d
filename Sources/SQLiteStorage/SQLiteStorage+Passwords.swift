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
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64,
    context: ChangeContext
  ) async throws {
    try await changeAccess { [identifiers] transaction in
      try transaction.replacePassword(of: user, from: current, to: new)
      try transaction.revoke(
        Revocation.ofAccount, [.integer(user.value), .integer(tokenKey)], identifiers, in: nil, context)
    }
  }

  package func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    context: ChangeContext
  ) async throws {
    try await changeAccess { [identifiers] transaction in
      try transaction.replacePassword(of: user, from: current, to: new)
      let organization = try transaction.statement(
        "SELECT organization_id FROM tokens WHERE digest = ?1 AND user_id = ?2 AND expires_at > ?3"
      ).first([.blob(digest.bytes), .integer(user.value), .instant(context.time)]) { $0.optionalInteger(0) }
      guard let organization = organization.flatMap({ $0 }) else {
        throw TimeclockError.notFound(.apiToken)
      }
      try transaction.statement(
        "UPDATE members SET accepted = 1 WHERE organization_id = ?1 AND user_id = ?2"
      ).run([.integer(organization), .integer(user.value)])
      try transaction.revoke(
        Revocation.ofAccount, [.integer(user.value), .null], identifiers, in: nil, context)
    }
  }
}

extension SQLiteTransaction {
  /// Throws `.wrongPassword` where the password was changed since its hash was read.
  func replacePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash
  ) throws {
    let changed = try statement(
      "UPDATE users SET password_hash = ?3 WHERE user_id = ?1 AND password_hash = ?2 RETURNING 1"
    ).first([.integer(user.value), .text(current.text), .text(new.text)]) { _ in true }
    guard changed == true else { throw TimeclockError.wrongPassword }
  }
}
