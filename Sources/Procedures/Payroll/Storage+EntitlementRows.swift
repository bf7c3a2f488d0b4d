import TimeclockDomain

extension EntitlementRow {
  /// Those of the kind `$2` and the year `$3`.
  fileprivate static let statements = SelectingStatements(by: "r.user_id", row: "$4") {
    RecordStatement(
      "FROM entitlements r WHERE r.organization_id = $1 AND r.kind = $2 AND r.year = $3\($0)",
      columns: columns)
  }

  private static let columns = RecordColumns([
    ("user", "r.user_id"), ("year", "r.year"), ("days", "r.days"), ("carried_days", "r.carried_days"),
    ("carried_expires", "r.carried_expires"),
  ])

  fileprivate init<Row>(_ row: inout RecordRow<Row>) {
    self.init(
      year: Int(row.integer("year")), days: row.integer("days"), carriedDays: row.integer("carried_days"),
      carriedExpires: row.optionalDate("carried_expires"))
  }
}

extension Storage {
  /// The entitlements of a kind in a year, of the members of an organization who have one.
  package func entitlementRows(
    of members: MemberSelection, _ kind: Entitlement.Kind, in year: Int, of organization: OrganizationKey
  ) async throws -> [UserKey: EntitlementRow] {
    let values: [RecordValue] = [.key(organization), .text(kind.rawValue), .integer(Int64(year))]
    let rows = try await read(
      EntitlementRow.statements[members], values + members.values, in: .organization(organization),
      limit: members.user == nil ? 10_000 : 1
    ) { row in
      let user = UserKey(row.integer("user"))
      return (user, EntitlementRow(&row))
    }
    return Dictionary(rows) { one, _ in one }
  }
}

extension RecordTransaction {
  /// The entitlement of a member to a kind in a year; nil for none.
  func entitlementRow(
    of user: UserKey, _ kind: Entitlement.Kind, in year: Int, of organization: OrganizationKey
  ) async throws -> EntitlementRow? {
    try await first(
      EntitlementRow.statements[.member(user)],
      [.key(organization), .text(kind.rawValue), .integer(Int64(year)), .key(user)]
    ) { row in EntitlementRow(&row) }
  }
}
