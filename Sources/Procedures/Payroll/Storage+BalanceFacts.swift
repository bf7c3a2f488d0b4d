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

/// An absence in a row of `BalanceStatements`.
private struct MemberAbsence: Sendable {
  let user: UserKey
  let row: AbsenceRow

  init<Row>(_ row: inout RecordRow<Row>) throws {
    user = UserKey(row.integer("user"))
    let (first, last) = (row.date("start_date"), row.date("end_date"))
    guard let portion = try? AbsencePortion(row.choice("portion"), seconds: row.optionalInteger("seconds"))
    else { throw UnknownWord(column: "portion") }
    self.row = AbsenceRow(
      number: row.integer("number"), kind: try row.choice("kind"), first: first, last: last, portion: portion,
      state: try row.choice("state"))
  }
}

extension [MemberAbsence] {
  fileprivate var byMember: [UserKey: [AbsenceRow]] {
    Dictionary(grouping: self, by: \.user).mapValues { $0.map(\.row) }
  }
}

/// A holiday in a row of `BalanceStatements`.
private struct CalendarHoliday: Sendable {
  /// The calendar's row.
  let calendar: Int64
  let holiday: Holidays.Holiday

  init<Row>(_ row: inout RecordRow<Row>) {
    calendar = row.integer("calendar")
    let date = row.date("date")
    holiday = Holidays.Holiday(date: date, percent: row.integer("percent"))
  }
}

extension [CalendarHoliday] {
  fileprivate var byCalendar: [Int64: Holidays] {
    Dictionary(grouping: self, by: \.calendar).mapValues { Holidays($0.map(\.holiday)) }
  }
}

/// An adjustment in a row of `BalanceStatements`.
private struct MemberAdjustment: Sendable {
  let user: UserKey
  let seconds: DatedSeconds

  init<Row>(_ row: inout RecordRow<Row>) {
    user = UserKey(row.integer("user"))
    let date = row.date("date")
    seconds = DatedSeconds(date: date, seconds: row.integer("seconds"))
  }
}

extension [MemberAdjustment] {
  fileprivate var byMember: [UserKey: [DatedSeconds]] {
    Dictionary(grouping: self, by: \.user).mapValues { $0.map(\.seconds) }
  }
}

extension Storage {
  /// The holidays of the calendars that the schedules of an organization's members name, by the calendar's row.
  package func holidays(
    ofSchedulesOf members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [Int64: Holidays] {
    try await rows(BalanceStatements.holidays, of: members, in: organization, CalendarHoliday.init).byCalendar
  }

  /// The absences that count for the balances and the entitlements of an organization's members, in any order.
  package func absences(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: [AbsenceRow]] {
    try await rows(BalanceStatements.absences, of: members, in: organization, MemberAbsence.init).byMember
  }

  /// The adjustments of the balances of an organization's members, in any order.
  package func adjustments(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: [DatedSeconds]] {
    try await rows(BalanceStatements.adjustments, of: members, in: organization, MemberAdjustment.init)
      .byMember
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
  /// As `Storage.holidays`, inside a transaction.
  func holidays(
    ofSchedulesOf members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [Int64: Holidays] {
    try await rows(BalanceStatements.holidays, of: members, in: organization, CalendarHoliday.init).byCalendar
  }

  /// As `Storage.absences`, inside a transaction.
  func absences(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: [AbsenceRow]] {
    try await rows(BalanceStatements.absences, of: members, in: organization, MemberAbsence.init).byMember
  }

  /// As `Storage.adjustments`, inside a transaction.
  func adjustments(
    of members: MemberSelection, in organization: OrganizationKey
  ) async throws -> [UserKey: [DatedSeconds]] {
    try await rows(BalanceStatements.adjustments, of: members, in: organization, MemberAdjustment.init)
      .byMember
  }

  private func rows<Value: Sendable>(
    _ statements: SelectingStatements, of members: MemberSelection, in organization: OrganizationKey,
    _ row: @escaping @Sendable (inout RecordRow<Row>) throws -> Value
  ) async throws -> [Value] {
    try await read(statements[members], [.key(organization)] + members.values, row)
  }
}
