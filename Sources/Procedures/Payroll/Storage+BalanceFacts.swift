import TimeclockDomain

/// The statements that read what the balances of members depend on, beside their schedules and their work.
private enum BalanceStatements {
  /// Those that are approved, and requests that may come to use an entitlement.
  static let absences = SelectingStatements(by: "r.user_id", row: "$2") {
    RecordStatement(
      "FROM absences r WHERE r.organization_id = $1\($0) AND \(isCounted)",
      columns: RecordColumns([
        ("number", "r.absence_id"), ("user", "r.user_id"),
        ("kind", "CASE r.kind WHEN '\(ShownAbsenceKind.absentWord)' THEN r.effect ELSE r.kind END"),
        ("start_date", "r.start_date"), ("end_date", "r.end_date"), ("portion", "r.portion"),
        ("seconds", "r.seconds"), ("state", "r.state"),
      ]))
  }

  private static let isCounted: String = {
    let kinds = AbsenceKind.allCases.filter(\.usesEntitlement).map { "'\($0.effect.rawValue)'" }
    return """
      (r.state = '\(AbsenceState.approved.rawValue)' OR (r.state = '\(AbsenceState.requested.rawValue)' \
      AND r.effect IN (\(kinds.joined(separator: ", ")))))
      """
  }()

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

extension AbsenceRow {
  /// The absence in a row of the statement about absences.
  fileprivate init<Row>(_ row: inout RecordRow<Row>) throws {
    let (first, last) = (row.date("start_date"), row.date("end_date"))
    guard let portion = try? AbsencePortion(row.choice("portion"), seconds: row.optionalInteger("seconds"))
    else { throw UnknownWord(column: "portion") }
    self.init(
      number: row.integer("number"), kind: try row.choice("kind"), first: first, last: last, portion: portion,
      state: try row.choice("state"))
  }
}

extension Storage {
  /// The holidays of the calendars that the schedules of an organization's members name, by the calendar's row.
  package func holidays(
    ofSchedulesOf members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [Int64: Holidays] {
    let rows = try await rows(BalanceStatements.holidays, of: members, in: organization) { row in
      CalendarHoliday(&row)
    }
    return CalendarHoliday.byCalendar(rows)
  }

  /// The absences that count for the balances and the entitlements of an organization's members, in any order.
  package func absences(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: [AbsenceRow]] {
    let rows = try await rows(BalanceStatements.absences, of: members, in: organization) { row in
      let user = UserKey(row.integer("user"))
      return (user, try AbsenceRow(&row))
    }
    return Dictionary(grouping: rows) { $0.0 }.mapValues { $0.map(\.1) }
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

extension RecordTransaction {
  /// The holidays of the calendars that the schedules of an organization's members name, by the calendar's row.
  func holidays(
    ofSchedulesOf members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [Int64: Holidays] {
    CalendarHoliday.byCalendar(
      try await read(BalanceStatements.holidays[members], [.key(organization)] + members.values) { row in
        CalendarHoliday(&row)
      })
  }

  /// The absences that count for the balances and the entitlements of an organization's members, in any order.
  func absenceRows(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [AbsenceRow] {
    try await read(
      BalanceStatements.absences[members], [.key(organization)] + members.values, AbsenceRow.init)
  }
}

/// A holiday, and the row of its calendar.
private struct CalendarHoliday: Sendable {
  let calendar: Int64
  let holiday: Holidays.Holiday

  init<Row>(_ row: inout RecordRow<Row>) {
    calendar = row.integer("calendar")
    holiday = Holidays.Holiday(date: row.date("date"), percent: row.integer("percent"))
  }

  static func byCalendar(_ all: [CalendarHoliday]) -> [Int64: Holidays] {
    Dictionary(grouping: all, by: \.calendar).mapValues { Holidays($0.map(\.holiday)) }
  }
}
