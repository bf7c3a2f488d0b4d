import TimeclockDomain

// The rules about the callers of plain records.

extension Timeclock {
  /// Makes a record.
  ///
  /// - Throws: `.forbidden`, the refusals of the fields' rules and of the limit.
  package func createRecord<Record: PlainRecord>(
    _ stated: Stated<Record>, by caller: Membership, recording: AnswerRecording<Record>? = nil
  ) async throws -> Record {
    try caller.require(.admin)
    let now = clock.now
    let record = Record(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    return try await storage.createRecord(
      record, in: caller.key.organization, context: caller.change(Record.operation(.create), at: now),
      recording: recording)
  }

  /// One record, for every member.
  ///
  /// - Throws: `.notFound`.
  package func record<Record: PlainRecord>(
    _ id: Identifier<Record>, for caller: Membership
  ) async throws -> Record {
    guard let found = try await storage.record(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(Record.shape.kind)
    }
    return found
  }

  /// A page of records in the order in which they were made, for every member.
  ///
  /// - Parameter isFlagged: Only records with the flag by which the list is narrowed, or only others; nil means all.
  package func records<Record: PlainRecord>(
    isFlagged: Bool?, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Record, RowCursor> {
    try await storage.records(
      Record.self, of: caller.key.organization, isFlagged: isFlagged, after: cursor, limit: limit)
  }

  /// Changes a record.
  ///
  /// - Throws: `.forbidden`, the refusals of the fields' rules, the errors of `Storage.updateRecord`.
  package func updateRecord<Record: PlainRecord>(
    _ id: Identifier<Record>, _ changes: Stated<Record>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Record {
    try caller.require(.admin)
    let change = try changes.validated()
    return try await storage.updateRecord(update(.update, of: id, expectedVersion, by: caller), change)
  }

  /// Deletes a record.
  ///
  /// - Throws: `.forbidden`, the errors of `Storage.deleteRecord`.
  package func deleteRecord<Record: PlainRecord>(
    _ id: Identifier<Record>, expectedVersion: Int64?, by caller: Membership
  ) async throws {
    try caller.require(.admin)
    try await storage.deleteRecord(update(.delete, of: id, expectedVersion, by: caller))
  }

  func update<Record: TabledRecord>(
    _ action: RecordAction, of id: Identifier<Record>, _ expectedVersion: Int64?, by caller: Membership
  ) -> ResourceUpdate<Record> {
    ResourceUpdate(
      id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
      context: caller.change(Record.operation(action), at: clock.now))
  }
}

/// An action on records.
package enum RecordAction: String, Sendable {
  case list
  case create
  case createMany
  case get
  case update
  case delete
}

extension ShapedRecord {
  /// The operation's name in the contract, such as `createBreakType`.
  package static func operation(_ action: RecordAction) -> String {
    let isOfMany = action == .list || action == .createMany
    let noun = isOfMany ? "\(shape.list)" : shape.kind.rawValue
    let verb = action == .createMany ? RecordAction.create : action
    return verb.rawValue + noun.prefix(1).uppercased() + noun.dropFirst()
  }
}
