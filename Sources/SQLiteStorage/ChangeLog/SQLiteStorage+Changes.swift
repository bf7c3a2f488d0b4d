import ChangeLog
import TimeclockDomain

extension SQLiteStorage {
  package func changes(
    of organization: OrganizationKey, after sequence: Int64, resources: Set<Snapshot.Kind>, limit: Int
  ) async throws -> [Change] {
    try await readPage(of: organization, limit: limit) { connection in
      let kinds = Snapshot.Kind.allCases.map {
        resources.contains($0) ? SQLiteValue.text($0.rawValue) : .null
      }
      return try connection.statement(ChangeLogRows.feed)
        .all([.integer(organization.value), .integer(sequence), PageLimit.count(limit)] + kinds) {
          try Change(ChangeLogRows.change($0))
        }
    }
  }

  package func listen(
    to organization: OrganizationKey, _ onChange: @escaping @Sendable () -> Void
  ) -> ChangeBus.Listening {
    changeBus.listen(to: organization, onChange)
  }

  package func logEnd(of organization: OrganizationKey) async throws -> LogPlace {
    try read { connection in
      let end = try connection.statement(ChangeLogRows.end).first([.integer(organization.value)]) {
        LogPlace(
          epoch: $0.optionalText(0).map(LogEpoch.init(stored:)) ?? .none, sequence: $0.integer(1))
      }
      return end ?? LogPlace(epoch: .none, sequence: 0)
    }
  }

  /// Gives the logs of all organizations another epoch.
  package func renewLogEpoch() async throws {
    try await writer.write(.short(nil)) { transaction in
      _ = try transaction.statement(ChangeLogRows.renewEpoch).run([.text(LogEpoch.random().text)])
    }
  }

  package func auditLog(_ query: AuditLogQuery) async throws -> Page<Change, RowCursor> {
    // However few are asked for, a window of the log is looked through.
    try await readLong(of: query.organization) { connection in
      let limit = PageLimit.clamped(query.limit)
      let rows = try connection.statement(
        query.resourceID == nil ? ChangeLogRows.audit : ChangeLogRows.auditOfResource
      )
      .all([
        .integer(query.organization.value), .integer(query.cursor?.row ?? .max),
        .integer(ChangeLogRows.auditWindow),
        .optional(query.author), .optional(query.resource?.rawValue), .optional(query.resourceID),
        .optional(query.operation), .optional(query.from?.millisecondsSince1970),
        .optional(query.to?.millisecondsSince1970), .integer(Int64(limit) + 1),
      ]) { try ChangeLogRows.change($0) }
      let shown = try rows.prefix(limit).map(Change.init)
      if rows.count > limit {
        return Page(elements: shown, next: shown.last.map { RowCursor(row: $0.sequence) })
      }
      return Page(elements: shown, next: try Self.end(ofWindowFor: query, on: connection))
    }
  }

  /// The place to continue at when the window has been looked through; nil at the log's end.
  private static func end(ofWindowFor query: AuditLogQuery, on connection: SQLiteConnection) throws
    -> RowCursor?
  {
    guard query.resourceID == nil else { return nil }
    return try connection.statement(ChangeLogRows.auditWindowEnd).first([
      .integer(query.organization.value), .integer(query.cursor?.row ?? .max),
      .integer(ChangeLogRows.auditWindow),
    ]) { RowCursor(row: $0.integer(0)) }
  }

  package func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> [StoredChange] {
    try read { connection in
      try connection.statement(ChangeLogRows.all)
        .all([.integer(organization.value), .integer(sequence), PageLimit.count(limit)]) {
          try ChangeLogRows.change($0)
        }
    }
  }

  package func unsealedChanges(of organization: OrganizationKey) async throws -> UnsealedChanges {
    try read { UnsealedChanges(waitingCount: 0, lostCount: try $0.lostSealCount(of: organization)) }
  }

  package func organizations() async throws -> [(key: OrganizationKey, id: OrganizationID)] {
    try read { connection in
      try connection.statement("SELECT organization_id, id FROM organizations ORDER BY organization_id")
        .all([]) { (OrganizationKey($0.integer(0)), try $0.identifier(1)) }
    }
  }
}

extension SQLiteConnection {
  /// The number of changes of an organization that have no seal.
  func lostSealCount(of organization: OrganizationKey) throws -> Int64 {
    try statement(
      """
      SELECT count(*) FROM changes c WHERE c.organization_id = ?1 AND NOT EXISTS (
        SELECT 1 FROM change_seals s
        WHERE s.organization_id = c.organization_id AND s.change_number = c.change_number)
      """
    ).first([.integer(organization.value)]) { $0.integer(0) } ?? 0
  }
}
