import TimeclockDomain

/// The statements that read what the balances of members depend on, beside their schedules and their work.
private enum BalanceStatements {
  /// A statement about all members, and the same about the member `$2`.
  typealias Pair = (everybodys: RecordStatement, members: RecordStatement)

  static let adjustments = pair(
    "FROM adjustments r WHERE r.organization_id = $1",
    columns: [("user", "r.user_id"), ("date", "r.date"), ("seconds", "r.seconds")])

  /// Each holiday of the calendars that schedules name.
  static let holidays: Pair = (
    holidays(of: ""), holidays(of: " AND s.user_id = $2")
  )

  private static func holidays(of members: String) -> RecordStatement {
    RecordStatement(
      """
      FROM holidays r WHERE r.organization_id = $1 AND r.calendar_id IN (
        SELECT s.holiday_calendar_id FROM work_schedules s WHERE s.organization_id = $1\(members))
      """,
      columns: RecordColumns([("calendar", "r.calendar_id"), ("date", "r.date"), ("percent", "r.percent")]))
  }

  private static func pair(_ rows: String, columns: [(name: String, expression: String)]) -> Pair {
    (
      RecordStatement(rows, columns: RecordColumns(columns)),
      RecordStatement(rows + " AND r.user_id = $2", columns: RecordColumns(columns))
    )
  }
}

extension Storage {
  /// The holidays of the calendars that the schedules of an organization's members name, by the calendar's row.
  ///
  /// - Parameter user: The member; nil means everyone.
  package func holidays(
    ofSchedulesOf user: UserKey?, in organization: OrganizationKey
  ) async throws -> [Int64: Holidays] {
    let rows = try await rows(BalanceStatements.holidays, of: user, in: organization) { row in
      (
        row.integer("calendar"),
        Holidays.Holiday(date: row.date("date"), percent: row.integer("percent"))
      )
    }
    return Dictionary(grouping: rows) { $0.0 }.mapValues { Holidays($0.map(\.1)) }
  }

  /// The adjustments of the balances of an organization's members, in any order.
  ///
  /// - Parameter user: The member; nil means everyone.
  package func adjustments(
    of user: UserKey?, in organization: OrganizationKey
  ) async throws -> [UserKey: [DatedSeconds]] {
    let rows = try await rows(BalanceStatements.adjustments, of: user, in: organization) { row in
      (
        UserKey(row.integer("user")),
        DatedSeconds(date: row.date("date"), seconds: row.integer("seconds"))
      )
    }
    return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
  }

  private func rows<Value: Sendable>(
    _ statements: BalanceStatements.Pair, of user: UserKey?, in organization: OrganizationKey,
    _ row: @escaping @Sendable (inout RecordRow<Transaction.Row>) throws -> Value
  ) async throws -> [Value] {
    let scope = RecordScope.organization(organization)
    guard let user else {
      return try await read(
        statements.everybodys, [.key(organization)], in: scope, limit: 10_000, row)
    }
    return try await read(
      statements.members, [.key(organization), .key(user)], in: scope, limit: 100, row)
  }
}
