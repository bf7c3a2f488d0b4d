import TimeclockDomain

/// A database of which all reads show one moment, whatever others write meanwhile. Nothing in it changes.
///
/// Used by one thread; it blocks.
package protocol AuditedDatabase {
  /// Whether the schema is this program's, so that it can read the rows themselves; an older one has only its log of
  /// changes checked.
  var hasCurrentSchema: Bool { get }

  /// Every organization, in the order in which they were made.
  func organizations() throws -> [(key: OrganizationKey, id: OrganizationID)]

  /// Sealed changes, in the order of their sequence numbers.
  func storedChanges(of organization: OrganizationKey, after sequence: Int64, limit: Int) throws
    -> [StoredChange]

  /// Changes that are committed and wait for their seals: they have no sequence, digest and hash yet.
  func waitingChanges(of organization: OrganizationKey) throws -> [StoredChange]

  /// The number of changes that have no seal and do not wait for one.
  func lostSealCount(of organization: OrganizationKey) throws -> Int64

  /// The log's last change of each resource, in the order of the resources' ids. All resources of one id come
  /// together.
  ///
  /// - Parameters:
  ///   - id: Only resources whose id is greater; nil for all.
  ///   - limit: From this many resources on, no further id is begun.
  func lastChanges(of organization: OrganizationKey, after id: ResourceID?, limit: Int) throws -> [LastChange]

  /// The resources themselves, as the program reads them, in the order of their ids.
  ///
  /// - Parameters:
  ///   - id: Only resources whose id is greater; nil for all.
  ///   - limit: The most resources to return.
  func resources(
    _ kind: Snapshot.Kind, of organization: OrganizationKey, after id: ResourceID?, limit: Int
  ) throws -> [Snapshot]

  /// The damage that the database itself finds, a line each.
  func integrityFaults() throws -> [String]

  /// The number that a query of `Invariant` gives.
  func count(_ query: String) throws -> Int64
}

/// The last change that the log has of one resource.
package struct LastChange: Sendable {
  package var resource: Snapshot.Kind
  package var resourceID: ResourceID
  package var kind: ChangeKind
  /// The content as JSON; both are nil where it was erased.
  package var before: String?
  package var after: String?
  package var isErased: Bool
  /// The greatest sequence number of an erased change of the resource; that of one without a seal is `Int64.max`.
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

/// Puts the changes of a resource, one after the other, together to what is said last. They come sorted by the
/// resource's id, and those without a seal in the order of their numbers.
package struct LastChanges {
  package private(set) var found: [LastChange] = []
  /// The sequence numbers of what `found` has, from the first with the id at hand on.
  private var sequences: [Int64] = []
  private var first = 0
  private let limit: Int

  package init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter sequence: The change's sequence number, or one greater than all without a seal.
  /// - Returns: False once there are enough, and then this change was not taken.
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
