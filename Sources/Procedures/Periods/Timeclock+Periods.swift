import TimeclockDomain

// The rules about who moves marks on members' time, and who sees them.

extension Timeclock {
  /// The most members whose marks one transaction moves.
  private static let periodPart = 20

  /// The most members whose marks one request names.
  package static let periodMaximumCount = 500

  /// Says that a member's time is complete through a date: the caller's own, or, for managers, another member's.
  ///
  /// - Parameter note: Kept with the change.
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.reasonInvalid`, `.periodNotOver`, `.entryActive`.
  package func submitTimesheet(
    of userID: UserID?, through: LocalDate, note: String?, by caller: Membership,
    recording: AnswerRecording<ReviewedPeriod>? = nil
  ) async throws -> ReviewedPeriod {
    let member = try await subject(userID, for: caller)
    return try await movePeriod(
      of: member, .submit(through: through), periodWork("submitTimesheet", note, by: caller), by: caller,
      recording)
  }

  /// Takes back what the caller has submitted and nobody has approved.
  ///
  /// - Throws: `.notSubmitted`.
  package func withdrawTimesheet(
    by caller: Membership, recording: AnswerRecording<ReviewedPeriod>? = nil
  ) async throws -> ReviewedPeriod {
    try await movePeriod(
      of: caller, .withdraw, periodWork("withdrawTimesheet", nil, by: caller), by: caller, recording)
  }

  /// Takes back what a member has submitted and nobody has approved, for a reason.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.notSubmitted`.
  package func rejectTimesheet(
    of userID: UserID, reason: String, by caller: Membership,
    recording: AnswerRecording<ReviewedPeriod>? = nil
  ) async throws -> ReviewedPeriod {
    try caller.require(.manager)
    let member = try await subject(userID, for: caller)
    let work = try periodWork("rejectTimesheet", reason, isReasonRequired: true, by: caller)
    return try await movePeriod(of: member, .withdraw, work, by: caller, recording)
  }

  /// Approves the time of members through a date, and keeps the totals.
  ///
  /// It is done in parts, each a transaction. An error in between leaves the parts before it done, and a repeated call
  /// counts them as unchanged.
  ///
  /// - Parameter includesUnsubmitted: Whether time is approved too that was not submitted.
  /// - Throws: `.forbidden`, `.reasonInvalid`, `.notFound(.member)`.
  package func approveTimesheets(
    of userIDs: [UserID], through: LocalDate, includesUnsubmitted: Bool, note: String?, by caller: Membership,
    recording: AnswerRecording<PeriodMoves>? = nil
  ) async throws -> PeriodMoves {
    try caller.require(.manager)
    return try await movePeriods(
      of: .members(userIDs), .approve(through: through, includesUnsubmitted: includesUnsubmitted),
      periodWork("approveTimesheets", note, by: caller), by: caller, recording)
  }

  /// Takes back approvals of a member's time behind a date, for a reason.
  ///
  /// - Parameter through: The last date that stays approved; nil for none.
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.notApproved`, `.periodLocked`.
  package func reopenTimesheet(
    of userID: UserID, through: LocalDate?, reason: String, by caller: Membership,
    recording: AnswerRecording<ReviewedPeriod>? = nil
  ) async throws -> ReviewedPeriod {
    try caller.require(.manager)
    let member = try await subject(userID, for: caller)
    let work = try periodWork("reopenTimesheet", reason, isReasonRequired: true, by: caller)
    return try await movePeriod(of: member, .reopen(through: through), work, by: caller, recording)
  }

  /// Locks the time of members through a date, in parts as approvals.
  ///
  /// - Parameter includesUnapproved: Whether time is locked too that was not approved, which approves it.
  /// - Throws: `.forbidden`, `.notFound(.member)`.
  package func lockPeriod(
    of members: PeriodMembers, through: LocalDate, includesUnapproved: Bool, by caller: Membership,
    recording: AnswerRecording<PeriodMoves>? = nil
  ) async throws -> PeriodMoves {
    try caller.require(.admin)
    return try await movePeriods(
      of: members, .lock(through: through, includesUnapproved: includesUnapproved),
      periodWork("lockPeriod", nil, by: caller), by: caller, recording)
  }

  /// Unlocks the time of members behind a date, for a reason, in parts as approvals.
  ///
  /// - Parameter through: The last date that stays locked; nil for none.
  /// - Throws: `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.notFound(.member)`.
  package func unlockPeriod(
    of members: PeriodMembers, through: LocalDate?, reason: String, by caller: Membership,
    recording: AnswerRecording<PeriodMoves>? = nil
  ) async throws -> PeriodMoves {
    try caller.require(.admin)
    return try await movePeriods(
      of: members, .unlock(through: through),
      periodWork("unlockPeriod", reason, isReasonRequired: true, by: caller), by: caller, recording)
  }

  /// A page of members with the marks on their time.
  ///
  /// - Parameter wanted: If none are stated, the caller for a member, and everyone for a manager.
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`.
  package func periods(
    of wanted: WantedMembers, _ filter: PeriodFilter?, after cursor: RowCursor?, limit: Int,
    for caller: Membership
  ) async throws -> Page<PeriodState, RowCursor> {
    let members = try await members(wanted, for: caller)
    return try await storage.periods(
      of: members, in: caller.key.organization, filter, after: cursor, limit: limit)
  }

  /// The marks on a member's time, the caller's own, or, for managers, another member's; with the open points and the
  /// totals that were approved last.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`; `MissingTimeZone`.
  package func period(of userID: UserID, for caller: Membership) async throws -> ReviewedPeriod {
    let member = try await subject(userID, for: caller)
    let state = try await keptPeriod(of: member)
    return try await reviewed(member, state.ends.dates, for: caller)(state)
  }

  /// The marks on a member's time.
  func keptPeriod(of member: Membership) async throws -> PeriodState {
    guard let state = try await storage.period(of: member.key) else {
      throw TimeclockError.notFound(.member)
    }
    return state
  }

  /// A page of approvals, in the order in which they were made.
  ///
  /// - Parameter wanted: If none are stated, the caller for a member, and everyone for a manager.
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`.
  package func approvals(
    of wanted: WantedMembers, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<ListedApproval, RowCursor> {
    let members = try await members(wanted, for: caller)
    // Seals what waits for it, so that the changes of all approvals have their numbers.
    _ = try await storage.logEnd(of: caller.key.organization)
    return try await storage.approvals(
      of: members, in: caller.key.organization, after: cursor, limit: limit)
  }

  private func periodWork(
    _ operation: String, _ reason: String?, isReasonRequired: Bool = false, by caller: Membership
  ) throws -> PeriodWork {
    let kept = try reason.flatMap(Reason.sanitized)
    guard kept != nil || !isReasonRequired else { throw TimeclockError.reasonRequired }
    return PeriodWork(
      organizationID: caller.organizationID, organization: caller.key.organization, zones: zones,
      identifiers: identifiers, context: caller.change(operation, at: clock.now, reason: kept))
  }

  /// Adds the open points, and the approval that stands, to marks.
  ///
  /// - Parameter marks: Those that the points and the approval are about.
  private func reviewed(
    _ member: Membership, _ marks: PeriodDates, for caller: Membership
  ) async throws -> @Sendable (PeriodState) -> ReviewedPeriod {
    let points = try await openPoints(of: member, marks, for: caller)
    var approval: Approval?
    if let approved = marks.approved {
      approval = try await storage.standingApproval(of: member.key, through: approved)
    }
    return { [approval] in ReviewedPeriod($0, points, approval) }
  }

  /// Moves one member's marks. The open points and the approval are those of shortly before.
  private func movePeriod(
    of member: Membership, _ move: PeriodMove, _ work: PeriodWork, by caller: Membership,
    _ recording: AnswerRecording<ReviewedPeriod>?
  ) async throws -> ReviewedPeriod {
    let marks = try await keptPeriod(of: member).ends.dates
    // A move that is refused brings about no answer.
    let reviewed = try await reviewed(member, (try? move.applied(to: marks)) ?? marks, for: caller)
    let state = try await storage.movePeriod(
      of: member.userID, move, work, recording: recording?.mapping(reviewed))
    return reviewed(state)
  }

  private func movePeriods(
    of members: PeriodMembers, _ move: PeriodMove, _ work: PeriodWork, by caller: Membership,
    _ recording: AnswerRecording<PeriodMoves>?
  ) async throws -> PeriodMoves {
    var moves = PeriodMoves()
    switch members {
    case .members(let userIDs):
      // Before anything is moved.
      let known = try await storage.memberships(of: Set(userIDs), in: work.organization)
      guard userIDs.allSatisfy({ known[$0] != nil && caller.sees($0) }) else {
        throw TimeclockError.notFound(.member)
      }
      for first in stride(from: 0, to: userIDs.count, by: Self.periodPart) {
        try await add(
          Array(userIDs[first..<min(first + Self.periodPart, userIDs.count)]), move, work, to: &moves)
      }
    case .all:
      var cursor: RowCursor?
      repeat {
        let page = try await storage.usersWithPeriods(
          of: work.organization, after: cursor, limit: Self.periodPart)
        try await add(page.elements, move, work, to: &moves)
        cursor = page.next
      } while cursor != nil
    }
    // Every part before may be all that was done when the service stops, so the answer is kept when all are.
    if let recording { try await storage.recordAnswer(recording.mapping { [moves] in moves }) }
    return moves
  }

  private func add(
    _ userIDs: [UserID], _ move: PeriodMove, _ work: PeriodWork, to moves: inout PeriodMoves
  ) async throws {
    let outcomes = try await storage.movePeriods(of: userIDs, move, work)
    for (userID, outcome) in zip(userIDs, outcomes) {
      switch outcome {
      case .success(true): moves.moved += 1
      case .success(false): moves.unchanged += 1
      case .failure(let error): moves.refused.append(.init(userID: userID, error: error))
      }
    }
  }
}

/// The members whose marks a request moves.
package enum PeriodMembers: Hashable, Sendable {
  /// Each once.
  case members([UserID])
  /// Everybody who is active, or has marks.
  case all
}
