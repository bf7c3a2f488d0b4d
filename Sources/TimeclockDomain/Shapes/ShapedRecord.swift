/// A record whose fields are described once, by its shape.
package protocol ShapedRecord: Versioned, Hashable, Sendable {
  static var shape: Shape<Self> { get }

  var head: Head<Self> { get set }

  /// The record with the defaults of its fields.
  init(head: Head<Self>)
}

extension ShapedRecord {
  package var id: Identifier<Self> {
    get { head.id }
    set { head.id = newValue }
  }

  package var organizationID: OrganizationID {
    get { head.organizationID }
    set { head.organizationID = newValue }
  }

  /// Counts the changes; the entity tag is made of it.
  package var version: Int64 {
    get { head.version }
    set { head.version = newValue }
  }

  package var createdAt: Instant {
    get { head.createdAt }
    set { head.createdAt = newValue }
  }

  package var updatedAt: Instant {
    get { head.updatedAt }
    set { head.updatedAt = newValue }
  }

  /// The record with values for its fields.
  package init(head: Head<Self>, _ fill: (inout Self) throws -> Void) rethrows {
    self.init(head: head)
    try fill(&self)
  }

  package var snapshot: Snapshot { .record(AnyRecord(self)) }

  /// The owner; nil for the organization's.
  var owner: UserID? { Self.shape.owner.flatMap { self[keyPath: $0.path] } }

  var resourceID: ResourceID { ResourceID(id) }

  package var current: CurrentResource { CurrentResource(snapshot, version: version) }

  // The facts of a shape, of a type that is not known.
  static var kind: Snapshot.Kind { shape.kind }
  static var readersOfChanges: Snapshot.Kind.Readers { shape.readers }
  static var mayBeOfMember: Bool { shape.owner != nil }

  /// Restores fields that no change may change.
  package mutating func restoreFixed(from before: Self) {
    head = before.head
    if let owner = Self.shape.owner?.path { self[keyPath: owner] = before[keyPath: owner] }
    for field in Self.shape.fields where field.creation.isFixed { field.copy(before, &self) }
  }
}
