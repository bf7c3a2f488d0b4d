import Procedures
import Synchronization
import TimeclockDomain

/// The inside of a transaction, for procedures on records. Each call is a round trip.
package struct PostgreSQLRecords: RecordTransaction {
  let transaction: PostgreSQLTransaction
  package var newOrganization: OrganizationKey?

  package func read<Value>(
    _ statement: RecordStatement, _ values: [RecordValue],
    _ row: (inout RecordRow<PostgreSQLRow>) throws -> Value
  ) async throws -> [Value] {
    try await transaction.run(
      .of(statement), values.map(PostgreSQLValue.init), in: RowScope(of: statement)
    ).all(named: statement.names, row)
  }

  @discardableResult
  package func run(_ statement: RecordStatement, each values: [[RecordValue]]) async throws -> [Int] {
    try await transaction.run(
      .of(statement), each: values.map { $0.map(PostgreSQLValue.init) }, in: RowScope(of: statement)
    ).map(\.writtenCount)
  }

  package func lock(_ statement: RecordStatement, _ values: [RecordValue]) async throws {
    try await run(statement, each: [values])
  }

  package func insert(_ insertion: RecordInsertion, _ values: [RecordValue]) async throws -> Int64? {
    try await read(insertion.plain, values) { $0.key }.first
  }

  package func insert(_ insertion: RecordInsertion, each values: [[RecordValue]]) async throws {
    try await run(insertion.plain, each: values)
  }

  package func log(
    each changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws {
    try await transaction.log(each: changes, in: organization, context)
  }

  package func lockMembers(
    _ ids: [UserID], of organization: OrganizationKey
  ) async throws -> [UserID: LockedMember] {
    guard !ids.isEmpty else { return [:] }
    let list = "{" + ids.map(\.text).joined(separator: ",") + "}"
    let found = try await transaction.run(
      Self.lockMembers, [.integer(organization.value), .text(list)]
    ).map { row -> (UserID, LockedMember) in
      (
        try row.identifier(0),
        LockedMember(user: UserKey(row.integer(1)), isActive: row.bool(2))
      )
    }
    return Dictionary(found) { $1 }
  }

  private static let lockMembers = PostgreSQLStatement(
    """
    SELECT u.id, m.user_id, m.active FROM users u JOIN members m ON m.organization_id = $1 AND m.user_id = u.user_id \
    WHERE u.id = ANY ($2::text::uuid[]) ORDER BY m.user_id FOR SHARE OF m
    """)

  package func entries(ofSession row: Int64, in organization: OrganizationKey) async throws -> [TimeEntry] {
    try await transaction.run(Self.entriesOfSession, [.integer(organization.value), .integer(row)])
      .map { try TimeEntryRows.entry($0) }
  }

  private static let entriesOfSession = PostgreSQLStatement(
    """
    SELECT \(TimeEntryRows.columns) FROM time_entries e WHERE e.organization_id = $1 AND e.session_id = $2 \
    ORDER BY e.date, e.created_at, e.entry_number
    """)

  package func forgetLogInAttempts(of accounts: [String]) async throws {
    try await transaction.run(
      LogInAttemptRows.deleteOfAccount, each: accounts.map { [LogInAttemptRows.account($0)] })
  }

  package func activeEntry(of member: MemberKey) async throws -> TimeEntry? {
    try await transaction.run(
      TimeEntryRows.active, [.integer(member.organization.value), .integer(member.user.value)]
    ).first { try TimeEntryRows.entry($0) }
  }

  package func overlappingEntries(
    of member: MemberKey, from start: Instant, to end: Instant?
  ) async throws -> TimeEntryOverlaps {
    let span = MemberSpan(organization: member.organization, user: member.user, start: start, end: end)
    return try TimeEntryOverlaps(try await transaction.run(TimeEntryRows.overlapping, of: span))
  }

  package func workedTime(_ query: WorkedTimeQuery) async throws -> WorkedTime {
    let span = query.hasWholeShifts ? ShiftReading.first(of: query) : query
    var time = WorkedTime(entries: [], people: [:], sessions: [:])
    if query.segments != .none {
      let breaks = try await transaction.run(
        WorkedTimeRows.expectedBreaks, [.integer(query.organization.value)]
      ).map { ($0.integer(0), $0.integer(1)) }
      time.purposes.expectedBreaks = Dictionary(uniqueKeysWithValues: breaks)
    }
    time = try await rows(of: span, in: time)
    guard query.hasWholeShifts else { return time }
    var reading = ShiftReading(query, first: time)
    while let next = reading.next {
      let found = try await rows(of: next, in: WorkedTime(entries: [], people: [:], sessions: [:]))
      reading.add(entries: found.entries, segments: found.segments)
    }
    return reading.time
  }

  private func rows(of query: WorkedTimeQuery, in time: WorkedTime) async throws -> WorkedTime {
    let rows = try await transaction.run(WorkedTimeRows.entries(query), WorkedTimeRows.values(query))
    return try WorkedTimeRows.time(in: rows, query, time)
  }

  package func createEntry(_ new: NewTimeEntry) async throws -> TimeEntry {
    try await transaction.requireOpen(
      [(nil, .timeEntry(new.entry))], in: new.member.organization, new.context)
    return try await TimeEntryStatements(in: transaction).create(new)
  }

  package func updateEntry(
    _ update: TimeEntryUpdate, _ change: (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    try await transaction.update(update, change)
  }

  package func deleteEntry(
    _ update: TimeEntryUpdate, _ check: (TimeEntry) throws -> Void
  ) async throws -> TimeEntry {
    try await transaction.delete(update, check)
  }

  package func closeActiveEntry(
    of member: MemberKey, _ context: ChangeContext, _ close: (inout TimeEntry) throws -> Void
  ) async throws -> WrittenEntry? {
    guard let active = try await activeEntry(of: member) else { return nil }
    var entry = active
    try close(&entry)
    let segments = try await haveSegmentsFollow(active, to: entry, in: member.organization, context)
    try await transaction.close(entry, in: member.organization)
    try await transaction.log(
      from: .timeEntry(active), to: .timeEntry(entry), in: member.organization, context)
    return WrittenEntry(timeEntry: entry, rows: segments + [ClockRow(entry)])
  }

  package func entry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry? {
    try await transaction.run(TimeEntryRows.byID, [.integer(organization.value), .identifier(id)])
      .first { try TimeEntryRows.entry($0) }
  }

  package func reopen(
    _ closed: TimeEntry, as open: TimeEntry, of member: MemberKey, _ context: ChangeContext
  ) async throws {
    try await transaction.requireOpen(
      [(.timeEntry(closed), .timeEntry(open))], in: member.organization, context)
    try await transaction.close(open, in: member.organization)
    try await transaction.log(
      from: .timeEntry(closed), to: .timeEntry(open), in: member.organization, context)
  }

  package func discard(_ entry: TimeEntry, of member: MemberKey, _ context: ChangeContext) async throws {
    try await transaction.requireOpen([(.timeEntry(entry), nil)], in: member.organization, context)
    try await transaction.delete(entry, in: member.organization)
    try await transaction.log(from: .timeEntry(entry), to: nil, in: member.organization, context)
  }
}

extension PostgreSQLStorage {
  package func read<Value: Sendable>(
    _ statement: RecordStatement, _ values: [RecordValue], in scope: RecordScope, limit: Int,
    _ row: @escaping @Sendable (inout RecordRow<PostgreSQLRow>) throws -> Value
  ) async throws -> [Value] {
    let rows = try await read(
      .of(statement), values.map(PostgreSQLValue.init),
      in: RowScope(of: statement) ?? RowScope(scope, new: nil))
    let names = statement.names
    guard rows.count > Self.rowsOnLoop else { return try rows.all(named: names, row) }
    return try await atLength { try rows.all(named: names, row) }
  }

  package func write<Value: Sendable>(
    _ kind: RecordWrite, recording: AnswerRecording<Value>?,
    _ body: @escaping @Sendable (PostgreSQLRecords) async throws -> Value
  ) async throws -> Value {
    // Even if the outcome of the commit is unknown.
    defer { if kind.changesAccess { access.invalidate() } }
    defer { noteChange() }
    var new: OrganizationKey?
    if case .newOrganization = kind.scope { new = try await numberOfNewOrganization() }
    let scope = RowScope(kind.scope, new: new)
    var length = TransactionKind.short(locking: kind.member.map { WaitingQuery.LockOrder($0) })
    if kind.isLong, case .organization(let organization) = kind.scope { length = .long(of: organization) }
    return try await onLoop { [new, length] connections in
      try await connections.transaction(in: scope, length) { transaction in
        let records = PostgreSQLRecords(transaction: transaction, newOrganization: new)
        let value = try await transaction.once(recording) { try await body(records) }
        if kind.changesAccess { try await transaction.run(Self.tellOthers, [], in: .noOrganization) }
        return value
      }
    }
  }

  /// The most rows that are read on an event loop.
  private static let rowsOnLoop = 100

  private static let tellOthers = PostgreSQLStatement("SELECT pg_notify('\(AccessListener.channel)', '')")

  /// The number of a row to come, which its transaction names before there is the row. One that is not used is missing
  /// afterwards.
  private func numberOfNewOrganization() async throws -> OrganizationKey {
    let row = try await write(
      Self.nextOrganization, [], in: .noOrganization, lockOrder: .init(first: .max, second: .max)
    ).first { $0.integer(0) }
    guard let row else { throw MalformedRow(column: "organization_id") }
    return OrganizationKey(row)
  }

  private static let nextOrganization = PostgreSQLStatement(
    "SELECT nextval(pg_get_serial_sequence('organizations', 'organization_id'))")
}

extension PostgreSQLRow: ColumnRow {}

extension PostgreSQLRows {
  /// Every row as `read` sees it, by the names of the columns.
  func all<Value>(
    named names: [String], _ read: (inout RecordRow<PostgreSQLRow>) throws -> Value
  ) rethrows -> [Value] {
    try map { row in
      var row = RecordRow(row, names: names)
      return try read(&row)
    }
  }
}

extension PostgreSQLStatement {
  private static let known = Mutex<[ObjectIdentifier: PostgreSQLStatement]>([:])

  /// The statement as connections keep it. Statements of records live as long as the process.
  static func of(_ statement: RecordStatement) -> PostgreSQLStatement {
    known.withLock { known in
      if let found = known[ObjectIdentifier(statement)] { return found }
      let new = PostgreSQLStatement(statement.postgresql)
      known[ObjectIdentifier(statement)] = new
      return new
    }
  }
}

extension RowScope {
  /// The scope that a statement states itself, which is every organization; nil if it states none.
  fileprivate init?(of statement: RecordStatement) {
    guard let reason = statement.crossing else { return nil }
    self = .everyone(because: reason)
  }

  /// - Parameter new: The organization that the transaction makes.
  fileprivate init(_ scope: RecordScope, new: OrganizationKey?) {
    self =
      switch scope {
      case .organization(let organization): .organization(organization)
      case .newOrganization: new.map(RowScope.organization) ?? .noOrganization
      case .accounts: .noOrganization
      case .everyone(let reason): .everyone(because: reason)
      }
  }
}

extension PostgreSQLValue {
  fileprivate init(_ value: RecordValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .bool(let bool): .bool(bool)
      case .text(let text): .text(text)
      case .bytes(let bytes): .bytes(bytes)
      case .identifier(let high, let low): .identifier(high: high, low: low)
      }
  }
}
