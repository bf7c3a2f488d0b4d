import TimeclockDomain

extension Storage {
  /// A user's log-ins that have not expired, those made last first; at most `LogIn.listLimit`.
  package func logIns(of user: UserKey, at now: Instant) async throws -> [LogIn] {
    try await read(
      LogIn.ofUser, [.key(user), .instant(now), .integer(Int64(LogIn.listLimit))],
      in: .everyone(because: .logInsBelongToNoOrganization), limit: LogIn.listLimit
    ) { row in
      LogIn(
        digest: TokenDigest(bytes: row.blob("digest")), tokenKey: row.integer("token_id"),
        createdAt: row.instant("created_at"), expiresAt: row.instant("expires_at"),
        lastUsedAt: row.optionalInstant("last_used_at"), client: try row.optionalChoice("client"))
    }
  }
}

extension LogIn {
  static let ofUser = RecordStatement(
    """
    FROM tokens WHERE user_id = $1 AND organization_id IS NULL AND expires_at > $2 \
    ORDER BY token_id DESC LIMIT $3
    """,
    columns: RecordColumns([
      ("token_id", "token_id"), ("digest", "digest"), ("created_at", "created_at"),
      ("expires_at", "expires_at"), ("last_used_at", "last_used_at"), ("client", "client"),
    ]), across: .logInsBelongToNoOrganization)
}
