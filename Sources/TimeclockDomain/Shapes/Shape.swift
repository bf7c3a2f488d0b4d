/// The description of one kind of record: all that its row, its form in the log, its answer and the bodies that make and
/// change it have in common. It is values and key paths alone; each module reads it in its own words.
package struct Shape<Record: ShapedRecord>: Sendable {
  package let kind: Snapshot.Kind
  /// The record as the log keeps it.
  package let snapshot: @Sendable (Record) -> Snapshot
  /// The owner, of kinds that members may own; it stays as it was made.
  package let owner: (WritableKeyPath<Record, UserID?> & Sendable)?
  /// All but the head and the owner, in the order of bodies, answers and the log.
  package let fields: [ShapeField<Record>]

  package init(
    _ kind: Snapshot.Kind, _ snapshot: @escaping @Sendable (Record) -> Snapshot,
    owner: (WritableKeyPath<Record, UserID?> & Sendable)? = nil, fields: [ShapeField<Record>]
  ) {
    self.kind = kind
    self.snapshot = snapshot
    self.owner = owner
    self.fields = fields
  }

  /// The word for many of them: the name of their list, and their segment of paths.
  package var list: String { kind.rawValue + "s" }
}
