import TimeclockDomain

/// A record as its table keeps it.
package struct ShapedRow<Record: ShapedRecord>: Sendable {
  var record: Record
  /// The row of its owner; of no consequence if a row is changed, for no change changes it.
  var owner: UserKey?
  /// The rows of the records to which it refers, by the names of their columns. The procedure that writes the row finds
  /// them.
  var references: [String: Int64?] = [:]
}

/// The table of a shape's records, and the statements about them that all kinds have.
package struct ShapedTable<Record: ShapedRecord>: Sendable {
  package let rows: RecordTable<ShapedRow<Record>>
  /// The fields, and the names of their columns.
  let fields: [(column: String, field: ShapeField<Record>)]
  /// The columns of the fields that refer to other records.
  let references: [String]
  /// Whether values of the records stand in other rows.
  let readsOtherRows: Bool
  /// The record `$2` of the organization `$1`.
  let one: RecordStatement
  /// Nobody else changes or deletes the record. If values stand in other rows, the statement gives only the row's number:
  /// those once it is locked are read afterwards.
  let lockedForChange: RecordStatement
  /// Nor does anything begin to refer to it.
  let lockedForDeletion: RecordStatement
  /// The count of the rows of the organization `$1`.
  let count: RecordStatement
  /// The pages of the list of all, one for each value of the flag by which it is narrowed.
  let pages: FlaggedPages
  /// Of the records of one owner; of no use for a kind that no member owns.
  let ofOwner: OwnerStatements
  private let source: String
  private let columns: RecordColumns

  /// - Parameter isNumberedAcrossTables: Whether SQLite numbers the rows across tables.
  package init(_ shape: Shape<Record>, isNumberedAcrossTables: Bool = false) {
    let (table, key, owner) = (shape.table, shape.key, shape.ownerColumn)
    rows = RecordTable(
      table, key: .numbered(key), number: isNumberedAcrossTables ? key : nil, fields: shape.columns)
    fields = shape.fields.map { ($0.columnName, $0) }
    let referred = shape.references
    references = referred.map(\.column)
    let people = shape.people
    readsOtherRows = !referred.isEmpty || !people.isEmpty
    source =
      "FROM \(table) r JOIN organizations o ON o.organization_id = r.organization_id"
      + (owner.map { " LEFT JOIN users u ON u.user_id = r.\($0)" } ?? "") + referred.map(\.join).joined()
    columns = RecordColumns(
      [("number", "r.\(key)"), ("organization", "o.id")] + (owner == nil ? [] : [("owner", "u.id")])
        + referred.map { (ShapeField<Record>.idColumn($0.column), $0.id) } + rows.columns(of: "r")
        + people.map { ($0.column, $0.postgresql) },
      sqlite: Dictionary(uniqueKeysWithValues: people.map { ($0.column, $0.sqlite) }))
    let row = "\(source) WHERE r.organization_id = $1 AND r.id = $2"
    one = RecordStatement(row, columns: columns)
    let locked =
      readsOtherRows
      ? (
        "FROM \(table) r WHERE r.organization_id = $1 AND r.id = $2",
        RecordColumns([("number", "r.\(key)")])
      )
      : (row, columns)
    lockedForChange = RecordStatement(locked.0, columns: locked.1, lock: "FOR NO KEY UPDATE OF r")
    lockedForDeletion = RecordStatement(locked.0, columns: locked.1, lock: "FOR UPDATE OF r")
    count = RecordStatement(
      "FROM \(table) WHERE organization_id = $1", columns: RecordColumns([("count", "count(*)")]))
    let isOwned = "r.\(owner ?? "owner_id") = "
    ofOwner = OwnerStatements(
      all: RecordStatement(
        "\(source) WHERE r.organization_id = $1 AND \(isOwned)$2 ORDER BY r.\(key)", columns: columns),
      pages: SelectingStatements(by: "r.\(owner ?? "owner_id")", row: "$4") { [source, columns] in
        Self.page(source, key, columns, where: "TRUE\($0)")
      },
      count: RecordStatement(
        "FROM \(table) r WHERE r.organization_id = $1 AND \(isOwned)$2",
        columns: RecordColumns([("count", "count(*)")])))
    pages = FlaggedPages(by: shape.listFlag.map { "r.\("\($0)".words(between: "_"))" }) { [source, columns] in
      Self.page(source, key, columns, where: $0)
    }
  }

  /// The records of the organization `$1` that meet a condition on their rows, which the statement calls `r`.
  func statement(where condition: String) -> RecordStatement {
    RecordStatement("\(source) WHERE r.organization_id = $1 AND \(condition)", columns: columns)
  }

  /// The record `$2` of the organization `$1`, with another lock on its row, which the statement calls `r`.
  func locked(_ lock: String) -> RecordStatement {
    RecordStatement("\(source) WHERE r.organization_id = $1 AND r.id = $2", columns: columns, lock: lock)
  }

  /// All records that meet a condition on their rows, which the statement calls `r`, in the order in which they were made.
  func all(where condition: String) -> RecordStatement {
    RecordStatement(
      "\(source) WHERE r.organization_id = $1 AND \(condition) ORDER BY r.\(Record.shape.key)",
      columns: columns)
  }

  /// A page of the records that meet a condition on their rows, which the statement calls `r`: values are the organization,
  /// the number of the last row before the page, and the number of rows.
  func page(where condition: String) -> RecordStatement {
    Self.page(source, Record.shape.key, columns, where: condition)
  }

  /// Pages of the records of one owner, of a group's members or of everybody, as those of `ofOwner`, with further columns.
  func pagesOfOwner(adding others: [(name: String, expression: String)]) -> SelectingStatements {
    SelectingStatements(by: "r.\(Record.shape.ownerColumn ?? "owner_id")", row: "$4") { condition in
      Self.page(source, Record.shape.key, columns.adding(others), where: "TRUE\(condition)")
    }
  }

  private static func page(
    _ source: String, _ key: String, _ columns: RecordColumns, where condition: String
  ) -> RecordStatement {
    RecordStatement(
      """
      \(source) WHERE r.organization_id = $1 AND r.\(key) > $2 AND \(condition) ORDER BY r.\(key) LIMIT $3
      """, columns: columns)
  }
}

/// The statements about the records of one owner.
struct OwnerStatements: Sendable {
  /// All of the owner `$2`, in the order in which they were made.
  let all: RecordStatement
  /// Pages, with the row of the owner or of the group as `$4`.
  let pages: SelectingStatements
  /// The count of the owner `$2`.
  let count: RecordStatement
}

/// A record whose table comes from its shape.
package protocol TabledRecord: ShapedRecord, VersionedRecord {
  static var table: ShapedTable<Self> { get }
}

extension TabledRecord {
  /// The record in a row of its table's statements.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    let organization: OrganizationID = try row.identifier("organization")
    let owner: UserID? = Self.shape.owner == nil ? nil : try row.optionalIdentifier("owner")
    self.init(
      head: Head(
        id: try row.identifier("id"), organizationID: organization, version: row.integer("version"),
        createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at")))
    if let place = Self.shape.owner?.path { self[keyPath: place] = owner }
    for (column, field) in Self.table.fields { try field.read(column, of: &row, into: &self) }
  }
}

/// A record, and the number of its row.
package struct NumberedRecord<Record: TabledRecord>: Sendable {
  package let record: Record
  package let number: Int64
  /// The rows of the records to which it refers, by the names of their columns.
  let references: [String: Int64?]

  init<Row>(_ row: inout RecordRow<Row>) throws {
    number = row.integer("number")
    record = try Record(&row)
    references = Record.table.references.reduce(into: [:]) { $0[$1] = .some(row.optionalInteger($1)) }
  }
}
