import TimeclockDomain

/// A reminder as the table keeps one.
package struct StoredReminder: Sendable {
  var reminder: Reminder
  var user: UserKey

  package static let table = RecordTable<StoredReminder>(
    "reminders", key: .numbered("reminder_id"), number: "reminder_id",
    fields: [
      .fixed("user_id", .integer) { .key($0.user) },
      .fixed("id", .identifier) { .identifier($0.reminder.id) },
      .fixed("kind", .text) { .text($0.reminder.kind.rawValue) },
      .fixed("time_entry_id", .identifier) { .identifier($0.reminder.timeEntryID) },
      .fixed("created_at", .integer) { .instant($0.reminder.createdAt) },
    ])
}

extension Reminder {
  private static let columns = RecordColumns([
    ("reminder_id", "r.reminder_id"), ("organization", "o.id"), ("user", "u.id"), ("id", "r.id"),
    ("kind", "r.kind"), ("time_entry_id", "r.time_entry_id"), ("created_at", "r.created_at"),
  ])
  private static let tables = """
    FROM reminders r JOIN users u ON u.user_id = r.user_id \
    JOIN organizations o ON o.organization_id = r.organization_id
    """

  /// The newest first, before a number.
  package static let page = pages[.everybody]
  fileprivate static let pages = SelectingStatements(by: "r.user_id", row: "$4") {
    RecordStatement(
      """
      \(tables) WHERE r.organization_id = $1 AND r.reminder_id < $2\($0) ORDER BY r.reminder_id DESC LIMIT $3
      """, columns: columns)
  }

  /// The reminder in a row.
  package init<Row>(_ row: inout RecordRow<Row>) throws {
    self.init(
      id: try row.identifier("id"), organizationID: try row.identifier("organization"),
      userID: try row.identifier("user"), kind: try row.choice("kind"),
      timeEntryID: try row.identifier("time_entry_id"), createdAt: row.instant("created_at"))
  }
}

/// The statements about entries that are due for a reminder.
private enum DueReminders {
  /// Behind row-level security an index is searched for plain comparisons only: the moment is a column, which OFFSET
  /// keeps PostgreSQL from putting its calculation in place of (docs/decisions/0015-row-level-security.md).
  static let organizations = RecordStatement(
    """
    FROM (SELECT organization_id, $1 - remind_after_seconds * 1000 AS before \
    FROM organizations o WHERE remind_after_seconds IS NOT NULL \
    AND organization_id > $2 AND organization_id <= $3 AND \(Departed.none("o")) OFFSET 0) o CROSS JOIN LATERAL ( \
    SELECT 1 FROM time_entries e WHERE e.organization_id = o.organization_id AND e.clock_out IS NULL \
    AND e.clock_in < o.before AND \(isNew) LIMIT 1) due
    """,
    columns: RecordColumns([("organization_id", "o.organization_id")]),
    sqlite: """
      FROM organizations o INDEXED BY organizations_with_reminders \
      WHERE o.remind_after_seconds IS NOT NULL AND o.organization_id > $2 AND o.organization_id <= $3 AND EXISTS ( \
      SELECT 1 FROM time_entries e INDEXED BY time_entries_one_active \
      WHERE e.organization_id = o.organization_id AND e.clock_out IS NULL \
      AND e.clock_in < $1 - o.remind_after_seconds * 1000 AND \(isNew))
      """, across: .jobsLookForWork)

  static let entries = RecordStatement(
    "FROM time_entries e \(selection)",
    columns: RecordColumns([("user_id", "e.user_id"), ("user", "u.id"), ("id", "e.id")]),
    sqlite: "FROM time_entries e INDEXED BY time_entries_one_active \(selection)")

  private static let selection = """
    JOIN users u ON u.user_id = e.user_id \
    WHERE e.organization_id = $1 AND e.clock_out IS NULL AND e.clock_in < $2 AND \(isNew) \
    ORDER BY e.clock_in, e.id LIMIT $3
    """

  private static let isNew = """
    NOT EXISTS (SELECT 1 FROM reminders r WHERE r.organization_id = e.organization_id \
    AND r.time_entry_id = e.id AND r.kind = 'clocked_in_too_long')
    """
}

extension Storage {
  /// The organizations with an active entry that began longer ago than their policy's `remindAfterSeconds`, and of which
  /// nobody has been reminded. Costs as much as there are organizations that want reminders, and such entries.
  package func organizationsWithDueReminders(at now: Instant) async throws -> [OrganizationKey] {
    var organizations: [OrganizationKey] = []
    try await inOrganizationRanges { range in
      organizations += try await read(
        DueReminders.organizations, [.instant(now)] + range.values, in: .everyone(because: .jobsLookForWork),
        limit: 100
      ) { OrganizationKey($0.integer("organization_id")) }
      return true
    }
    return organizations
  }

  /// Makes reminders of entries that are due by the organization's policy, those that began first, and logs each; an
  /// entry gets one at most, even if several servers look for it at once.
  ///
  /// - Parameters:
  ///   - limit: The most reminders to make, at least 1.
  ///   - context: The author and the time of the making; the time decides which entries are due.
  ///   - newID: Gives the id of each.
  /// - Returns: The reminders that were made.
  package func createReminders(
    in organization: OrganizationKey, limit: Int, context: ChangeContext,
    newID: @escaping @Sendable () -> ReminderID
  ) async throws -> [Reminder] {
    try await write(RecordWrite(.organization(organization), isLong: true), recording: nil) { transaction in
      // Nobody else reminds meanwhile, and the policy stays.
      let owner = try await transaction.requireOrganization(organization, isLocked: true)
      guard let before = owner.policy.remindBefore(context.time) else { return [] }
      let due = try await transaction.read(
        DueReminders.entries,
        [.key(organization), .instant(before), .integer(Int64(PageSize.clamped(limit)))]
      ) { row in
        StoredReminder(
          reminder: Reminder(
            id: newID(), organizationID: owner.id, userID: try row.identifier("user"),
            kind: .clockedInTooLong,
            timeEntryID: try row.identifier("id"), createdAt: context.time),
          user: UserKey(row.integer("user_id")))
      }
      try await transaction.insert(due, into: StoredReminder.table, of: organization)
      let reminders = due.map(\.reminder)
      try await transaction.log(
        each: reminders.map { (before: nil, after: .reminder($0)) }, in: organization, context)
      return reminders
    }
  }

  /// A page of reminders, newest first.
  package func reminders(
    of organization: OrganizationKey, of members: MemberSelection, before cursor: RowCursor?, limit: Int
  ) async throws -> Page<Reminder, RowCursor> {
    try await page(
      Reminder.pages[members], of: organization, after: cursor ?? RowCursor(row: .max), limit: limit,
      and: members.values
    ) { row in
      let number = row.integer("reminder_id")
      return (try Reminder(&row), number)
    }
  }
}
