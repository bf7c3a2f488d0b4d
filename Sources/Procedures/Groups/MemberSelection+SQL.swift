import TimeclockDomain

extension MemberSelection.Way {
  /// A condition for the rows of the members; nil for everybody.
  ///
  /// - Parameters:
  ///   - column: The column with the member's row.
  ///   - organization: The parameter with the organization.
  ///   - row: The parameter with the row of the member, of the group or of its manager.
  package func test(on column: String, organization: String = "$1", row: String) -> String? {
    switch self {
    case .everybody: nil
    case .member: "\(column) = \(row)"
    case .group:
      """
      \(column) IN (SELECT p.user_id FROM group_people p WHERE p.organization_id = \(organization) \
      AND p.group_id = \(row) AND p.part = 'member')
      """
    case .managed:
      """
      \(column) IN (SELECT p.user_id FROM group_people g JOIN group_people p \
      ON p.organization_id = g.organization_id AND p.group_id = g.group_id \
      WHERE g.organization_id = \(organization) AND g.user_id = \(row) AND g.part = 'manager' \
      AND (p.part = 'member' OR p.user_id = g.user_id))
      """
    }
  }

  /// The same with `AND` before it; nothing for everybody.
  package func condition(on column: String, organization: String = "$1", row: String) -> String {
    test(on: column, organization: organization, row: row).map { " AND \($0)" } ?? ""
  }
}

extension MemberSelection {
  /// The value of a statement's parameter for `row`; none for everybody.
  var values: [RecordValue] { row.map { [.integer($0)] } ?? [] }
}

/// A statement about members, once for each way of selecting them.
struct SelectingStatements: Sendable {
  private let statements: [RecordStatement]

  /// - Parameters:
  ///   - column: The column with the member's row.
  ///   - row: The parameter with the row of the member, of the group or of its manager.
  ///   - make: Makes the statement with a condition, before which there is another.
  init(by column: String, row: String, _ make: (_ condition: String) -> RecordStatement) {
    statements = MemberSelection.Way.allCases.map { make($0.condition(on: column, row: row)) }
  }

  subscript(members: MemberSelection) -> RecordStatement { statements[members.way.rawValue] }
}
