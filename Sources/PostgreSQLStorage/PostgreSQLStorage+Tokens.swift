import EventLoops
import TimeclockDomain

extension PostgreSQLStorage {
  package func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    let isTrusted = listener.isTrusted(at: EventLoop.monotonicNow())
    let (known, generation) = access.find(digest, organizationID)
    if isTrusted, let known { return known.expiresAt > now ? known : nil }
    let authentication = try await read(
      TokenRows.authenticate, [.bytes(digest.bytes), .optional(organizationID), .instant(now)],
      in: .everyone(because: .tokensAreFoundByDigest)
    ).first { try Self.authentication($0, organizationID) }
    if let authentication { access.keep(authentication, for: digest, organizationID, readIn: generation) }
    return authentication
  }

  private static func authentication(
    _ row: PostgreSQLRow, _ organizationID: OrganizationID?
  ) throws -> Authentication {
    let user = UserKey(row.integer(1))
    let userID: UserID = try row.identifier(5)
    var membership: Membership?
    if let organizationID, !row.isNull(7) {
      membership = Membership(
        key: MemberKey(organization: OrganizationKey(row.integer(10)), user: user),
        organizationID: organizationID, userID: userID, role: try row.choice(7), isActive: row.bool(8),
        memberTimeZone: try row.optionalTimeZone(9), organizationTimeZone: try row.timeZone(11),
        policy: row.policy(firstColumn: 12))
    }
    return Authentication(
      tokenKey: row.integer(0), user: user, userID: userID,
      scope: row.optionalInteger(2).map(OrganizationKey.init),
      apiTokenID: try row.optionalIdentifier(6), expiresAt: row.instant(3),
      lastUsedAt: row.optionalInstant(4), membership: membership)
  }

  package func noteTokenUse(_ tokenKey: Int64, at now: Instant) {
    guard notedTokens.withLock({ $0.insert(tokenKey).inserted }) else { return }
    Task {
      let order = WaitingQuery.LockOrder(first: .max, second: tokenKey)
      let noted = try? await write(
        TokenRows.noteUse, [.integer(tokenKey), .instant(now)],
        in: .everyone(because: .tokensAreFoundByKey), lockOrder: order)
      if noted != nil { access.noteUse(of: tokenKey, at: now) }
      notedTokens.withLock { _ = $0.remove(tokenKey) }
    }
  }

  package func logInAccount(for email: EmailAddress) async throws -> LogInAccount? {
    try await read(
      TokenRows.logInAccount, [.text(email.key)], in: .everyone(because: .logInsBelongToNoOrganization)
    ).first { row in
      LogInAccount(
        key: UserKey(row.integer(0)),
        user: User(id: try row.identifier(1), email: row.text(2), name: row.text(3)),
        passwordHash: row.optionalText(4).map(PasswordHash.init(text:)), isActive: row.bool(5))
    }
  }

  package func createLogInToken(
    _ token: NewToken, for user: UserKey, checkedHash: PasswordHash, newHash: PasswordHash?,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await changeAccess(recording, in: .everyone(because: .logInsBelongToNoOrganization)) { transaction in
      // First, so that two log-ins do not both hold the account and wait for each other to change it.
      if let newHash {
        let changed = try await transaction.run(
          TokenRows.changePassword, [.integer(user.value), .text(checkedHash.text), .text(newHash.text)])
        guard changed.count > 0 else { throw TimeclockError.invalidCredentials }
      }
      let allowed = try await transaction.run(
        TokenRows.mayLogIn, [.integer(user.value), .text((newHash ?? checkedHash).text)])
      guard allowed.count > 0 else { throw TimeclockError.invalidCredentials }
      try await transaction.run(
        TokenRows.deleteExpired, [.integer(user.value), .instant(token.createdAt)])
      try await transaction.insertLogInToken(token, user: user.value)
    }
  }

  package func deleteToken(_ tokenKey: Int64) async throws {
    try await changeAccess(in: .everyone(because: .tokensAreFoundByKey)) { transaction in
      _ = try await transaction.run(TokenRows.delete, [.integer(tokenKey)])
    }
  }

  package func apiTokens(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<ApiToken, RowCursor> {
    let rows = try await read(
      TokenRows.apiTokens, [.integer(organization.value), .integer(cursor?.row ?? 0), PageLimit.rows(limit)],
      in: .organization(organization)
    ).map { row in
      let token = ApiToken(
        id: try row.identifier(1), name: row.text(2), userID: try row.identifier(3),
        createdAt: row.instant(4), expiresAt: row.instant(5), lastUsedAt: row.optionalInstant(6))
      return (token, row.integer(0))
    }
    return Page(rows: rows, limit: limit)
  }

  package func createApiToken(
    _ apiToken: ApiToken, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await changeAccess(recording, in: .organization(organization)) { transaction in
      let member = try await transaction.run(
        TokenRows.lockMember, [.integer(organization.value), .identifier(apiToken.userID)]
      ).first { ($0.integer(0), $0.bool(1)) }
      guard let (user, isActive) = member else { throw TimeclockError.notFound(.member) }
      guard isActive else { throw TimeclockError.memberDeactivated }
      try await transaction.insert(apiToken, digest: digest, user: user, in: organization)
      try await transaction.log(from: nil, to: .apiToken(apiToken), in: organization, context)
    }
  }

  package func deleteApiToken(
    _ id: ApiTokenID, in organization: OrganizationKey, context: ChangeContext
  ) async throws {
    try await changeAccess(in: .organization(organization)) { transaction in
      let count = try await transaction.revoke(
        TokenRows.revokeApiToken, [.integer(organization.value), .identifier(id)],
        of: .organization(organization), in: organization, context)
      guard count == 1 else { throw TimeclockError.notFound(.apiToken) }
    }
  }
}

extension PostgreSQLTransaction {
  /// Keeps a token that is good in one organization.
  func insert(
    _ apiToken: ApiToken, digest: TokenDigest, user: Int64, in organization: OrganizationKey
  ) async throws {
    try await run(
      TokenRows.insertApiToken,
      [
        .integer(user), .bytes(digest.bytes), .instant(apiToken.createdAt), .instant(apiToken.expiresAt),
        .optional(apiToken.lastUsedAt), .integer(organization.value), .identifier(apiToken.id),
        .text(apiToken.name),
      ])
  }

  /// Keeps a token that is good for all of the user's organizations.
  func insertLogInToken(_ token: NewToken, user: Int64) async throws {
    try await run(
      TokenRows.insertLogIn,
      [.integer(user), .bytes(token.digest.bytes), .instant(token.createdAt), .instant(token.expiresAt)],
      in: .everyone(because: .logInsBelongToNoOrganization))
  }
}
