import TimeclockDomain

/// What a change of a member does to everything around it, inside one transaction.
struct MemberUpdate {
  let transaction: SQLiteTransaction
  let identifiers: PublicIdentifiers
  let key: MemberKey
  let context: ChangeContext

  private var organization: SQLiteValue { .integer(key.organization.value) }
  private var user: SQLiteValue { .integer(key.user.value) }

  func write(_ member: Member) throws {
    try transaction.statement(
      """
      UPDATE members SET name = ?3, role = ?4, time_zone = ?5, active = ?6, version = ?7, updated_at = ?8
      WHERE organization_id = ?1 AND user_id = ?2
      """
    ).run([
      organization, user, .text(member.name), .text(member.role.rawValue), .optional(member.timeZone?.name),
      .bool(member.isActive), .integer(member.version), .instant(context.time),
    ])
  }

  /// The organization's name for a person who logs in to no other organization is the account's name too.
  func renameUserOfOneOrganization(_ name: String) throws {
    guard try !logsInElsewhere() else { return }
    try transaction.statement("UPDATE users SET name = ?2 WHERE user_id = ?1").run([user, .text(name)])
  }

  /// Throws `.accountShared` where the password opens another organization too.
  func replacePassword(_ hash: PasswordHash) throws {
    guard try !logsInElsewhere() else { throw TimeclockError.accountShared }
    try transaction.statement("UPDATE users SET password_hash = ?2 WHERE user_id = ?1")
      .run([user, .text(hash.text)])
    try transaction.revoke(
      Revocation.ofMember, [user, organization], identifiers, in: key.organization, context)
  }

  /// Revokes what gave access, and closes the active entry.
  func endMembership() throws {
    if try isActiveElsewhere() {
      try transaction.revoke(
        Revocation.apiTokensOfMember, [user, organization], identifiers, in: key.organization, context)
    } else {
      try transaction.revoke(Revocation.all, [user], identifiers, in: key.organization, context)
    }
    let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
    guard let active = try work.rows.active(of: key) else { return }
    var entry = active.entry
    try entry.close(
      at: context.time, isStated: false, by: policy(), extraFlags: .autoClosed, now: context.time)
    try work.close(entry, number: active.number, of: key)
    try transaction.log(
      from: .timeEntry(active.entry), to: .timeEntry(entry), in: key.organization, context)
  }

  /// Throws `.lastAdmin` where the change has left no active admin.
  func requireAdmin() throws {
    let hasAdmin = try transaction.statement(
      """
      SELECT 1 FROM members INDEXED BY members_admins
      WHERE organization_id = ?1 AND role = 'admin' AND active = 1 LIMIT 1
      """
    ).first([organization]) { _ in true }
    guard hasAdmin == true else { throw TimeclockError.lastAdmin }
  }

  private func policy() throws -> Policy {
    try transaction.statement(
      """
      SELECT minimum_seconds, maximum_seconds, edit_window_days, look_back_hours, notes_maximum_characters,
        auto_clock_out_seconds, daily_overtime_seconds, weekly_overtime_seconds, week_start,
        manual_entry_days
      FROM organizations WHERE organization_id = ?1
      """
    ).first([organization]) { $0.policy(firstColumn: 0) } ?? .standard
  }

  private func isActiveElsewhere() throws -> Bool {
    try transaction.statement(
      "SELECT 1 FROM members WHERE user_id = ?1 AND organization_id <> ?2 AND active = 1 LIMIT 1"
    ).first([user, organization]) { _ in true } ?? false
  }

  /// Whether log-ins are good in another organization, or will be again once the person is active there.
  private func logsInElsewhere() throws -> Bool {
    try transaction.statement(
      "SELECT 1 FROM members WHERE user_id = ?1 AND organization_id <> ?2 AND accepted = 1 LIMIT 1"
    ).first([user, organization]) { _ in true } ?? false
  }
}
