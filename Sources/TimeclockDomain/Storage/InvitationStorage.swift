/// The invitations of members. They end with their use, and wherever the member's API tokens of the organization end.
package protocol InvitationStorage: Sendable {
  /// Keeps an invitation; an earlier one of the same member ends.
  ///
  /// - Throws: `.notFound(.member)`; `.memberDeactivated`; `.accountShared` for a member who has accepted this
  ///   organization and another: there is nothing to accept, and the password is not for this one to set.
  func createInvitation(
    _ invitation: Invitation, digest: TokenDigest, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Void>?
  ) async throws

  /// A page of invitations, expired ones included, in the order in which they were made.
  func invitations(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Invitation, RowCursor>

  /// Revokes an invitation.
  ///
  /// - Throws: `.notFound(.invitation)`.
  func deleteInvitation(
    _ id: InvitationID, in organization: OrganizationKey, context: ChangeContext
  ) async throws

  /// The account behind an invitation.
  ///
  /// - Parameter now: An expired invitation is as good as none.
  func invitedAccount(by digest: TokenDigest, at now: Instant) async throws -> InvitedAccount?

  /// Uses an invitation up: sets the account's password, makes log-ins good in the organization that invites, revokes
  /// what a new password revokes, the invitation among it, and keeps a token for a log-in. All in one transaction, and
  /// once, however many try at the same moment.
  ///
  /// - Parameters:
  ///   - current: The hash of the password that was given; needed where log-ins open another organization.
  ///   - context: At its time, an expired invitation is as good as none.
  /// - Throws: `.notFound(.invitation)`; `.wrongPassword` where log-ins open another organization, and the hash is not
  ///   `current`. Then nothing is changed.
  func acceptInvitation(
    _ digest: TokenDigest, from current: PasswordHash?, to new: PasswordHash, logIn: NewToken,
    context: ChangeContext
  ) async throws
}
