import TimeclockDomain

/// The statements that read what the balances of members depend on, beside their schedules and their work.
private enum BalanceStatements {
  static let adjustments = SelectingStatements(by: "r.user_id", row: "$2") {
    RecordStatement(
      "FROM adjustments r WHERE r.organization_id = $1\($0)",
      columns: RecordColumns([("user", "r.user_id"), ("date", "r.date"), ("seconds", "r.seconds")]))
  }

  /// Each holiday of the calendars that schedules name.
  static let holidays = SelectingStatements(by: "s.user_id", row: "$2") {
    RecordStatement(
      """
      FROM holidays r WHERE r.organization_id = $1 AND r.calendar_id IN (
        SELECT s.holiday_calendar_id FROM work_schedules s WHERE s.organization_id = $1\($0))
      """,
      columns: RecordColumns([("calendar", "r.calendar_id"), ("date", "r.date"), ("percent", "r.percent")]))
  }
}

extension Storage {
  /// The holidays of the calendars that the schedules of an organization's members name, by the calendar's row.
  package func holidays(
    ofSchedulesOf members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [Int64: Holidays] {
    let rows = try await rows(BalanceStatements.holidays, of: members, in: organization) { row in
      (
        row.integer("calendar"),
        Holidays.Holiday(date: row.date("date"), percent: row.integer("percent"))
      )
    }
    return Dictionary(grouping: rows) { $0.0 }.mapValues { Holidays($0.map(\.1)) }
  }

  /// The adjustments of the balances of an organization's members, in any order.
  package func adjustments(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: [DatedSeconds]] {
    let rows = try await rows(BalanceStatements.adjustments, of: members, in: organization) { row in
      (
        UserKey(row.integer("user")),
        DatedSeconds(date: row.date("date"), seconds: row.integer("seconds"))
      )
    }
    return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
  }

  private func rows<Value: Sendable>(
    _ statements: SelectingStatements, of members: MemberSelection, in organization: OrganizationKey,
    _ row: @escaping @Sendable (inout RecordRow<Transaction.Row>) throws -> Value
  ) async throws -> [Value] {
    try await read(
      statements[members], [.key(organization)] + members.values, in: .organization(organization),
      limit: members.user == nil ? 10_000 : 100, row)
  }
}
