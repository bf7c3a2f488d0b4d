import TimeclockDomain

extension Absence: JudgedRecord {
  package static let table = ShapedTable(shape)

  /// Those of the member `$2` that take room on dates from `$3` through `$4`.
  private static let holding = table.statement(
    where: """
      r.user_id = $2 AND r.end_date >= $3 AND r.start_date <= $4 \
      AND r.state IN ('\(AbsenceState.requested.rawValue)', '\(AbsenceState.approved.rawValue)')
      """)

  /// Refuses dates and portions that cannot be, dates that other absences take already, and days beyond the member's
  /// entitlements if the policy does.
  package static func judge<Transaction: RecordTransaction>(
    _ change: MemberRecordChange<Absence>, _ transaction: Transaction
  ) async throws -> [String: Int64?] {
    guard let after = change.after, after.state.holdsDates else { return [:] }
    try after.validate()
    let before = change.before?.record
    if before.map({ !$0.state.holdsDates || !$0.takesAlike(after) }) ?? true {
      try await requireRoom(for: after, change, transaction)
    }
    if after.counted.usesEntitlement, before.map({ !$0.takesAlike(after) || $0.state != after.state }) ?? true
    {
      try await transaction.requireEntitlement(for: after, change)
    }
    return [:]
  }

  /// - Throws: `.absenceOverlap`.
  private static func requireRoom<Transaction: RecordTransaction>(
    for after: Absence, _ change: MemberRecordChange<Absence>, _ transaction: Transaction
  ) async throws {
    let held = try await transaction.read(
      holding, [.key(change.organization), .key(change.user), .date(after.startDate), .date(after.endDate)],
      NumberedRecord<Absence>.init)
    let overlaps = try after.row(change.before?.number ?? .max).overlaps(
      among: held.map { try $0.record.row($0.number) })
    guard !overlaps.isEmpty else { return }
    let absences = Dictionary(uniqueKeysWithValues: held.map { ($0.number, $0.record) })
    throw TimeclockError.absenceOverlap(
      overlaps.prefix(TimeEntryStorageLimits.overlapsShown).compactMap { absences[$0.number] },
      count: overlaps.count)
  }
}

extension Organization {
  fileprivate static let entitlementRule = RecordStatement(
    "FROM organizations o WHERE o.organization_id = $1",
    columns: RecordColumns([
      ("allowed", "o.allow_negative_entitlement"), ("time_zone", "o.time_zone"),
    ]), lock: "FOR SHARE")
}

extension RecordTransaction {
  /// Refuses a change by which the member's absences use more days than before, and more than there are, if the policy
  /// does. A request counts as if it were approved, beside those that are.
  ///
  /// - Throws: `.entitlementExceeded`.
  fileprivate func requireEntitlement(
    for after: Absence, _ change: MemberRecordChange<Absence>
  ) async throws {
    let (organization, member) = (change.organization, MemberSelection.member(change.user))
    let rule = try await first(Organization.entitlementRule, [.key(organization)]) { row in
      (isAllowed: row.bool("allowed"), zone: try row.timeZone("time_zone"))
    }
    guard let rule, !rule.isAllowed else { return }
    guard let zone = change.zones.zone(rule.zone) else { throw TimeclockError.unknownTimeZone }
    let others = try await absences(of: member, in: organization)[change.user, default: []].filter {
      $0.number != change.before?.number && $0.state == .approved
    }
    // The plan of a date is the same in every zone.
    let schedule = Schedule(
      rows: try await scheduleRows(of: member, in: organization).map(\.row), organizationZone: zone)
    let holidays = try await holidays(ofSchedulesOf: member, in: organization)
    func balance(_ absence: AbsenceRow?) -> MemberBalance {
      var all = others
      if var absence {
        absence.state = .approved
        all.append(absence)
      }
      return MemberBalance(schedule: schedule, holidays: holidays, absences: all)
    }
    let row = try after.row(change.before?.number ?? .max)
    // Days that are only requested are not used yet, if they are to be used now.
    let former = change.before.flatMap { $0.record.state == after.state ? $0 : nil }
    let (before, now) = (
      balance(try former.map { try $0.record.row($0.number) }), balance(row)
    )
    for year in row.first.year...row.last.year {
      let entitlement = try await entitlementRow(of: change.user, .vacation, in: year, of: organization)
      guard
        !EntitlementYear.isExceeded(
          entitlement ?? EntitlementRow(year: year, days: 0), from: before, to: now)
      else { throw TimeclockError.entitlementExceeded }
    }
  }
}
