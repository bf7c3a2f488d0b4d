import TimeclockDomain

/// The statements that list members with their marks: those who are active, and those who have marks.
private enum PeriodListStatements {
  static let all = SelectingStatements(by: "m.user_id", row: "$4") { page(where: $0) }

  /// Of those whose time through `$4` is in the state `$5`.
  static let ofState = SelectingStatements(by: "m.user_id", row: "$6") { members in
    page(
      where: """
        \(members) AND CASE WHEN r.locked_through >= $4 THEN 'locked' WHEN r.approved_through >= $4 THEN 'approved' \
        WHEN r.submitted_through >= $4 THEN 'submitted' ELSE 'unsubmitted' END = $5
        """)
  }

  private static let columns = RecordColumns(
    [
      ("member_number", "m.member_number"),
      ("user", "(SELECT u.id FROM users u WHERE u.user_id = m.user_id)"),
      ("name", "m.name"), ("version", "r.version"),
    ] + MarkStatements.columns(of: "r"))

  private static func page(where condition: String) -> RecordStatement {
    RecordStatement(
      """
      FROM members m LEFT JOIN periods r ON r.organization_id = m.organization_id AND r.user_id = m.user_id \
      WHERE m.organization_id = $1 AND m.member_number > $2 AND (m.active OR r.period_id IS NOT NULL)\(condition) \
      ORDER BY m.member_number LIMIT $3
      """, columns: columns)
  }

  /// The ids of a page of them.
  static let users = RecordStatement(
    """
    FROM members m JOIN users u ON u.user_id = m.user_id \
    LEFT JOIN periods r ON r.organization_id = m.organization_id AND r.user_id = m.user_id \
    WHERE m.organization_id = $1 AND m.member_number > $2 AND (m.active OR r.period_id IS NOT NULL) \
    ORDER BY m.member_number LIMIT $3
    """, columns: RecordColumns([("member_number", "m.member_number"), ("user", "u.id")]))

  /// The marks alone, of those who have some.
  static let marks = SelectingStatements(by: "r.user_id", row: "$2") {
    RecordStatement(
      "FROM periods r WHERE r.organization_id = $1\($0)",
      columns: RecordColumns([("user", "r.user_id")] + MarkStatements.columns(of: "r")))
  }

  /// The member `$2`.
  static let one = RecordStatement(
    """
    FROM members m LEFT JOIN periods r ON r.organization_id = m.organization_id AND r.user_id = m.user_id \
    WHERE m.organization_id = $1 AND m.user_id = $2
    """, columns: columns)
}

extension Storage {
  /// A page of members with the marks on their time, in the order in which they became members.
  ///
  /// - Parameter filter: Nil for time in any state.
  package func periods(
    of members: MemberSelection, in organization: OrganizationKey, _ filter: PeriodFilter?,
    after cursor: RowCursor?, limit: Int
  ) async throws -> Page<PeriodState, RowCursor> {
    let statements = filter == nil ? PeriodListStatements.all : PeriodListStatements.ofState
    let values: [RecordValue] = filter.map { [.date($0.through), .text($0.state.rawValue)] } ?? []
    return try await page(
      statements[members], of: organization, after: cursor, limit: limit, and: values + members.values
    ) { row in
      let number = row.integer("member_number")
      return (try PeriodState(&row), number)
    }
  }

  /// A member with the marks on their time; nil if the organization has none in this row.
  package func period(of member: MemberKey) async throws -> PeriodState? {
    try await first(
      PeriodListStatements.one, [.key(member.organization), .key(member.user)],
      in: .organization(member.organization)
    ) { try PeriodState(&$0) }
  }

  /// The marks of each member who has some.
  package func marks(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: PeriodEnds] {
    let rows = try await read(
      PeriodListStatements.marks[members], [.key(organization)] + members.values,
      in: .organization(organization), limit: members.user == nil ? 10_000 : 1
    ) { row in (UserKey(row.integer("user")), PeriodEnds(&row)) }
    return Dictionary(rows) { first, _ in first }
  }

  /// A page of the ids of the members whose time can be locked: those who are active, and those who have marks.
  package func usersWithPeriods(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<UserID, RowCursor> {
    try await page(PeriodListStatements.users, of: organization, after: cursor, limit: limit) { row in
      let number = row.integer("member_number")
      let userID: UserID = try row.identifier("user")
      return (userID, number)
    }
  }

  /// A page of approvals, in the order in which they were made.
  package func approvals(
    of members: MemberSelection, in organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<ListedApproval, RowCursor> {
    try await page(
      Approval.pages[members], of: organization, after: cursor, limit: limit, and: members.values
    ) { row in
      let found = try NumberedRecord<Approval>(&row)
      return (ListedApproval(found.record, sequence: row.optionalInteger("sequence")), found.number)
    }
  }
}

extension PeriodState {
  /// The state in a row of the lists.
  fileprivate init<Row>(_ row: inout RecordRow<Row>) throws {
    let userID: UserID = try row.identifier("user")
    let name = row.text("name")
    let version = row.optionalInteger("version") ?? 0
    self.init(userID: userID, userName: name, ends: PeriodEnds(&row), version: version)
  }
}
