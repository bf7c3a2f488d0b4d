import TimeclockDomain

/// Reads time entries out of rows. The columns are those of `columns`, in that order.
struct TimeEntryRows {
  private let connection: SQLiteConnection
  private let references: EntryReferences

  init(connection: SQLiteConnection, identifiers: PublicIdentifiers) {
    self.connection = connection
    references = EntryReferences(identifiers, on: connection)
  }

  /// The columns to select, from a table named `e`.
  static let columns = """
    e.organization_id, e.user_id, e.date, e.created_at, e.entry_number, e.id, e.clock_in, e.clock_out, \
    e.time_zone, e.offset_seconds, e.session_id, e.notes, e.source, e.flags, e.version, e.updated_at
    """

  private static let activeOfMember = SQLiteText(
    """
    SELECT \(columns) FROM time_entries e INDEXED BY time_entries_one_active \
    WHERE e.organization_id = ?1 AND e.user_id = ?2 AND e.clock_out IS NULL
    """)

  private static let activeBeginningBefore = SQLiteText(
    """
    SELECT \(columns) FROM time_entries e INDEXED BY time_entries_one_active \
    WHERE e.organization_id = ?1 AND e.clock_out IS NULL AND e.clock_in < ?2 ORDER BY e.clock_in, e.id LIMIT ?3
    """)

  private static let byID = SQLiteText(
    "SELECT \(columns) FROM time_entries e WHERE e.organization_id = ?1 AND e.id = ?2")

  private static let lastBeginningBefore = SQLiteText(
    """
    SELECT \(columns) FROM time_entries e INDEXED BY time_entries_by_start \
    WHERE e.organization_id = ?1 AND e.user_id = ?2 AND e.clock_in < ?3 ORDER BY e.clock_in DESC LIMIT 1
    """)

  /// The member's active entry and its number.
  func active(of member: MemberKey) throws -> (entry: TimeEntry, number: Int64)? {
    try connection.statement(Self.activeOfMember).first([
      .integer(member.organization.value), .integer(member.user.value),
    ]) {
      (try entry($0), $0.integer(4))
    }
  }

  /// The active entries of an organization that began before an instant, the oldest ones first.
  func active(
    in organization: OrganizationKey, beginningBefore end: Instant, limit: Int
  ) throws -> [(entry: TimeEntry, number: Int64, member: MemberKey)] {
    try connection.statement(Self.activeBeginningBefore).all([
      .integer(organization.value), .instant(end), PageLimit.count(limit),
    ]) {
      (try entry($0), $0.integer(4), MemberKey(organization: organization, user: UserKey($0.integer(1))))
    }
  }

  /// The entry with this id, its number, and the member it is of.
  func stored(
    _ id: TimeEntryID, in organization: OrganizationKey
  ) throws -> (entry: TimeEntry, number: Int64, member: MemberKey)? {
    try connection.statement(Self.byID).first([.integer(organization.value), .identifier(id)]) {
      (try entry($0), $0.integer(4), MemberKey(organization: organization, user: UserKey($0.integer(1))))
    }
  }

  /// The entry with this id.
  func entry(_ id: TimeEntryID, in organization: OrganizationKey) throws -> TimeEntry? {
    try connection.statement(Self.byID).first([.integer(organization.value), .identifier(id)], entry)
  }

  /// The member's last entry that begins before an instant.
  func last(of member: MemberKey, beginningBefore end: Int64) throws -> TimeEntry? {
    try connection.statement(Self.lastBeginningBefore).first(
      [.integer(member.organization.value), .integer(member.user.value), .integer(end)], entry)
  }

  /// The member's entries that share a moment with `[start, end)`, if a missing end is infinity; one is left out.
  ///
  /// Entries of a member do not overlap, so those that reach into a span are neighbors: walking back from
  /// the span's end, the first one that ends before its start ends the search.
  func overlaps(
    of member: MemberKey, from start: Instant, to end: Instant?, excluding excluded: TimeEntryID?
  ) throws -> TimeEntryOverlaps {
    var inTheWay: [TimeEntry] = []
    var count = 0
    var end = end?.millisecondsSince1970 ?? .max
    while let entry = try last(of: member, beginningBefore: end), entry.reaches(beyond: start) {
      end = entry.clockInTime.millisecondsSince1970
      if entry.id == excluded { continue }
      count += 1
      // The oldest ones are shown: a window that moves with the walk.
      if inTheWay.count == 2 * TimeEntryStorageLimits.overlapsShown {
        inTheWay.removeFirst(TimeEntryStorageLimits.overlapsShown)
      }
      inTheWay.append(entry)
    }
    return TimeEntryOverlaps(
      entries: inTheWay.suffix(TimeEntryStorageLimits.overlapsShown).reversed(), count: count)
  }

  /// The entry in the row.
  func entry(_ row: SQLiteRow) throws -> TimeEntry {
    TimeEntry(
      id: try row.identifier(5), userID: try references.user(row.integer(1)),
      organizationID: try references.organization(row.integer(0)),
      clockInTime: row.instant(6), clockOutTime: row.optionalInstant(7), date: row.date(2),
      timeZone: try references.zone(row, 8), offsetSeconds: Int32(clamping: row.integer(9)),
      sessionID: try row.optionalInteger(10).map(references.session),
      notes: row.optionalText(11).map(Notes.init(stored:)),
      source: try references.source(row, 12), flags: TimeEntryFlags(rawValue: row.integer(13)),
      version: row.integer(14),
      createdAt: row.instant(3), updatedAt: row.instant(15))
  }

  /// The entry's place in lists.
  func cursor(_ row: SQLiteRow) -> TimeEntryCursor {
    TimeEntryCursor(date: row.date(2), createdAt: row.instant(3), row: row.integer(4))
  }
}

extension TimeEntry {
  /// Whether the entry has not ended at this instant; an active one never has.
  fileprivate func reaches(beyond instant: Instant) -> Bool {
    clockOutTime.map { $0 > instant } ?? true
  }
}
