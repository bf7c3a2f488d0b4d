import TimeclockDomain

/// The inside of a transaction, for procedures on plain records that are written once for both storages.
///
/// On PostgreSQL each call is a round trip. On SQLite a call never suspends: the procedure runs to its end on the
/// writer's thread (docs/decisions/0022-plain-records-once.md), and so it calls nothing else that suspends.
///
/// Every method throws errors that end the transaction.
package protocol RecordTransaction {
  associatedtype Row: ColumnRow

  /// The number of the organization that this transaction makes; nil if the table gives it, or none is made.
  var newOrganization: OrganizationKey? { get }

  /// Runs a statement, and reads each row that it gives.
  func read<Value>(
    _ statement: RecordStatement, _ values: [RecordValue], _ row: (inout RecordRow<Row>) throws -> Value
  ) async throws -> [Value]

  /// Runs a statement with one list of values after the other, at once.
  ///
  /// - Returns: The number of rows that each has inserted, changed or deleted.
  @discardableResult
  func run(_ statement: RecordStatement, each values: [[RecordValue]]) async throws -> [Int]

  /// Locks rows that the statement selects, until the transaction ends. Nothing if there is one writer.
  func lock(_ statement: RecordStatement, _ values: [RecordValue]) async throws

  /// Inserts a row, with a number if the storage gives it.
  ///
  /// - Returns: Its key; nil if one was there, and the table leaves it.
  func insert(_ insertion: RecordInsertion, _ values: [RecordValue]) async throws -> Int64?

  /// Inserts rows with one list of values after the other, at once, each with a number if the storage gives it.
  func insert(_ insertion: RecordInsertion, each values: [[RecordValue]]) async throws

  /// Writes down changes, in their order.
  ///
  /// - Parameter changes: The resource before each, nil if it is created, and after it, nil if it is deleted.
  /// - Throws: `.periodLocked` for a change of a member's time that a mark binds: none can be written down.
  func log(
    each changes: [(before: Snapshot?, after: Snapshot?)], in organization: OrganizationKey,
    _ context: ChangeContext
  ) async throws

  /// The members among these users. On PostgreSQL none is deactivated, and no membership ends, until the transaction
  /// ends.
  func lockMembers(
    _ ids: [UserID], of organization: OrganizationKey
  ) async throws -> [UserID: LockedMember]

  /// The entries of a session, in the order of lists.
  func entries(ofSession row: Int64, in organization: OrganizationKey) async throws -> [TimeEntry]

  /// Forgets the counted attempts of log-ins.
  ///
  /// - Parameter accounts: The addresses, or the ids, that were stated.
  func forgetLogInAttempts(of accounts: [String]) async throws

  /// The member's active entry; nil when clocked out.
  func activeEntry(of member: MemberKey) async throws -> TimeEntry?

  /// The first of a member's entries that share a moment with `[start, end)`, and how many do.
  ///
  /// - Parameter end: Nil for a span without an end.
  func overlappingEntries(
    of member: MemberKey, from start: Instant, to end: Instant?
  ) async throws -> TimeEntryOverlaps

  /// The entries of a report, without people and sessions, for totals that are kept in the same transaction.
  func workedTime(_ query: WorkedTimeQuery) async throws -> WorkedTime

  /// Keeps a new entry, and writes that down. The member is locked.
  ///
  /// - Throws: The errors of `TimeEntryStorage.createTimeEntry`.
  func createEntry(_ new: NewTimeEntry) async throws -> TimeEntry

  /// Changes an entry as `TimeEntryStorage.updateTimeEntry` does it.
  ///
  /// - Returns: The entry as it is now.
  /// - Throws: The errors of `TimeEntryStorage.updateTimeEntry`.
  func updateEntry(
    _ update: TimeEntryUpdate, _ change: (inout TimeEntry) throws -> Void
  ) async throws -> TimeEntry

  /// Deletes an entry as `TimeEntryStorage.deleteTimeEntry` does it.
  ///
  /// - Returns: The entry as it was.
  /// - Throws: The errors of `TimeEntryStorage.deleteTimeEntry`.
  @discardableResult
  func deleteEntry(
    _ update: TimeEntryUpdate, _ check: (TimeEntry) throws -> Void
  ) async throws -> TimeEntry

  /// Closes a member's active entry as `close` does it, with its segments, and writes that down.
  ///
  /// - Returns: The entry as it ended, and all that has changed; nil if none is active, and nothing is done.
  @discardableResult
  func closeActiveEntry(
    of member: MemberKey, _ context: ChangeContext, _ close: (inout TimeEntry) throws -> Void
  ) async throws -> WrittenEntry?

  /// One entry; nil if the organization has none with this id.
  func entry(_ id: TimeEntryID, in organization: OrganizationKey) async throws -> TimeEntry?

  /// Opens a closed entry again, and writes that down. Nothing of the member's may begin after it.
  ///
  /// - Parameter open: The entry as it will be; only end, notes and flags are changed, and version and time of the change.
  func reopen(
    _ closed: TimeEntry, as open: TimeEntry, of member: MemberKey, _ context: ChangeContext
  ) async throws

  /// Deletes an entry that no segments lie in, and writes that down.
  func discard(_ entry: TimeEntry, of member: MemberKey, _ context: ChangeContext) async throws
}

/// A member whose membership stays as it is.
package struct LockedMember: Sendable {
  package let user: UserKey
  package let isActive: Bool

  package init(user: UserKey, isActive: Bool) {
    self.user = user
    self.isActive = isActive
  }
}

extension RecordTransaction {
  /// Runs a statement that gives nothing.
  func run(_ statement: RecordStatement, _ values: [RecordValue]) async throws {
    try await run(statement, each: [values])
  }

  /// The first row; nil if there is none.
  func first<Value>(
    _ statement: RecordStatement, _ values: [RecordValue], _ row: (inout RecordRow<Row>) throws -> Value
  ) async throws -> Value? {
    try await read(statement, values, row).first
  }

  /// Whether the statement gives a row.
  func exists(_ statement: RecordStatement, _ values: [RecordValue]) async throws -> Bool {
    try await !read(statement, values) { _ in }.isEmpty
  }

  /// Writes down a change.
  func log(
    from before: Snapshot?, to after: Snapshot?, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await log(each: [(before, after)], in: organization, context)
  }

  /// Closes a member's active entry because nobody can clock the member out any more, at the time of the change and
  /// flagged so; nothing if none is active.
  func closeAbandonedEntry(of member: MemberKey, by policy: Policy, _ context: ChangeContext) async throws {
    try await closeActiveEntry(of: member, context) { entry in
      try entry.close(
        at: context.time, isStated: false, by: policy, extraFlags: .autoClosed, now: context.time)
    }
  }

  /// Inserts a record.
  ///
  /// - Parameters:
  ///   - organization: The organization that owns it; nil if none does, or if the table numbers organizations.
  ///   - key: The rest of its key, if that is known before.
  /// - Returns: Its key; nil if a row was there, and the table leaves it.
  func insert<Record>(
    _ record: Record, into table: RecordTable<Record>, of organization: OrganizationKey?,
    key: Int64? = nil
  ) async throws -> Int64? {
    var values = [organization.map(RecordValue.key) ?? .null]
    if let key { values.append(.integer(key)) }
    return try await insert(table.insertion, values + table.fields.map { $0.value(record) })
  }

  /// Inserts records into a table that numbers them, at once.
  func insert<Record>(
    _ records: [Record], into table: RecordTable<Record>, of organization: OrganizationKey
  ) async throws {
    try await insert(
      table.insertion,
      each: records.map { record in [.key(organization)] + table.fields.map { $0.value(record) } })
  }

  /// Overwrites the record under its key.
  ///
  /// - Throws: `MissedRows` if nothing is there.
  func update<Record>(
    _ record: Record, in table: RecordTable<Record>, of organization: OrganizationKey, key: Int64? = nil
  ) async throws {
    try await update([(record, key)], in: table, of: organization)
  }

  /// Overwrites the records under their keys, at once.
  ///
  /// - Throws: `MissedRows` if nothing is there under one of them.
  func update<Record>(
    _ records: [(record: Record, key: Int64?)], in table: RecordTable<Record>,
    of organization: OrganizationKey
  ) async throws {
    let fields = table.fields.filter { !$0.isFixed }
    let values = records.map { record, key in
      [.key(organization)] + (key.map { [.integer($0)] } ?? []) + fields.map { $0.value(record) }
    }
    try await write(table.change, each: values, of: table.name)
  }

  /// Deletes the record with this key.
  ///
  /// - Throws: `MissedRows` if there is none.
  func delete<Record>(
    from table: RecordTable<Record>, of organization: OrganizationKey, key: Int64
  ) async throws {
    try await delete(from: table, of: organization, keys: [key])
  }

  /// Deletes the records with these keys, at once.
  ///
  /// - Throws: `MissedRows` if one of them is not there.
  func delete<Record>(
    from table: RecordTable<Record>, of organization: OrganizationKey, keys: [Int64]
  ) async throws {
    try await write(table.deletion, each: keys.map { [.key(organization), .integer($0)] }, of: table.name)
  }

  /// Runs a statement that writes as many rows as the transaction has read and is about to log.
  ///
  /// - Throws: `MissedRows` if it has written another number.
  func write(
    _ statement: RecordStatement, _ values: [RecordValue], rows count: Int, of table: String
  ) async throws {
    try MissedRows.requireNone(
      of: table, meant: count, written: try await run(statement, each: [values]).reduce(0, +))
  }

  /// Runs a statement that writes one row for each list of values.
  private func write(
    _ statement: RecordStatement, each values: [[RecordValue]], of table: String
  ) async throws {
    let counts = try await run(statement, each: values)
    try MissedRows.requireNone(of: table, meant: values.count, written: counts.count { $0 == 1 })
  }
}
