import TimeclockDomain

extension Period: TabledRecord {
  package static let table = ShapedTable(shape)

  /// The marks of the member `$2`.
  static let ofMember = table.statement(where: "r.user_id = $2")
}

extension Approval: TabledRecord {
  package static let table = ShapedTable(shape)

  /// The one of the member `$2` that stands with `$3` as its last date: none of its dates was approved again.
  static let standing = table.statement(
    where: """
      r.user_id = $2 AND r.through = $3 AND NOT EXISTS (SELECT 1 FROM approvals l \
      WHERE l.organization_id = r.organization_id AND l.user_id = r.user_id AND l.approval_id > r.approval_id \
      AND l.from_date <= r.through AND l.through >= r.from_date)
      """)

  /// Pages as those of the table, each row with the sequence number of the change that made it.
  static let pages = table.pagesOfOwner(adding: [
    (
      "sequence",
      """
      (SELECT s.sequence FROM changes c JOIN change_seals s ON s.organization_id = c.organization_id \
      AND s.change_number = c.change_number WHERE c.organization_id = r.organization_id \
      AND c.resource_id = r.id AND c.kind = 'created')
      """
    )
  ])
}

/// The statement that reads a member's marks alone, for changes of the member's time.
package enum MarkStatements {
  /// The columns with the ends of the marks, of a table that a statement calls `alias`.
  static func columns(of alias: String) -> [(name: String, expression: String)] {
    PeriodMark.Kind.allCases.flatMap { kind in
      ["\(kind.rawValue)_through", "\(kind.rawValue)_until"].map { (name: $0, expression: "\(alias).\($0)") }
    }
  }

  /// The marks of the person with the public id `$2`.
  package static let ofPerson = RecordStatement(
    """
    FROM periods r WHERE r.organization_id = $1 AND r.user_id = (SELECT u.user_id FROM users u WHERE u.id = $2)
    """, columns: RecordColumns(columns(of: "r")))
}

extension PeriodEnds {
  /// Reads the marks in a row of `MarkStatements`, or of another statement with its columns; none if the columns are null.
  package init<Row>(_ row: inout RecordRow<Row>) {
    self.init()
    submitted = Self.end(.submitted, &row)
    approved = Self.end(.approved, &row)
    locked = Self.end(.locked, &row)
  }

  private static func end<Row>(_ kind: PeriodMark.Kind, _ row: inout RecordRow<Row>) -> PeriodEnd? {
    let through = row.optionalDate("\(kind.rawValue)_through")
    let until = row.optionalInstant("\(kind.rawValue)_until")
    guard let through, let until else { return nil }
    return PeriodEnd(through: through, until: until)
  }
}
