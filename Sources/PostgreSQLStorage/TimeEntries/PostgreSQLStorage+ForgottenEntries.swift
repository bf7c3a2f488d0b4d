import Procedures
import TimeclockDomain

extension PostgreSQLStorage {
  package func organizationsWithForgottenEntries(at now: Instant) async throws -> [OrganizationKey] {
    try await inRanges(ForgottenEntryRows.organizations, [.instant(now)]) { OrganizationKey($0.integer(0)) }
  }

  package func countOfEntriesOverMaximum(at now: Instant) async throws -> Int {
    try await inRanges(ForgottenEntryRows.overMaximum, [.instant(now)]) { Int($0.integer(0)) }.reduce(0, +)
  }

  package func newestChange(orAnySince time: Instant) async throws -> Instant? {
    try await inRanges(ForgottenEntryRows.newestChange, [], until: { $0.map { $0 >= time } ?? false }) {
      $0.optionalInstant(0)
    }.compactMap { $0 }.max()
  }

  /// Reads rows of all organizations by a statement about a part of them, whose last two values bound it.
  ///
  /// - Parameter isEnough: Whether the parts behind a row are of no account.
  private func inRanges<Value: Sendable>(
    _ statement: PostgreSQLStatement, _ values: [PostgreSQLValue],
    until isEnough: (Value) -> Bool = { _ in false },
    _ row: (PostgreSQLRow) -> Value
  ) async throws -> [Value] {
    var all: [Value] = []
    try await inOrganizationRanges { range in
      let found = try await read(
        statement, values + [.integer(range.after), .integer(range.through)],
        in: .everyone(because: .jobsLookForWork)
      ).map(row)
      all += found
      return !found.contains(where: isEnough)
    }
    return all
  }

  package func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry] {
    defer { noteChange() }
    return try await onLoop { connections in
      try await connections.transaction(in: .organization(organization)) { transaction in
        let policy = try await PostgreSQLRecords(transaction: transaction).lockedPolicy(of: organization)
        let due: [PostgreSQLValue] = [
          .integer(organization.value), .instant(policy.forgottenBefore(context.time)),
          PageLimit.count(limit),
        ]
        let members = Set(
          try await transaction.run(ForgottenEntryRows.lockMembers, due).map { $0.integer(0) })
        guard !members.isEmpty else { return [] }
        // Read again now that nobody else writes entries of these members.
        let active = try await transaction.run(ForgottenEntryRows.active, due).map { row in
          (entry: try TimeEntryRows.entry(row), user: row.integer(TimeEntryRows.columnCount))
        }
        var closed: [TimeEntry] = []
        for (before, user) in active where members.contains(user) {
          var entry = before
          var context = context
          guard let reason = try entry.closeIfForgotten(by: policy, now: context.time) else { continue }
          context.reason = reason
          try await PostgreSQLRecords(transaction: transaction).haveSegmentsFollow(
            before, to: entry, in: organization, context)
          try await transaction.close(entry, in: organization)
          try await transaction.log(
            from: .timeEntry(before), to: .timeEntry(entry), in: organization, context)
          closed.append(entry)
        }
        return closed
      }
    }
  }
}

/// The statements on entries that nobody clocks out of.
enum ForgottenEntryRows {
  /// Behind row-level security an index is searched for plain comparisons only: the moment is a column, which OFFSET
  /// keeps PostgreSQL from putting its calculation in place of (docs/decisions/0015-row-level-security.md).
  static let organizations = PostgreSQLStatement(
    """
    SELECT o.organization_id FROM (SELECT organization_id, $1 - auto_clock_out_seconds * 1000 AS before \
    FROM organizations o WHERE auto_clock_out_seconds IS NOT NULL \
    AND organization_id > $2 AND organization_id <= $3 AND \(Departed.none("o")) OFFSET 0) o CROSS JOIN LATERAL ( \
    SELECT 1 FROM time_entries e WHERE e.organization_id = o.organization_id AND e.clock_out IS NULL \
    AND e.clock_in < o.before LIMIT 1) due
    """)

  /// The moment is a column for the same reason.
  static let overMaximum = PostgreSQLStatement(
    """
    SELECT coalesce(sum(c.entries), 0)::bigint FROM (SELECT organization_id, $1 - maximum_seconds * 1000 AS before \
    FROM organizations WHERE organization_id > $2 AND organization_id <= $3 OFFSET 0) o CROSS JOIN LATERAL ( \
    SELECT count(*) AS entries FROM time_entries e WHERE e.organization_id = o.organization_id \
    AND e.clock_out IS NULL AND e.clock_in < o.before) c
    """)

  /// The newest of the changes that were logged last in each organization of a part.
  static let newestChange = PostgreSQLStatement(
    """
    SELECT max(c.time) FROM (SELECT organization_id FROM organizations \
    WHERE organization_id > $1 AND organization_id <= $2 OFFSET 0) o CROSS JOIN LATERAL ( \
    SELECT time FROM changes WHERE organization_id = o.organization_id ORDER BY change_number DESC LIMIT 1) c
    """)

  private static let due = """
    WHERE e.organization_id = $1 AND e.clock_out IS NULL AND e.clock_in < $2 ORDER BY e.clock_in, e.id LIMIT $3
    """

  /// Locks the members of entries that are due, except members whose entries are being written now by another instance
  /// that does the same, or the member who clocks out after all. So it never waits, and no two instances wait for each
  /// other.
  static let lockMembers = PostgreSQLStatement(
    """
    SELECT m.user_id FROM (SELECT e.user_id FROM time_entries e \(due)) forgotten \
    JOIN members m ON m.organization_id = $1 AND m.user_id = forgotten.user_id \
    FOR NO KEY UPDATE OF m SKIP LOCKED
    """)

  static let active = PostgreSQLStatement(
    "SELECT \(TimeEntryRows.columns), e.user_id FROM time_entries e \(due)")
}
