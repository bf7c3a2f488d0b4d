import TimeclockDomain

/// A request to list absences; nil leaves a condition out.
package struct AbsenceListRequest: Sendable {
  /// If none are stated, the caller for a member, and everyone for a manager.
  package var members: WantedMembers
  package var state: AbsenceState?
  /// Only absences with a date from this one on.
  package var startDate: LocalDate?
  /// Only absences with a date up to this one.
  package var endDate: LocalDate?

  package init(
    members: WantedMembers = WantedMembers(), state: AbsenceState? = nil, startDate: LocalDate? = nil,
    endDate: LocalDate? = nil
  ) {
    self.members = members
    self.state = state
    self.startDate = startDate
    self.endDate = endDate
  }
}

/// A decision about an absence.
package enum AbsenceDecision: String, CaseIterable, Sendable {
  case approve
  case refuse
}

// Everything that leaves these functions is as the caller may see it.
extension Timeclock {
  /// Enters an absence of the caller, or for a manager of another member. It awaits a decision if the policy says so of its
  /// kind, but if it is entered for another.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, the refusals of the fields' rules, the errors of `Storage.createRecord`.
  package func requestAbsence(
    _ stated: Stated<Absence>, of userID: UserID?, by caller: Membership,
    recording: AnswerRecording<Absence>? = nil
  ) async throws -> Absence {
    let subject = try await subject(userID, for: caller)
    let now = clock.now
    var absence = try newRecord(stated, of: subject.userID, at: now, by: caller)
    if subject.userID == caller.userID, caller.policy.absenceApproval.contains(absence.counted) {
      absence.state = .requested
    }
    return try await asSeen(by: caller) { [absence] view in
      view.shown(
        try await storage.createRecord(
          absence, in: caller.key.organization, zones: zones,
          context: caller.change("requestAbsence", at: now), recording: recording?.mapping(view.shown)))
    }
  }

  /// Enters absences of members, which are approved at once, each judged after those before it.
  ///
  /// - Parameter stated: The member of each, and its fields.
  /// - Returns: The outcome of each, in their order.
  /// - Throws: `.forbidden`; `.bulkRefused` with `.atomic` if one or more are refused, and then nothing is kept.
  package func createAbsences(
    _ stated: [(userID: UserID, fields: Stated<Absence>)], mode: BulkMode, by caller: Membership,
    recording: AnswerRecording<[Result<Absence, TimeclockError>]>? = nil
  ) async throws -> [Result<Absence, TimeclockError>] {
    try caller.require(.admin)
    let now = clock.now
    let absences = try stated.map { userID, fields in
      try Self.outcome { try newRecord(fields, of: userID, at: now, by: caller) }
    }
    return try await storage.createRecords(
      absences, mode: mode, in: caller.key.organization, zones: zones,
      context: caller.change(Absence.operation(.createMany), at: now), recording: recording)
  }

  /// One absence, for its member and for managers.
  ///
  /// - Throws: `.notFound(.absence)`, also for another member's, of which a member learns nothing.
  package func absence(_ id: AbsenceID, for caller: Membership) async throws -> Absence {
    AbsenceView(of: caller).shown(try await keptAbsence(id, for: caller))
  }

  /// A page of absences in the order in which they were made.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`, `.invalidDateRange`.
  package func absences(
    _ request: AbsenceListRequest, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Absence, RowCursor> {
    let members = try await members(request.members, for: caller)
    let (first, last) = (request.startDate ?? .earliest, request.endDate ?? .latest)
    guard first <= last else { throw TimeclockError.invalidDateRange }
    var page = try await storage.absences(
      AbsenceFilter(members: members, state: request.state, dates: first...last),
      in: caller.key.organization, after: cursor, limit: limit)
    page.elements = page.elements.map(AbsenceView(of: caller).shown)
    return page
  }

  /// Changes dates, portion or note of an absence: members of their own while it awaits a decision, managers of others'
  /// until it is refused or canceled, with a reason.
  ///
  /// - Parameter statesSeconds: Whether the changes state seconds.
  /// - Throws: `.notFound(.absence)`, `.reasonRequired`, `.reasonInvalid`, the refusals of the fields' rules, `.changed`,
  ///   `.absenceDecided`, those of the absence's rule.
  package func updateAbsence(
    _ id: AbsenceID, _ changes: Stated<Absence>, reason: String?, expectedVersion: Int64?,
    by caller: Membership
  ) async throws -> Absence {
    let kept = try await keptAbsence(id, for: caller)
    let reason = try requiredReason(reason, of: kept, by: caller)
    let change = try changes.validated()
    let statesSeconds = changes.states("seconds")
    return try await changeAbsence(
      kept, caller.change(Absence.operation(.update), at: clock.now, reason: reason), expectedVersion,
      by: caller
    ) { absence in
      guard absence.isOpen(to: caller) else { throw TimeclockError.absenceDecided }
      absence.take(change, statesSeconds: statesSeconds)
    }
  }

  /// Approves or refuses an absence that awaits a decision.
  ///
  /// - Parameter note: Takes the place of the absence's note; nil leaves that.
  /// - Throws: `.forbidden`, `.notFound(.absence)`, `.selfApproval`, `.notesTooLong`, `.notesInvalid`, `.changed`,
  ///   `.absenceDecided`, `.entitlementExceeded`.
  package func decideAbsence(
    _ id: AbsenceID, _ decision: AbsenceDecision, note: String?, expectedVersion: Int64?,
    by caller: Membership
  ) async throws -> Absence {
    try caller.require(.manager)
    let kept = try await keptAbsence(id, for: caller)
    guard kept.mayBeDecided(by: caller) else { throw TimeclockError.selfApproval }
    let note = try note.flatMap {
      try Notes.sanitized($0, maximumCharacters: Absence.maximumCharactersOfNote)
    }
    return try await changeAbsence(
      kept, caller.change("decideAbsence", at: clock.now), expectedVersion, by: caller
    ) { absence in
      guard absence.state == .requested else { throw TimeclockError.absenceDecided }
      absence.state = decision == .approve ? .approved : .refused
      if let note { absence.note = note.text }
    }
  }

  /// Cancels an absence: members one of their own that awaits a decision or begins after today, managers others', with a
  /// reason.
  ///
  /// - Throws: `.notFound(.absence)`, `.reasonRequired`, `.reasonInvalid`, `.changed`, `.absenceDecided`;
  ///   `MissingTimeZone`.
  package func cancelAbsence(
    _ id: AbsenceID, reason: String?, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Absence {
    let kept = try await keptAbsence(id, for: caller)
    let reason = try requiredReason(reason, of: kept, by: caller)
    let now = clock.now
    let today = kept.mayBeDecided(by: caller) ? nil : try await countedDate(of: now, for: caller)
    return try await changeAbsence(
      kept, caller.change("cancelAbsence", at: now, reason: reason), expectedVersion, by: caller
    ) { absence in
      let isToCome = today.map { absence.startDate > $0 } ?? true
      guard absence.isOpen(to: caller) || (absence.state == .approved && isToCome) else {
        throw TimeclockError.absenceDecided
      }
      absence.state = .canceled
    }
  }

  /// The date that an instant counts for by the caller's own schedule.
  ///
  /// - Throws: `MissingTimeZone`.
  private func countedDate(of instant: Instant, for caller: Membership) async throws -> LocalDate {
    let schedules = try await schedules(of: .member(caller.key.user), for: caller)
    let schedule =
      try schedules[caller.key.user]
      ?? Schedule(rows: [], organizationZone: zone(stored: caller.organizationTimeZone))
    return schedule.date(of: instant)
  }

  /// The absence as it is kept.
  private func keptAbsence(_ id: AbsenceID, for caller: Membership) async throws -> Absence {
    guard let found = try await storage.record(id, in: caller.key.organization),
      caller.sees(found.userID)
    else { throw TimeclockError.notFound(.absence) }
    return found
  }

  private func requiredReason(
    _ reason: String?, of absence: Absence, by caller: Membership
  ) throws -> Reason? {
    try requiredReason(reason, to: absence.userID ?? .ofNothing, by: caller)
  }

  private func changeAbsence(
    _ kept: Absence, _ context: ChangeContext, _ expectedVersion: Int64?, by caller: Membership,
    _ change: @escaping @Sendable (inout Absence) throws -> Void
  ) async throws -> Absence {
    try await asSeen(by: caller) { view in
      view.shown(
        try await storage.updateRecord(
          ResourceUpdate(
            id: kept.id, organization: caller.key.organization, expectedVersion: expectedVersion,
            context: context), zones: zones, change))
    }
  }

  /// Returns the value of `body`, and shows the caller no more in its refusals than in answers.
  private func asSeen<Value>(
    by caller: Membership, _ body: (AbsenceView) async throws -> Value
  ) async throws -> Value {
    let view = AbsenceView(of: caller)
    do {
      return try await body(view)
    } catch let error as TimeclockError {
      throw view.shown(error)
    }
  }
}

extension Absence {
  /// Whether the caller decides about it: managers about others', and about their own if the policy lets them.
  fileprivate func mayBeDecided(by caller: Membership) -> Bool {
    caller.role >= .manager && (userID != caller.userID || caller.policy.isSelfApprovalAllowed)
  }

  /// Whether the caller may still change it.
  fileprivate func isOpen(to caller: Membership) -> Bool {
    state == .requested || (state == .approved && mayBeDecided(by: caller))
  }
}
