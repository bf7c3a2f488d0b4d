import TimeclockDomain

extension PostgreSQLStorage {
  package func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext,
    recording: AnswerRecording<User>?
  ) async throws -> User {
    let key = try await newKey()
    return try await changeAccess(recording, in: .organization(key)) { transaction in
      try await transaction.insert(organization, as: key)
      let (user, row) = try await transaction.account(admin, createdAt: organization.createdAt)
      try await transaction.insertMember(
        admin, user: row, isAccepted: user.id == admin.userID,
        NewMember(organization: key, role: .admin, timeZone: nil), at: context.time)
      try await transaction.log(from: nil, to: .organization(organization), in: key, context)
      let member = try await transaction.requireMember(user.id, in: key).member
      try await transaction.log(from: nil, to: .member(member), in: key, context)
      if user.id == admin.userID {
        try await transaction.insertLogInToken(token, user: row)
      } else {
        let apiToken = ApiToken(
          id: ApiTokenID(high: organization.id.high, low: organization.id.low), name: organization.name,
          userID: user.id, createdAt: token.createdAt, expiresAt: token.expiresAt, lastUsedAt: nil)
        try await transaction.insert(apiToken, digest: token.digest, user: row, in: key)
        try await transaction.log(from: nil, to: .apiToken(apiToken), in: key, context)
      }
      return user
    }
  }

  package func organization(_ key: OrganizationKey) async throws -> Organization {
    try await read(OrganizationRows.one, [.integer(key.value)], in: .organization(key)).requireOrganization()
  }

  /// The number of a row to come, which its transaction names before there is the row. One that is not used is missing
  /// afterwards.
  private func newKey() async throws -> OrganizationKey {
    let row = try await write(
      OrganizationRows.newKey, [], in: .noOrganization, lockOrder: .init(first: .max, second: .max)
    ).first { $0.integer(0) }
    guard let row else { throw MalformedRow(column: "organization_id") }
    return OrganizationKey(row)
  }

  package func updateOrganization(
    _ key: OrganizationKey, expectedVersion: Int64?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Organization) throws -> Void
  ) async throws -> Organization {
    try await changeAccess(in: .organization(key)) { transaction in
      let before = try await transaction.run(OrganizationRows.locked, [.integer(key.value)])
        .requireOrganization()
      try before.requireVersion(expectedVersion)
      var changed = before
      try change(&changed)
      var organization = before
      organization.name = changed.name
      organization.timeZone = changed.timeZone
      organization.policy = changed.policy
      guard organization != before else { return before }
      organization.version += 1
      organization.updatedAt = context.time
      try await transaction.update(organization, in: key)
      try await transaction.log(
        from: .organization(before), to: .organization(organization), in: key, context)
      return organization
    }
  }

}

/// The statements on organizations.
enum OrganizationRows {
  private static let select = """
    SELECT id, name, time_zone, version, created_at, updated_at, minimum_seconds, maximum_seconds, \
    edit_window_days, look_back_hours, notes_maximum_characters, auto_clock_out_seconds, \
    daily_overtime_seconds, weekly_overtime_seconds, week_start, manual_entry_days \
    FROM organizations WHERE organization_id = $1
    """

  static let one = PostgreSQLStatement(select)
  /// Nobody else changes the row, or founds an account on it, until the transaction ends.
  static let locked = PostgreSQLStatement(select + " FOR NO KEY UPDATE")

  static let newKey = PostgreSQLStatement(
    "SELECT nextval(pg_get_serial_sequence('organizations', 'organization_id'))")

  static let insert = PostgreSQLStatement(
    """
    INSERT INTO organizations (organization_id, id, name, time_zone, minimum_seconds, maximum_seconds, edit_window_days, \
    look_back_hours, notes_maximum_characters, version, created_at, updated_at, \
    auto_clock_out_seconds, daily_overtime_seconds, weekly_overtime_seconds, week_start, manual_entry_days) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    """)

  static let update = PostgreSQLStatement(
    """
    UPDATE organizations SET name = $2, time_zone = $3, minimum_seconds = $4, maximum_seconds = $5, \
    edit_window_days = $6, look_back_hours = $7, notes_maximum_characters = $8, version = $9, updated_at = $10, \
    auto_clock_out_seconds = $11, daily_overtime_seconds = $12, weekly_overtime_seconds = $13, \
    week_start = $14, manual_entry_days = $15 \
    WHERE organization_id = $1
    """)
}

extension PostgreSQLRows {
  func requireOrganization() throws -> Organization {
    let organization = try first { row in
      Organization(
        id: try row.identifier(0), name: row.text(1), timeZone: try row.timeZone(2),
        policy: row.policy(firstColumn: 6), version: row.integer(3), createdAt: row.instant(4),
        updatedAt: row.instant(5))
    }
    guard let organization else { throw TimeclockError.notFound(.organization) }
    return organization
  }
}

extension PostgreSQLRow {
  /// The policy in ten columns, in the order in which `Policy` declares its limits.
  func policy(firstColumn: Int32) -> Policy {
    Policy(
      minimumSeconds: integer(firstColumn), maximumSeconds: integer(firstColumn + 1),
      editWindowDays: integer(firstColumn + 2), lookBackHours: integer(firstColumn + 3),
      notesMaximumCharacters: integer(firstColumn + 4),
      autoClockOutSeconds: optionalInteger(firstColumn + 5),
      dailyOvertimeSeconds: optionalInteger(firstColumn + 6),
      weeklyOvertimeSeconds: optionalInteger(firstColumn + 7),
      weekStart: Weekday(number: integer(firstColumn + 8)) ?? .monday,
      manualEntryDays: optionalInteger(firstColumn + 9))
  }
}

extension PostgreSQLTransaction {
  fileprivate func insert(_ organization: Organization, as key: OrganizationKey) async throws {
    let policy = organization.policy
    try await run(
      OrganizationRows.insert,
      [
        .integer(key.value), .identifier(organization.id), .text(organization.name),
        .text(organization.timeZone.name),
        .integer(policy.minimumSeconds), .integer(policy.maximumSeconds), .integer(policy.editWindowDays),
        .integer(policy.lookBackHours), .integer(policy.notesMaximumCharacters),
        .integer(organization.version), .instant(organization.createdAt), .instant(organization.updatedAt),
        .optional(policy.autoClockOutSeconds), .optional(policy.dailyOvertimeSeconds),
        .optional(policy.weeklyOvertimeSeconds), .integer(policy.weekStart.number),
        .optional(policy.manualEntryDays),
      ])
  }

  fileprivate func update(_ organization: Organization, in key: OrganizationKey) async throws {
    let policy = organization.policy
    try await run(
      OrganizationRows.update,
      [
        .integer(key.value), .text(organization.name), .text(organization.timeZone.name),
        .integer(policy.minimumSeconds), .integer(policy.maximumSeconds), .integer(policy.editWindowDays),
        .integer(policy.lookBackHours), .integer(policy.notesMaximumCharacters),
        .integer(organization.version), .instant(organization.updatedAt),
        .optional(policy.autoClockOutSeconds), .optional(policy.dailyOvertimeSeconds),
        .optional(policy.weeklyOvertimeSeconds), .integer(policy.weekStart.number),
        .optional(policy.manualEntryDays),
      ])
  }
}
