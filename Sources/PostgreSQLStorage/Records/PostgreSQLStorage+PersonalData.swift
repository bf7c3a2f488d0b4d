import ChangeLog
import Procedures
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
    return try await takePersonalData(of: userID, in: organization, context: context, recording: recording)
  }
}

/// The statements on the data kept about one person.
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
}
