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

    /// The ids that a row named `alias` has in its last columns, which `selection` has made.
    static func kept(in alias: String) -> ReferencedIDs {
      ReferencedIDs(
        user: "\(alias).users_id", organization: "\(alias).organizations_id", session: "\(alias).sessions_id")
    }

    /// Columns for a common table expression, for a statement that needs the ids more than once.
    var selection: String {
      "\(user) AS users_id, \(organization) AS organizations_id, \(session) AS sessions_id"
    }
  }

  /// The columns of an entry, in the order in which a row has them; `rawValue` is the place.
  enum Column: Int32, CaseIterable {
    case date
    case createdAt
    case number
    case id
    case user
    case organization
    case clockIn
    case clockOut
    case timeZone
    case offsetSeconds
    case session
    case notes
    case source
    case flags
    case version
    case updatedAt

    /// The column of an entry in a table named `e`.
    fileprivate func expression(_ ids: ReferencedIDs) -> String {
      switch self {
      case .date: "e.date"
      case .createdAt: "e.created_at"
      case .number: "e.entry_number"
      case .id: "e.id"
      case .user: ids.user
      case .organization: ids.organization
      case .clockIn: "e.clock_in"
      case .clockOut: "e.clock_out"
      case .timeZone: "e.time_zone"
      case .offsetSeconds: "e.offset_seconds"
      case .session: ids.session
      case .notes: "e.notes"
      case .source: "e.source"
      case .flags: "e.flags"
      case .version: "e.version"
      case .updatedAt: "e.updated_at"
      }
    }
  }

  /// The columns of an entry in a table named `e`, which `entry` reads.
  static let columns = columns(.lookedUp(by: "e"))

  static func columns(_ ids: ReferencedIDs) -> String {
    Column.allCases.map { $0.expression(ids) }.joined(separator: ", ")
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

  /// The first of a member's entries that share a moment with a span, and how many do.
  static let overlapping = overlapping(where: "TRUE")

  /// The same, of those only that meet another condition, which may have more parameters.
  ///
  /// Behind row-level security no index is searched by spans (docs/decisions/0015-row-level-security.md), so the member's
  /// entries are walked by their dates, from the last that began before the span: of those before, none reaches it. The
  /// schema keeps every date within two days of its clock-in; dividing cuts towards 1970. Rows are compared, because only
  /// the primary key can be searched so: the constraint's index would be taken for the member, and give the whole history.
  static func overlapping(
    where condition: String, _ more: NamedParameters<MemberSpan> = [:]
  ) -> NamedStatement<MemberSpan> {
    NamedStatement(
      [
        "organization": { .integer($0.organization.value) },
        "user": { .integer($0.user.value) },
        "start": { .instant($0.start) },
        "end": { .optional($0.end) },
      ], more,
      text: overlapping(columns, user: "$user", from: "$start::bigint", to: "$end::bigint", where: condition))
  }

  /// A query for the same. The walk stands apart (`OFFSET 0`), or the order of the answer would have a say in its index.
  ///
  /// - Parameters:
  ///   - columns: The columns that it gives of each entry, in front of the number of entries.
  ///   - user: The expression for the member's user, in `$organization`.
  ///   - start: The expression for the beginning of the span.
  ///   - end: The expression for its end, or null.
  static func overlapping(
    _ columns: String, user: String, from start: String, to end: String, where condition: String
  ) -> String {
    """
    SELECT \(columns), count(*) OVER () FROM (SELECT * FROM time_entries e \
    WHERE e.organization_id = $organization \
    AND (e.user_id, e.date) >= (\(user), \(firstDate(organization: "$organization", user: user, instant: start))) \
    AND (e.user_id, e.date) <= (\(user), (SELECT coalesce(\(end) / 86400000 + 2, 9223372036854775807))) \
    AND (\(end) IS NULL OR e.clock_in < \(end)) AND (e.clock_out IS NULL OR e.clock_out > \(start)) \
    AND \(condition) OFFSET 0) e ORDER BY e.clock_in LIMIT \(TimeEntryStorageLimits.overlapsShown)
    """
  }

  /// The date at which a walk through a member's entries at an instant and later begins, as a query in parentheses:
  /// nothing else that may be null is compared with by an index behind row-level security.
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
  static let columnCount = Int32(Column.allCases.count)

  /// The entry in the row.
  static func entry(_ row: PostgreSQLRow) throws -> TimeEntry {
    TimeEntry(
      id: try row.identifier(Column.id.rawValue), userID: try row.identifier(Column.user.rawValue),
      organizationID: try row.identifier(Column.organization.rawValue),
      clockInTime: row.instant(Column.clockIn.rawValue),
      clockOutTime: row.optionalInstant(Column.clockOut.rawValue), date: row.date(Column.date.rawValue),
      timeZone: try row.timeZone(Column.timeZone.rawValue),
      offsetSeconds: Int32(clamping: row.integer(Column.offsetSeconds.rawValue)),
      sessionID: try row.optionalIdentifier(Column.session.rawValue),
      notes: row.optionalText(Column.notes.rawValue).map(Notes.init(stored:)),
      source: try row.choice(Column.source.rawValue),
      flags: TimeEntryFlags(rawValue: row.integer(Column.flags.rawValue)),
      version: row.integer(Column.version.rawValue), createdAt: row.instant(Column.createdAt.rawValue),
      updatedAt: row.instant(Column.updatedAt.rawValue))
  }

  /// The entry's place in lists.
  static func cursor(_ row: PostgreSQLRow) -> TimeEntryCursor {
    TimeEntryCursor(
      date: row.date(Column.date.rawValue), createdAt: row.instant(Column.createdAt.rawValue),
      row: row.integer(Column.number.rawValue))
  }
}

/// A span of a member's time, to look for entries in.
struct MemberSpan {
  var organization: OrganizationKey
  var user: UserKey
  var start: Instant
  /// Nil for a span without an end.
  var end: Instant?
  /// The entry that is left out.
  var excluded: TimeEntryID?
}
