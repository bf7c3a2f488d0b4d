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

/// A change as a storage keeps it: its hashed content, and its hashes.
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
