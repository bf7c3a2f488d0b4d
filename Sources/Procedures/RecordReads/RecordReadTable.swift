import TimeclockDomain

extension RecordRead {
  /// The table of reads. The members whose time was read stand in `record_read_people`.
  package static let table = RecordTable<RecordRead>(
    "record_reads", key: .numbered("record_read_id"), number: "record_read_id",
    fields: [
      .fixed("id", .identifier) { .identifier($0.id) },
      .fixed("time", .integer) { .instant($0.time) },
      .fixed("reader_id", .identifier) { .identifier($0.readerID) },
      .fixed("group_id", .identifier) { .identifier($0.groupID) },
      .fixed("group_name", .text) { .text($0.groupName) },
      .fixed("operation", .text) { .text($0.operation.rawValue) },
      .fixed("user_id", .identifier) { $0.userID.map(RecordValue.identifier) ?? .null },
      .fixed("start_date", .integer) { $0.startDate.map(RecordValue.date) ?? .null },
      .fixed("end_date", .integer) { $0.endDate.map(RecordValue.date) ?? .null },
    ])

  /// The read in a row of its table.
  init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), time: row.instant("time"), readerID: try row.identifier("reader_id"),
      groupID: try row.identifier("group_id"), groupName: row.text("group_name"),
      operation: try row.choice("operation"), userID: try row.optionalIdentifier("user_id"),
      startDate: row.optionalDate("start_date"), endDate: row.optionalDate("end_date"))
  }
}

/// The statements about reads. `$1` is the organization.
enum RecordReadStatements {
  /// The name of the group `$2`.
  static let groupName = RecordStatement(
    "FROM groups WHERE organization_id = $1 AND group_id = $2", columns: RecordColumns("name"))

  /// Keeps the members of the group `$3` as those whose time the read `$2` was of: in one order, for each refers to the row of
  /// its member.
  static let addMembers = adding(" ORDER BY p.user_id")
  /// Keeps the member `$4` of the group so.
  static let addMember = adding(" AND p.user_id = $4")

  private static func adding(_ condition: String) -> RecordStatement {
    RecordStatement(
      """
      INSERT INTO record_read_people (organization_id, record_read_id, user_id) \
      SELECT r.organization_id, r.record_read_id, p.user_id FROM record_reads r \
      JOIN group_people p ON p.organization_id = r.organization_id \
      WHERE r.organization_id = $1 AND r.record_read_id = $2 AND p.group_id = $3 AND p.part = 'member'\(condition)
      """)
  }

  /// The page of a query: the reads before the number `$2`, at most `$3`, from `$4` on and before `$5`.
  static func page(of query: RecordReadQuery) -> RecordStatement {
    pages[conditions.indices.reduce(0) { $0 + (conditions[$1].value(query) == nil ? 0 : 1 << $1) }]
  }

  /// The values of that page's statement beside the first three.
  static func values(of query: RecordReadQuery) -> [RecordValue] {
    [
      .integer(query.startTime?.millisecondsSince1970 ?? .min),
      .integer(query.endTime?.millisecondsSince1970 ?? .max),
    ] + conditions.compactMap { $0.value(query) }
  }

  /// A condition that a query may have.
  private struct Condition: Sendable {
    let value: @Sendable (RecordReadQuery) -> RecordValue?
    /// The text, with the parameter that has the value.
    let test: @Sendable (_ parameter: String) -> String
  }

  private static let conditions = [
    Condition(value: { $0.readerID.map(RecordValue.identifier) }, test: { "r.reader_id = \($0)" }),
    Condition(value: { $0.groupID.map(RecordValue.identifier) }, test: { "r.group_id = \($0)" }),
    Condition(
      value: { $0.person.map { .key($0) } },
      test: {
        """
        r.record_read_id IN (SELECT p.record_read_id FROM record_read_people p \
        WHERE p.organization_id = $1 AND p.user_id = \($0))
        """
      }),
  ]

  /// One for each set of conditions, whose places are the digits of its number.
  private static let pages: [RecordStatement] = (0..<(1 << conditions.count)).map { set in
    let chosen = conditions.indices.filter { set & 1 << $0 != 0 }
    let tests = chosen.enumerated().map { " AND \(conditions[$1].test("$\($0 + 6)"))" }.joined()
    return RecordStatement(
      """
      FROM record_reads r WHERE r.organization_id = $1 AND r.record_read_id < $2 AND r.time >= $4 \
      AND r.time < $5\(tests) ORDER BY r.record_read_id DESC LIMIT $3
      """,
      columns: RecordColumns(
        [("record_read_id", "r.record_read_id")] + RecordRead.table.columns(of: "r")))
  }
}
