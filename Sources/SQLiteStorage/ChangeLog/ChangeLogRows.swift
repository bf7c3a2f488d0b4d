import ChangeLog
import TimeclockDomain

extension SQLiteTransaction {
  /// Writes down a change, and seals it: this is the only writer, so the order of the writes is that of the
  /// commits.
  ///
  /// - Parameters:
  ///   - before: The resource before the change; nil if it is created.
  ///   - after: The resource after the change; nil if it is deleted.
  /// - Throws: `.periodLocked` for a change that a mark binds.
  func log(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) throws {
    guard let subject = after ?? before else { return }
    try requireOpen(from: before, to: after, in: organization, context)
    let content = ChangeContent(
      before: before?.encoded, after: after?.encoded, reason: context.reason?.text,
      salt: ChangeChain.makeSalt())
    let (last, previous) = try lastSeal(in: organization)
    var change = StoredChange(
      sequence: last + 1, kind: before == nil ? .created : after == nil ? .deleted : .updated,
      resource: subject.kind, resourceID: subject.resourceID, context: context, content: content,
      contentDigest: ChangeChain.digest(of: content), hash: [])
    change.hash = ChangeChain.hash(of: change, after: previous)
    try insert(change, number: numbers.next(), in: organization)
    grownLogs.note(organization)
  }

  private func insert(_ change: StoredChange, number: Int64, in organization: OrganizationKey) throws {
    let author = change.context.author
    try statement(
      """
      INSERT INTO changes (change_number, organization_id, time, author_means, author_id, author_token_id,
        request_id, operation, kind, resource, resource_id, before, after, reason, salt)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """
    ).run([
      .integer(number), .integer(organization.value), .instant(change.context.time),
      .text(author.means.rawValue),
      .optional(author.userID), .optional(author.apiTokenID), .optional(author.requestID),
      .text(change.context.operation), .text(change.kind.rawValue), .text(change.resource.rawValue),
      .identifier(change.resourceID), .optional(change.content.before), .optional(change.content.after),
      .optional(change.content.reason), change.content.salt.map(SQLiteValue.blob) ?? .null,
    ])
    try statement(
      """
      INSERT INTO change_seals (organization_id, sequence, change_number, content_digest, hash)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """
    ).run([
      .integer(organization.value), .integer(change.sequence), .integer(number), .blob(change.contentDigest),
      .blob(change.hash),
    ])
  }

  private func lastSeal(in organization: OrganizationKey) throws -> (sequence: Int64, hash: [UInt8]) {
    try statement(ChangeLogRows.last).first([.integer(organization.value)]) { ($0.integer(0), $0.blob(1)) }
      ?? (0, ChangeChain.beginning)
  }
}

/// The statements that read the log of changes, and how a row is read.
enum ChangeLogRows {
  /// The columns in the order in which `change` reads them, of the tables `s` and `c`.
  static let columns = """
    s.sequence, c.kind, c.resource, c.resource_id, c.author_means, c.author_id, c.author_token_id, c.request_id, \
    c.operation, c.time, c.reason, c.before, c.after, c.salt, s.content_digest, s.hash
    """

  /// The change in the row.
  static func change(_ row: SQLiteRow) throws -> StoredChange {
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
        salt: row.isNull(13) ? nil : row.blob(13)),
      contentDigest: row.blob(14), hash: row.blob(15))
  }
}

extension ChangeLogRows {
  /// The sequence number and the hash of the last change.
  static let last = SQLiteText(
    "SELECT sequence, hash FROM change_seals WHERE organization_id = ?1 ORDER BY sequence DESC LIMIT 1")

  /// The epoch of the log, and the sequence number of its last change.
  static let end = SQLiteText(
    """
    SELECT e.epoch, coalesce((SELECT sequence FROM change_seals WHERE organization_id = ?1
      ORDER BY sequence DESC LIMIT 1), 0)
    FROM log_epoch e WHERE e.log_epoch_id = 1
    """)

  static let renewEpoch = SQLiteText("UPDATE log_epoch SET epoch = ?1 WHERE log_epoch_id = 1")

  private static let tables = "change_seals s CROSS JOIN changes c ON c.change_number = s.change_number"

  /// Changes in their order.
  static let all = SQLiteText(
    """
    SELECT \(columns) FROM \(tables) WHERE s.organization_id = ?1 AND s.sequence > ?2
    ORDER BY s.sequence LIMIT ?3
    """)

  /// A parameter for each kind of resource, from the fourth on.
  private static let kinds = Snapshot.Kind.allCases.indices.map { "?\($0 + 4)" }.joined(separator: ", ")

  /// The same, of some kinds of resources only.
  static let feed = SQLiteText(
    """
    SELECT \(columns) FROM \(tables) WHERE s.organization_id = ?1 AND s.sequence > ?2
      AND c.resource IN (\(kinds))
    ORDER BY s.sequence LIMIT ?3
    """)

  /// The number of changes that one page of an audit looks at.
  static let auditWindow: Int64 = 10_000

  private static let auditFilter = """
    (?4 IS NULL OR c.author_id = ?4) AND (?5 IS NULL OR c.resource = ?5) AND (?6 IS NULL OR c.resource_id = ?6)
    AND (?7 IS NULL OR c.operation = ?7) AND (?8 IS NULL OR c.time >= ?8) AND (?9 IS NULL OR c.time < ?9)
    """

  /// Changes that a filter lets through, newest first, of the last `?3` before `?2`.
  static let audit = SQLiteText(
    """
    SELECT \(columns) FROM (
      SELECT * FROM change_seals WHERE organization_id = ?1 AND sequence < ?2 ORDER BY sequence DESC LIMIT ?3) s
    CROSS JOIN changes c ON c.change_number = s.change_number
    WHERE \(auditFilter) ORDER BY s.sequence DESC LIMIT ?10
    """)

  /// Changes of one resource that a filter lets through, newest first.
  static let auditOfResource = SQLiteText(
    """
    SELECT \(columns) FROM changes c
    CROSS JOIN change_seals s ON s.organization_id = c.organization_id AND s.change_number = c.change_number
    WHERE c.organization_id = ?1 AND c.resource_id = ?6 AND s.sequence < ?2 AND ?3 > 0 AND \(auditFilter)
    ORDER BY s.sequence DESC LIMIT ?10
    """)

  /// The last change that a window of an audit holds, if there are more before it.
  static let auditWindowEnd = SQLiteText(
    """
    SELECT sequence FROM change_seals WHERE organization_id = ?1 AND sequence < ?2
    ORDER BY sequence DESC LIMIT 1 OFFSET ?3 - 1
    """)
}
