import TimeclockDomain

extension DatedPayRules {
  /// All of an organization, in the order in which they were made.
  fileprivate static let all = table.all(where: "TRUE")
}

extension [NumberedRecord<DatedPayRules>] {
  /// The rules by their first dates.
  var byDate: [LocalDate: PayRules] { map(\.record).byDate }
}

extension [DatedPayRules] {
  fileprivate var byDate: [LocalDate: PayRules] {
    Dictionary(map { ($0.from, $0.rules) }) { one, _ in one }
  }
}

// The organization is locked for each change, before its pay rules, and moves of marks wait for that.
extension Storage {
  /// Keeps new pay rules.
  ///
  /// - Throws: The refusal of the limit; `.payRulesExist`, `.periodLocked`.
  package func createPayRules(
    _ new: DatedPayRules, in organization: OrganizationKey, context: ChangeContext,
    recording: AnswerRecording<DatedPayRules>?
  ) async throws -> DatedPayRules {
    try await write(RecordWrite(.organization(organization)), recording: recording) { transaction in
      let before = try await transaction.requireOrganization(organization, isLocked: true)
      let rows = try await transaction.datedPayRules(of: organization)
      guard rows.count < DatedPayRules.limit.count else { throw DatedPayRules.limit.refusal }
      try await transaction.judge(nil, new, among: rows, of: before, organization)
      try await transaction.create(new, in: organization, context)
      return new
    }
  }

  /// Changes pay rules, and writes that down; nothing if the change changes nothing. All of it happens or nothing.
  ///
  /// - Throws: `.notFound(.payRules)`, `.changed`, any error of `change`; `.payRulesExist`, `.periodLocked`.
  package func updatePayRules(
    _ update: ResourceUpdate<DatedPayRules>,
    _ change: @escaping @Sendable (inout DatedPayRules) throws -> Void
  ) async throws -> DatedPayRules {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let before = try await transaction.requireOrganization(organization, isLocked: true)
      let found = try await transaction.require(update, by: DatedPayRules.table.lockedForChange)
      guard let changed = try found.record.changed(at: update.context.time, by: change) else {
        return found.record
      }
      let rows = try await transaction.datedPayRules(of: organization)
      try await transaction.judge(found, changed, among: rows, of: before, organization)
      try await transaction.write(changed, over: found, references: [:], in: organization, update.context)
      return changed
    }
  }

  /// Deletes pay rules, and writes that down.
  ///
  /// - Throws: `.notFound(.payRules)`, `.changed`, `.periodLocked`.
  package func deletePayRules(_ deletion: ResourceUpdate<DatedPayRules>) async throws {
    let organization = deletion.organization
    try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let before = try await transaction.requireOrganization(organization, isLocked: true)
      let found = try await transaction.require(deletion, by: DatedPayRules.table.lockedForDeletion)
      let rows = try await transaction.datedPayRules(of: organization)
      try await transaction.judge(found, nil, among: rows, of: before, organization)
      try await transaction.delete(found, in: organization, deletion.context)
    }
  }

  /// One of the organization's pay rules; nil if it has none with this id.
  package func payRules(
    _ id: PayRulesID, in organization: OrganizationKey
  ) async throws -> DatedPayRules? {
    try await record(id, in: organization)
  }

  /// A page of an organization's pay rules, in the order in which they were made.
  package func payRules(
    of organization: OrganizationKey, after cursor: RowCursor?, limit: Int
  ) async throws -> Page<DatedPayRules, RowCursor> {
    try await records(DatedPayRules.table.pages[nil], of: organization, after: cursor, limit: limit)
  }

  /// The pay rules of all dates.
  ///
  /// - Parameter policy: The organization's, which counts for dates before the first dated rules.
  package func payRules(
    of organization: OrganizationKey, after policy: Policy
  ) async throws -> PayRulesCalendar {
    let rows = try await read(
      DatedPayRules.all, [.key(organization)], in: .organization(organization), limit: 100, DatedPayRules.init
    )
    return PayRulesCalendar(before: policy.payRules, then: rows.byDate)
  }
}

extension RecordTransaction {
  /// All dated pay rules of an organization.
  func datedPayRules(of organization: OrganizationKey) async throws -> [NumberedRecord<DatedPayRules>] {
    try await read(DatedPayRules.all, [.key(organization)], NumberedRecord<DatedPayRules>.init)
  }

  /// As `Storage.payRules`, inside a transaction.
  func payRules(of organization: OrganizationKey, after policy: Policy) async throws -> PayRulesCalendar {
    PayRulesCalendar(before: policy.payRules, then: try await datedPayRules(of: organization).byDate)
  }

  /// Refuses a second set of rules from a date, and other rules of dates that are approved.
  ///
  /// - Parameters:
  ///   - before: The rules as they are; nil for new ones.
  ///   - after: The rules as they are to be; nil if they are to be deleted.
  ///   - rows: All of the organization, which is locked.
  fileprivate func judge(
    _ before: NumberedRecord<DatedPayRules>?, _ after: DatedPayRules?,
    among rows: [NumberedRecord<DatedPayRules>], of organization: Organization, _ key: OrganizationKey
  ) async throws {
    var dated = rows.filter { $0.number != before?.number }.byDate
    if let after {
      guard dated[after.from] == nil else { throw TimeclockError.payRulesExist }
      dated[after.from] = after.rules
    }
    let policy = organization.policy.payRules
    try await requireOpenPayRules(
      from: PayRulesCalendar(before: policy, then: rows.byDate),
      to: PayRulesCalendar(before: policy, then: dated), in: key)
  }
}
