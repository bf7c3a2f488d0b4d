import TimeclockDomain

// Of one member's records of a kind one is changed at a time: the member's row is locked first.
extension Storage {
  /// Keeps a new record.
  ///
  /// - Throws: `.notFound(.member)`, the refusal of the limit and those of the record's rule.
  package func createRecord<Record: JudgedRecord>(
    _ record: Record, in organization: OrganizationKey, zones: TimeZoneDatabase, context: ChangeContext,
    recording: AnswerRecording<Record>?
  ) async throws -> Record {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      try await transaction.createRecord(record, in: organization, zones: zones, context)
    }
  }

  /// Keeps new records, each judged after those before it.
  ///
  /// - Parameter records: Each, or its refusal.
  /// - Returns: The outcome of each, in their order.
  /// - Throws: `.bulkRefused` with `.atomic` if one or more are refused, and then nothing is kept.
  package func createRecords<Record: JudgedRecord>(
    _ records: [Result<Record, TimeclockError>], mode: BulkMode, in organization: OrganizationKey,
    zones: TimeZoneDatabase, context: ChangeContext,
    recording: AnswerRecording<[Result<Record, TimeclockError>]>?
  ) async throws -> [Result<Record, TimeclockError>] {
    try await write(RecordWrite(.organization(organization), isLong: true), recording: recording) {
      transaction in
      // In one order, so that two of these do not wait for each other.
      for id in Set(records.compactMap { try? $0.get().userID }).sorted(by: { $0.text < $1.text }) {
        try await transaction.lock(Member.locked, [.key(organization), .identifier(id)])
      }
      var outcomes: [Result<Record, TimeclockError>] = []
      for record in records {
        do {
          outcomes.append(
            .success(
              try await transaction.createRecord(record.get(), in: organization, zones: zones, context)))
        } catch let error as TimeclockError {
          outcomes.append(.failure(error))
        }
      }
      if mode == .atomic { try outcomes.requireNoRefusal() }
      return outcomes
    }
  }

  /// Changes a record, and writes that down; nothing if the change changes nothing. All of it happens or nothing.
  ///
  /// - Throws: `.notFound`, `.changed`, any error of `change`, the refusals of the record's rule.
  package func updateRecord<Record: JudgedRecord>(
    _ update: ResourceUpdate<Record>, zones: TimeZoneDatabase,
    _ change: @escaping @Sendable (inout Record) throws -> Void
  ) async throws -> Record {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let (found, user) = try await transaction.requireOfMember(update, by: Record.table.lockedForChange)
      guard let changed = try found.record.changed(at: update.context.time, by: change) else {
        return found.record
      }
      let references = try await Record.judge(
        MemberRecordChange(
          before: found, after: changed, user: user, organization: organization, zones: zones), transaction)
      try await transaction.write(
        changed, over: found, references: references, in: organization, update.context)
      return changed
    }
  }

  /// Deletes a record, and writes that down.
  ///
  /// - Throws: `.notFound`, `.changed`, the refusals of the record's rule.
  package func deleteRecord<Record: JudgedRecord>(
    _ deletion: ResourceUpdate<Record>, zones: TimeZoneDatabase
  ) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let (found, user) = try await transaction.requireOfMember(deletion, by: Record.table.lockedForDeletion)
      _ = try await Record.judge(
        MemberRecordChange(
          before: found, after: nil, user: user, organization: organization, zones: zones), transaction)
      try await transaction.delete(found, in: organization, deletion.context)
    }
  }

  /// A page of records, in the order in which they were made.
  package func records<Record: JudgedRecord>(
    _ type: Record.Type, of members: MemberSelection, in organization: OrganizationKey,
    after cursor: RowCursor?, limit: Int
  ) async throws -> Page<Record, RowCursor> {
    try await records(
      Record.table.ofOwner.pages[members], of: organization, after: cursor, limit: limit,
      and: members.values)
  }
}

extension RecordTransaction {
  /// Judges a new record, keeps it, and writes that down.
  ///
  /// - Throws: `.notFound(.member)`, the refusal of the limit and those of the record's rule, `.periodLocked`.
  func createRecord<Record: JudgedRecord>(
    _ record: Record, in organization: OrganizationKey, zones: TimeZoneDatabase, _ context: ChangeContext
  ) async throws -> Record {
    let user = try await requireMember(record.userID ?? .ofNothing, in: organization, isLocked: true).user
    let count = try await first(Record.limited, [.key(organization), .key(user)]) {
      $0.integer("count")
    }
    guard count ?? 0 < Record.limit.count else { throw Record.limit.refusal }
    let references = try await Record.judge(
      MemberRecordChange(before: nil, after: record, user: user, organization: organization, zones: zones),
      self)
    // Of many, others may be kept.
    try await requireOpen(from: nil, to: record.snapshot, in: organization, context)
    try await create(record, of: user, references: references, in: organization, context)
    return record
  }

  /// The record that is to be changed or deleted, under the lock of the statement, and its member, who is locked before.
  ///
  /// - Throws: `.notFound`, `.changed`.
  func requireOfMember<Record: JudgedRecord>(
    _ update: ResourceUpdate<Record>, by statement: RecordStatement
  ) async throws -> (NumberedRecord<Record>, UserKey) {
    let values: [RecordValue] = [.key(update.organization), .identifier(update.id)]
    guard let seen = try await first(Record.table.one, values, NumberedRecord<Record>.init) else {
      throw TimeclockError.notFound(Record.shape.kind)
    }
    let user = try await requireMember(
      seen.record.userID ?? .ofNothing, in: update.organization, isLocked: true
    ).user
    return (try await require(update, by: statement), user)
  }
}
