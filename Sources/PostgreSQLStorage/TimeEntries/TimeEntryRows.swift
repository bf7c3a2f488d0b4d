import TimeclockDomain

/// The statements that read time entries, and how a row is read.
enum TimeEntryRows {
  /// Expressions for the public ids of the rows that an entry refers to.
  struct ReferencedIDs {
    let user: String
    let organization: String
    let session: String

    /// Looks each of them up, for an entry in a row named `alias`: it is one row, or a page of them, never more.
    static func lookedUp(by alias: String) -> ReferencedIDs {
      ReferencedIDs(
        user: "(SELECT u.id FROM users u WHERE u.user_id = \(alias).user_id)",
        organization: "(SELECT o.id FROM organizations o WHERE o.organization_id = \(alias).organization_id)",
        session: """
          (SELECT s.id FROM sessions s WHERE s.organization_id = \(alias).organization_id \
          AND s.session_id = \(alias).session_id)
          """)
    }

    /// Those that a row named `alias` has in its last columns, which `selection` has made.
    static func kept(in alias: String) -> ReferencedIDs {
      ReferencedIDs(
        user: "\(alias).users_id", organization: "\(alias).organizations_id", session: "\(alias).sessions_id")
    }

    /// Columns for a common table expression, for a statement that needs the ids more than once.
    var selection: String {
      "\(user) AS users_id, \(organization) AS organizations_id, \(session) AS sessions_id"
    }
  }

  /// The columns of an entry in a table named `e`, in the order in which `entry` reads them.
  static let columns = columns(.lookedUp(by: "e"))

  static func columns(_ ids: ReferencedIDs) -> String {
    """
    e.date, e.created_at, e.entry_number, e.id, \(ids.user), \(ids.organization), \
    e.clock_in, e.clock_out, e.time_zone, e.offset_seconds, \(ids.session), \
    e.notes, e.source, e.flags, e.version, e.updated_at
    """
  }

  /// An entry of a row named `alias`, as `Snapshot.encoded` writes it, but for spaces and nulls.
  static func json(_ alias: String, _ ids: ReferencedIDs) -> String {
    """
    json_build_object('id', \(alias).id, 'userId', \(ids.user), 'organizationID', \(ids.organization), \
    'clockInTime', \(alias).clock_in, 'clockOutTime', \(alias).clock_out, 'date', \(alias).date, \
    'timeZone', \(alias).time_zone, 'offsetSeconds', \(alias).offset_seconds, 'sessionId', \(ids.session), \
    'notes', \(alias).notes, 'source', \(alias).source, 'flags', \(alias).flags, \
    'version', \(alias).version, 'createdAt', \(alias).created_at, 'updatedAt', \(alias).updated_at)::text
    """
  }

  /// The member's active entry.
  static let active = PostgreSQLStatement(
    """
    SELECT \(columns) FROM time_entries e \
    WHERE e.organization_id = $1 AND e.user_id = $2 AND e.clock_out IS NULL
    """)

  static let byID = PostgreSQLStatement(
    "SELECT \(columns) FROM time_entries e WHERE e.organization_id = $1 AND e.id = $2")

  /// The first of a member's entries that share a moment with `[$3, $4)`, and how many do.
  static let overlapping = overlapping(where: "TRUE")

  /// The same, of those only that meet another condition.
  ///
  /// Behind row-level security no index is searched by spans (docs/decisions/0015-row-level-security.md), so the member's
  /// entries are walked by their dates, from the last that began before `$3`: of those before, none reaches it. The
  /// schema keeps every date within two days of its clock-in; dividing cuts towards 1970. Rows are compared, because only
  /// the primary key can be searched so: the constraint's index would be taken for the member, and give the whole history.
  static func overlapping(where condition: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      overlapping(columns, user: "$2", from: "$3::bigint", to: "$4::bigint", where: condition))
  }

  /// A query for the same. The walk stands apart (`OFFSET 0`), or the order of the answer would have a say in its index.
  ///
  /// - Parameters:
  ///   - columns: What it gives of each entry, in front of how many there are.
  ///   - user: The expression for the member's user, in the organization `$1`.
  ///   - start: The expression for the beginning of the span.
  ///   - end: The expression for its end, or null.
  static func overlapping(
    _ columns: String, user: String, from start: String, to end: String, where condition: String
  ) -> String {
    """
    SELECT \(columns), count(*) OVER () FROM (SELECT * FROM time_entries e \
    WHERE e.organization_id = $1 \
    AND (e.user_id, e.date) >= (\(user), \(firstDate(organization: "$1", user: user, instant: start))) \
    AND (e.user_id, e.date) <= (\(user), (SELECT coalesce(\(end) / 86400000 + 2, 9223372036854775807))) \
    AND (\(end) IS NULL OR e.clock_in < \(end)) AND (e.clock_out IS NULL OR e.clock_out > \(start)) \
    AND \(condition) OFFSET 0) e ORDER BY e.clock_in LIMIT \(TimeEntryStorageLimits.overlapsShown)
    """
  }

  /// The date on which a walk begins to what a member has at an instant and later, as a query in parentheses: nothing
  /// else that may be null is compared with by an index behind row-level security.
  ///
  /// The last entry that began before the instant is at most two dates before the latest date of those that did.
  static func firstDate(organization: String, user: String, instant: String) -> String {
    """
    (SELECT coalesce((SELECT p.date - 2 FROM time_entries p WHERE p.organization_id = \(organization) \
    AND p.user_id >= \(user) AND (p.user_id, p.date) <= (\(user), \(instant) / 86400000 + 2) \
    AND p.clock_in < \(instant) ORDER BY p.user_id DESC, p.date DESC LIMIT 1), \(instant) / 86400000 - 3))
    """
  }

  /// The column after those of the entry.
  static let columnCount: Int32 = 16

  /// The entry in the row.
  static func entry(_ row: PostgreSQLRow) throws -> TimeEntry {
    TimeEntry(
      id: try row.identifier(3), userID: try row.identifier(4), organizationID: try row.identifier(5),
      clockInTime: row.instant(6), clockOutTime: row.optionalInstant(7), date: row.date(0),
      timeZone: try row.timeZone(8), offsetSeconds: Int32(clamping: row.integer(9)),
      sessionID: try row.optionalIdentifier(10), notes: row.optionalText(11).map(Notes.init(stored:)),
      source: try row.choice(12), flags: TimeEntryFlags(rawValue: row.integer(13)),
      version: row.integer(14), createdAt: row.instant(1), updatedAt: row.instant(15))
  }

  /// The entry's place in lists.
  static func cursor(_ row: PostgreSQLRow) -> TimeEntryCursor {
    TimeEntryCursor(date: row.date(0), createdAt: row.instant(1), row: row.integer(2))
  }
}
