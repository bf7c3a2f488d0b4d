import ChangeLog
import Procedures
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
    try await takePersonalData(of: userID, in: organization, context: context, recording: recording)
  }
}

/// The statements on the data kept about one person.
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
}
