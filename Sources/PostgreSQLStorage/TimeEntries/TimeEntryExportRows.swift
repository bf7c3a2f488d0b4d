import TimeclockDomain

/// How an exported entry is read: the columns of `TimeEntryRows`, and those of what it refers to, joined.
enum TimeEntryExportRows {
  /// The columns, of an entry `e`, its member `m`, its user `u` and its session `s`; `$1` is the organization.
  static let columns = """
    e.date, e.created_at, e.entry_number, e.id, u.id, \
    (SELECT o.id FROM organizations o WHERE o.organization_id = $1::bigint), \
    e.clock_in, e.clock_out, e.time_zone, e.offset_seconds, s.id, \
    e.notes, e.source, e.flags, e.version, e.updated_at, m.user_id, m.name, m.email, s.title, m.anonymized_at
    """

  static func entry(_ row: PostgreSQLRow) throws -> ExportedTimeEntry {
    let entry = try TimeEntryRows.entry(row)
    let isAnonymous = !row.isNull(20)
    return ExportedTimeEntry(
      entry: entry, userName: isAnonymous ? Anonymity.name : row.text(17),
      userEmail: isAnonymous ? Anonymity.email(of: entry.userID) : row.text(18),
      sessionTitle: row.optionalText(19))
  }

  static func cursor(_ row: PostgreSQLRow) -> TimeEntryExportCursor {
    TimeEntryExportCursor(user: UserKey(row.integer(16)), place: TimeEntryRows.cursor(row))
  }
}
