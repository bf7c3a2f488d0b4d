/// A record of any kind that has a shape.
package struct AnyRecord: Hashable, Sendable {
  package let value: any ShapedRecord

  package init(_ value: any ShapedRecord) {
    self.value = value
  }

  var kind: Snapshot.Kind { type(of: value).kind }
  var id: ResourceID { value.resourceID }
  /// The owner; nil for the organization's.
  var ownerID: UserID? { value.owner }

  package static func == (one: AnyRecord, other: AnyRecord) -> Bool {
    func equals<Record: ShapedRecord>(_ record: Record) -> Bool { record == other.value as? Record }
    return equals(one.value)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension Snapshot {
  /// The record; nil if it is of another kind.
  package func record<Record: ShapedRecord>(of type: Record.Type) -> Record? {
    if case .record(let record) = self { record.value as? Record } else { nil }
  }
}
