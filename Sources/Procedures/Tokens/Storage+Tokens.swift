import TimeclockDomain

extension Storage {
  /// The token with this digest as the database has it, with the caller's membership of the organization.
  package func storedAuthentication(
    _ digest: TokenDigest, _ organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    try await first(
      Authentication.rows,
      [
        .bytes(digest.bytes), organizationID.map(RecordValue.identifier) ?? .null, .instant(now),
      ], in: .everyone(because: .tokensAreFoundByDigest)
    ) { try Authentication(&$0, in: organizationID) }
  }

  /// The account for a log-in with this address; nil for an address without an account.
  package func logInAccount(for email: EmailAddress) async throws -> LogInAccount? {
    for key in email.storedKeys {
      let account = try await first(
        TokenStatements.logInAccount, [.text(key)], in: .everyone(because: .logInsBelongToNoOrganization)
      ) { row in
        LogInAccount(
          key: UserKey(row.integer("user_id")),
          user: User(
            id: try row.identifier("id"), email: row.text("email"), name: row.text("name"),
            language: try row.optionalChoice("language")),
          passwordHash: PasswordHash(&row),
          isActive: row.bool("is_active"))
      }
      if let account { return account }
    }
    return nil
  }

  /// Keeps a token for a log-in, and forgets the user's expired ones.
  ///
  /// Checking a password takes so long that it may be changed, or its owner deactivated, meanwhile; so the checked
  /// password must still hold.
  ///
  /// - Parameters:
  ///   - checkedHash: The hash of the password that was given.
  ///   - newHash: Another hash of that password, to be kept instead of it from now on; nil leaves it. Nothing else
  ///     changes, and no change is logged.
  /// - Throws: `.invalidCredentials` when it is no longer the user's, or the user has no active membership. Then nothing is
  ///   changed.
  package func createLogInToken(
    _ token: NewToken, for user: UserKey, checkedHash: PasswordHash, newHash: PasswordHash? = nil,
    recording: AnswerRecording<Void>? = nil
  ) async throws {
    let kind = RecordWrite(.everyone(because: .logInsBelongToNoOrganization), changesAccess: true)
    try await write(kind, recording: recording) { transaction in
      // First, so that two log-ins do not both hold the account and wait for each other to change it.
      if var newHash {
        newHash.isOneTime = checkedHash.isOneTime
        try await transaction.replacePassword(
          of: user, from: checkedHash, to: newHash, orThrow: .invalidCredentials)
      }
      let mayLogIn = try await transaction.exists(
        TokenStatements.mayLogIn, [.key(user), .text((newHash ?? checkedHash).text)])
      guard mayLogIn else { throw TimeclockError.invalidCredentials }
      try await transaction.run(TokenStatements.deleteExpired, [.key(user), .instant(token.createdAt)])
      try await transaction.insertLogIn(token, of: user)
    }
  }

  /// Revokes one token, if it is there; it is refused from the next request on. The log has the end of an API token.
  package func deleteToken(_ tokenKey: Int64, context: ChangeContext) async throws {
    let kind = RecordWrite(.everyone(because: .tokensAreFoundByKey), changesAccess: true)
    _ = try await write(kind, recording: nil) { transaction in
      try await transaction.revoke(.token, [.integer(tokenKey)], in: nil, context)
    }
  }

  /// Revokes every log-in of a user but one; they are refused from the next request on.
  package func deleteLogIns(of user: UserKey, keepingToken tokenKey: Int64) async throws {
    let kind = RecordWrite(.everyone(because: .logInsBelongToNoOrganization), changesAccess: true)
    try await write(kind, recording: nil) { transaction in
      try await transaction.run(TokenStatements.deleteOtherLogIns, [.key(user), .integer(tokenKey)])
    }
  }

  /// A page of an organization's API tokens, in the order in which they were made.
  package func apiTokens(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<ApiToken, RowCursor> {
    try await page(ApiToken.page, of: organization, after: cursor, limit: limit) { row in
      let number = row.integer("token_id")
      return (try ApiToken(&row), number)
    }
  }

  /// Keeps an API token that is valid in one organization.
  ///
  /// - Throws: `.notFound(.member)` when the token's user is no member; `.memberDeactivated`.
  package func createApiToken(
    _ apiToken: ApiToken, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>? = nil
  ) async throws {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let member = try await transaction.lockMembers([apiToken.userID], of: organization)[apiToken.userID]
      guard let member else { throw TimeclockError.notFound(.member) }
      guard member.isActive else { throw TimeclockError.memberDeactivated }
      try await transaction.insert(apiToken, digest: digest, of: member.user, in: organization)
      try await transaction.log(from: nil, to: .apiToken(apiToken), in: organization, context)
    }
  }

  /// Revokes an API token; it is refused from the next request on.
  ///
  /// - Throws: `.notFound(.apiToken)`.
  package func deleteApiToken(
    _ id: ApiTokenID, in organization: OrganizationKey, context: ChangeContext
  ) async throws {
    let kind = RecordWrite(.organization(organization), changesAccess: true)
    try await write(kind, recording: nil) { transaction in
      let count = try await transaction.revoke(
        .apiToken, [.key(organization), .identifier(id)], in: organization, context)
      guard count == 1 else { throw TimeclockError.notFound(.apiToken) }
    }
  }
}

/// The statements on log-ins.
enum TokenStatements {
  static let logInAccount = RecordStatement(
    "FROM users u WHERE email_key = $1",
    columns: RecordColumns([
      ("user_id", "user_id"), ("id", "id"), ("email", "email"), ("name", "name"),
      ("language", "language"),
      ("password_hash", "password_hash"), ("one_time_password", "one_time_password"),
      ("is_active", "EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.user_id AND m.active)"),
    ]))
  /// Locks the account, so that its checked password stays, and its memberships, so that none ends.
  static let mayLogIn = RecordStatement(
    """
    WITH account AS (SELECT user_id FROM users WHERE user_id = $1 AND password_hash = $2 FOR SHARE) \
    SELECT m.user_id FROM members m JOIN account a ON a.user_id = m.user_id WHERE m.active FOR SHARE OF m
    """,
    sqlite: """
      SELECT 1 FROM users u WHERE u.user_id = $1 AND u.password_hash = $2 \
      AND EXISTS (SELECT 1 FROM members m WHERE m.user_id = u.user_id AND m.active)
      """)
  static let deleteExpired = RecordStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND expires_at <= $2 AND id IS NULL")
  static let deleteOtherLogIns = RecordStatement(
    "DELETE FROM tokens WHERE user_id = $1 AND organization_id IS NULL AND token_id <> $2",
    across: .logInsBelongToNoOrganization)
}

extension Authentication {
  static let rows = RecordStatement(
    """
    FROM tokens t JOIN users u ON u.user_id = t.user_id \
    LEFT JOIN organizations o \
    ON o.id = $2 AND (t.organization_id IS NULL OR t.organization_id = o.organization_id) \
    LEFT JOIN members m ON m.organization_id = o.organization_id AND m.user_id = t.user_id \
    AND (m.accepted OR t.organization_id IS NOT NULL) \
    WHERE t.digest = $1 AND t.expires_at > $3
    """,
    columns: RecordColumns(
      [
        ("token_id", "t.token_id"), ("user_id", "t.user_id"), ("scope", "t.organization_id"),
        ("expires_at", "t.expires_at"), ("last_used_at", "t.last_used_at"), ("user", "u.id"),
        ("api_token", "t.id"), ("client", "t.client"), ("read_only", "t.read_only"),
        ("must_change", "u.one_time_password AND t.organization_id IS NULL"), ("role", "m.role"),
        ("active", "m.active"),
        ("member_time_zone", "m.time_zone"), ("organization_id", "o.organization_id"),
        ("time_zone", "o.time_zone"), ("state", "o.state"),
      ] + Policy.columns(of: "o")), across: .tokensAreFoundByDigest)

  init<Row>(_ row: inout RecordRow<Row>, in organizationID: OrganizationID?) throws {
    self.init(
      tokenKey: row.integer("token_id"), user: UserKey(row.integer("user_id")),
      userID: try row.identifier("user"), scope: row.optionalInteger("scope").map(OrganizationKey.init),
      apiTokenID: try row.optionalIdentifier("api_token"), client: try row.optionalChoice("client"),
      isReadOnly: row.bool("read_only"), mustChangePassword: row.bool("must_change"),
      expiresAt: row.instant("expires_at"),
      lastUsedAt: row.optionalInstant("last_used_at"), membership: nil)
    guard let organizationID, !row.isNull("role") else { return }
    isOrganizationDeactivated = try row.choice("state") as Organization.State != .active
    membership = Membership(
      key: MemberKey(organization: OrganizationKey(row.integer("organization_id")), user: user),
      organizationID: organizationID, userID: userID, role: try row.choice("role"),
      isActive: row.bool("active"), memberTimeZone: try row.optionalTimeZone("member_time_zone"),
      organizationTimeZone: try row.timeZone("time_zone"), policy: Policy(&row))
  }
}
