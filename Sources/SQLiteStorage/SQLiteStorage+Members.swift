import TimeclockDomain

extension SQLiteStorage {
  package func profile(of user: UserKey) async throws -> Profile {
    try read { connection in
      let person = try connection.statement("SELECT id, email, name FROM users WHERE user_id = ?1")
        .first([.integer(user.value)]) {
          User(id: try $0.identifier(0), email: $0.text(1), name: $0.text(2))
        }
      guard let person else { throw TimeclockError.invalidToken }
      let memberships = try connection.statement(
        """
        SELECT o.organization_id, o.id, o.name, m.role, m.time_zone, m.active, m.accepted, m.email, m.name
        FROM members m JOIN organizations o ON o.organization_id = m.organization_id
        WHERE m.user_id = ?1 ORDER BY m.member_number
        """
      ).all([.integer(user.value)]) { row in
        ProfileMembership(
          organization: OrganizationKey(row.integer(0)), organizationID: try row.identifier(1),
          organizationName: row.text(2), role: try row.choice(3), timeZone: try row.optionalTimeZone(4),
          isActive: row.bool(5), isAccepted: row.bool(6), email: row.text(7), name: row.text(8))
      }
      return Profile(user: person, memberships: memberships)
    }
  }

  package func membership(
    of userID: UserID, in organization: OrganizationKey
  ) async throws -> Membership? {
    try read { try $0.membership(of: userID, in: organization) }
  }

  package func memberships(
    of userIDs: Set<UserID>, in organization: OrganizationKey
  ) async throws -> [UserID: Membership] {
    try read { connection in
      try userIDs.reduce(into: [:]) { $0[$1] = try connection.membership(of: $1, in: organization) }
    }
  }

  package func member(_ userID: UserID, in organization: OrganizationKey) async throws -> Member? {
    try read { try $0.member(userID, in: organization)?.member }
  }

  package func members(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Member, RowCursor> {
    try await readPage(of: organization, limit: limit) { connection in
      let rows = try connection.statement(
        """
        SELECT m.member_number, u.id, o.id, m.email, m.name, m.role, m.time_zone, m.active, m.version,
          m.created_at, m.updated_at, m.anonymized_at
        FROM members m
        JOIN users u ON u.user_id = m.user_id
        JOIN organizations o ON o.organization_id = m.organization_id
        WHERE m.organization_id = ?1 AND m.member_number > ?2 ORDER BY m.member_number LIMIT ?3
        """
      ).all([.integer(organization.value), .integer(cursor?.row ?? 0), PageLimit.rows(limit)]) {
        (try $0.member(firstColumn: 1), $0.integer(0))
      }
      return Page(rows: rows, limit: limit)
    }
  }

  package func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext, recording: AnswerRecording<Member>?
  ) async throws -> Member {
    try await changeAccess(recording) { try $0.createMember(account, member, context: context).member }
  }

  package func updateMember(
    _ userID: UserID, in organization: OrganizationKey, expectedVersion: Int64?,
    passwordHash: PasswordHash?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Member) throws -> Void
  ) async throws -> Member {
    try await changeAccess { [identifiers] transaction in
      let (before, user) = try transaction.connection.requireMember(userID, in: organization)
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
        transaction: transaction, identifiers: identifiers,
        key: MemberKey(organization: organization, user: UserKey(user)), context: context)
      try update.write(member)
      if before.name != member.name { try update.renameUserOfOneOrganization(member.name) }
      if let passwordHash { try update.replacePassword(passwordHash) }
      if before.isActive, !member.isActive { try update.endMembership() }
      if before.isActive, before.role == .admin { try update.requireAdmin() }
      try transaction.log(from: .member(before), to: .member(member), in: organization, context)
      return member
    }
  }
}

extension SQLiteTransaction {
  /// Adds a member as `MemberStorage.createMember` says, and writes it down.
  func createMember(
    _ account: NewAccount, _ member: NewMember, context: ChangeContext
  ) throws -> CreatedMember {
    let existing = try statement(
      """
      SELECT 1 FROM users u JOIN members m ON m.organization_id = ?1 AND m.user_id = u.user_id
      WHERE u.email_key = ?2
      """
    ).first([.integer(member.organization.value), .text(account.email.key)]) { _ in true }
    guard existing == nil else { throw TimeclockError.memberExists }
    let (user, row) = try self.account(account, createdAt: context.time)
    try insertMember(
      account, user: row, isAccepted: user.id == account.userID, member, at: context.time)
    let created = try connection.requireMember(user.id, in: member.organization).member
    try log(from: nil, to: .member(created), in: member.organization, context)
    return CreatedMember(
      member: created, key: MemberKey(organization: member.organization, user: UserKey(row)))
  }
}

extension SQLiteConnection {
  /// One membership; nil where the person is no member.
  fileprivate func membership(of userID: UserID, in organization: OrganizationKey) throws -> Membership? {
    try statement(
      """
      SELECT m.user_id, o.id, m.role, m.active, m.time_zone, o.time_zone, o.minimum_seconds,
        o.maximum_seconds, o.edit_window_days, o.look_back_hours, o.notes_maximum_characters,
        o.auto_clock_out_seconds,
        o.daily_overtime_seconds, o.weekly_overtime_seconds, o.week_start,
        o.manual_entry_days
      FROM users u
      JOIN members m ON m.organization_id = ?1 AND m.user_id = u.user_id
      JOIN organizations o ON o.organization_id = ?1
      WHERE u.id = ?2
      """
    ).first([.integer(organization.value), .identifier(userID)]) { row in
      Membership(
        key: MemberKey(organization: organization, user: UserKey(row.integer(0))),
        organizationID: try row.identifier(1), userID: userID, role: try row.choice(2),
        isActive: row.bool(3), memberTimeZone: try row.optionalTimeZone(4),
        organizationTimeZone: try row.timeZone(5), policy: row.policy(firstColumn: 6))
    }
  }

  /// The member and the user's row; nil where the person is no member.
  fileprivate func member(
    _ userID: UserID, in organization: OrganizationKey
  ) throws -> (member: Member, user: Int64)? {
    try statement(
      """
      SELECT m.user_id, u.id, o.id, m.email, m.name, m.role, m.time_zone, m.active, m.version,
        m.created_at, m.updated_at, m.anonymized_at
      FROM users u
      JOIN members m ON m.organization_id = ?1 AND m.user_id = u.user_id
      JOIN organizations o ON o.organization_id = ?1
      WHERE u.id = ?2
      """
    ).first([.integer(organization.value), .identifier(userID)]) {
      (try $0.member(firstColumn: 1), $0.integer(0))
    }
  }

  /// The member and the user's row. Throws `.notFound(.member)`.
  func requireMember(
    _ userID: UserID, in organization: OrganizationKey
  ) throws -> (member: Member, user: Int64) {
    guard let found = try member(userID, in: organization) else { throw TimeclockError.notFound(.member) }
    return found
  }
}

extension SQLiteRow {
  /// The member in eleven columns.
  fileprivate func member(firstColumn first: Int32) throws -> Member {
    let member = Member(
      userID: try identifier(first), organizationID: try identifier(first + 1), email: text(first + 2),
      name: text(first + 3), role: try choice(first + 4), timeZone: try optionalTimeZone(first + 5),
      isActive: bool(first + 6), version: integer(first + 7), createdAt: instant(first + 8),
      updatedAt: instant(first + 9), anonymizedAt: optionalInstant(first + 10))
    return member.anonymizedAt == nil ? member : member.anonymous
  }
}
