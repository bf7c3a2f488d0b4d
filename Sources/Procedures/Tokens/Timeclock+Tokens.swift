import TimeclockDomain

extension Timeclock {
  /// The user that a token speaks for; notes, now and then, that the token was used.
  ///
  /// - Throws: `.invalidToken`.
  package func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?
  ) async throws -> Authentication {
    let now = clock.now
    guard
      var authentication = try await storage.authenticate(digest, organizationID: organizationID, at: now)
    else { throw TimeclockError.invalidToken }
    if let membership = authentication.membership, membership.seesOwnGroups {
      authentication.membership?.sight = try await sight(of: membership)
    }
    let sinceLastUse = authentication.lastUsedAt.map { now.milliseconds(since: $0) }
    if sinceLastUse.map({ $0 > TokenUse.resolution }) ?? true {
      storage.noteTokenUse(authentication.tokenKey, at: now)
    }
    return authentication
  }

  /// The manager, and the members of the groups that they manage.
  private func sight(of manager: Membership) async throws -> Sight {
    let people = try await storage.peopleManaged(by: manager.key.user, in: manager.key.organization)
    return .members(people.union([manager.userID]))
  }

  /// Makes an API token for a member.
  ///
  /// - Parameters:
  ///   - expiresAt: Nil means in `TokenLifetime.apiToken`.
  ///   - digest: The digest of the token.
  /// - Throws: `.forbidden`, `.invalidName`, `.invalidExpiry`, `.notFound(.member)`, `.memberDeactivated`.
  package func createApiToken(
    name: String, for userID: UserID, scope: ApiTokenScope = .full, expiresAt: Instant?,
    digest: TokenDigest, by caller: Membership,
    recording: AnswerRecording<ApiToken>? = nil
  ) async throws -> ApiToken {
    try caller.require(.admin)
    let now = clock.now
    let expiresAt = expiresAt ?? now.adding(milliseconds: TokenLifetime.apiToken)
    guard expiresAt > now else { throw TimeclockError.invalidExpiry }
    let apiToken = ApiToken(
      id: identifiers.next(at: now), name: try Name.validated(name), userID: userID, scope: scope,
      createdAt: now,
      expiresAt: expiresAt, lastUsedAt: nil)
    try await storage.createApiToken(
      apiToken, digest: digest, in: caller.key.organization,
      context: caller.change("createApiToken", at: now),
      recording: recording?.mapping { apiToken })
    return apiToken
  }

  /// A page of API tokens, in the order in which they were made.
  ///
  /// - Throws: `.forbidden`.
  package func apiTokens(
    after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<ApiToken, RowCursor> {
    try caller.require(.admin)
    return try await storage.apiTokens(of: caller.key.organization, after: cursor, limit: limit)
  }

  /// Revokes an API token.
  ///
  /// - Throws: `.forbidden`, `.notFound(.apiToken)`.
  package func deleteApiToken(_ id: ApiTokenID, by caller: Membership) async throws {
    try caller.require(.admin)
    try await storage.deleteApiToken(
      id, in: caller.key.organization, context: caller.change("deleteApiToken", at: clock.now))
  }

  /// Revokes the token that a request carries. The log of the organization has the end of an API token, as it has that
  /// of one that an admin deletes; a log-in is in no log.
  package func deleteToken(of authentication: Authentication, requestID: RequestID?) async throws {
    try await storage.deleteToken(
      authentication.tokenKey,
      context: ChangeContext(
        author: authentication.author(requestID: requestID), operation: "deleteApiToken", time: clock.now))
  }
}
