import TimeclockDomain

// The rules about the callers of members' records.

extension Timeclock {
  /// Makes a record about a member.
  ///
  /// - Throws: `.forbidden`, the refusals of the fields' rules, the errors of `Storage.createRecord`.
  package func createRecord<Record: MemberRecord>(
    _ stated: Stated<Record>, of userID: UserID, by caller: Membership,
    recording: AnswerRecording<Record>? = nil
  ) async throws -> Record {
    try caller.require(.admin)
    let now = clock.now
    return try await storage.createRecord(
      try newRecord(stated, of: userID, at: now, by: caller), in: caller.key.organization, zones: zones,
      context: caller.change(Record.operation(.create), at: now), recording: recording)
  }

  /// Makes records about members, each judged after those before it.
  ///
  /// - Parameter stated: The member of each, and its fields.
  /// - Returns: The outcome of each, in their order.
  /// - Throws: `.forbidden`; `.bulkRefused` with `.atomic` if one or more are refused, and then nothing is kept.
  package func createRecords<Record: MemberRecord>(
    _ stated: [(userID: UserID, fields: Stated<Record>)], mode: BulkMode, by caller: Membership,
    recording: AnswerRecording<[Result<Record, TimeclockError>]>? = nil
  ) async throws -> [Result<Record, TimeclockError>] {
    try caller.require(.admin)
    let now = clock.now
    let records = try stated.map { userID, fields in
      try Self.outcome { try newRecord(fields, of: userID, at: now, by: caller) }
    }
    return try await storage.createRecords(
      records, mode: mode, in: caller.key.organization, zones: zones,
      context: caller.change(Record.operation(.createMany), at: now), recording: recording)
  }

  /// A record about a member that is not kept yet.
  ///
  /// - Throws: The refusals of the fields' rules.
  func newRecord<Record: JudgedRecord>(
    _ stated: Stated<Record>, of userID: UserID, at now: Instant, by caller: Membership
  ) throws -> Record {
    var record = Record(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    record.userID = userID
    return record
  }

  /// One record, for its member and for managers.
  ///
  /// - Throws: `.notFound`, also for another member's, of which a member learns nothing.
  package func record<Record: MemberRecord>(
    _ id: Identifier<Record>, for caller: Membership
  ) async throws -> Record {
    guard let found = try await storage.record(id, in: caller.key.organization),
      caller.sees(found.userID)
    else { throw TimeclockError.notFound(Record.shape.kind) }
    return found
  }

  /// A page of records in the order in which they were made.
  ///
  /// - Parameter wanted: The members whose records they are; if none are stated, everybody for a manager, and else the caller.
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`.
  package func records<Record: MemberRecord>(
    of wanted: WantedMembers, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Record, RowCursor> {
    let members = try await members(wanted, for: caller)
    return try await storage.records(
      Record.self, of: members, in: caller.key.organization, after: cursor, limit: limit)
  }

  /// Changes a record.
  ///
  /// - Throws: `.forbidden`, the refusals of the fields' rules, the errors of `Storage.updateRecord`.
  package func updateRecord<Record: MemberRecord>(
    _ id: Identifier<Record>, _ changes: Stated<Record>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Record {
    try caller.require(.admin)
    let change = try changes.validated()
    return try await storage.updateRecord(
      update(.update, of: id, expectedVersion, by: caller), zones: zones, change)
  }

  /// Deletes a record.
  ///
  /// - Throws: `.forbidden`, the errors of `Storage.deleteRecord`.
  package func deleteRecord<Record: MemberRecord>(
    _ id: Identifier<Record>, expectedVersion: Int64?, by caller: Membership
  ) async throws {
    try caller.require(.admin)
    try await storage.deleteRecord(update(.delete, of: id, expectedVersion, by: caller), zones: zones)
  }
}
