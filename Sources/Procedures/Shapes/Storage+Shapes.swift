import TimeclockDomain

// Procedures that all records with a shape share.

extension Storage {
  /// One record; nil if the organization has none with this id.
  package func record<Record: TabledRecord>(
    _ id: Identifier<Record>, in organization: OrganizationKey
  ) async throws -> Record? {
    try await first(
      Record.table.one, [.key(organization), .identifier(id)], in: .organization(organization), Record.init)
  }

  /// A page of all records of a kind, in the order in which they were made.
  ///
  /// - Parameter isFlagged: Only records with the flag by which the list is narrowed, or only others; nil means all.
  package func records<Record: TabledRecord>(
    _ type: Record.Type, of organization: OrganizationKey, isFlagged: Bool?, after cursor: RowCursor?,
    limit: Int
  ) async throws -> Page<Record, RowCursor> {
    try await records(Record.table.pages[isFlagged], of: organization, after: cursor, limit: limit)
  }

  /// A page of records, in the order in which they were made.
  ///
  /// - Parameters:
  ///   - statement: A page of the record's table.
  ///   - others: Its values beside those of every page.
  func records<Record: TabledRecord>(
    _ statement: RecordStatement, of organization: OrganizationKey, after cursor: RowCursor?, limit: Int,
    and others: [RecordValue] = []
  ) async throws -> Page<Record, RowCursor> {
    try await page(statement, of: organization, after: cursor, limit: limit, and: others) { row in
      let found = try NumberedRecord<Record>(&row)
      return (found.record, found.number)
    }
  }

  /// Changes a record, and writes that down; nothing if the change changes nothing. All of it happens or nothing.
  ///
  /// - Throws: `.notFound`, `.changed`, any error of `change`.
  package func updateRecord<Record: TabledRecord>(
    _ update: ResourceUpdate<Record>, _ change: @escaping @Sendable (inout Record) throws -> Void
  ) async throws -> Record {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let found = try await transaction.require(update, by: Record.table.lockedForChange)
      return try await transaction.change(found, in: organization, update.context, change)
    }
  }
}

extension Storage {
  /// Keeps a new record.
  ///
  /// - Throws: The refusal of the limit if the organization has as many as it may, however many are made at once.
  package func createRecord<Record: PlainRecord>(
    _ record: Record, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<Record>?
  ) async throws -> Record {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      // Nobody else counts meanwhile.
      try await transaction.lock(Organization.lock, [.key(organization)])
      let count = try await transaction.first(Record.table.count, [.key(organization)]) {
        $0.integer("count")
      }
      guard count ?? 0 < Record.limit.count else { throw Record.limit.refusal }
      try await transaction.create(record, in: organization, context)
      return record
    }
  }

  /// Deletes a record, and writes that down.
  ///
  /// - Throws: `.notFound`, `.changed`.
  package func deleteRecord<Record: PlainRecord>(_ deletion: ResourceUpdate<Record>) async throws {
    try await write(RecordWrite(.organization(deletion.organization)), recording: nil) { transaction in
      let found = try await transaction.require(deletion, by: Record.table.lockedForDeletion)
      try await Record.prepareDeletion(of: found, in: deletion.organization, deletion.context, transaction)
      try await transaction.delete(found, in: deletion.organization, deletion.context)
    }
  }
}

extension RecordTransaction {
  /// Inserts a record, and writes that down.
  ///
  /// - Parameter references: The rows of the records to which it refers, by the names of their columns.
  /// - Returns: The number of its row.
  @discardableResult
  func create<Record: TabledRecord>(
    _ record: Record, of owner: UserKey? = nil, references: [String: Int64?] = [:],
    in organization: OrganizationKey, _ context: ChangeContext
  ) async throws -> Int64? {
    let number = try await insert(
      ShapedRow(record: record, owner: owner, references: references), into: Record.table.rows,
      of: organization)
    try await log(from: nil, to: record.snapshot, in: organization, context)
    return number
  }

  /// Changes a record that is locked, and writes that down; nothing if the change changes nothing.
  ///
  /// - Returns: The record as it is now.
  /// - Throws: Any error of `change`.
  func change<Record: TabledRecord>(
    _ found: NumberedRecord<Record>, in organization: OrganizationKey, _ context: ChangeContext,
    _ change: (inout Record) throws -> Void
  ) async throws -> Record {
    let before = found.record
    guard let changed = try before.changed(at: context.time, by: change) else { return before }
    try await write(changed, over: found, references: found.references, in: organization, context)
    return changed
  }

  /// Overwrites a record that is locked, and writes that down.
  ///
  /// - Parameter references: The rows of the records to which it refers now, by the names of their columns.
  func write<Record: TabledRecord>(
    _ changed: Record, over found: NumberedRecord<Record>, references: [String: Int64?],
    in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await update(
      ShapedRow(record: changed, references: references), in: Record.table.rows, of: organization,
      key: found.number)
    try await log(from: found.record.snapshot, to: changed.snapshot, in: organization, context)
  }

  /// The record that is to be changed or deleted, under the lock of the statement.
  ///
  /// - Throws: `.notFound`, `.changed`.
  func require<Record: TabledRecord>(
    _ update: ResourceUpdate<Record>, by statement: RecordStatement
  ) async throws -> NumberedRecord<Record> {
    let values: [RecordValue] = [.key(update.organization), .identifier(update.id)]
    let readsLater = Record.table.readsOtherRows
    if readsLater { try await lock(statement, values) }
    guard
      let found = try await first(
        readsLater ? Record.table.one : statement, values, NumberedRecord<Record>.init)
    else { throw TimeclockError.notFound(Record.shape.kind) }
    try found.record.requireVersion(update.expectedVersion)
    return found
  }

  /// Deletes a record, and writes that down.
  func delete<Record: TabledRecord>(
    _ found: NumberedRecord<Record>, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await delete(from: Record.table.rows, of: organization, key: found.number)
    try await log(from: found.record.snapshot, to: nil, in: organization, context)
  }
}
