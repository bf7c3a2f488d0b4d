import TimeclockDomain

// A change of something that counts for a member's dates is judged by the member's marks, while the member is locked: as
// it is written down, so that none is forgotten, and before the rows are written where the transaction goes on after a
// refusal, or where the database would refuse it in its own words.
extension RecordTransaction {
  /// Refuses changes that marks bind. The members are locked, or nobody else writes.
  ///
  /// - Throws: `.periodLocked`.
  package func requireOpen(
    _ changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    for (userID, changes) in BoundChange.byMember(changes, at: context.time) {
      let ends = try await first(
        MarkStatements.ofPerson, [.key(organization), .identifier(userID)], PeriodEnds.init)
      for change in changes { try ends?.requireOpen(change, by: context.boundBy) }
    }
  }

  /// Refuses a change that marks bind.
  ///
  /// - Throws: `.periodLocked`.
  package func requireOpen(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await requireOpen([(before, after)], in: organization, context)
  }

  /// A member's marks; none before the first move. The member is locked, or nobody else writes.
  func marks(of userID: UserID, in organization: OrganizationKey) async throws -> PeriodEnds {
    try await first(MarkStatements.ofPerson, [.key(organization), .identifier(userID)], PeriodEnds.init)
      ?? PeriodEnds()
  }
}
