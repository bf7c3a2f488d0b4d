import TimeclockDomain

/// The table of one kind of record, from which its plain statements are made.
///
/// Each row has the number of its organization and a key; the other columns stand in `fields`, each once.
package struct RecordTable<Record: Sendable>: Sendable {
  package let name: String
  package let key: RecordKey
  /// The column that SQLite numbers across tables, and PostgreSQL by a sequence of the table.
  package let number: String?
  package let fields: [RecordField<Record>]
  let insertion: RecordInsertion
  let change: RecordStatement
  let deletion: RecordStatement

  /// - Parameters:
  ///   - number: The column that SQLite numbers across tables, and PostgreSQL by a sequence of the table.
  ///   - isUnlessThere: Whether a row that exists under the key already stays, instead of being a fault.
  ///   - unique: The columns of another key under which such a row stays.
  ///   - crossing: The reason why its rows are of more than one organization, or of none.
  init(
    _ name: String, key: RecordKey, number: String? = nil, isUnlessThere: Bool = false,
    unlessThereBy unique: [String]? = nil, across crossing: CrossingReason? = nil,
    fields: [RecordField<Record>]
  ) {
    self.name = name
    self.key = key
    self.number = number
    self.fields = fields
    var given = key.columns
    if case .numbered = key { given.removeLast() }
    let conflictColumns = unique ?? (isUnlessThere ? key.columns : nil)
    let conflict =
      conflictColumns.map { " ON CONFLICT (\($0.joined(separator: ", "))) DO NOTHING" } ?? ""
    func insert(_ columns: [String]) -> RecordStatement {
      let values = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      return RecordStatement(
        "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(values))\(conflict)",
        returning: RecordColumns(key.columns.last ?? "organization_id"), across: crossing)
    }
    let columns = given + fields.map(\.name)
    insertion = RecordInsertion(plain: insert(columns), numbered: number.map { insert(columns + [$0]) })
    let row = key.columns.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: " AND ")
    let assignments = fields.filter { !$0.isFixed }.enumerated().map {
      "\($1.name) = $\($0 + key.columns.count + 1)"
    }
    change = RecordStatement(
      "UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE \(row)", across: crossing)
    deletion = RecordStatement("DELETE FROM \(name) WHERE \(row)", across: crossing)
  }

  /// The columns of the fields, of a table that a statement calls `alias`.
  func columns(of alias: String) -> [(name: String, expression: String)] {
    fields.map { ($0.name, "\(alias).\($0.name)") }
  }
}

/// The key that identifies the rows of a table.
package enum RecordKey: Sendable {
  /// The organization: each has one row.
  case organization
  /// The organization and another column, which is known before the row exists.
  case known(String)
  /// The organization and a column that the database numbers.
  case numbered(String)

  package var columns: [String] {
    switch self {
    case .organization: ["organization_id"]
    case .known(let column), .numbered(let column): ["organization_id", column]
    }
  }

  /// The column that the database numbers; nil if it numbers none.
  package var numbered: String? {
    switch self {
    case .organization: "organization_id"
    case .known: nil
    case .numbered(let column): column
    }
  }
}

/// A column of a record's table.
package struct RecordField<Record: Sendable>: Sendable {
  package let name: String
  package let kind: RecordKind
  /// Whether no change changes it.
  let isFixed: Bool
  let value: @Sendable (Record) -> RecordValue

  static func field(
    _ name: String, _ kind: RecordKind, _ value: @escaping @Sendable (Record) -> RecordValue
  ) -> RecordField {
    RecordField(name: name, kind: kind, isFixed: false, value: value)
  }

  /// A column that no change changes.
  static func fixed(
    _ name: String, _ kind: RecordKind, _ value: @escaping @Sendable (Record) -> RecordValue
  ) -> RecordField {
    RecordField(name: name, kind: kind, isFixed: true, value: value)
  }

  /// The column in the table of records that hold this one.
  func within<Whole>(_ part: @escaping @Sendable (Whole) -> Record) -> RecordField<Whole> {
    RecordField<Whole>(name: name, kind: kind, isFixed: isFixed) { [value] in value(part($0)) }
  }
}

/// The kind of value that a column holds, whether or not it may be null.
package enum RecordKind: Hashable, Sendable {
  /// 64 bits, signed: instants, dates and row numbers too.
  case integer
  /// `BOOLEAN` on PostgreSQL, 0 or 1 on SQLite.
  case bool
  case text
  case bytes
  /// A UUID: `UUID` on PostgreSQL, 16 bytes on SQLite.
  case identifier
}

/// The statements that insert a record.
package struct RecordInsertion: Sendable {
  /// Without a number: the database gives it, or the table has none.
  package let plain: RecordStatement
  /// With a number as the last value, if the table has one.
  package let numbered: RecordStatement?
}
