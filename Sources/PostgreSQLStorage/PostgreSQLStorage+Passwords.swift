import TimeclockDomain

extension PostgreSQLStorage {
  package func passwordHash(of user: UserKey) async throws -> PasswordHash? {
    try await read(TokenRows.passwordHash, [.integer(user.value)], in: .noOrganization)
      .first { $0.optionalText(0) }
      .flatMap { $0 }.map(PasswordHash.init(text:))
  }

  package func changePassword(
    of user: UserKey, from current: PasswordHash, to new: PasswordHash, keepingToken tokenKey: Int64,
    context: ChangeContext
  ) async throws {
    try await changeAccess(in: .noOrganization) { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new)
      try await transaction.revoke(
        TokenRows.revokeOfAccount, [.integer(user.value), .integer(tokenKey)],
        of: .everyone(because: .accountsEndEverywhere), in: nil, context)
    }
  }

  package func acceptMembership(
    of user: UserKey, with digest: TokenDigest, from current: PasswordHash, to new: PasswordHash,
    context: ChangeContext
  ) async throws {
    try await changeAccess(in: .noOrganization) { transaction in
      try await transaction.replacePassword(of: user, from: current, to: new)
      let organization = try await transaction.run(
        TokenRows.organization, [.bytes(digest.bytes), .integer(user.value), .instant(context.time)],
        in: .everyone(because: .tokensAreFoundByDigest)
      ).first { OrganizationKey($0.integer(0)) }
      guard let organization else { throw TimeclockError.notFound(.apiToken) }
      try await transaction.run(
        TokenRows.accept, [.integer(organization.value), .integer(user.value)],
        in: .organization(organization))
      try await transaction.revoke(
        TokenRows.revokeOfAccount, [.integer(user.value), .null],
        of: .everyone(because: .accountsEndEverywhere), in: nil, context)
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
