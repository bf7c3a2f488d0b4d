import TimeclockDomain

/// The frame in which marks are moved.
package struct PeriodWork: Sendable {
  package let organizationID: OrganizationID
  package let organization: OrganizationKey
  package let zones: TimeZoneDatabase
  package let identifiers: IdentifierGenerator
  package let context: ChangeContext

  package init(
    organizationID: OrganizationID, organization: OrganizationKey, zones: TimeZoneDatabase,
    identifiers: IdentifierGenerator, context: ChangeContext
  ) {
    self.organizationID = organizationID
    self.organization = organization
    self.zones = zones
    self.identifiers = identifiers
    self.context = context
  }

  /// The head of a new record that a move makes.
  func head<Record>() -> Head<Record> {
    Head(id: identifiers.next(at: context.time), organizationID: organizationID, at: context.time)
  }
}

extension Storage {
  /// Moves a member's marks, and writes that down; nothing if they are there already. What becomes approved is added up
  /// and kept in the same transaction, and caps of the account are booked or taken back in it.
  ///
  /// - Throws: `.notFound(.member)`, `.periodNotOver`, `.notSubmitted`, `.notApproved`, `.periodLocked`, `.entryActive`.
  package func movePeriod(
    of userID: UserID, _ move: PeriodMove, _ work: PeriodWork, recording: AnswerRecording<PeriodState>?
  ) async throws -> PeriodState {
    try await write(RecordWrite(.organization(work.organization)), recording: recording) { transaction in
      let organization = try await transaction.organizationOfMarks(work.organization)
      return try await transaction.move(move, of: userID, in: organization, work).state
    }
  }

  /// Moves the marks of several members, each by itself, in one transaction.
  ///
  /// - Returns: For each member whether the marks have moved, or the refusal.
  /// - Throws: `.notFound(.member)` for somebody who is no member, and then nothing is moved.
  package func movePeriods(
    of userIDs: [UserID], _ move: PeriodMove, _ work: PeriodWork
  ) async throws -> [Result<Bool, TimeclockError>] {
    try await write(RecordWrite(.organization(work.organization), isLong: true), recording: nil) {
      transaction in
      let organization = try await transaction.organizationOfMarks(work.organization)
      // In one order, so that two of these do not wait for each other.
      for id in userIDs.sorted(by: { $0.text < $1.text }) {
        try await transaction.lock(Member.locked, [.key(work.organization), .identifier(id)])
      }
      var outcomes: [Result<Bool, TimeclockError>] = []
      for id in userIDs {
        do {
          outcomes.append(
            .success(try await transaction.move(move, of: id, in: organization, work).isMoved))
        } catch TimeclockError.notFound(.member) {
          throw TimeclockError.notFound(.member)
        } catch let refusal as TimeclockError {
          outcomes.append(.failure(refusal))
        }
      }
      return outcomes
    }
  }
}

extension RecordTransaction {
  /// The organization, whose zone and policy stay as they are until the transaction ends. It is locked before members.
  fileprivate func organizationOfMarks(_ key: OrganizationKey) async throws -> Organization {
    let found = try await first(Organization.shared, [.key(key)], Organization.init)
    guard let found else { throw TimeclockError.notFound(.organization) }
    return found
  }

  /// Moves a member's marks under the lock of the member. A refusal has written nothing.
  fileprivate func move(
    _ move: PeriodMove, of userID: UserID, in organization: Organization, _ work: PeriodWork
  ) async throws -> (state: PeriodState, isMoved: Bool) {
    let key = work.organization
    let (member, user) = try await requireMember(userID, in: key, isLocked: true)
    let found = try await first(Period.ofMember, [.key(key), .key(user)], NumberedRecord<Period>.init)
    let before = found?.record.ends.dates ?? PeriodDates()
    guard let zone = work.zones.zone(organization.timeZone) else { throw TimeclockError.unknownTimeZone }
    let time = work.context.time
    let schedule = try await schedule(of: user, in: key, zone, work.zones)
    if let raised = move.raised, raised > schedule.lastCountedDate(at: time) {
      throw TimeclockError.periodNotOver
    }
    let after = try move.applied(to: before)
    guard after != before else {
      return (PeriodState(of: member, found?.record), false)
    }
    let setMarks = { (period: inout Period) in
      for kind in PeriodMark.Kind.allCases where after[kind] != before[kind] {
        period[kind] = after[kind].map { PeriodEnd(through: $0, until: schedule.dayEnd($0)) }
      }
    }
    if let raised = move.raised,
      let active = try await activeEntry(of: MemberKey(organization: key, user: user)),
      active.clockInTime < schedule.dayEnd(raised)
    {
      throw TimeclockError.entryActive
    }
    var period: Period
    if let found {
      period = try await change(found, in: key, work.context, setMarks)
    } else {
      period = Period(head: work.head())
      period.userID = userID
      setMarks(&period)
      try await create(period, of: user, in: key, work.context)
    }
    if let approved = after.approved, before.approved.map({ $0 < approved }) ?? true {
      try await keepApproval(
        of: (userID, user), after: before.approved, through: approved, schedule, organization, work)
    }
    if let locked = after.locked, before.locked.map({ $0 < locked }) ?? true {
      try await bookCap(of: (userID, user), through: locked, schedule, organization.policy, work)
    } else if before.locked != after.locked {
      try await takeBackCaps(of: user, after: after.locked, work)
    }
    return (PeriodState(of: member, period), true)
  }

  /// Adds up what has become approved, and keeps that.
  private func keepApproval(
    of member: (id: UserID, user: UserKey), after former: LocalDate?, through: LocalDate,
    _ schedule: Schedule, _ organization: Organization, _ work: PeriodWork
  ) async throws {
    let (key, time) = (work.organization, work.context.time)
    let facts = try await balanceFacts(of: member.user, schedule, in: key)
    func firstDate(_ statement: RecordStatement) async throws -> LocalDate? {
      guard former == nil else { return nil }
      return try await first(statement, [.key(key), .key(member.user)]) { $0.optionalDate("date") } ?? nil
    }
    let calculation = ApprovalCalculation(
      facts, of: member.user, after: former,
      firstApproved: try await firstDate(ApprovalStatements.firstApproved),
      firstEntry: try await firstDate(ApprovalStatements.firstEntry), through: through,
      in: schedule.organizationZone, by: try await payRules(of: key, after: organization.policy), asOf: time)
    let worked = try await workedTime(calculation.paid.query(of: .member(member.user), in: key))
    var approval = Approval(head: work.head())
    approval.userID = member.id
    approval.approvedBy = work.context.author.userID
    calculation.total(worked, in: &approval)
    try await create(approval, of: member.user, in: key, work.context)
  }
}

private enum ApprovalStatements {
  /// The first date of the approvals of the member `$2`, whether or not they stand.
  static let firstApproved = RecordStatement(
    "FROM approvals r WHERE r.organization_id = $1 AND r.user_id = $2",
    columns: RecordColumns([("date", "min(r.from_date)")]))

  /// The first date of the entries of the member `$2`.
  static let firstEntry = RecordStatement(
    "FROM time_entries e WHERE e.organization_id = $1 AND e.user_id = $2 ORDER BY e.date LIMIT 1",
    columns: RecordColumns([("date", "e.date")]))
}

extension PeriodState {
  init(of member: Member, _ period: Period?) {
    self.init(
      userID: member.userID, userName: member.name, ends: period?.ends ?? PeriodEnds(),
      version: period?.version ?? 0)
  }
}
