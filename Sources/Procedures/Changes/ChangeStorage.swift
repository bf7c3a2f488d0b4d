import TimeclockDomain

/// The storage of the log of changes.
///
/// Every write of an organization's resources adds to the log, in its own transaction: `ChangeContext` names the author
/// and the reason. A change gets its sequence number and its place in the chain of hashes when it is sealed, which on
/// some storages is a moment after the commit; all that was committed before one of these methods is called is sealed
/// when it returns.
package protocol ChangeStorage: Sendable {
  /// Has `onChange` called when the organization's log has grown, by this process or, on a storage that others write to as
  /// well, by another. It comes after the commit, within a second unless the network has lost it.
  ///
  /// - Parameter onChange: Called from any thread, also from one that others wait for; it must return at once.
  /// - Returns: A place that ends the listening when it goes.
  func listen(
    to organization: OrganizationKey, _ onChange: @escaping @Sendable () -> Void
  ) -> ChangeBus.Listening

  /// The place of the organization's last change, with the epoch of the log. The epoch is another one in each copy of the
  /// database, and after each restore that the storage can know of.
  func logEnd(of organization: OrganizationKey) async throws -> LogPlace

  /// Changes in the order in which they were committed.
  ///
  /// - Parameters:
  ///   - sequence: Only changes after this one; 0 for all.
  ///   - resources: Only changes of these kinds of resources.
  ///   - limit: The most changes to return, at least 1.
  func changes(
    of organization: OrganizationKey, after sequence: Int64, resources: Set<Snapshot.Kind>, limit: Int
  ) async throws -> [Change]

  /// A page of changes that the filter lets through, newest first.
  ///
  /// It looks at a bounded number of changes: a page may be shorter than asked for, even empty, and not the last.
  func auditLog(_ query: AuditLogQuery) async throws -> Page<Change, RowCursor>

  /// Changes as they are kept, in the order of their sequence numbers, for their verification.
  ///
  /// - Parameters:
  ///   - sequence: Only changes after this one; 0 for all.
  ///   - limit: The most changes to return, at least 1.
  func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> [StoredChange]

  /// The changes that are committed and have no seal.
  func unsealedChanges(of organization: OrganizationKey) async throws -> UnsealedChanges

  /// Every organization, in the order in which they were made.
  func organizations() async throws -> [(key: OrganizationKey, id: OrganizationID)]
}

extension ChangeStorage {
  /// The sequence number of the organization's last change; 0 before the first one.
  package func lastSequence(of organization: OrganizationKey) async throws -> Int64 {
    try await logEnd(of: organization).sequence
  }
}
