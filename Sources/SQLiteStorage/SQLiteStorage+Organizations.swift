import TimeclockDomain

extension SQLiteStorage {
  package func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext,
    recording: AnswerRecording<User>?
  ) async throws -> User {
    try await changeAccess(recording) { transaction in
      let key = try transaction.insert(organization)
      let (user, row) = try transaction.account(admin, createdAt: organization.createdAt)
      try transaction.insertMember(
        admin, user: row, isAccepted: user.id == admin.userID,
        NewMember(organization: key, role: .admin, timeZone: nil), at: context.time)
      try transaction.log(from: nil, to: .organization(organization), in: key, context)
      let member = try transaction.connection.requireMember(user.id, in: key).member
      try transaction.log(from: nil, to: .member(member), in: key, context)
      if user.id == admin.userID {
        try transaction.insertLogInToken(token, user: row)
      } else {
        let apiToken = ApiToken(
          id: ApiTokenID(high: organization.id.high, low: organization.id.low), name: organization.name,
          userID: user.id, createdAt: token.createdAt, expiresAt: token.expiresAt, lastUsedAt: nil)
        try transaction.insert(apiToken, digest: token.digest, user: row, in: key)
        try transaction.log(from: nil, to: .apiToken(apiToken), in: key, context)
      }
      return user
    }
  }

  package func organization(_ key: OrganizationKey) async throws -> Organization {
    try read { try Self.organization(key, on: $0) }
  }

  package func updateOrganization(
    _ key: OrganizationKey, expectedVersion: Int64?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Organization) throws -> Void
  ) async throws -> Organization {
    try await changeAccess { transaction in
      let before = try Self.organization(key, on: transaction.connection)
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
      try transaction.update(organization, in: key)
      try transaction.log(from: .organization(before), to: .organization(organization), in: key, context)
      return organization
    }
  }

  static func organization(
    _ key: OrganizationKey, on connection: SQLiteConnection
  ) throws -> Organization {
    let organization = try connection.statement(
      """
      SELECT id, name, time_zone, version, created_at, updated_at, minimum_seconds, maximum_seconds,
        edit_window_days, look_back_hours, notes_maximum_characters, auto_clock_out_seconds,
        daily_overtime_seconds, weekly_overtime_seconds, week_start, manual_entry_days
      FROM organizations WHERE organization_id = ?1
      """
    ).first([.integer(key.value)]) { row in
      Organization(
        id: try row.identifier(0), name: row.text(1), timeZone: try row.timeZone(2),
        policy: row.policy(firstColumn: 6), version: row.integer(3), createdAt: row.instant(4),
        updatedAt: row.instant(5))
    }
    guard let organization else { throw TimeclockError.notFound(.organization) }
    return organization
  }
}

extension SQLiteRow {
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

extension SQLiteTransaction {
  fileprivate func insert(_ organization: Organization) throws -> OrganizationKey {
    let policy = organization.policy
    try statement(
      """
      INSERT INTO organizations (id, name, time_zone, minimum_seconds, maximum_seconds, edit_window_days,
        look_back_hours, notes_maximum_characters, version, created_at, updated_at,
        auto_clock_out_seconds, daily_overtime_seconds, weekly_overtime_seconds, week_start,
        manual_entry_days)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      """
    ).run([
      .identifier(organization.id), .text(organization.name), .text(organization.timeZone.name),
      .integer(policy.minimumSeconds), .integer(policy.maximumSeconds), .integer(policy.editWindowDays),
      .integer(policy.lookBackHours), .integer(policy.notesMaximumCharacters), .integer(organization.version),
      .instant(organization.createdAt), .instant(organization.updatedAt),
      .optional(policy.autoClockOutSeconds), .optional(policy.dailyOvertimeSeconds),
      .optional(policy.weeklyOvertimeSeconds), .integer(policy.weekStart.number),
      .optional(policy.manualEntryDays),
    ])
    return OrganizationKey(connection.lastInsertedRow)
  }

  fileprivate func update(_ organization: Organization, in key: OrganizationKey) throws {
    let policy = organization.policy
    try statement(
      """
      UPDATE organizations SET name = ?2, time_zone = ?3, minimum_seconds = ?4, maximum_seconds = ?5,
        edit_window_days = ?6, look_back_hours = ?7, notes_maximum_characters = ?8, version = ?9,
        updated_at = ?10,
        auto_clock_out_seconds = ?11, daily_overtime_seconds = ?12, weekly_overtime_seconds = ?13,
        week_start = ?14, manual_entry_days = ?15
      WHERE organization_id = ?1
      """
    ).run([
      .integer(key.value), .text(organization.name), .text(organization.timeZone.name),
      .integer(policy.minimumSeconds), .integer(policy.maximumSeconds), .integer(policy.editWindowDays),
      .integer(policy.lookBackHours), .integer(policy.notesMaximumCharacters), .integer(organization.version),
      .instant(organization.updatedAt), .optional(policy.autoClockOutSeconds),
      .optional(policy.dailyOvertimeSeconds), .optional(policy.weeklyOvertimeSeconds),
      .integer(policy.weekStart.number), .optional(policy.manualEntryDays),
    ])
  }

  /// The account with the address, or a new one; called as it was stated, however another organization calls it.
  ///
  /// - Throws: `.emailInUse` for an account that exists and a password that would be lost.
  func account(_ account: NewAccount, createdAt: Instant) throws -> (user: User, row: Int64) {
    let existing = try statement("SELECT user_id, id FROM users WHERE email_key = ?1")
      .first([.text(account.email.key)]) {
        (
          user: User(id: try $0.identifier(1), email: account.email.text, name: account.name),
          row: $0.integer(0)
        )
      }
    if let existing {
      guard account.passwordHash == nil else { throw TimeclockError.emailInUse }
      return existing
    }
    try statement(
      """
      INSERT INTO users (id, email, email_key, name, password_hash, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """
    ).run([
      .identifier(account.userID), .text(account.email.text), .text(account.email.key), .text(account.name),
      .optional(account.passwordHash?.text), .instant(createdAt),
    ])
    let user = User(id: account.userID, email: account.email.text, name: account.name)
    return (user, connection.lastInsertedRow)
  }

  /// Adds a membership.
  ///
  /// - Parameters:
  ///   - account: What the organization calls the person.
  ///   - isAccepted: Whether the account's log-ins are good in it: only where the account is new too.
  func insertMember(
    _ account: NewAccount, user: Int64, isAccepted: Bool, _ member: NewMember, at time: Instant
  ) throws {
    try statement(
      """
      INSERT INTO members (organization_id, user_id, name, role, time_zone, active, accepted, version,
        created_at, updated_at, member_number, email)
      VALUES (?1, ?2, ?3, ?4, ?5, ?9, ?8, 1, ?6, ?6, ?7, ?10)
      """
    ).run([
      .integer(member.organization.value), .integer(user), .text(account.name), .text(member.role.rawValue),
      .optional(member.timeZone?.name), .instant(time), .integer(numbers.next()),
      .bool(isAccepted), .bool(member.isActive), .text(account.email.text),
    ])
  }
}
