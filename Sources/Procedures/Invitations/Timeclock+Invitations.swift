import TimeclockDomain

extension Timeclock {
  /// Makes an invitation for a member; an earlier one ends.
  ///
  /// - Parameters:
  ///   - expiresAt: Nil means in `Invitation.lifetime`.
  ///   - digest: The digest of the token.
  /// - Throws: `.forbidden`, `.invalidInvitationExpiry`, `.notFound(.member)`, `.memberDeactivated`, `.accountShared`.
  package func createInvitation(
    for userID: UserID, expiresAt: Instant?, digest: TokenDigest, by caller: Membership,
    recording: AnswerRecording<Invitation>? = nil
  ) async throws -> Invitation {
    try caller.require(.admin)
    let now = clock.now
    let expiresAt = expiresAt ?? now.adding(milliseconds: Invitation.lifetime)
    guard expiresAt > now, expiresAt <= now.adding(milliseconds: Invitation.longestLifetime) else {
      throw TimeclockError.invalidInvitationExpiry
    }
    let invitation = Invitation(
      id: identifiers.next(at: now), userID: userID, createdAt: now, expiresAt: expiresAt)
    try await storage.createInvitation(
      invitation, digest: digest, in: caller.key.organization,
      context: caller.change("createInvitation", at: now), recording: recording?.mapping { invitation })
    return invitation
  }

  /// A page of invitations, in the order in which they were made.
  ///
  /// - Throws: `.forbidden`.
  package func invitations(
    after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Invitation, RowCursor> {
    try caller.require(.admin)
    return try await storage.invitations(of: caller.key.organization, after: cursor, limit: limit)
  }

  /// Revokes an invitation.
  ///
  /// - Throws: `.forbidden`, `.notFound(.invitation)`.
  package func deleteInvitation(_ id: InvitationID, by caller: Membership) async throws {
    try caller.require(.admin)
    try await storage.deleteInvitation(
      id, in: caller.key.organization, context: caller.change("deleteInvitation", at: clock.now))
  }

  /// The account behind an invitation. A token that is none counts as a wrong password of its network does.
  ///
  /// - Throws: `.notFound(.invitation)`, `.tooManyAttempts`.
  package func invitedAccount(
    by digest: TokenDigest, from network: ClientNetwork
  ) async throws -> InvitedAccount {
    let attempt = LogInAttempt(invitation: digest, from: network)
    try await storage.beginLogInAttempt(attempt, at: clock.now)
    let found: InvitedAccount?
    do {
      found = try await storage.invitedAccount(by: digest, at: clock.now)
    } catch {
      try? await storage.endLogInAttempt(attempt, as: .notChecked, at: clock.now)
      throw error
    }
    guard let found else { throw TimeclockError.notFound(.invitation) }
    // Not a log-in: it says nothing of the network.
    try await storage.endLogInAttempt(attempt, as: .notChecked, at: clock.now)
    return found
  }
}
