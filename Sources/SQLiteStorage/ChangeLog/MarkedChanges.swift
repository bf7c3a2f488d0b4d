import Procedures
import TimeclockDomain

extension SQLiteTransaction {
  /// Refuses changes that marks bind, as `RecordTransaction.requireOpen` does. Clocking in and out as it happens costs a
  /// comparison.
  ///
  /// - Throws: `.periodLocked`.
  func requireOpen(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) throws {
    guard let change = BoundChange.found(from: before, to: after, at: context.time) else { return }
    let ends = try connection.read(
      MarkStatements.ofPerson, [.key(organization), .identifier(change.userID)], PeriodEnds.init
    ).first
    try ends?.requireOpen(change, by: context.boundBy)
  }
}
