import ChangeLog
import TimeclockDomain

extension Storage {
  /// Reverts the punch's changes, and remembers that it was taken back, all in one transaction: records it began go,
  /// those it ended continue, those it discarded are restored, each with a change of its own in the log. A punch that
  /// was taken back before changes nothing.
  ///
  /// - Throws: `.punchNotFound` if the author has applied none of this name; `.undoExpired`; `.punchSuperseded` if an
  ///   entry or a segment of the member has changed since, a mark binds one by now, or the member was deactivated. Then
  ///   nothing is changed.
  package func undoPunch(_ undo: PunchUndo) async throws {
    try await write(RecordWrite(of: undo.member), recording: nil) { try await $0.undo(undo) }
  }
}

extension RecordTransaction {
  /// Takes a punch back, as `PunchStorage.undoPunch` says.
  fileprivate func undo(_ undo: PunchUndo) async throws {
    // All changes of the member's clock wait here, and so does a second undo of the same punch.
    let isActive = try await lockForSegments(undo.member)
    let memory = try await first(
      PunchStatements.memory,
      [.bytes(undo.punch.digest), .optional(undo.punch.user?.value), .instant(undo.context.time)]
    ) { PunchMemory($0.blob("body")) }
    guard let memory else { throw TimeclockError.punchNotFound }
    guard !memory.isUndone else { return }
    guard isActive else { throw TimeclockError.punchSuperseded }
    let rows = try memory.rowsToTakeBack(at: undo.context.time)
    let changes = try await changes(of: rows, in: undo.member.organization)
    try await requireLast(changes, of: undo)
    do {
      for change in changes.reversed() { try await takeBack(change, undo) }
    } catch TimeclockError.periodLocked {
      throw TimeclockError.punchSuperseded
    }
    try await write(
      PunchStatements.remember, [.bytes(undo.punch.digest), .bytes(memory.undone.bytes)], rows: 1,
      of: "idempotency_keys")
  }

  /// The changes by which a punch left its rows so.
  ///
  /// - Throws: `.punchSuperseded` if one of them has changed since.
  private func changes(
    of rows: [ClockRow], in organization: OrganizationKey
  ) async throws -> [ClockChange] {
    var changes: [ClockChange] = []
    for row in rows {
      let change = try await first(
        PunchStatements.lastChange, [.key(organization), .identifier(row.id)]
      ) { try ClockChange(&$0, of: row) }
      guard let change, change.after?.version == row.version else { throw TimeclockError.punchSuperseded }
      changes.append(change)
    }
    return changes
  }

  /// Requires that nothing of the member's clock has changed since. Every change of it locks the member, so that the
  /// numbers of its changes are in their order.
  ///
  /// - Throws: `.punchSuperseded`.
  private func requireLast(_ changes: [ClockChange], of undo: PunchUndo) async throws {
    guard let last = changes.map(\.number).max(), let userID = changes.first?.userID else { return }
    let isSuperseded = try await exists(
      PunchStatements.laterChange,
      [.key(undo.member.organization), .integer(last), .text(PunchStatements.pattern(userID))])
    guard !isSuperseded else { throw TimeclockError.punchSuperseded }
  }

  /// Restores the state before a change.
  private func takeBack(_ change: ClockChange, _ undo: PunchUndo) async throws {
    let organization = undo.member.organization
    switch (change.before, change.after) {
    case (.timeEntry(let before)?, .timeEntry(let after)?):
      var open = before
      (open.version, open.updatedAt) = (after.version + 1, undo.context.time)
      try await reopen(try await current(after, in: organization), as: open, of: undo.member, undo.context)
    case (nil, .timeEntry(let after)?):
      try await discard(try await current(after, in: organization), of: undo.member, undo.context)
    case (.segment(let before)?, .segment(let after)?):
      try await replace(
        try await current(after, in: organization),
        by: before.next(after: after.version, at: undo.context.time),
        in: organization, undo.context)
    case (nil, .segment(let after)?):
      try await discard(try await current(after, in: organization), in: organization, undo.context)
    case (.segment(let before)?, nil):
      let segment = before.next(after: before.version, at: undo.context.time)
      try await keep(
        StoredSegment(
          segment: segment, number: 0, user: undo.member.user,
          rows: try await rows(of: segment.purpose, in: organization), resumes: change.row.resumes),
        in: organization, undo.context)
    default: throw TimeclockError.punchSuperseded
    }
  }

  /// The entry as the punch left it; the row has the last word, not the log.
  private func current(_ logged: TimeEntry, in organization: OrganizationKey) async throws -> TimeEntry {
    guard let entry = try await entry(logged.id, in: organization), entry == logged else {
      throw TimeclockError.punchSuperseded
    }
    return entry
  }

  /// The segment as the punch left it.
  private func current(_ logged: Segment, in organization: OrganizationKey) async throws -> StoredSegment {
    let stored = try await first(
      SegmentStatements.byID, [.key(organization), .identifier(logged.id)], StoredSegment.init)
    guard let stored, stored.segment == logged else { throw TimeclockError.punchSuperseded }
    return stored
  }

  /// The rows of a discarded segment's purpose.
  ///
  /// - Throws: `.punchSuperseded` if one is gone since.
  private func rows(of purpose: SegmentPurpose, in organization: OrganizationKey) async throws -> SegmentRows
  {
    SegmentRows(
      project: try await number(of: purpose.projectID, PunchStatements.project, in: organization),
      task: try await number(of: purpose.taskID, PunchStatements.task, in: organization),
      breakType: try await number(of: purpose.breakTypeID, PunchStatements.breakType, in: organization))
  }

  private func number<Subject>(
    of id: Identifier<Subject>?, _ statement: RecordStatement, in organization: OrganizationKey
  ) async throws -> Int64? {
    guard let id else { return nil }
    guard let number = try await first(statement, [.key(organization), .identifier(id)], { $0.key }) else {
      throw TimeclockError.punchSuperseded
    }
    return number
  }
}

extension Segment {
  /// The same segment as the version behind another one.
  fileprivate func next(after version: Int64, at now: Instant) -> Segment {
    var segment = self
    (segment.version, segment.updatedAt) = (version + 1, now)
    return segment
  }
}

/// A change of an entry or a segment in the log.
private struct ClockChange {
  let row: ClockRow
  let number: Int64
  let before: Snapshot?
  let after: Snapshot?

  /// - Throws: `.punchSuperseded` for one whose content was erased.
  init<Row>(_ row: inout RecordRow<Row>, of clockRow: ClockRow) throws {
    self.row = clockRow
    number = row.integer("change_number")
    let kind: Snapshot.Kind = try row.choice("resource")
    before = try row.optionalText("before").map { try Snapshot(kind: kind, encoded: $0) }
    after = try row.optionalText("after").map { try Snapshot(kind: kind, encoded: $0) }
    if before == nil, after == nil { throw TimeclockError.punchSuperseded }
  }

  var userID: UserID? { (after ?? before)?.userID }
}

extension Snapshot {
  /// The version of an entry or a segment.
  fileprivate var version: Int64? {
    switch self {
    case .timeEntry(let entry): entry.version
    case .segment(let segment): segment.version
    default: nil
    }
  }
}

private enum PunchStatements {
  static let memory = RecordStatement(
    "FROM idempotency_keys WHERE digest = $1 AND user_id = $2 AND expires_at > $3",
    columns: RecordColumns("body"))
  static let remember = RecordStatement("UPDATE idempotency_keys SET body = $2 WHERE digest = $1")
  static let lastChange = RecordStatement(
    "FROM changes WHERE organization_id = $1 AND resource_id = $2 ORDER BY change_number DESC LIMIT 1",
    columns: RecordColumns("change_number", "resource", "before", "after"))

  /// A change of a member's entries and segments, found by the text of their owner, behind the change `$2`. That is a minute
  /// of the log at most.
  static let laterChange = RecordStatement(
    laterChange(in: "changes"), columns: RecordColumns("change_number"),
    sqlite: laterChange(in: "changes NOT INDEXED"))

  private static func laterChange(in table: String) -> String {
    """
    FROM \(table) WHERE organization_id = $1 AND change_number > $2 \
    AND resource IN ('\(Snapshot.Kind.timeEntry.rawValue)', '\(Snapshot.Kind.segment.rawValue)') \
    AND coalesce(after, before) LIKE $3 LIMIT 1
    """
  }

  static func pattern(_ userID: UserID) -> String { "%\"userId\":\"\(userID.text)\"%" }

  static let project = number("project_id", of: "projects")
  static let task = number("task_id", of: "tasks")
  static let breakType = number("break_type_id", of: "break_types")

  /// The number of a record, which is not deleted until the transaction ends.
  private static func number(_ column: String, of table: String) -> RecordStatement {
    RecordStatement(
      "FROM \(table) WHERE organization_id = $1 AND id = $2", columns: RecordColumns(column),
      lock: "FOR KEY SHARE")
  }
}
