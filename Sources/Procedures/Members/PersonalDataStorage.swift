import TimeclockDomain

/// The storage of the data about one person in one organization, besides the data that lists show.
package protocol PersonalDataStorage: Sendable {
  /// A page of changes about a person (the membership, the entries, the API tokens) or by one, in the order of their
  /// sequence numbers.
  ///
  /// It looks at a bounded number of changes: a page may be empty and not the last. Erased changes mention a person
  /// only by their author and, for the membership, by the resource's id.
  ///
  /// - Parameter cursor: The last sequence number looked at.
  func personalChanges(
    of userID: UserID, in organization: OrganizationKey, after cursor: RowCursor?
  ) async throws -> Page<Change, RowCursor>

  /// A page of the sessions that are assigned to a member, in the order in which they were made.
  func assignedSessions(
    of member: MemberKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<AssignedSession, RowCursor>

  /// Removes the identity of a deactivated member, for good, all in one transaction.
  ///
  /// Name and address become those of `Anonymity`, the own zone goes, and log-ins are no longer valid in the
  /// organization. Notes of the entries go; those that had some get a new version, and nothing else of an entry
  /// changes. Name and client of the projects that are the person's own go too, and the names of their own tasks. The
  /// content of every change about the person is erased; the person's changes to others stay, under the id. If the
  /// person has no other membership, the account loses its name, address, password and tokens as well; else it gets
  /// another organization's name for the person, an accepted one's first. The log gets one change, of a member who was
  /// anonymous before. A member who is anonymous already stays as it is.
  ///
  /// - Throws: `.notFound(.member)`; `.memberActive`. Then nothing is changed.
  func anonymizeMember(
    _ userID: UserID, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Member>?
  ) async throws -> Member
}

extension PersonalDataStorage {
  /// Anonymizes a member, without an idempotency key.
  package func anonymizeMember(
    _ userID: UserID, in organization: OrganizationKey, context: ChangeContext
  ) async throws -> Member {
    try await anonymizeMember(userID, in: organization, context: context, recording: nil)
  }
}
