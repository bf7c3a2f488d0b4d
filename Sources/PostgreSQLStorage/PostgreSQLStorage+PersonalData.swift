import ChangeLog
import TimeclockDomain

extension PostgreSQLStorage {
  package func personalChanges(
    of userID: UserID, in organization: OrganizationKey, after cursor: RowCursor?
  ) async throws -> Page<Change, RowCursor> {
    if cursor == nil { try await sealIfNeeded(organization) }
    let start = cursor?.row ?? 0
    let end = start + PersonalDataLimits.changeWindow
    let changes = try await changes(
      readAtLength(
        PersonalDataRows.changes,
        [.integer(organization.value), .integer(start), .integer(end), .identifier(userID)],
        in: .organization(organization)))
    let more = try await read(
      PersonalDataRows.anyChange, [.integer(organization.value), .integer(end)],
      in: .organization(organization))
    return Page(elements: changes, next: more.count > 0 ? RowCursor(row: end) : nil)
  }

  package func assignedSessions(
    of member: MemberKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<AssignedSession, RowCursor> {
    let rows = try await read(
      PersonalDataRows.sessions,
      [
        .integer(member.organization.value), .integer(member.user.value), .integer(cursor?.row ?? 0),
        PageLimit.rows(limit),
      ], in: .organization(member.organization)
    ).map { row in
      let session = AssignedSession(
        id: try row.identifier(1), date: row.date(2), title: row.text(3), startTime: row.optionalInstant(4),
        endTime: row.optionalInstant(5), location: row.optionalText(6))
      return (session, row.integer(0))
    }
    return Page(rows: rows, limit: limit)
  }

  package func anonymizeMember(
    _ userID: UserID, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Member>?
  ) async throws -> Member {
    // A change enters the chain by the digest of its content, which has to be made while there is any.
    try await sealIfNeeded(organization)
    return try await changeAccess(
      recording, in: .organization(organization), .long(of: organization)
    ) { transaction in
      // In the order of `updateMember`; nobody writes entries of the member until the transaction ends.
      try await transaction.lockOrganization(organization)
      let (before, user) = try await transaction.requireMember(userID, in: organization, isLocked: true)
      guard !before.isActive else { throw TimeclockError.memberActive }
      guard before.anonymizedAt == nil else { return before }
      var member = before.anonymous
      member.version += 1
      member.updatedAt = context.time
      member.anonymizedAt = context.time
      let work = Anonymization(
        transaction: transaction, userID: userID,
        key: MemberKey(organization: organization, user: UserKey(user)), context: context)
      try await work.endAccess()
      try await work.write(member)
      try await work.takeNotes()
      try await work.forgetAnswers()
      try await work.eraseChanges()
      try await transaction.log(
        from: .member(before.anonymous), to: .member(member), in: organization, context)
      return member
    }
  }
}

/// What is taken away of a member, inside one transaction.
private struct Anonymization {
  let transaction: PostgreSQLTransaction
  let userID: UserID
  let key: MemberKey
  let context: ChangeContext

  private var organization: PostgreSQLValue { .integer(key.organization.value) }
  private var user: PostgreSQLValue { .integer(key.user.value) }

  /// Revokes the API tokens, and where there is no other membership everything by which the account was known. The
  /// account is locked first, so that no other organization adds it meanwhile.
  func endAccess() async throws {
    let address = try await transaction.run(PersonalDataRows.lockUser, [user]).first { $0.text(0) }
    let elsewhere = try await transaction.run(
      PersonalDataRows.memberElsewhere, [user, organization], in: .everyone(because: .accountsAreShared)
    ).first { (email: $0.text(0), name: $0.text(1)) }
    if let elsewhere {
      // What this organization called the person goes from the account as well.
      try await transaction.run(
        PersonalDataRows.renameUser, [user, .text(elsewhere.email), .text(elsewhere.name)])
      try await transaction.revoke(
        TokenRows.revokeApiTokensOfMember, [user, organization], of: .organization(key.organization),
        in: key.organization, context)
      return
    }
    try await transaction.revoke(
      TokenRows.revokeAll, [user], of: .everyone(because: .accountsEndEverywhere), in: key.organization,
      context)
    // What was counted of the person's passwords, by the address and by the id.
    try await transaction.run(
      LogInAttemptRows.deleteOfAccount,
      each: [address ?? "", userID.text].map { [LogInAttemptRows.account($0)] })
    // The id stands where an address is compared: nobody can ever state one that is the same.
    try await transaction.run(
      PersonalDataRows.anonymizeUser,
      [user, .text(Anonymity.email(of: userID)), .text(userID.text), .text(Anonymity.name)])
  }

  func write(_ member: Member) async throws {
    try await transaction.run(
      PersonalDataRows.anonymizeMember,
      [organization, user, .text(member.name), .integer(member.version), .instant(context.time)])
  }

  /// What is left out of an entry shows in its version.
  func takeNotes() async throws {
    try await transaction.run(PersonalDataRows.takeNotes, [organization, user, .instant(context.time)])
  }

  /// What the person was answered lately.
  func forgetAnswers() async throws {
    try await transaction.run(PersonalDataRows.forgetAnswers, [user])
  }

  func eraseChanges() async throws {
    try await transaction.run(PersonalDataRows.erase, [organization, user, .identifier(userID)])
  }
}

/// The statements on what is kept about one person.
private enum PersonalDataRows {
  /// Changes about a person or by one, of the sequence numbers after `$2` up to `$3`.
  static let changes = PostgreSQLStatement(
    """
    SELECT \(ChangeLogRows.columns) FROM \(ChangeLogRows.tables) \
    WHERE s.organization_id = $1 AND s.sequence > $2 AND s.sequence <= $3 \
    AND (c.author_id = $4::uuid OR c.resource_id = $4 \
    OR coalesce(c.after, c.before)::json ->> 'userId' = $4::text) ORDER BY s.sequence
    """)

  static let anyChange = PostgreSQLStatement(
    "SELECT 1::bigint FROM change_seals WHERE organization_id = $1 AND sequence > $2 LIMIT 1")

  static let sessions = PostgreSQLStatement(
    """
    SELECT s.session_id, s.id, s.date, s.title, s.start_time, s.end_time, s.location \
    FROM session_assignees a \
    JOIN sessions s ON s.organization_id = a.organization_id AND s.session_id = a.session_id \
    WHERE a.organization_id = $1 AND a.user_id = $2 AND a.session_id > $3 ORDER BY a.session_id LIMIT $4
    """)

  static let lockUser = PostgreSQLStatement("SELECT email_key FROM users WHERE user_id = $1 FOR UPDATE")

  static let memberElsewhere = PostgreSQLStatement(
    """
    SELECT email, name FROM members WHERE user_id = $1 AND organization_id <> $2 AND anonymized_at IS NULL \
    ORDER BY accepted DESC, member_number LIMIT 1
    """)

  static let renameUser = PostgreSQLStatement("UPDATE users SET email = $2, name = $3 WHERE user_id = $1")

  static let anonymizeUser = PostgreSQLStatement(
    "UPDATE users SET email = $2, email_key = $3, name = $4, password_hash = NULL WHERE user_id = $1")

  static let anonymizeMember = PostgreSQLStatement(
    """
    UPDATE members SET name = $3, time_zone = NULL, accepted = FALSE, version = $4, updated_at = $5, \
    anonymized_at = $5, email = '' WHERE organization_id = $1 AND user_id = $2
    """)

  static let forgetAnswers = PostgreSQLStatement("DELETE FROM idempotency_keys WHERE user_id = $1")

  static let takeNotes = PostgreSQLStatement(
    """
    UPDATE time_entries SET notes = NULL, version = version + 1, updated_at = $3 \
    WHERE organization_id = $1 AND user_id = $2 AND notes IS NOT NULL
    """)

  /// Erases the content of the changes about a person: of the membership, of the entries that there are, and
  /// of the entries and API tokens that were deleted. An organization's own changes stay, though an API token may have its id.
  static let erase = PostgreSQLStatement(
    """
    UPDATE changes SET before = NULL, after = NULL, reason = NULL, salt = NULL \
    WHERE organization_id = $1 AND salt IS NOT NULL AND resource <> 'organization' AND resource_id IN ( \
    SELECT $3::uuid \
    UNION ALL SELECT id FROM time_entries WHERE organization_id = $1 AND user_id = $2 \
    UNION ALL SELECT resource_id FROM changes WHERE organization_id = $1 AND kind = 'deleted' \
    AND substr(before, strpos(before, '"userId":"') + 10, 36) = $3::text)
    """)
}
