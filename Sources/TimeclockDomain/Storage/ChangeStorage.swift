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
  /// - Returns: What ends the listening when it goes.
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

/// The changes that an audit shows.
package struct AuditLogQuery: Sendable {
  package var organization: OrganizationKey
  /// Only changes by this person.
  package var author: UserID?
  package var resource: Snapshot.Kind?
  /// Only changes of the resource with this public id.
  package var resourceID: ResourceID?
  package var operation: String?
  /// Only changes at or after this instant.
  package var from: Instant?
  /// Only changes before this instant.
  package var to: Instant?
  /// Only changes with a sequence number below the cursor's.
  package var cursor: RowCursor?
  /// The most changes to return, at least 1.
  package var limit: Int

  package init(
    organization: OrganizationKey, author: UserID? = nil, resource: Snapshot.Kind? = nil,
    resourceID: ResourceID? = nil, operation: String? = nil, from: Instant? = nil, to: Instant? = nil,
    cursor: RowCursor? = nil, limit: Int
  ) {
    self.organization = organization
    self.author = author
    self.resource = resource
    self.resourceID = resourceID
    self.operation = operation
    self.from = from
    self.to = to
    self.cursor = cursor
    self.limit = limit
  }
}

/// Changes without a seal.
package struct UnsealedChanges: Hashable, Sendable {
  /// The number of changes that are about to be sealed.
  package var waitingCount: Int64
  /// The number of changes that are not about to be sealed: their seals have been taken away.
  package var lostCount: Int64

  package init(waitingCount: Int64, lostCount: Int64) {
    self.waitingCount = waitingCount
    self.lostCount = lostCount
  }
}

/// A change as a storage keeps it: what is hashed, and its hashes.
package struct StoredChange: Hashable, Sendable {
  package var sequence: Int64
  package var kind: ChangeKind
  package var resource: Snapshot.Kind
  /// The resource's public id.
  package var resourceID: ResourceID
  package var context: ChangeContext
  package var content: ChangeContent
  /// The digest of the content.
  package var contentDigest: [UInt8]
  /// The hash over the digest, everything else and the hash before.
  package var hash: [UInt8]

  package init(
    sequence: Int64, kind: ChangeKind, resource: Snapshot.Kind, resourceID: ResourceID,
    context: ChangeContext,
    content: ChangeContent, contentDigest: [UInt8], hash: [UInt8]
  ) {
    self.sequence = sequence
    self.kind = kind
    self.resource = resource
    self.resourceID = resourceID
    self.context = context
    self.content = content
    self.contentDigest = contentDigest
    self.hash = hash
  }
}

/// The part of a change that may hold personal data. It enters the chain by its digest, salted, so that it can be
/// erased and the chain still be verified.
package struct ChangeContent: Hashable, Sendable {
  /// The resource before and after, as JSON text.
  package var before: String?
  package var after: String?
  package var reason: String?
  /// 16 random bytes; nil once the content has been erased.
  package var salt: [UInt8]?

  package init(before: String?, after: String?, reason: String?, salt: [UInt8]?) {
    self.before = before
    self.after = after
    self.reason = reason
    self.salt = salt
  }
}
