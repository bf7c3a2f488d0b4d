import ChangeLog
import TimeclockDomain

extension PostgreSQLStorage {
  package func changes(
    of organization: OrganizationKey, after sequence: Int64, resources: Set<Snapshot.Kind>, limit: Int
  ) async throws -> [Change] {
    try await sealIfNeeded(organization)
    let kinds = Snapshot.Kind.allCases.map {
      resources.contains($0) ? PostgreSQLValue.text($0.rawValue) : .null
    }
    return try await changes(
      readAtLength(
        ChangeLogRows.feed,
        [.integer(organization.value), .integer(sequence), PageLimit.count(limit)] + kinds,
        in: .organization(organization)))
  }

  package func listen(
    to organization: OrganizationKey, _ onChange: @escaping @Sendable () -> Void
  ) -> ChangeBus.Listening {
    changeBus.listen(to: organization, onChange)
  }

  package func logEnd(of organization: OrganizationKey) async throws -> LogPlace {
    try await sealIfNeeded(organization)
    return try await read(
      ChangeLogRows.end, [.integer(organization.value)], in: .organization(organization)
    ).first {
      LogPlace(
        epoch: $0.optionalText(0).map(LogEpoch.init(stored:)) ?? .none, sequence: $0.integer(1))
    } ?? LogPlace(epoch: .none, sequence: 0)
  }

  /// Gives the logs of all organizations another epoch.
  package func renewLogEpoch() async throws {
    _ = try await write(
      ChangeLogRows.renewEpoch, [.text(LogEpoch.random().text)], in: .noOrganization,
      lockOrder: .init(first: .max, second: .max))
  }

  /// The changes in the rows: of a long page read away from the event loop.
  func changes(_ rows: PostgreSQLRows) async throws -> [Change] {
    let read = { @Sendable in try rows.map { try Change(ChangeLogRows.change($0)) } }
    return rows.count <= Self.changesOnLoop ? try read() : try await atLength(read)
  }

  /// The most changes that are read on the event loop: that takes a millisecond and a half.
  private static let changesOnLoop = 100

  package func auditLog(_ query: AuditLogQuery) async throws -> Page<Change, RowCursor> {
    if query.cursor == nil { try await sealIfNeeded(query.organization) }
    let limit = PageLimit.clamped(query.limit)
    let rows = try await readAtLength(
      query.resourceID == nil ? ChangeLogRows.audit : ChangeLogRows.auditOfResource,
      [
        .integer(query.organization.value), .integer(query.cursor?.row ?? .max),
        .integer(ChangeLogRows.auditWindow),
        .optional(query.author), .optional(query.resource?.rawValue), .optional(query.resourceID),
        .optional(query.operation), .optional(query.from), .optional(query.to), .integer(Int64(limit) + 1),
      ], in: .organization(query.organization)
    ).map { try ChangeLogRows.change($0) }
    let shown = try rows.prefix(limit).map(Change.init)
    if rows.count > limit {
      return Page(elements: shown, next: shown.last.map { RowCursor(row: $0.sequence) })
    }
    return Page(elements: shown, next: try await end(ofWindowFor: query))
  }

  /// The place to continue at when the window has been looked through; nil at the log's end.
  private func end(ofWindowFor query: AuditLogQuery) async throws -> RowCursor? {
    guard query.resourceID == nil else { return nil }
    return try await readAtLength(
      ChangeLogRows.auditWindowEnd,
      [
        .integer(query.organization.value), .integer(query.cursor?.row ?? .max),
        .integer(ChangeLogRows.auditWindow),
      ], in: .organization(query.organization)
    ).first { RowCursor(row: $0.integer(0)) }
  }

  package func storedChanges(
    of organization: OrganizationKey, after sequence: Int64, limit: Int
  ) async throws -> [StoredChange] {
    if sequence == 0 { try await sealIfNeeded(organization) }
    return try await readAtLength(
      ChangeLogRows.all, [.integer(organization.value), .integer(sequence), PageLimit.count(limit)],
      in: .organization(organization)
    ).map { try ChangeLogRows.change($0) }
  }

  package func unsealedChanges(of organization: OrganizationKey) async throws -> UnsealedChanges {
    let counts = try await read(
      ChangeLogRows.unsealed, [.integer(organization.value)], in: .organization(organization)
    ).first { UnsealedChanges(waitingCount: $0.integer(0), lostCount: $0.integer(1)) }
    return counts ?? UnsealedChanges(waitingCount: 0, lostCount: 0)
  }

  package func organizations() async throws -> [(key: OrganizationKey, id: OrganizationID)] {
    try await read(ChangeLogRows.organizations, [], in: .everyone(because: .operatorsListOrganizations))
      .map { (OrganizationKey($0.integer(0)), try $0.identifier(1)) }
  }
}

/// The statements that read the log of changes, and how a row is read.
enum ChangeLogRows {
  /// The columns in the order in which `change` reads them, of the tables `s` and `c`.
  static let columns = """
    s.sequence, c.kind, c.resource, c.resource_id, c.author_means, c.author_id, c.author_token_id, c.request_id, \
    c.operation, c.time, c.reason, c.before, c.after, c.salt, s.content_digest, s.hash
    """

  /// Each change is looked up by its seal's number, however many rows PostgreSQL estimates: a free join would walk an
  /// organization's whole history to show a page of it.
  private static let theirChanges = """
    CROSS JOIN LATERAL (SELECT * FROM changes \
    WHERE organization_id = s.organization_id AND change_number = s.change_number OFFSET 0) c
    """

  static let tables = "change_seals s \(theirChanges)"

  /// Changes in their order.
  static let all = PostgreSQLStatement(
    """
    SELECT \(columns) FROM \(tables) WHERE s.organization_id = $1 AND s.sequence > $2 \
    ORDER BY s.sequence LIMIT $3
    """)

  /// A parameter for each kind of resource, from the fourth on.
  private static let kinds = Snapshot.Kind.allCases.indices.map { "$\($0 + 4)" }.joined(separator: ", ")

  /// The same, of some kinds of resources only.
  static let feed = PostgreSQLStatement(
    """
    SELECT \(columns) FROM \(tables) WHERE s.organization_id = $1 AND s.sequence > $2 \
    AND c.resource IN (\(kinds)) ORDER BY s.sequence LIMIT $3
    """)

  /// The number of changes that one page of an audit looks at.
  static let auditWindow: Int64 = 10_000

  private static let auditFilter = """
    ($4::uuid IS NULL OR c.author_id = $4) AND ($5::text IS NULL OR c.resource = $5) \
    AND ($6::uuid IS NULL OR c.resource_id = $6) AND ($7::text IS NULL OR c.operation = $7) \
    AND ($8::bigint IS NULL OR c.time >= $8) AND ($9::bigint IS NULL OR c.time < $9)
    """

  /// Changes that a filter lets through, newest first, of the last `$3` before `$2`.
  static let audit = PostgreSQLStatement(
    """
    SELECT \(columns) FROM ( \
    SELECT * FROM change_seals WHERE organization_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3) s \
    \(theirChanges) WHERE \(auditFilter) ORDER BY s.sequence DESC LIMIT $10
    """)

  /// Changes of one resource that a filter lets through, newest first.
  static let auditOfResource = PostgreSQLStatement(
    """
    SELECT \(columns) FROM changes c \
    JOIN change_seals s ON s.organization_id = c.organization_id AND s.change_number = c.change_number \
    WHERE c.organization_id = $1 AND c.resource_id = $6 AND s.sequence < $2 AND $3::bigint > 0 AND \(auditFilter) \
    ORDER BY s.sequence DESC LIMIT $10
    """)

  /// The last change that a window of an audit holds, if there are more before it.
  static let auditWindowEnd = PostgreSQLStatement(
    """
    SELECT sequence FROM change_seals WHERE organization_id = $1 AND sequence < $2 \
    ORDER BY sequence DESC LIMIT 1 OFFSET $3::bigint - 1
    """)

  /// The seal of each change is looked up by its number, as above: an organization that has just come, of which PostgreSQL
  /// has no statistics, would be one row to it, and each change compared with each seal.
  static let unsealed = PostgreSQLStatement(
    """
    SELECT count(q.is_there), count(*) - count(q.is_there) FROM changes c \
    LEFT JOIN LATERAL (SELECT TRUE AS is_there FROM change_seals \
    WHERE organization_id = c.organization_id AND change_number = c.change_number OFFSET 0) s ON TRUE \
    LEFT JOIN LATERAL (SELECT TRUE AS is_there FROM unsealed_changes \
    WHERE organization_id = c.organization_id AND change_number = c.change_number OFFSET 0) q ON TRUE \
    WHERE c.organization_id = $1 AND s.is_there IS NULL
    """)

  /// The sequence number and the hash of the last change.
  static let last = PostgreSQLStatement(
    "SELECT sequence, hash FROM change_seals WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1")

  /// The epoch of the log, and the sequence number of its last change.
  static let end = PostgreSQLStatement(
    """
    SELECT \(epoch(of: "$1")), coalesce((SELECT sequence FROM change_seals WHERE organization_id = $1 \
    ORDER BY sequence DESC LIMIT 1), 0) FROM log_epoch e
    """)

  /// The epoch of an organization's log as SQL, by its number, where `e` is the row of the database's: the one that it brought from
  /// another cell, until this database gets a new one.
  static func epoch(of organization: String) -> String {
    """
    coalesce((SELECT a.epoch FROM organization_arrivals a \
    WHERE a.organization_id = \(organization) AND a.database_epoch = e.epoch), e.epoch)
    """
  }

  static let renewEpoch = PostgreSQLStatement("UPDATE log_epoch SET epoch = $1")

  static let anyUnsealed = PostgreSQLStatement(
    "SELECT 1::bigint FROM unsealed_changes WHERE organization_id = $1 LIMIT 1")

  static let organizations = PostgreSQLStatement(
    "SELECT organization_id, id FROM organizations ORDER BY organization_id")

  /// The change in the row.
  static func change(_ row: PostgreSQLRow) throws -> StoredChange {
    let author = Author(
      means: try row.choice(4), userID: try row.optionalIdentifier(5),
      apiTokenID: try row.optionalIdentifier(6), requestID: try row.optionalIdentifier(7))
    return StoredChange(
      sequence: row.integer(0), kind: try row.choice(1), resource: try row.choice(2),
      resourceID: try row.identifier(3),
      context: ChangeContext(
        author: author, operation: row.text(8), time: row.instant(9),
        reason: row.optionalText(10).map(Reason.init(stored:))),
      content: ChangeContent(
        before: row.optionalText(11), after: row.optionalText(12), reason: row.optionalText(10),
        salt: row.optionalBytes(13)),
      contentDigest: row.optionalBytes(14) ?? [], hash: row.optionalBytes(15) ?? [])
  }
}
