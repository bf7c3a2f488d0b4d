import TimeclockDomain

/// The statements that write time entries, each one round trip that checks and writes at once.
///
/// Each locks the membership first, so that writes of one member's entries follow one another and the
/// membership does not end in between.
enum TimeEntryWrites {
  /// Inserts an entry where the member is active (or the entry is imported, and the member not anonymized) and the
  /// session, if any, may be used, and lets the constraints decide about the rest: a conflict inserts nothing, and fails nothing else in the transaction.
  /// The session is locked behind the member, so that it is not deleted before the entry refers to it.
  ///
  /// Answers whether the member is active, whether the session exists, whether the member is assigned to it,
  /// and the number of the new row, or null where there is none: `Created`.
  static let create = PostgreSQLStatement(
    """
    WITH member AS MATERIALIZED ( \
    SELECT active OR ($12::text = '\(TimeEntrySource.import.rawValue)' AND anonymized_at IS NULL) AS active \
    FROM members WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE), \
    session AS MATERIALIZED ( \
    SELECT s.session_id, EXISTS (SELECT 1 FROM session_assignees a WHERE a.organization_id = s.organization_id \
    AND a.session_id = s.session_id AND a.user_id = $2) AS is_assigned \
    FROM member CROSS JOIN sessions s WHERE s.organization_id = $1 AND s.id = $9::uuid FOR KEY SHARE OF s), \
    inserted AS ( \
    INSERT INTO time_entries (organization_id, user_id, date, created_at, id, clock_in, clock_out, \
    time_zone, offset_seconds, session_id, notes, source, flags, version, updated_at) \
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $10, (SELECT session_id FROM session), $11, $12, $13, $14, $15 \
    FROM member WHERE member.active \
    AND ($9::uuid IS NULL OR EXISTS (SELECT 1 FROM session WHERE is_assigned OR NOT $16::boolean)) \
    ON CONFLICT DO NOTHING RETURNING entry_number), \
    \(ChangeLogWrites.expressions(
      firstParameter: 17, organization: "$1::bigint", kind: .created, resource: .timeEntry, resourceID: "$5",
      before: "NULL", after: "$25", from: "inserted")) \
    SELECT coalesce((SELECT active FROM member), FALSE), EXISTS (SELECT 1 FROM session), \
    coalesce((SELECT is_assigned FROM session), FALSE), (SELECT entry_number FROM inserted)
    """)

  /// What `create` answered.
  struct Created {
    /// The row's number; nil where the constraints have let nothing in.
    let number: Int64?

    /// Reads the answer about an entry.
    ///
    /// - Throws: `.memberDeactivated`, `.sessionNotFound`, `.sessionNotAssigned`.
    init(_ rows: PostgreSQLRows, of new: NewTimeEntry) throws {
      let answer = rows.first {
        (isActive: $0.bool(0), hasSession: $0.bool(1), isAssigned: $0.bool(2), number: $0.optionalInteger(3))
      }
      guard let answer, answer.isActive else { throw TimeclockError.memberDeactivated }
      if new.entry.sessionID != nil {
        guard answer.hasSession else { throw TimeclockError.sessionNotFound }
        guard answer.isAssigned || !new.needsSessionAssignment else {
          throw TimeclockError.sessionNotAssigned
        }
      }
      number = answer.number
    }
  }

  static func createValues(_ new: NewTimeEntry) -> [PostgreSQLValue] {
    let entry = new.entry
    return [
      .integer(new.member.organization.value), .integer(new.member.user.value), .date(entry.date),
      .instant(entry.createdAt), .identifier(entry.id), .instant(entry.clockInTime),
      .optional(entry.clockOutTime), .text(entry.timeZone.name), .optional(entry.sessionID),
      .integer(Int64(entry.offsetSeconds)), .optional(entry.notes?.text), .text(entry.source.rawValue),
      .integer(entry.flags.rawValue), .integer(entry.version), .instant(entry.updatedAt),
      .bool(new.needsSessionAssignment),
    ] + ChangeLogWrites.values(new.context) + [.text(Snapshot.timeEntry(entry).encoded)]
  }

  /// Closes the active entry as `TimeEntry.close` does, and answers what it became; nothing where there is
  /// none, or where a stated time is not after its clock-in. The ids of what the entry refers to are looked up once,
  /// for both records in the log and for the answer. The entry is locked where it is read, so that it is read as the last
  /// write has left it that this one has waited for, and logged so.
  static let close = PostgreSQLStatement(
    """
    WITH member AS MATERIALIZED ( \
    SELECT user_id FROM members WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE), \
    active AS MATERIALIZED ( \
    SELECT e.*, \(TimeEntryRows.ReferencedIDs.lookedUp(by: "e").selection) \
    FROM time_entries e CROSS JOIN member \
    WHERE e.organization_id = $1 AND e.user_id = $2 AND e.clock_out IS NULL FOR NO KEY UPDATE OF e), \
    closed AS ( \
    UPDATE time_entries e SET clock_out = greatest($3, e.clock_in + 1), \
    notes = CASE WHEN $5::boolean THEN $6 ELSE e.notes END, \
    flags = e.flags | CASE \
    WHEN greatest($3, e.clock_in + 1) - e.clock_in < $7::bigint * 1000 THEN \(underMinimum) \
    WHEN greatest($3, e.clock_in + 1) - e.clock_in > $8::bigint * 1000 THEN \(overMaximum) ELSE 0 END, \
    version = e.version + 1, updated_at = $9 \
    FROM active a WHERE e.organization_id = $1 AND e.user_id = $2 AND e.clock_out IS NULL \
    AND e.entry_number = a.entry_number \
    AND ($3 > e.clock_in OR NOT $4::boolean) \
    RETURNING e.*), \
    \(ChangeLogWrites.expressions(
      firstParameter: 10, organization: "$1::bigint", kind: .updated, resource: .timeEntry, resourceID: "e.id",
      before: TimeEntryRows.json("a", .kept(in: "a")), after: TimeEntryRows.json("e", .kept(in: "a")),
      from: "active a, closed e")) \
    SELECT \(TimeEntryRows.columns(.kept(in: "a"))) FROM closed e CROSS JOIN active a
    """)

  private static let underMinimum = TimeEntryFlags.underMinimum.rawValue
  private static let overMaximum = TimeEntryFlags.overMaximum.rawValue

  static func closeValues(_ clockOut: ClockOut) -> [PostgreSQLValue] {
    [
      .integer(clockOut.member.organization.value), .integer(clockOut.member.user.value),
      .instant(clockOut.time), .bool(clockOut.isStated), .bool(clockOut.notes != nil),
      .optional(clockOut.notes?.text), .integer(clockOut.policy.minimumSeconds),
      .integer(clockOut.policy.maximumSeconds), .instant(clockOut.context.time),
    ] + ChangeLogWrites.values(clockOut.context)
  }

  /// What `TimeEntry.close` changes.
  fileprivate static let update = PostgreSQLStatement(
    """
    UPDATE time_entries SET clock_out = $3, flags = $4, version = $5, updated_at = $6 \
    WHERE organization_id = $1 AND id = $2
    """)
}

extension PostgreSQLTransaction {
  /// Writes that an entry was closed. Nobody else may be able to write entries of the member until the transaction
  /// ends.
  func close(_ entry: TimeEntry, in organization: OrganizationKey) async throws {
    try await run(
      TimeEntryWrites.update,
      [
        .integer(organization.value), .identifier(entry.id), .optional(entry.clockOutTime),
        .integer(entry.flags.rawValue), .integer(entry.version), .instant(entry.updatedAt),
      ])
  }
}
