import TimeclockDomain

extension Timeclock {
  /// Makes pay rules from a date on.
  ///
  /// - Throws: `.forbidden`, `.invalidPolicy`, and the errors of `Storage.createPayRules`.
  package func createPayRules(
    _ stated: Stated<DatedPayRules>, by caller: Membership, recording: AnswerRecording<DatedPayRules>? = nil
  ) async throws -> DatedPayRules {
    try caller.require(.admin)
    let now = clock.now
    let new = DatedPayRules(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now),
      try stated.validated())
    try new.validate()
    return try await storage.createPayRules(
      new, in: caller.key.organization, context: caller.change("createPayRules", at: now),
      recording: recording)
  }

  /// One of the organization's pay rules, for managers.
  ///
  /// - Throws: `.forbidden`, `.notFound(.payRules)`.
  package func payRules(_ id: PayRulesID, for caller: Membership) async throws -> DatedPayRules {
    try caller.require(.manager)
    guard let found = try await storage.payRules(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(.payRules)
    }
    return found
  }

  /// A page of pay rules in the order in which they were made, for managers.
  ///
  /// - Throws: `.forbidden`.
  package func payRules(
    after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<DatedPayRules, RowCursor> {
    try caller.require(.manager)
    return try await storage.payRules(of: caller.key.organization, after: cursor, limit: limit)
  }

  /// Changes pay rules.
  ///
  /// - Throws: `.forbidden`, `.invalidPolicy`, and the errors of `Storage.updatePayRules`.
  package func updatePayRules(
    _ id: PayRulesID, _ changes: Stated<DatedPayRules>, expectedVersion: Int64?, by caller: Membership
  ) async throws -> DatedPayRules {
    try caller.require(.admin)
    let change = try changes.validated()
    return try await storage.updatePayRules(update(.update, of: id, expectedVersion, by: caller)) { record in
      change(&record)
      try record.validate()
    }
  }

  /// Deletes pay rules; those before them count for their dates.
  ///
  /// - Throws: `.forbidden`, and the errors of `Storage.deletePayRules`.
  package func deletePayRules(_ id: PayRulesID, expectedVersion: Int64?, by caller: Membership) async throws {
    try caller.require(.admin)
    try await storage.deletePayRules(update(.delete, of: id, expectedVersion, by: caller))
  }

  /// The pay rules of all dates.
  func payRules(for caller: Membership) async throws -> PayRulesCalendar {
    try await storage.payRules(of: caller.key.organization, after: caller.policy)
  }
}
