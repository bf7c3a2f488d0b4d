import TimeclockDomain

extension MemberSelection.Way {
  /// A condition for the rows of the members, with `AND` before it; nothing for everybody.
  ///
  /// - Parameters:
  ///   - column: The column with the member's row.
  ///   - organization: The parameter with the organization.
  ///   - row: The parameter with the row of the member or of the group.
  package func condition(on column: String, organization: String = "$1", row: String) -> String {
    switch self {
    case .everybody: ""
    case .member: " AND \(column) = \(row)"
    case .group:
      """
       AND \(column) IN (SELECT p.user_id FROM group_people p WHERE p.organization_id = \(organization) \
      AND p.group_id = \(row) AND p.part = 'member')
      """
    }
  }
}

extension MemberSelection {
  /// The value of a statement's parameter for the row of the member or of the group; none for everybody.
  var values: [RecordValue] { row.map { [.integer($0)] } ?? [] }
}

/// A statement about members, once for each way of selecting them.
struct SelectingStatements: Sendable {
  private let statements: [RecordStatement]

  /// - Parameters:
  ///   - column: The column with the member's row.
  ///   - row: The parameter with the row of the member or of the group.
  ///   - make: Makes the statement with a condition, before which there is another.
  init(by column: String, row: String, _ make: (_ condition: String) -> RecordStatement) {
    statements = MemberSelection.Way.allCases.map { make($0.condition(on: column, row: row)) }
  }

  subscript(members: MemberSelection) -> RecordStatement { statements[members.way.rawValue] }
}
