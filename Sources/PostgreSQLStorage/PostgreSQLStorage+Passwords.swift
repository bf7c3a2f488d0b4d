import TimeclockDomain

extension PostgreSQLStorage {
  package func passwordHash(of user: UserKey) async throws -> PasswordHash? {
    try await read(TokenRows.passwordHash, [.integer(user.value)]).first { $0.optionalText(0) }
      .flatMap { $0 }.map(PasswordHash.init(text:))
  }

  package func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64,
    context: ChangeContext
  ) async throws {
    try await changeAccess { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new)
      try await transaction.revoke(
        TokenRows.revokeOfAccount, [.integer(user.value), .integer(tokenKey)], in: nil, context)
    }
  }

  package func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    context: ChangeContext
  ) async throws {
    try await changeAccess { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new)
      let organization = try await transaction.run(
        TokenRows.organization, [.bytes(digest.bytes), .integer(user.value), .instant(context.time)]
      ).first { $0.integer(0) }
      guard let organization else { throw TimeclockError.notFound(.apiToken) }
      try await transaction.run(TokenRows.accept, [.integer(organization), .integer(user.value)])
      try await transaction.revoke(
        TokenRows.revokeOfAccount, [.integer(user.value), .null], in: nil, context)
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
}
