import Procedures
import TimeclockDomain

/// The statements that write time entries, each one round trip that checks and writes at once.
///
/// Each locks the membership first, so that writes of one member's entries follow one another and the
/// membership does not end in between.
enum TimeEntryWrites {
  /// Inserts an entry if the member is active (or the entry is imported, and the member not anonymized) and the
  /// session, if any, may be used, and lets the constraints decide about the rest: a conflict inserts nothing, and
  /// fails nothing else in the transaction. The session is locked behind the member, so that it is not deleted before
  /// the entry refers to it.
  ///
  /// Answers whether the member is active, whether the session exists, whether the member is assigned to it, and the
  /// number of the new row, or null if there is none: `Created`.
  static let create = NamedStatement<NewTimeEntry>(
    [
      "organization": { .integer($0.member.organization.value) },
      "user": { .integer($0.member.user.value) },
      "date": { .date($0.entry.date) },
      "createdAt": { .instant($0.entry.createdAt) },
      "id": { .identifier($0.entry.id) },
      "clockIn": { .instant($0.entry.clockInTime) },
      "clockOut": { .optional($0.entry.clockOutTime) },
      "timeZone": { .text($0.entry.timeZone.name) },
      "session": { .optional($0.entry.sessionID) },
      "offsetSeconds": { .integer(Int64($0.entry.offsetSeconds)) },
      "notes": { .optional($0.entry.notes?.text) },
      "source": { .text($0.entry.source.rawValue) },
      "flags": { .integer($0.entry.flags.rawValue) },
      "version": { .integer($0.entry.version) },
      "updatedAt": { .instant($0.entry.updatedAt) },
      "needsAssignment": { .bool($0.needsSessionAssignment) },
    ], ChangeLogWrites.parameters(),
    ["after": { .text(Snapshot.timeEntry($0.entry).encoded) }],
    text: """
      WITH member AS MATERIALIZED ( \
      SELECT active OR ($source::text = '\(TimeEntrySource.import.rawValue)' AND anonymized_at IS NULL) AS active \
      FROM members WHERE organization_id = $organization AND user_id = $user FOR NO KEY UPDATE), \
      session AS MATERIALIZED ( \
      SELECT s.session_id, EXISTS (SELECT 1 FROM session_assignees a WHERE a.organization_id = s.organization_id \
      AND a.session_id = s.session_id AND a.user_id = $user) AS is_assigned \
      FROM member CROSS JOIN sessions s WHERE s.organization_id = $organization AND s.id = $session::uuid \
      FOR KEY SHARE OF s), \
      inserted AS ( \
      INSERT INTO time_entries (\(created.names)) SELECT \(created.values) FROM member WHERE member.active \
      AND ($session::uuid IS NULL \
      OR EXISTS (SELECT 1 FROM session WHERE is_assigned OR NOT $needsAssignment::boolean)) \
      ON CONFLICT DO NOTHING RETURNING entry_number), \
      \(ChangeLogWrites.expressions(
        organization: "$organization::bigint", kind: .created, resource: .timeEntry, resourceID: "$id",
        before: "NULL", after: "$after", from: "inserted")) \
      SELECT coalesce((SELECT active FROM member), FALSE), EXISTS (SELECT 1 FROM session), \
      coalesce((SELECT is_assigned FROM session), FALSE), (SELECT entry_number FROM inserted)
      """)

  private static let created: InsertedColumns = [
    "organization_id": "$organization", "user_id": "$user", "date": "$date", "created_at": "$createdAt",
    "id": "$id", "clock_in": "$clockIn", "clock_out": "$clockOut", "time_zone": "$timeZone",
    "offset_seconds": "$offsetSeconds", "session_id": "(SELECT session_id FROM session)", "notes": "$notes",
    "source": "$source", "flags": "$flags", "version": "$version", "updated_at": "$updatedAt",
  ]

  /// The answer of `create`.
  struct Created {
    /// The row's number; nil if the constraints have let nothing in.
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

  /// Closes the active entry as `TimeEntry.close` does, and returns the result; no row if there is none, if a segment
  /// of it is open, or if a stated time is not after its clock-in. Referenced ids are looked up once, for both records
  /// in the log and for the answer. The entry is locked where it is read, so that the state read and logged is that
  /// left by the last write this one waited for.
  static let close = NamedStatement<ClockOut>(
    [
      "organization": { .integer($0.member.organization.value) },
      "user": { .integer($0.member.user.value) },
      "clockOut": { .instant($0.time) },
      "isStated": { .bool($0.isStated) },
      "hasNotes": { .bool($0.notes != nil) },
      "notes": { .optional($0.notes?.text) },
      "minimumSeconds": { .integer($0.policy.minimumSeconds) },
      "maximumSeconds": { .integer($0.policy.maximumSeconds) },
      "updatedAt": { .instant($0.context.time) },
    ], ChangeLogWrites.parameters(),
    text: """
      WITH member AS MATERIALIZED ( \
      SELECT user_id FROM members WHERE organization_id = $organization AND user_id = $user FOR NO KEY UPDATE), \
      active AS MATERIALIZED ( \
      SELECT e.*, \(TimeEntryRows.ReferencedIDs.lookedUp(by: "e").selection) \
      FROM time_entries e CROSS JOIN member \
      WHERE e.organization_id = $organization AND e.user_id = $user AND e.clock_out IS NULL \
      AND NOT EXISTS (SELECT 1 FROM segments s WHERE s.organization_id = $organization AND s.time_entry_id = e.id \
      AND (s.end_time IS NULL OR s.end_time > greatest($clockOut, e.clock_in + 1))) FOR NO KEY UPDATE OF e), \
      closed AS ( \
      UPDATE time_entries e SET clock_out = greatest($clockOut, e.clock_in + 1), \
      notes = CASE WHEN $hasNotes::boolean THEN $notes ELSE e.notes END, \
      flags = e.flags | CASE \
      WHEN greatest($clockOut, e.clock_in + 1) - e.clock_in < $minimumSeconds::bigint * 1000 \
      THEN \(underMinimum) \
      WHEN greatest($clockOut, e.clock_in + 1) - e.clock_in > $maximumSeconds::bigint * 1000 \
      THEN \(overMaximum) ELSE 0 END, \
      version = e.version + 1, updated_at = $updatedAt \
      FROM active a WHERE e.organization_id = $organization AND e.user_id = $user AND e.clock_out IS NULL \
      AND e.entry_number = a.entry_number \
      AND ($clockOut > e.clock_in OR NOT $isStated::boolean) \
      RETURNING e.*), \
      \(ChangeLogWrites.expressions(
        organization: "$organization::bigint", kind: .updated, resource: .timeEntry, resourceID: "e.id",
        before: TimeEntryRows.json("a", .kept(in: "a")), after: TimeEntryRows.json("e", .kept(in: "a")),
        from: "active a, closed e")) \
      SELECT \(TimeEntryRows.columns(.kept(in: "a"))) FROM closed e CROSS JOIN active a
      """)

  private static let underMinimum = TimeEntryFlags.underMinimum.rawValue
  private static let overMaximum = TimeEntryFlags.overMaximum.rawValue

  /// Writes the fields that `TimeEntry.close` changes.
  fileprivate static let update = NamedStatement<(organization: OrganizationKey, entry: TimeEntry)>(
    [
      "organization": { .integer($0.organization.value) },
      "id": { .identifier($0.entry.id) },
      "clockOut": { .optional($0.entry.clockOutTime) },
      "notes": { .optional($0.entry.notes?.text) },
      "flags": { .integer($0.entry.flags.rawValue) },
      "version": { .integer($0.entry.version) },
      "updatedAt": { .instant($0.entry.updatedAt) },
      "source": { .text($0.entry.source.rawValue) },
    ],
    text: """
      UPDATE time_entries SET clock_out = $clockOut, notes = $notes, flags = $flags, version = $version, \
      updated_at = $updatedAt, source = $source \
      WHERE organization_id = $organization AND id = $id
      """)
}

extension PostgreSQLTransaction {
  /// Writes that an entry was closed. Nobody else may be able to write entries of the member until the transaction
  /// ends.
  func close(_ entry: TimeEntry, in organization: OrganizationKey) async throws {
    let written = try await run(TimeEntryWrites.update, of: (organization, entry)).writtenCount
    try MissedRows.requireNone(of: "time_entries", meant: 1, written: written)
  }
}
