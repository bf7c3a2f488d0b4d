import TimeclockDomain

extension PostgreSQLStorage {
  package func profile(of user: UserKey) async throws -> Profile {
    let rows = try await read(
      MemberRows.profile, [.integer(user.value)], in: .everyone(because: .peopleSeeTheirOwnMemberships))
    guard
      let person = try rows.first({ User(id: try $0.identifier(0), email: $0.text(1), name: $0.text(2)) })
    else { throw TimeclockError.invalidToken }
    let memberships = try rows.map { row in
      row.isNull(3)
        ? nil
        : ProfileMembership(
          organization: OrganizationKey(row.integer(3)), organizationID: try row.identifier(4),
          organizationName: row.text(5), role: try row.choice(6), timeZone: try row.optionalTimeZone(7),
          isActive: row.bool(8), isAccepted: row.bool(9), email: row.text(10), name: row.text(11))
    }
    return Profile(user: person, memberships: memberships.compactMap { $0 })
  }

  package func membership(
    of userID: UserID, in organization: OrganizationKey
  ) async throws -> Membership? {
    try await read(
      MemberRows.membership, [.integer(organization.value), .identifier(userID)],
      in: .organization(organization)
    ).first { try $0.membership(in: organization) }
  }

  package func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    let list = "[" + userIDs.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let found = try await read(
      MemberRows.memberships, [.integer(organization.value), .text(list)], in: .organization(organization)
    ).map { try $0.membership(in: organization) }
    return Dictionary(found.map { ($0.userID, $0) }) { first, _ in first }
  }

  package func member(_ userID: UserID, in organization: OrganizationKey) async throws -> Member? {
    try await read(
      MemberRows.one, [.integer(organization.value), .identifier(userID)], in: .organization(organization)
    ).first { try $0.member() }
  }

  package func members(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Member, RowCursor> {
    let rows = try await read(
      MemberRows.page, [.integer(organization.value), .integer(cursor?.row ?? 0), PageLimit.rows(limit)],
      in: .organization(organization)
    ).map { (try $0.member(), $0.integer(0)) }
    return Page(rows: rows, limit: limit)
  }

  package func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext, recording: AnswerRecording<Member>?
  ) async throws -> Member {
    try await changeAccess(recording, in: .organization(member.organization)) {
      try await $0.createMember(account, member, context: context).member
    }
  }

  package func updateMember(
    _ userID: UserID, in organization: OrganizationKey, expectedVersion: Int64?,
    passwordHash: PasswordHash?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Member) throws -> Void
  ) async throws -> Member {
    try await changeAccess(in: .organization(organization)) { transaction in
      // One change of members at a time in an organization: two admins cannot deactivate each other.
      try await transaction.lockOrganization(organization)
      let (before, user) = try await transaction.requireMember(
        userID, in: organization, isLocked: true)
      try before.requireVersion(expectedVersion)
      var changed = before
      try change(&changed)
      var member = before
      member.name = changed.name
      member.role = changed.role
      member.timeZone = changed.timeZone
      member.isActive = changed.isActive
      guard member != before || passwordHash != nil else { return before }
      member.version += 1
      member.updatedAt = context.time
      let update = MemberUpdate(
        transaction: transaction, key: MemberKey(organization: organization, user: UserKey(user)),
        context: context)
      try await update.write(member)
      if before.name != member.name { try await update.renameUserOfOneOrganization(member.name) }
      if let passwordHash { try await update.replacePassword(passwordHash) }
      if before.isActive, !member.isActive { try await update.endMembership() }
      if before.isActive, before.role == .admin { try await update.requireAdmin() }
      try await transaction.log(from: .member(before), to: .member(member), in: organization, context)
      return member
    }
  }
}

/// The statements on members.
enum MemberRows {
  static let profile = PostgreSQLStatement(
    """
    SELECT u.id, u.email, u.name, o.organization_id, o.id, o.name, m.role, m.time_zone, m.active, \
    m.accepted, m.email, m.name FROM users u LEFT JOIN members m ON m.user_id = u.user_id \
    LEFT JOIN organizations o ON o.organization_id = m.organization_id \
    WHERE u.user_id = $1 ORDER BY m.member_number
    """)

  private static let selectMembership = """
    SELECT m.user_id, o.id, u.id, m.role, m.active, m.time_zone, o.time_zone, o.minimum_seconds, \
    o.maximum_seconds, o.edit_window_days, o.look_back_hours, o.notes_maximum_characters, \
    o.auto_clock_out_seconds, \
    o.daily_overtime_seconds, o.weekly_overtime_seconds, o.week_start, o.manual_entry_days \
    FROM users u JOIN members m ON m.organization_id = $1 AND m.user_id = u.user_id \
    JOIN organizations o ON o.organization_id = $1
    """

  static let membership = PostgreSQLStatement(selectMembership + " WHERE u.id = $2")

  /// The memberships of the users whose ids are in a JSON array.
  static let memberships = PostgreSQLStatement(
    selectMembership
      + " WHERE u.id IN (SELECT one.id::uuid FROM json_array_elements_text($2::text::json) one (id))")

  private static let select = """
    SELECT m.member_number, m.user_id, u.id, o.id, m.email, m.name, m.role, m.time_zone, m.active, m.version, \
    m.created_at, m.updated_at, m.anonymized_at \
    FROM members m JOIN users u ON u.user_id = m.user_id \
    JOIN organizations o ON o.organization_id = m.organization_id WHERE m.organization_id = $1
    """

  static let one = PostgreSQLStatement(select + " AND u.id = $2")
  static let locked = PostgreSQLStatement(select + " AND u.id = $2 FOR NO KEY UPDATE OF m")
  static let page = PostgreSQLStatement(
    select + " AND m.member_number > $2 ORDER BY m.member_number LIMIT $3")
  static let exists = PostgreSQLStatement(
    "SELECT 1::bigint FROM members WHERE organization_id = $1 AND user_id = $2")
  static let lockOrganization = PostgreSQLStatement(
    "SELECT organization_id FROM organizations WHERE organization_id = $1 FOR NO KEY UPDATE")

  static let insert = PostgreSQLStatement(
    """
    INSERT INTO members (organization_id, user_id, name, role, time_zone, active, accepted, version, \
    created_at, updated_at, email) VALUES ($1, $2, $3, $4, $5, $8, $7, 1, $6, $6, $9) \
    ON CONFLICT ON CONSTRAINT members_pkey DO NOTHING RETURNING user_id
    """)

  static let createUser = PostgreSQLStatement(
    """
    INSERT INTO users (id, email, email_key, name, password_hash, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email_key) DO NOTHING RETURNING user_id
    """)

  static let userByEmail = PostgreSQLStatement(
    "SELECT user_id, id FROM users WHERE email_key = $1 FOR NO KEY UPDATE")
}

extension PostgreSQLTransaction {
  /// Adds a member as `MemberStorage.createMember` says, and writes it down.
  func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext
  ) async throws -> CreatedMember {
    let (user, row) = try await self.account(account, createdAt: context.time) { row in
      let existing = try await run(
        MemberRows.exists, [.integer(member.organization.value), .integer(row)])
      if existing.count > 0 { throw TimeclockError.memberExists }
    }
    try await insertMember(
      account, user: row, isAccepted: user.id == account.userID, member, at: context.time)
    let created = try await requireMember(user.id, in: member.organization).member
    try await log(from: nil, to: .member(created), in: member.organization, context)
    return CreatedMember(
      member: created, key: MemberKey(organization: member.organization, user: UserKey(row)))
  }

  /// The account with the address, or a new one; called as it was stated, however another organization calls it.
  ///
  /// - Parameter requireJoinable: Is asked about the row of an account that exists, and throws where it may
  ///   not be used.
  /// - Throws: `.emailInUse` for an account that exists and a password that would be lost.
  func account(
    _ account: NewAccount, createdAt: Instant,
    requireJoinable: (Int64) async throws -> Void = { _ in }
  ) async throws -> (user: User, row: Int64) {
    while true {
      let created = try await run(
        MemberRows.createUser,
        [
          .identifier(account.userID), .text(account.email.text), .text(account.email.key),
          .text(account.name), .optional(account.passwordHash?.text), .instant(createdAt),
        ]
      ).first { $0.integer(0) }
      if let created {
        return (User(id: account.userID, email: account.email.text, name: account.name), created)
      }
      let existing = try await run(MemberRows.userByEmail, [.text(account.email.key)]).first { row in
        (
          user: User(id: try row.identifier(1), email: account.email.text, name: account.name),
          row: row.integer(0)
        )
      }
      // Whoever had the address was anonymized meanwhile: it is free.
      guard let existing else { continue }
      try await requireJoinable(existing.row)
      guard account.passwordHash == nil else { throw TimeclockError.emailInUse }
      return existing
    }
  }

  /// Adds a membership.
  ///
  /// - Parameters:
  ///   - account: What the organization calls the person.
  ///   - isAccepted: Whether the account's log-ins are good in it: only where the account is new too.
  /// - Throws: `.memberExists` where another transaction was quicker.
  func insertMember(
    _ account: NewAccount, user: Int64, isAccepted: Bool, _ member: NewMember, at time: Instant
  ) async throws {
    let inserted = try await run(
      MemberRows.insert,
      [
        .integer(member.organization.value), .integer(user), .text(account.name),
        .text(member.role.rawValue),
        .optional(member.timeZone?.name), .instant(time), .bool(isAccepted), .bool(member.isActive),
        .text(account.email.text),
      ])
    guard inserted.count == 1 else { throw TimeclockError.memberExists }
  }

  /// Lets nobody else change members of the organization until the transaction ends.
  func lockOrganization(_ organization: OrganizationKey) async throws {
    try await run(MemberRows.lockOrganization, [.integer(organization.value)])
  }

  /// The member and the user's row, which nobody else changes then where it is locked. Throws
  /// `.notFound(.member)`.
  func requireMember(
    _ userID: UserID, in organization: OrganizationKey, isLocked: Bool = false
  ) async throws -> (member: Member, user: Int64) {
    let statement = isLocked ? MemberRows.locked : MemberRows.one
    let found = try await run(statement, [.integer(organization.value), .identifier(userID)])
      .first { (try $0.member(), $0.integer(1)) }
    guard let found else { throw TimeclockError.notFound(.member) }
    return found
  }
}

extension PostgreSQLRow {
  /// The membership in the row.
  fileprivate func membership(in organization: OrganizationKey) throws -> Membership {
    Membership(
      key: MemberKey(organization: organization, user: UserKey(integer(0))),
      organizationID: try identifier(1), userID: try identifier(2), role: try choice(3),
      isActive: bool(4), memberTimeZone: try optionalTimeZone(5), organizationTimeZone: try timeZone(6),
      policy: policy(firstColumn: 7))
  }

  /// The member in the columns after its number and its user's row.
  func member() throws -> Member {
    let member = Member(
      userID: try identifier(2), organizationID: try identifier(3), email: text(4), name: text(5),
      role: try choice(6), timeZone: try optionalTimeZone(7), isActive: bool(8), version: integer(9),
      createdAt: instant(10), updatedAt: instant(11), anonymizedAt: optionalInstant(12))
    return member.anonymizedAt == nil ? member : member.anonymous
  }
}
