import Procedures
import TimeclockDomain

/// The inside of a transaction, for procedures on records. Nothing here suspends.
package struct SQLiteRecords: RecordTransaction {
  let transaction: SQLiteTransaction
  let identifiers: PublicIdentifiers

  package var newOrganization: OrganizationKey? { nil }

  package func read<Value>(
    _ statement: RecordStatement, _ values: [RecordValue],
    _ row: (inout RecordRow<SQLiteRow>) throws -> Value
  ) throws -> [Value] {
    try transaction.connection.read(statement, values, row)
  }

  @discardableResult
  package func run(_ statement: RecordStatement, each values: [[RecordValue]]) throws -> [Int] {
    let statement = try transaction.connection.statement(statement)
    return try values.map { try statement.run($0.map(SQLiteValue.init)) }
  }

  /// There is one writer.
  package func lock(_ statement: RecordStatement, _ values: [RecordValue]) {}

  package func insert(_ insertion: RecordInsertion, _ values: [RecordValue]) throws -> Int64? {
    guard let numbered = insertion.numbered else {
      return try read(insertion.plain, values) { $0.key }.first
    }
    return try read(numbered, values + [.integer(transaction.numbers.next())]) { $0.key }.first
  }

  package func insert(_ insertion: RecordInsertion, each values: [[RecordValue]]) throws {
    for values in values { _ = try insert(insertion, values) }
  }

  package func log(
    each changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) throws {
    for change in changes {
      try transaction.log(from: change.before, to: change.after, in: organization, context)
    }
  }

  package func lockMembers(_ ids: [UserID], of organization: OrganizationKey) throws -> [UserID: LockedMember]
  {
    try ids.reduce(into: [:]) { members, id in
      members[id] = try transaction.statement(
        """
        SELECT m.user_id, m.active FROM users u
        CROSS JOIN members m ON m.organization_id = ?1 AND m.user_id = u.user_id WHERE u.id = ?2
        """
      ).first([.integer(organization.value), .identifier(id)]) {
        LockedMember(user: UserKey($0.integer(0)), isActive: $0.bool(1))
      }
    }
  }

  package func entries(ofSession row: Int64, in organization: OrganizationKey) throws -> [TimeEntry] {
    let rows = TimeEntryRows(connection: transaction.connection, identifiers: identifiers)
    return try transaction.statement(Self.entriesOfSession)
      .all([.integer(organization.value), .integer(row)], rows.entry)
  }

  private static let entriesOfSession = SQLiteText(
    """
    SELECT \(TimeEntryRows.columns) FROM time_entries e INDEXED BY time_entries_of_session \
    WHERE e.organization_id = ?1 AND e.session_id = ?2 ORDER BY e.date, e.created_at, e.entry_number
    """)

  package func forgetLogInAttempts(of accounts: [String]) throws {
    for account in accounts {
      try transaction.statement(LogInAttemptRows.deleteOfAccount).run([LogInAttemptRows.account(account)])
    }
  }

  package func activeEntry(of member: MemberKey) throws -> TimeEntry? {
    try TimeEntryRows(connection: transaction.connection, identifiers: identifiers).active(of: member)?.entry
  }

  package func overlappingEntries(
    of member: MemberKey, from start: Instant, to end: Instant?
  ) throws -> TimeEntryOverlaps {
    try TimeEntryRows(connection: transaction.connection, identifiers: identifiers)
      .overlaps(of: member, from: start, to: end, excluding: nil)
  }

  package func workedTime(_ query: WorkedTimeQuery) throws -> WorkedTime {
    try WorkedTimeRows(connection: transaction.connection, identifiers: identifiers).time(query)
  }

  package func createEntry(_ new: NewTimeEntry) throws -> TimeEntry {
    try TimeEntryWork(transaction: transaction, identifiers: identifiers).create(new)
  }

  package func updateEntry(
    _ update: TimeEntryUpdate, _ change: (inout TimeEntry) throws -> Void
  ) throws -> TimeEntry {
    try TimeEntryWork(transaction: transaction, identifiers: identifiers).update(update, change)
  }

  package func deleteEntry(
    _ update: TimeEntryUpdate, _ check: (TimeEntry) throws -> Void
  ) throws -> TimeEntry {
    try TimeEntryWork(transaction: transaction, identifiers: identifiers).delete(update, check)
  }

  package func closeActiveEntry(
    of member: MemberKey, _ context: ChangeContext, _ close: (inout TimeEntry) throws -> Void
  ) async throws -> WrittenEntry? {
    let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
    guard let active = try work.rows.active(of: member) else { return nil }
    var entry = active.entry
    try close(&entry)
    let segments = try await haveSegmentsFollow(active.entry, to: entry, in: member.organization, context)
    try work.close(entry, number: active.number, of: member)
    try transaction.log(
      from: .timeEntry(active.entry), to: .timeEntry(entry), in: member.organization, context)
    return WrittenEntry(timeEntry: entry, rows: segments + [ClockRow(entry)])
  }

  package func entry(_ id: TimeEntryID, in organization: OrganizationKey) throws -> TimeEntry? {
    try TimeEntryRows(connection: transaction.connection, identifiers: identifiers)
      .entry(id, in: organization)
  }

  package func reopen(
    _ closed: TimeEntry, as open: TimeEntry, of member: MemberKey, _ context: ChangeContext
  ) throws {
    let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
    try transaction.requireOpen(
      from: .timeEntry(closed), to: .timeEntry(open), in: member.organization, context)
    try work.close(open, number: try number(of: closed, by: work, in: member.organization), of: member)
    try transaction.log(
      from: .timeEntry(closed), to: .timeEntry(open), in: member.organization, context)
  }

  package func discard(_ entry: TimeEntry, of member: MemberKey, _ context: ChangeContext) throws {
    let work = TimeEntryWork(transaction: transaction, identifiers: identifiers)
    try transaction.requireOpen(from: .timeEntry(entry), to: nil, in: member.organization, context)
    try work.delete(entry, number: try number(of: entry, by: work, in: member.organization), of: member)
    try transaction.log(from: .timeEntry(entry), to: nil, in: member.organization, context)
  }

  private func number(
    of entry: TimeEntry, by work: TimeEntryWork, in organization: OrganizationKey
  ) throws -> Int64 {
    guard let stored = try work.rows.stored(entry.id, in: organization) else {
      throw TimeclockError.notFound(.timeEntry)
    }
    return stored.number
  }
}

extension SQLiteTransaction {
  /// Runs a procedure on records to its end.
  func records<Value>(
    _ identifiers: PublicIdentifiers, _ body: (SQLiteRecords) async throws -> Value
  ) throws -> Value {
    try InPlaceExecutor.run { try await body(SQLiteRecords(transaction: self, identifiers: identifiers)) }
  }
}

extension SQLiteStorage {
  package func read<Value: Sendable>(
    _ statement: RecordStatement, _ values: [RecordValue], in scope: RecordScope, limit: Int,
    _ row: @escaping @Sendable (inout RecordRow<SQLiteRow>) throws -> Value
  ) async throws -> [Value] {
    guard case .organization(let organization) = scope else {
      return try read { try $0.read(statement, values, row) }
    }
    return try await readPage(of: organization, limit: limit) { try $0.read(statement, values, row) }
  }

  package func write<Value: Sendable>(
    _ kind: RecordWrite, recording: AnswerRecording<Value>?,
    _ body: @escaping @Sendable (SQLiteRecords) async throws -> Value
  ) async throws -> Value {
    var organization: OrganizationKey?
    if case .organization(let key) = kind.scope { organization = key }
    let length: WriteLength = kind.isLong ? .long(organization) : .short(organization)
    let onCommit = { @Sendable [access] in if kind.changesAccess { access.invalidate() } }
    return try await writer.write(length, onCommit: onCommit) { [identifiers] transaction in
      try transaction.once(recording) { try transaction.records(identifiers, body) }
    }
  }
}

extension SQLiteRow: ColumnRow {}

extension SQLiteConnection {
  /// Runs a statement on records, and reads each row that it gives.
  func read<Value>(
    _ statement: RecordStatement, _ values: [RecordValue],
    _ row: (inout RecordRow<SQLiteRow>) throws -> Value
  ) throws -> [Value] {
    try self.statement(statement).all(values.map(SQLiteValue.init), named: statement.names, row)
  }
}

extension SQLiteStatement {
  /// Every row as `read` sees it, by the names of the columns.
  func all<Value>(
    _ values: [SQLiteValue], named names: [String], _ read: (inout RecordRow<SQLiteRow>) throws -> Value
  ) throws -> [Value] {
    try all(values) { row in
      var row = RecordRow(row, names: names)
      return try read(&row)
    }
  }
}

extension SQLiteValue {
  init(_ value: RecordValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .bool(let bool): .bool(bool)
      case .text(let text): .text(text)
      case .bytes(let bytes): .blob(bytes)
      case .identifier(let high, let low): .identifier(high: high, low: low)
      }
  }
}
