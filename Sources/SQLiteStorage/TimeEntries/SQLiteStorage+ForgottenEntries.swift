import TimeclockDomain

extension SQLiteStorage {
  package func organizationsWithForgottenEntries(at now: Instant) async throws -> [OrganizationKey] {
    try read { connection in
      try connection.statement(
        """
        SELECT o.organization_id FROM organizations o INDEXED BY organizations_with_auto_clock_out
        WHERE o.auto_clock_out_seconds IS NOT NULL AND EXISTS (
          SELECT 1 FROM time_entries e INDEXED BY time_entries_one_active
          WHERE e.organization_id = o.organization_id AND e.clock_out IS NULL
            AND e.clock_in < ?1 - o.auto_clock_out_seconds * 1000)
        """
      ).all([.instant(now)]) { OrganizationKey($0.integer(0)) }
    }
  }

  package func countOfEntriesOverMaximum(at now: Instant) async throws -> Int {
    try read { connection in
      try connection.statement(
        """
        SELECT count(*) FROM organizations o
        CROSS JOIN time_entries e INDEXED BY time_entries_one_active
          ON e.organization_id = o.organization_id AND e.clock_out IS NULL
            AND e.clock_in < ?1 - o.maximum_seconds * 1000
        """
      ).first([.instant(now)]) { Int($0.integer(0)) } ?? 0
    }
  }

  package func newestChange(orAnySince time: Instant) async throws -> Instant? {
    try read { connection in
      try connection.statement("SELECT time FROM changes ORDER BY change_number DESC LIMIT 1")
        .first([]) { $0.instant(0) }
    }
  }

  package func closeForgottenEntries(
    in organization: OrganizationKey, limit: Int, context: ChangeContext
  ) async throws -> [TimeEntry] {
    try await writer.write(.long(organization)) { [identifiers] transaction in
      let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
      let policy = try transaction.records(identifiers) {
        try await $0.lockedPolicy(of: organization)
      }
      let due = try work.rows.active(
        in: organization, beginningBefore: policy.forgottenBefore(context.time), limit: limit)
      return try due.compactMap { before, number, member in
        var entry = before
        var context = context
        guard let reason = try entry.closeIfForgotten(by: policy, now: context.time) else { return nil }
        context.reason = reason
        try work.haveSegmentsFollow(before, to: entry, in: organization, context)
        try work.close(entry, number: number, of: member)
        try transaction.log(from: .timeEntry(before), to: .timeEntry(entry), in: organization, context)
        return entry
      }
    }
  }
}
