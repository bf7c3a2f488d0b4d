import Procedures
import TimeclockDomain

extension SQLiteStorage {
  package func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication? {
    try requireUsable()
    let (known, generation) = access.find(digest, organizationID)
    if let known { return known.expiresAt > now ? known : nil }
    let authentication = try await storedAuthentication(digest, organizationID, at: now)
    if let authentication { access.keep(authentication, for: digest, organizationID, readIn: generation) }
    return authentication
  }

  package func noteTokenUse(_ tokenKey: Int64, at now: Instant) {
    guard notedTokens.withLock({ $0.insert(tokenKey).inserted }) else { return }
    writer.writeSoon { transaction in
      try transaction.statement(
        """
        UPDATE tokens SET last_used_at = max(coalesce(last_used_at, ?2), ?2), \
        expires_at = iif(organization_id IS NULL, max(expires_at, ?3), expires_at) WHERE token_id = ?1
        """
      ).run([.integer(tokenKey), .instant(now), .instant(now.adding(milliseconds: TokenLifetime.logIn))])
    } onEnd: { [weak self] isCommitted in
      guard let self else { return }
      if isCommitted { access.noteUse(of: tokenKey, at: now) }
      notedTokens.withLock { _ = $0.remove(tokenKey) }
    }
  }
}
