import TimeclockDomain

// Caps of accounts, which move with the mark `locked`, under the lock of the member.
extension RecordTransaction {
  /// Books what the account of a member is beyond the policy's caps, on the last date that becomes locked.
  func bookCap(
    of member: (id: UserID, user: UserKey), through: LocalDate, _ schedule: Schedule, _ policy: Policy,
    _ work: PeriodWork
  ) async throws {
    guard policy.hasBalanceCap else { return }
    let key = work.organization
    let facts = try await balanceFacts(of: member.user, schedule, in: key)
    guard
      let calculation = CapCalculation(
        facts, of: member.user, through: through, by: policy, try await payRules(of: key, after: policy),
        asOf: work.context.time)
    else { return }
    let worked = try await workedTime(calculation.paid.query(of: .member(member.user), in: key))
    for seconds in calculation.adjustments(in: worked) {
      var adjustment = Adjustment(head: work.head())
      (adjustment.userID, adjustment.date) = (member.id, through)
      (adjustment.seconds, adjustment.kind) = (seconds, .cap)
      try await create(adjustment, of: member.user, in: key, work.context)
    }
  }

  /// Takes back the caps of a member that are dated after the last date that stays locked.
  ///
  /// - Parameter through: Nil if none stays locked.
  func takeBackCaps(of user: UserKey, after through: LocalDate?, _ work: PeriodWork) async throws {
    let caps = try await read(
      CapStatements.ofMember, [.key(work.organization), .key(user), .date(through ?? .earliest)],
      NumberedRecord<Adjustment>.init)
    for cap in caps { try await delete(cap, in: work.organization, work.context) }
  }
}

private enum CapStatements {
  /// The caps of the member `$2` behind the date `$3`.
  static let ofMember = Adjustment.table.statement(
    where: "r.user_id = $2 AND r.date > $3 AND r.kind = 'cap'")
}
