/// The description of one kind of record: all that its row, its form in the log, its answer and the bodies that make and
/// change it have in common. It is values and key paths alone; each module reads it in its own words.
package struct Shape<Record: ShapedRecord>: Sendable {
  package let kind: Snapshot.Kind
  /// The word for many of them: the name of their list, their segment of paths and, in the words of SQL, their table.
  package let list: StaticString
  /// The readers of its changes beside managers.
  package let readers: Snapshot.Kind.Readers
  /// The owner, of kinds that members may own.
  package let owner: Owner?
  /// All but the head and the owner, in the order of bodies, answers and the log.
  package let fields: [ShapeField<Record>]
  /// The flag by which lists are narrowed; nil for a kind whose lists show all.
  package let listFlag: StaticString?

  package init(
    _ kind: Snapshot.Kind, list: StaticString, readers: Snapshot.Kind.Readers = .owner,
    owner: Owner? = nil, listFlag: StaticString? = nil,
    fields: [ShapeField<Record>]
  ) {
    self.kind = kind
    self.list = list
    self.readers = readers
    self.owner = owner
    self.listFlag = listFlag
    self.fields = fields
  }
}

extension Shape {
  /// The member whose own a record is; it stays as it was made.
  package struct Owner: Sendable {
    package let path: WritableKeyPath<Record, UserID?> & Sendable
    /// The name in answers; in the words of SQL the column.
    package let name: StaticString

    /// The owner of a record that else is the organization's.
    package static func optional(_ path: WritableKeyPath<Record, UserID?> & Sendable) -> Owner {
      Owner(path: path, name: "ownerId")
    }

    /// The member whom every record of the kind is about; none only before the record is filled.
    package static func member(_ path: WritableKeyPath<Record, UserID?> & Sendable) -> Owner {
      Owner(path: path, name: "userId")
    }
  }
}
