import TimeclockDomain

/// The storage of tokens and passwords.
package protocol TokenStorage: Sendable {
  /// The user that a token speaks for. A log-in shows a membership only once the person has accepted it; until then the
  /// organization is one that the person is not in.
  ///
  /// - Parameters:
  ///   - organizationID: The organization whose membership to look up; nil for none.
  ///   - now: An expired token is as good as none.
  /// - Returns: Nil for a token that is unknown, revoked or expired.
  func authenticate(
    _ digest: TokenDigest, organizationID: OrganizationID?, at now: Instant
  ) async throws -> Authentication?

  /// Notes that a token was used; soon, without waiting, and without a promise. A log-in then ends
  /// `TokenLifetime.logIn` later at the earliest.
  func noteTokenUse(_ tokenKey: Int64, at now: Instant)
}
