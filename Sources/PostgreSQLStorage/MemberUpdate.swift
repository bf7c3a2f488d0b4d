import TimeclockDomain

/// What a change of a member does to everything around it, inside one transaction.
struct MemberUpdate {
  let transaction: PostgreSQLTransaction
  let key: MemberKey
  let context: ChangeContext

  private var organization: PostgreSQLValue { .integer(key.organization.value) }
  private var user: PostgreSQLValue { .integer(key.user.value) }

  func write(_ member: Member) async throws {
    try await transaction.run(
      Self.update,
      [
        organization, user, .text(member.name), .text(member.role.rawValue),
        .optional(member.timeZone?.name), .bool(member.isActive), .integer(member.version),
        .instant(context.time),
      ])
  }

  /// The organization's name for a person who logs in to no other organization is the account's name too.
  func renameUserOfOneOrganization(_ name: String) async throws {
    guard try await !logsInElsewhere() else { return }
    try await transaction.run(Self.renameUser, [user, .text(name)])
  }

  /// Throws `.accountShared` where the password opens another organization too.
  func replacePassword(_ hash: PasswordHash) async throws {
    guard try await !logsInElsewhere() else { throw TimeclockError.accountShared }
    try await transaction.run(Self.setPassword, [user, .text(hash.text)])
    try await transaction.revoke(
      TokenRows.revokeLogIns, [user], of: .everyone(because: .logInsBelongToNoOrganization),
      in: key.organization, context)
    try await transaction.revoke(
      TokenRows.revokeApiTokensOfMember, [user, organization], of: .organization(key.organization),
      in: key.organization, context)
  }

  /// Revokes what gave access, and closes the active entry.
  func endMembership() async throws {
    if try await isActiveElsewhere() {
      try await transaction.revoke(
        TokenRows.revokeApiTokensOfMember, [user, organization], of: .organization(key.organization),
        in: key.organization, context)
    } else {
      try await transaction.revoke(
        TokenRows.revokeAll, [user], of: .everyone(because: .accountsEndEverywhere), in: key.organization,
        context)
    }
    let active = try await transaction.run(TimeEntryRows.active, [organization, user])
      .first { try TimeEntryRows.entry($0) }
    guard let active else { return }
    var entry = active
    try entry.close(
      at: context.time, isStated: false, by: await policy(), extraFlags: .autoClosed, now: context.time)
    try await transaction.close(entry, in: key.organization)
    try await transaction.log(
      from: .timeEntry(active), to: .timeEntry(entry), in: key.organization, context)
  }

  /// Throws `.lastAdmin` where the change has left no active admin.
  func requireAdmin() async throws {
    let admins = try await transaction.run(Self.anyAdmin, [organization])
    guard admins.count > 0 else { throw TimeclockError.lastAdmin }
  }

  private func policy() async throws -> Policy {
    try await transaction.run(Self.policy, [organization]).first { $0.policy(firstColumn: 0) } ?? .standard
  }

  private func isActiveElsewhere() async throws -> Bool {
    try await transaction.run(
      Self.activeElsewhere, [user, organization], in: .everyone(because: .accountsAreShared)
    ).count > 0
  }

  /// Whether log-ins are good in another organization, or will be again once the person is active there. The
  /// account is locked first, so that it accepts no other organization meanwhile.
  private func logsInElsewhere() async throws -> Bool {
    try await transaction.run(Self.lockUser, [user])
    return try await transaction.run(
      Self.acceptedElsewhere, [user, organization], in: .everyone(because: .accountsAreShared)
    ).count > 0
  }

  private static let update = PostgreSQLStatement(
    """
    UPDATE members SET name = $3, role = $4, time_zone = $5, active = $6, version = $7, updated_at = $8 \
    WHERE organization_id = $1 AND user_id = $2
    """)
  private static let renameUser = PostgreSQLStatement("UPDATE users SET name = $2 WHERE user_id = $1")
  private static let setPassword = PostgreSQLStatement(
    "UPDATE users SET password_hash = $2 WHERE user_id = $1")
  private static let anyAdmin = PostgreSQLStatement(
    "SELECT 1::bigint FROM members WHERE organization_id = $1 AND role = 'admin' AND active LIMIT 1")
  private static let policy = PostgreSQLStatement(
    """
    SELECT minimum_seconds, maximum_seconds, edit_window_days, look_back_hours, notes_maximum_characters, \
    auto_clock_out_seconds, daily_overtime_seconds, weekly_overtime_seconds, week_start, \
    manual_entry_days \
    FROM organizations WHERE organization_id = $1
    """)
  private static let lockUser = PostgreSQLStatement(
    "SELECT user_id FROM users WHERE user_id = $1 FOR UPDATE")
  private static let activeElsewhere = PostgreSQLStatement(
    "SELECT 1::bigint FROM members WHERE user_id = $1 AND organization_id <> $2 AND active LIMIT 1")
  private static let acceptedElsewhere = PostgreSQLStatement(
    "SELECT 1::bigint FROM members WHERE user_id = $1 AND organization_id <> $2 AND accepted LIMIT 1")
}
