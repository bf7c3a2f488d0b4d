import EventLoops
import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    let isTrusted = listener?.isTrusted(at: EventLoop.monotonicNow()) ?? false
    let (known, generation) = access.find(digest, organizationID)
    // Another server may have noted a use that extends a log-in which this server thinks expired.
    if isTrusted, let known, known.expiresAt > now { return known }
    let authentication = try await storedAuthentication(digest, organizationID, at: now)
    if let authentication { access.keep(authentication, for: digest, organizationID, readIn: generation) }
    return authentication
  }

  package func noteTokenUse(_ tokenKey: Int64, at now: Instant) {
    guard !isReadOnly, notedTokens.withLock({ $0.insert(tokenKey).inserted }) else { return }
    Task {
      let order = WaitingQuery.LockOrder(first: .max, second: tokenKey)
      let noted = try? await write(
        Self.noteUse,
        [.integer(tokenKey), .instant(now), .instant(now.adding(milliseconds: TokenLifetime.logIn))],
        in: .everyone(because: .tokensAreFoundByKey), lockOrder: order)
      if noted != nil { access.noteUse(of: tokenKey, at: now) }
      notedTokens.withLock { _ = $0.remove(tokenKey) }
    }
  }

  private static let noteUse = PostgreSQLStatement(
    """
    UPDATE tokens SET last_used_at = greatest(last_used_at, $2), \
    expires_at = CASE WHEN organization_id IS NULL THEN greatest(expires_at, $3) ELSE expires_at END WHERE token_id = $1
    """)
}
