import ChangeLog
import TimeclockDomain

extension SQLiteStorage {
  package func personalChanges(
    of userID: UserID, in organization: OrganizationKey, after cursor: RowCursor?
  ) async throws -> Page<Change, RowCursor> {
    try await readLong(of: organization) { connection in
      let start = cursor?.row ?? 0
      let end = start + PersonalDataLimits.changeWindow
      let changes = try connection.statement(PersonalDataRows.changes).all([
        .integer(organization.value), .integer(start), .integer(end), .identifier(userID), .text(userID.text),
      ]) { try Change(ChangeLogRows.change($0)) }
      let hasMore = try connection.statement(
        "SELECT 1 FROM change_seals WHERE organization_id = ?1 AND sequence > ?2 LIMIT 1"
      ).first([.integer(organization.value), .integer(end)]) { _ in true }
      return Page(elements: changes, next: hasMore == true ? RowCursor(row: end) : nil)
    }
  }

  package func assignedSessions(
    of member: MemberKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<AssignedSession, RowCursor> {
    try await readPage(of: member.organization, limit: limit) { connection in
      let rows = try connection.statement(PersonalDataRows.sessions).all([
        .integer(member.organization.value), .integer(member.user.value), .integer(cursor?.row ?? 0),
        PageLimit.rows(limit),
      ]) { row in
        let session = AssignedSession(
          id: try row.identifier(1), date: row.date(2), title: row.text(3), startTime: row.optionalInstant(4),
          endTime: row.optionalInstant(5), location: row.optionalText(6))
        return (session, row.integer(0))
      }
      return Page(rows: rows, limit: limit)
    }
  }

  package func anonymizeMember(
    _ userID: UserID, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Member>?
  ) async throws -> Member {
    try await changeAccess(recording, length: .long(organization)) { [identifiers] transaction in
      let (before, user) = try transaction.connection.requireMember(userID, in: organization)
      guard !before.isActive else { throw TimeclockError.memberActive }
      guard before.anonymizedAt == nil else { return before }
      var member = before.anonymous
      member.version += 1
      member.updatedAt = context.time
      member.anonymizedAt = context.time
      let work = Anonymization(
        transaction: transaction, identifiers: identifiers, userID: userID,
        key: MemberKey(organization: organization, user: UserKey(user)), context: context)
      try work.endAccess()
      try work.write(member)
      try work.takeNotes()
      try work.forgetAnswers()
      try work.eraseChanges()
      try transaction.log(from: .member(before.anonymous), to: .member(member), in: organization, context)
      return member
    }
  }
}

/// What is taken away of a member, inside one transaction.
private struct Anonymization {
  let transaction: SQLiteTransaction
  let identifiers: PublicIdentifiers
  let userID: UserID
  let key: MemberKey
  let context: ChangeContext

  private var organization: SQLiteValue { .integer(key.organization.value) }
  private var user: SQLiteValue { .integer(key.user.value) }

  /// Revokes the API tokens, and where there is no other membership everything by which the account was known.
  func endAccess() throws {
    let elsewhere = try transaction.statement(
      """
      SELECT email, name FROM members WHERE user_id = ?1 AND organization_id <> ?2 AND anonymized_at IS NULL
      ORDER BY accepted DESC, member_number LIMIT 1
      """
    ).first([user, organization]) { (email: $0.text(0), name: $0.text(1)) }
    if let elsewhere {
      // What this organization called the person goes from the account as well.
      try transaction.statement("UPDATE users SET email = ?2, name = ?3 WHERE user_id = ?1")
        .run([user, .text(elsewhere.email), .text(elsewhere.name)])
      try transaction.revoke(
        Revocation.apiTokensOfMember, [user, organization], identifiers, in: key.organization, context)
      return
    }
    try transaction.revoke(Revocation.all, [user], identifiers, in: key.organization, context)
    try forgetAttempts()
    // The id stands where an address is compared: nobody can ever state one that is the same.
    try transaction.statement(
      "UPDATE users SET email = ?2, email_key = ?3, name = ?4, password_hash = NULL WHERE user_id = ?1"
    ).run([user, .text(Anonymity.email(of: userID)), .text(userID.text), .text(Anonymity.name)])
  }

  /// What was counted of the person's passwords, by the address and by the id.
  private func forgetAttempts() throws {
    let address = try transaction.statement("SELECT email_key FROM users WHERE user_id = ?1")
      .first([user]) { $0.text(0) }
    for account in [address ?? "", userID.text] {
      try transaction.statement(LogInAttemptRows.deleteOfAccount).run([LogInAttemptRows.account(account)])
    }
  }

  func write(_ member: Member) throws {
    try transaction.statement(
      """
      UPDATE members SET name = ?3, time_zone = NULL, accepted = 0, version = ?4, updated_at = ?5, anonymized_at = ?5,
        email = ''
      WHERE organization_id = ?1 AND user_id = ?2
      """
    ).run([organization, user, .text(member.name), .integer(member.version), .instant(context.time)])
  }

  /// What is left out of an entry shows in its version.
  func takeNotes() throws {
    try transaction.statement(PersonalDataRows.takeNotes).run([organization, user, .instant(context.time)])
  }

  /// What the person was answered lately.
  func forgetAnswers() throws {
    try transaction.statement("DELETE FROM idempotency_keys WHERE user_id = ?1").run([user])
  }

  func eraseChanges() throws {
    try transaction.statement(PersonalDataRows.erase)
      .run([organization, user, .identifier(userID), .text(userID.text)])
  }
}

/// The statements on what is kept about one person.
enum PersonalDataRows {
  /// Changes about a person or by one, of the sequence numbers after `?2` up to `?3`.
  static let changes = SQLiteText(
    """
    SELECT \(ChangeLogRows.columns) FROM change_seals s CROSS JOIN changes c ON c.change_number = s.change_number
    WHERE s.organization_id = ?1 AND s.sequence > ?2 AND s.sequence <= ?3
      AND (c.author_id = ?4 OR c.resource_id = ?4 OR json_extract(coalesce(c.after, c.before), '$.userId') = ?5)
    ORDER BY s.sequence
    """)

  static let sessions = SQLiteText(
    """
    SELECT s.session_id, s.id, s.date, s.title, s.start_time, s.end_time, s.location
    FROM session_assignees a
    CROSS JOIN sessions s ON s.organization_id = a.organization_id AND s.session_id = a.session_id
    WHERE a.organization_id = ?1 AND a.user_id = ?2 AND a.session_id > ?3 ORDER BY a.session_id LIMIT ?4
    """)

  static let takeNotes = SQLiteText(
    """
    UPDATE time_entries SET notes = NULL, version = version + 1, updated_at = ?3
    WHERE organization_id = ?1 AND user_id = ?2 AND notes IS NOT NULL
    """)

  /// Erases the content of the changes about a person: of the membership, of the entries that there are, and
  /// of the entries and API tokens that were deleted. An organization's own changes stay, though an API token may have its id.
  static let erase = SQLiteText(
    """
    UPDATE changes SET before = NULL, after = NULL, reason = NULL, salt = NULL
    WHERE organization_id = ?1 AND salt IS NOT NULL AND resource <> 'organization' AND resource_id IN (
      SELECT ?3
      UNION ALL SELECT id FROM time_entries WHERE organization_id = ?1 AND user_id = ?2
      UNION ALL SELECT resource_id FROM changes WHERE organization_id = ?1 AND kind = 'deleted'
        AND substr(before, instr(before, '"userId":"') + 10, 36) = ?4)
    """)
}
