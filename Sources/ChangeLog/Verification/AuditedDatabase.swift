import TimeclockDomain

/// A database whose reads all show one moment, regardless of writes meanwhile. Nothing in it changes.
///
/// Used by one thread; it blocks.
package protocol AuditedDatabase {
  /// Whether the schema is this program's, so that the program can read the rows themselves. With an older schema, only
  /// the log of changes is checked.
  var hasCurrentSchema: Bool { get }

  /// Returns all organizations in the order in which they were made.
  func organizations() throws -> [(key: OrganizationKey, id: OrganizationID)]

  /// Returns sealed changes in the order of their sequence numbers.
  func storedChanges(of organization: OrganizationKey, after sequence: Int64, limit: Int) throws
    -> [StoredChange]

  /// Returns changes that are committed and wait for their seals: they have no sequence, digest and hash yet.
  func waitingChanges(of organization: OrganizationKey) throws -> [StoredChange]

  /// Counts the changes that have no seal and do not wait for one.
  func lostSealCount(of organization: OrganizationKey) throws -> Int64

  /// Returns the log's last change of each resource, in the order of the resources' ids. All resources with the same id
  /// come together.
  ///
  /// - Parameters:
  ///   - id: Only resources whose id is greater; nil for all.
  ///   - limit: The number of resources from which on no further id is begun.
  func lastChanges(of organization: OrganizationKey, after id: ResourceID?, limit: Int) throws -> [LastChange]

  /// Returns the resources themselves, as the program reads them, in the order of their ids.
  ///
  /// - Parameters:
  ///   - id: Only resources whose id is greater; nil for all.
  ///   - limit: The most resources to return.
  func resources(
    _ kind: Snapshot.Kind, of organization: OrganizationKey, after id: ResourceID?, limit: Int
  ) throws -> [Snapshot]

  /// Returns the damage that the database itself finds, a line for each.
  func integrityFaults() throws -> [String]

  /// Returns the number that a query of `Invariant` gives.
  func count(_ query: String) throws -> Int64
}

/// The log's last change of one resource.
package struct LastChange: Sendable {
  package var resource: Snapshot.Kind
  package var resourceID: ResourceID
  package var kind: ChangeKind
  /// The content as JSON; both are nil if it was erased.
  package var before: String?
  package var after: String?
  package var isErased: Bool
  /// The greatest sequence number of an erased change of the resource; a change without a seal counts as `Int64.max`.
  package var lastErasure: Int64?

  package init(
    resource: Snapshot.Kind, resourceID: ResourceID, kind: ChangeKind, before: String?, after: String?,
    isErased: Bool, lastErasure: Int64?
  ) {
    self.resource = resource
    self.resourceID = resourceID
    self.kind = kind
    self.before = before
    self.after = after
    self.isErased = isErased
    self.lastErasure = lastErasure
  }
}

/// Merges the changes of each resource into its last one. The changes come sorted by the resource's id, and changes
/// without a seal in the order of their numbers.
package struct LastChanges {
  package private(set) var found: [LastChange] = []
  /// The sequence numbers of the changes in `found`, beginning with the first one of the current id.
  private var sequences: [Int64] = []
  private var first = 0
  private let limit: Int

  package init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter sequence: The change's sequence number, or one greater than all, if it has no seal.
  /// - Returns: False if the limit is reached and this change was not taken.
  package mutating func add(_ change: LastChange, sequence: Int64) -> Bool {
    if found.last?.resourceID != change.resourceID {
      guard found.count < limit else { return false }
      first = found.count
      sequences.removeAll(keepingCapacity: true)
    }
    guard let index = found[first...].firstIndex(where: { $0.resource == change.resource }) else {
      found.append(change)
      sequences.append(sequence)
      return true
    }
    let erasure = [found[index].lastErasure, change.lastErasure].compactMap { $0 }.max()
    if sequence >= sequences[index - first] {
      found[index] = change
      sequences[index - first] = sequence
    }
    found[index].lastErasure = erasure
    return true
  }
}
