import TimeclockDomain

/// A proposal to change a member's time.
package struct CorrectionRequest: Sendable {
  /// The member; nil means the caller.
  package var userID: UserID?
  /// The entry to change or to delete; nil for one to add.
  package var timeEntryID: TimeEntryID?
  /// Nil leaves the entry's. Both are stated of an entry to add, and none of a deletion.
  package var clockInTime: Instant?
  package var clockOutTime: Instant?
  package var isDeletion: Bool
  package var reason: String
  /// Whether the change is made at once.
  package var isApplied: Bool

  package init(
    userID: UserID? = nil, timeEntryID: TimeEntryID? = nil, clockInTime: Instant? = nil,
    clockOutTime: Instant? = nil, isDeletion: Bool = false, reason: String, isApplied: Bool = false
  ) {
    self.userID = userID
    self.timeEntryID = timeEntryID
    self.clockInTime = clockInTime
    self.clockOutTime = clockOutTime
    self.isDeletion = isDeletion
    self.reason = reason
    self.isApplied = isApplied
  }
}

/// A request to list corrections; nil leaves a condition out.
package struct CorrectionListRequest: Sendable {
  /// If none are stated, the caller for a member, and everyone for a manager.
  package var members: WantedMembers
  package var state: CorrectionState?

  package init(members: WantedMembers = WantedMembers(), state: CorrectionState? = nil) {
    self.members = members
    self.state = state
  }
}

// The rules about who proposes, decides and objects.
extension Timeclock {
  /// Proposes a change of the caller's time, or for a manager of another member's. An admin may have it made at once, but
  /// neither of their own time, unless the policy lets managers decide about their own, nor of somebody's whose consent the
  /// policy asks for.
  ///
  /// The change has to meet the rules of entering times by hand, but for the days back; marks and other entries are asked
  /// when it is made.
  ///
  /// - Throws: `.forbidden`, `.notFound(.member)`, `.notFound(.timeEntry)`, `.selfApproval`, `.reasonRequired`,
  ///   `.reasonInvalid`, the refusals of `ManualTimes` and `StatedTime`, `.entryActive`, `.consentRequired`, the errors of
  ///   `Storage.applyCorrection`; `MissingTimeZone`.
  package func requestCorrection(
    _ request: CorrectionRequest, by caller: Membership, recording: AnswerRecording<Correction>? = nil
  ) async throws -> Correction {
    if request.isApplied { try caller.require(.admin) }
    let member = try await subject(request.userID, for: caller)
    let now = clock.now
    var correction = Correction(
      head: Head(id: identifiers.next(at: now), organizationID: caller.organizationID, at: now))
    (correction.userID, correction.by) = (member.userID, caller.userID)
    (correction.timeEntryID, correction.isDeletion) = (request.timeEntryID, request.isDeletion)
    (correction.clockInTime, correction.clockOutTime) = (request.clockInTime, request.clockOutTime)
    let entry = try await entry(of: correction, for: caller)
    guard !request.isApplied || member.userID != caller.userID || caller.policy.isSelfApprovalAllowed else {
      throw TimeclockError.selfApproval
    }
    guard let reason = try Reason.sanitized(request.reason) else { throw TimeclockError.reasonRequired }
    correction.reason = reason.text
    let context = caller.change("requestCorrection", at: now)
    let change = try change(
      by: correction, of: member, boundBy: nil, caller, "requestCorrection", at: now)
    try change.check(on: entry)
    guard request.isApplied else {
      return try await storage.createRecord(
        correction, in: caller.key.organization, zones: zones, context: context, recording: recording)
    }
    try caller.requireNoConsent(of: member.userID)
    correction.apply(at: now)
    return try await storage.applyCorrection(
      correction, change, in: caller.key.organization, context: context, recording: recording)
  }

  /// A page of corrections in the order in which they were made.
  ///
  /// - Throws: `.notFound(.member)`, `.notFound(.group)`, `.forbidden`.
  package func corrections(
    _ request: CorrectionListRequest, after cursor: RowCursor?, limit: Int, for caller: Membership
  ) async throws -> Page<Correction, RowCursor> {
    let members = try await members(request.members, for: caller)
    return try await storage.corrections(
      CorrectionFilter(members: members, state: request.state), in: caller.key.organization, after: cursor,
      limit: limit)
  }

  /// One correction, for its member and for managers.
  ///
  /// - Throws: `.notFound(.correction)`, also for another member's, of which a member learns nothing.
  package func correction(_ id: CorrectionID, for caller: Membership) async throws -> Correction {
    guard let found = try await storage.record(id, in: caller.key.organization),
      caller.sees(found.userID)
    else { throw TimeclockError.notFound(.correction) }
    return found
  }

  /// Agrees to a correction, which makes its change, or refuses it. Time that is approved or locked is changed only if an
  /// admin decides, or, where the member does, has proposed it.
  ///
  /// - Throws: `.notFound(.correction)`, `.consentRequired`, `.forbidden`, `.selfApproval`, `.reasonInvalid`, `.changed`,
  ///   `.correctionDecided`, `.notFound(.timeEntry)`, `.entryActive`, `.periodLocked`, the refusals of `ManualTimes` and
  ///   `StatedTime`, and of `TimeEntryStorage`; `MissingTimeZone`.
  package func decideCorrection(
    _ id: CorrectionID, _ decision: CorrectionDecision, answer: String?, expectedVersion: Int64?,
    by caller: Membership, recording: AnswerRecording<Correction>? = nil
  ) async throws -> Correction {
    let kept = try await correction(id, for: caller)
    try kept.requireDecider(caller)
    let answer = try answer.flatMap(Reason.sanitized)?.text
    let now = clock.now
    var change: ProposedChange?
    if decision == .agree, kept.state == .open {
      let member = try await subject(kept.userID, for: caller)
      let author = try await role(of: kept.by, in: caller.key.organization)
      change = try self.change(
        by: kept, of: member,
        boundBy: kept.boundBy(decider: caller.role, author: author, under: caller.policy),
        caller, "decideCorrection", at: now)
    }
    return try await storage.decideCorrection(
      correctionUpdate(kept, "decideCorrection", expectedVersion, by: caller, at: now), making: change,
      recording: recording
    ) { correction in
      try correction.decide(decision, answer: answer, by: caller.userID, at: now)
    }
  }

  /// Takes back a correction that the caller has proposed.
  ///
  /// - Throws: `.notFound(.correction)`, `.forbidden`, `.changed`, `.correctionDecided`.
  package func withdrawCorrection(
    _ id: CorrectionID, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Correction {
    try await settle(id, "withdrawCorrection", expectedVersion, by: caller) { correction, now in
      try correction.withdraw(by: caller.userID, at: now)
    }
  }

  /// Objects to a change of the caller's time that somebody else has made. The time stays as it is.
  ///
  /// - Throws: `.notFound(.correction)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.changed`, `.correctionDecided`.
  package func objectToCorrection(
    _ id: CorrectionID, reason: String, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Correction {
    let reason = try Reason.sanitized(reason)?.text
    return try await settle(id, "objectToCorrection", expectedVersion, by: caller) { correction, now in
      guard let reason else { throw TimeclockError.reasonRequired }
      try correction.object(because: reason, by: caller.userID, at: now)
    }
  }

  private func settle(
    _ id: CorrectionID, _ operation: String, _ expectedVersion: Int64?, by caller: Membership,
    _ change: @escaping @Sendable (inout Correction, Instant) throws -> Void
  ) async throws -> Correction {
    let kept = try await correction(id, for: caller)
    let now = clock.now
    return try await storage.updateRecord(
      correctionUpdate(kept, operation, expectedVersion, by: caller, at: now), zones: zones
    ) { correction in
      try change(&correction, now)
    }
  }

  private func correctionUpdate(
    _ kept: Correction, _ operation: String, _ expectedVersion: Int64?, by caller: Membership, at now: Instant
  ) -> ResourceUpdate<Correction> {
    ResourceUpdate(
      id: kept.id, organization: caller.key.organization, expectedVersion: expectedVersion,
      context: caller.change(operation, at: now))
  }

  /// The entry that a correction is about, which is the member's.
  ///
  /// - Returns: Nil for an entry to add.
  /// - Throws: `.notFound(.timeEntry)`; `.forbidden` for a member and someone else's entry.
  private func entry(of correction: Correction, for caller: Membership) async throws -> TimeEntry? {
    guard let id = correction.timeEntryID else { return nil }
    let entry = try await timeEntry(id, for: caller)
    guard entry.userID == correction.userID else { throw TimeclockError.notFound(.timeEntry) }
    return entry
  }

  /// The role that somebody has as an active member.
  private func role(of userID: UserID?, in organization: OrganizationKey) async throws -> Role? {
    guard let userID, let found = try await storage.membership(of: userID, in: organization), found.isActive
    else { return nil }
    return found.role
  }

  /// The change that a correction proposes, as the rules let it be.
  ///
  /// - Parameter mark: The weakest mark that binds it; nil if none does.
  /// - Throws: The refusals of `ManualTimes`; `MissingTimeZone`.
  private func change(
    by correction: Correction, of member: Membership, boundBy mark: PeriodMark.Kind?, _ caller: Membership,
    _ operation: String, at now: Instant
  ) throws -> ProposedChange {
    var context = caller.change(operation, at: now, reason: correction.reason.map(Reason.init(stored:)))
    context.boundBy = mark
    guard let id = correction.timeEntryID else {
      return .add(
        try manualEntry(
          ManualEntryRequest(
            clockInTime: correction.clockInTime ?? now, clockOutTime: correction.clockOutTime ?? now),
          for: member, by: caller, context: context, source: .admin, isDaysBackLimited: false))
    }
    let update = TimeEntryUpdate(
      id: id, organization: caller.key.organization, expectedVersion: nil, needsSessionAssignment: false,
      context: context)
    guard !correction.isDeletion else { return .delete(update) }
    let changes = TimeEntryChanges(
      clockInTime: correction.clockInTime, clockOutTime: correction.clockOutTime)
    let policy = caller.policy
    return .change(update) { entry in
      guard changes.clockOutTime == nil || entry.clockOutTime != nil else { throw TimeclockError.entryActive }
      try self.setTimes(of: &entry, changes, nil, by: policy, isPastLimited: false, now: now)
    }
  }
}
