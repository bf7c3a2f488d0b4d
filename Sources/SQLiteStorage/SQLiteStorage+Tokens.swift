import TimeclockDomain

extension SQLiteStorage {
  package func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    try requireUsable()
    let (known, generation) = access.find(digest, organizationID)
    if let known { return known.expiresAt > now ? known : nil }
    let authentication = try readAuthentication(digest, organizationID, at: now)
    if let authentication { access.keep(authentication, for: digest, organizationID, readIn: generation) }
    return authentication
  }

  private func readAuthentication(
    _ digest: TokenDigest, _ organizationID: OrganizationID?, at now: Instant
  ) throws -> Authentication? {
    try read { connection in
      try connection.statement(
        """
        SELECT t.token_id, t.user_id, t.organization_id, t.expires_at, t.last_used_at, u.id, t.id,
          m.role, m.active, m.time_zone, o.organization_id, o.time_zone,
          o.minimum_seconds, o.maximum_seconds, o.edit_window_days, o.look_back_hours,
          o.notes_maximum_characters, o.auto_clock_out_seconds,
        o.daily_overtime_seconds, o.weekly_overtime_seconds, o.week_start,
        o.manual_entry_days
        FROM tokens t JOIN users u ON u.user_id = t.user_id
        LEFT JOIN organizations o
          ON o.id = ?2 AND (t.organization_id IS NULL OR t.organization_id = o.organization_id)
        LEFT JOIN members m ON m.organization_id = o.organization_id AND m.user_id = t.user_id
          AND (m.accepted = 1 OR t.organization_id IS NOT NULL)
        WHERE t.digest = ?1 AND t.expires_at > ?3
        """
      ).first([
        .blob(digest.bytes), organizationID.map(SQLiteValue.identifier) ?? .null, .instant(now),
      ]) { try Self.authentication($0, organizationID) }
    }
  }

  private static func authentication(
    _ row: SQLiteRow, _ organizationID: OrganizationID?
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
    writer.writeSoon { transaction in
      try transaction.statement(
        "UPDATE tokens SET last_used_at = max(coalesce(last_used_at, ?2), ?2) WHERE token_id = ?1"
      ).run([.integer(tokenKey), .instant(now)])
    } onEnd: { [weak self] isCommitted in
      guard let self else { return }
      if isCommitted { access.noteUse(of: tokenKey, at: now) }
      notedTokens.withLock { _ = $0.remove(tokenKey) }
    }
  }

  package func logInAccount(for email: EmailAddress) async throws -> LogInAccount? {
    try read { connection in
      try connection.statement(
        """
        SELECT user_id, id, email, name, password_hash,
          EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.user_id AND m.active = 1)
        FROM users u WHERE email_key = ?1
        """
      ).first([.text(email.key)]) { row in
        LogInAccount(
          key: UserKey(row.integer(0)),
          user: User(id: try row.identifier(1), email: row.text(2), name: row.text(3)),
          passwordHash: row.optionalText(4).map(PasswordHash.init(text:)), isActive: row.bool(5))
      }
    }
  }

  package func createLogInToken(
    _ token: NewToken, for user: UserKey, checkedHash: PasswordHash, newHash: PasswordHash?,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await changeAccess(recording) { transaction in
      let isAllowed = try transaction.statement(
        """
        SELECT 1 FROM users u WHERE u.user_id = ?1 AND u.password_hash = ?2
          AND EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.user_id AND m.active = 1)
        """
      ).first([.integer(user.value), .text(checkedHash.text)]) { _ in true }
      guard isAllowed == true else { throw TimeclockError.invalidCredentials }
      if let newHash { try transaction.replacePassword(of: user, from: checkedHash, to: newHash) }
      try transaction.statement("DELETE FROM tokens WHERE user_id = ?1 AND expires_at <= ?2 AND id IS NULL")
        .run([.integer(user.value), .instant(token.createdAt)])
      try transaction.insertLogInToken(token, user: user.value)
    }
  }

  package func deleteToken(_ tokenKey: Int64) async throws {
    try await changeAccess { transaction in
      try transaction.statement("DELETE FROM tokens WHERE token_id = ?1").run([.integer(tokenKey)])
    }
  }

  package func apiTokens(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<ApiToken, RowCursor> {
    try await readPage(of: organization, limit: limit) { connection in
      let rows = try connection.statement(
        """
        SELECT t.token_id, t.id, t.name, u.id, t.created_at, t.expires_at, t.last_used_at
        FROM tokens t JOIN users u ON u.user_id = t.user_id
        WHERE t.organization_id = ?1 AND t.token_id > ?2 ORDER BY t.token_id LIMIT ?3
        """
      ).all([.integer(organization.value), .integer(cursor?.row ?? 0), PageLimit.rows(limit)]) { row in
        let token = ApiToken(
          id: try row.identifier(1), name: row.text(2), userID: try row.identifier(3),
          createdAt: row.instant(4), expiresAt: row.instant(5), lastUsedAt: row.optionalInstant(6))
        return (token, row.integer(0))
      }
      return Page(rows: rows, limit: limit)
    }
  }

  package func createApiToken(
    _ apiToken: ApiToken, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>?
  ) async throws {
    try await write(recording) { transaction in
      let member = try transaction.statement(
        """
        SELECT m.user_id, m.active FROM users u JOIN members m ON m.organization_id = ?1 AND m.user_id = u.user_id
        WHERE u.id = ?2
        """
      ).first([.integer(organization.value), .identifier(apiToken.userID)]) { ($0.integer(0), $0.bool(1)) }
      guard let (user, isActive) = member else { throw TimeclockError.notFound(.member) }
      guard isActive else { throw TimeclockError.memberDeactivated }
      try transaction.insert(apiToken, digest: digest, user: user, in: organization)
      try transaction.log(from: nil, to: .apiToken(apiToken), in: organization, context)
    }
  }

  package func deleteApiToken(
    _ id: ApiTokenID, in organization: OrganizationKey, context: ChangeContext
  ) async throws {
    try await changeAccess { [identifiers] transaction in
      let count = try transaction.revoke(
        Revocation.apiToken, [.integer(organization.value), .identifier(id)], identifiers, in: organization,
        context)
      guard count == 1 else { throw TimeclockError.notFound(.apiToken) }
    }
  }
}

extension SQLiteTransaction {
  /// Keeps a token that is good in one organization.
  func insert(
    _ apiToken: ApiToken, digest: TokenDigest, user: Int64, in organization: OrganizationKey
  ) throws {
    try statement(
      """
      INSERT INTO tokens (token_id, user_id, digest, created_at, expires_at, last_used_at, organization_id, id,
        name)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """
    ).run([
      .integer(numbers.next()), .integer(user), .blob(digest.bytes),
      .instant(apiToken.createdAt), .instant(apiToken.expiresAt),
      .optional(apiToken.lastUsedAt?.millisecondsSince1970), .integer(organization.value),
      .identifier(apiToken.id), .text(apiToken.name),
    ])
  }

  /// Keeps a token that is good for all of the user's organizations.
  func insertLogInToken(_ token: NewToken, user: Int64) throws {
    try statement(
      "INSERT INTO tokens (token_id, user_id, digest, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)"
    ).run([
      .integer(numbers.next()), .integer(user), .blob(token.digest.bytes), .instant(token.createdAt),
      .instant(token.expiresAt),
    ])
  }
}
