import TimeclockDomain

/// Changes of an entry by a client; nil leaves a value as it is.
package struct TimeEntryChanges: Sendable {
  package var clockInTime: Instant?
  package var clockOutTime: Instant?
  package var timeZone: String?
  /// The inner nil takes the entry out of its session.
  package var sessionID: SessionID??
  /// The inner nil takes the notes away.
  package var notes: String??

  package init(
    clockInTime: Instant? = nil, clockOutTime: Instant? = nil, timeZone: String? = nil,
    sessionID: SessionID?? = nil, notes: String?? = nil
  ) {
    self.clockInTime = clockInTime
    self.clockOutTime = clockOutTime
    self.timeZone = timeZone
    self.sessionID = sessionID
    self.notes = notes
  }
}

/// The changes of an entry that somebody may make.
package struct TimeEntryAllowance: Hashable, Sendable {
  /// The last instant at which it may be changed; nil if there is no end.
  package var editableUntil: Instant?
  /// The last instant at which it may be deleted, which undoes the clock-in of an active one; nil if there is no end.
  package var cancelableUntil: Instant?
}

extension Timeclock {
  /// Changes an entry. Members change their own as long as `editableUntil` says; managers everyone's at any time, with
  /// a reason if it is another's. An active entry gets its end by clocking out only.
  ///
  /// The policy applies to times that change only: an entry that was allowed once can get new notes.
  ///
  /// - Throws: `.notFound(.timeEntry)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.changed`,
  ///   `.entryActive` for the end of an active entry, `.editWindowClosed`, `.consentRequired`, the refusals of `ManualTimes`, `StatedTime`
  ///   and `Notes`, `.unknownTimeZone`, `.sessionNotFound`, `.sessionNotAssigned`, `.overlap`; `MissingTimeZone`.
  package func updateTimeEntry(
    _ id: TimeEntryID, _ changes: TimeEntryChanges, reason: String?, expectedVersion: Int64?,
    by caller: Membership
  ) async throws -> TimeEntry {
    let entry = try await timeEntry(id, for: caller)
    let statesTimes = changes.clockInTime != nil || changes.clockOutTime != nil || changes.timeZone != nil
    if statesTimes { try requireMayEnterTimes(caller) }
    let context = caller.change(
      "updateTimeEntry", at: clock.now, reason: try requiredReason(reason, to: entry.userID, by: caller))
    let notes = try changes.notes.map { try sanitized($0, by: caller.policy) }
    let zone = try changes.timeZone.map(zone(named:))
    let update = TimeEntryUpdate(
      id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
      needsSessionAssignment: caller.role < .manager, context: context)
    let change: @Sendable (inout TimeEntry) throws -> Void = { [self] entry in
      guard changes.clockOutTime == nil || entry.clockOutTime != nil else { throw TimeclockError.entryActive }
      try requireEditable(entry, by: caller, at: context.time)
      if let notes { entry.notes = notes }
      if let session = changes.sessionID { entry.sessionID = session }
      try setTimes(
        of: &entry, changes, zone, by: caller.policy, isPastLimited: caller.role < .manager, now: context.time
      )
    }
    guard statesTimes, var notice = try notice(of: entry.userID, by: caller, context) else {
      return try await storage.updateTimeEntry(update, change)
    }
    notice.timeEntryID = id
    return try await storage.changeTime(
      .change(update, change), noticedBy: notice, in: caller.key.organization, recording: nil)
  }

  /// Deletes an entry, by the rules of `updateTimeEntry`. Its last state stays in the log of changes. A clock-in can so
  /// be undone; by a member for two minutes.
  ///
  /// - Throws: `.notFound(.timeEntry)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.changed`,
  ///   `.entryActive` for a member's clock-in that is older, `.editWindowClosed`, `.consentRequired`.
  package func deleteTimeEntry(
    _ id: TimeEntryID, reason: String?, expectedVersion: Int64?, by caller: Membership
  ) async throws {
    let entry = try await timeEntry(id, for: caller)
    let context = caller.change(
      "deleteTimeEntry", at: clock.now, reason: try requiredReason(reason, to: entry.userID, by: caller))
    let update = TimeEntryUpdate(
      id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
      needsSessionAssignment: false, context: context)
    if var notice = try notice(of: entry.userID, by: caller, context) {
      // Managers are bound by no window of time.
      (notice.timeEntryID, notice.isDeletion) = (id, true)
      _ = try await storage.changeTime(
        .delete(update), noticedBy: notice, in: caller.key.organization, recording: nil)
      return
    }
    try await storage.deleteTimeEntry(update) { [self] entry in
      // A clock-in is undone, not a time changed.
      if entry.clockOutTime != nil { try requireMayEnterTimes(caller) }
      try requireEditable(entry, by: caller, at: context.time)
      guard let end = allowance(of: entry, for: caller).cancelableUntil, context.time > end else { return }
      throw TimeclockError.entryActive
    }
  }

  /// The time, in milliseconds, for which a member may undo a clock-in.
  private static var undoTime: Int64 { 120_000 }

  /// The changes of an entry that a caller with the right to see it may make.
  package func allowance(of entry: TimeEntry, for caller: Membership) -> TimeEntryAllowance {
    guard caller.role < .manager else { return TimeEntryAllowance() }
    let editableUntil = editableUntil(from: entry.clockInTime, to: entry.clockOutTime, for: caller)
    return TimeEntryAllowance(
      editableUntil: editableUntil,
      cancelableUntil: entry.clockOutTime == nil
        ? entry.createdAt.adding(milliseconds: Self.undoTime) : editableUntil)
  }

  /// The last instant at which a caller may change or delete work from `start` to `end`: members until `editWindowDays`
  /// days after its end, and no longer than they may enter time of its start by hand (`manualEntryDays`). When it was
  /// entered does not matter.
  ///
  /// - Parameter end: Nil while it goes on.
  /// - Returns: Nil if there is no end: for managers, and for running work.
  func editableUntil(from start: Instant, to end: Instant?, for caller: Membership) -> Instant? {
    guard caller.role < .manager, let end else { return nil }
    let afterEnd = end.adding(milliseconds: caller.policy.editWindowDays * 86_400_000)
    guard let days = caller.policy.manualEntryDays else { return afterEnd }
    return min(afterEnd, start.adding(milliseconds: days * 86_400_000))
  }

  /// The entries of a member that share a moment with `[start, end)`, one of them left out.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.endNotAfterStart`.
  package func overlaps(
    of userID: UserID?, from start: Instant, to end: Instant, excluding excluded: TimeEntryID?,
    for caller: Membership
  ) async throws -> TimeEntryOverlaps {
    let member = try await subject(userID, for: caller)
    guard start < end else { throw TimeclockError.endNotAfterStart }
    return try await storage.overlaps(of: member.key, from: start, to: end, excluding: excluded)
  }

  /// A change to another's record needs a reason.
  ///
  /// - Throws: `.reasonRequired`, `.reasonInvalid`.
  func requiredReason(_ text: String?, to owner: UserID, by caller: Membership) throws -> Reason? {
    let reason = try text.flatMap(Reason.sanitized)
    guard reason != nil || owner == caller.userID else { throw TimeclockError.reasonRequired }
    return reason
  }

  /// - Throws: `.editWindowClosed`.
  func requireEditable(_ entry: TimeEntry, by caller: Membership, at now: Instant) throws {
    guard let end = allowance(of: entry, for: caller).editableUntil, now > end else { return }
    throw TimeclockError.editWindowClosed
  }

  /// The correction to keep with a change of a member's times by the caller.
  ///
  /// - Returns: Nil if the policy asks for none.
  /// - Throws: `.consentRequired`.
  func notice(
    of owner: UserID, by caller: Membership, _ context: ChangeContext
  ) throws -> Correction? {
    try caller.requireNoConsent(of: owner)
    guard caller.correctionsNeed(of: owner) == .notice else { return nil }
    var notice = Correction(
      head: Head(
        id: identifiers.next(at: context.time), organizationID: caller.organizationID, at: context.time))
    (notice.userID, notice.by, notice.reason) = (owner, caller.userID, context.reason?.text)
    notice.apply(at: context.time)
    return notice
  }

  /// Sets the stated times, and the values that follow from them.
  ///
  /// - Parameter isPastLimited: Whether the policy limits how far back they are.
  func setTimes(
    of entry: inout TimeEntry, _ changes: TimeEntryChanges, _ statedZone: Zone?, by policy: Policy,
    isPastLimited: Bool, now: Instant
  ) throws {
    let clockIn = changes.clockInTime ?? entry.clockInTime
    if let oldOut = entry.clockOutTime {
      let clockOut = changes.clockOutTime ?? oldOut
      if clockIn != entry.clockInTime || clockOut != oldOut {
        let times = try ManualTimes(
          clockIn: clockIn, clockOut: clockOut, now: now, policy: policy, isDaysBackLimited: isPastLimited)
        entry.clockInTime = times.clockIn
        entry.clockOutTime = times.clockOut
        // They are within the policy now, and a person has stated the end.
        entry.flags.subtract([.overMaximum, .underMinimum])
        if clockOut != oldOut { entry.flags.remove(.autoClosed) }
      }
    } else if clockIn != entry.clockInTime {
      entry.clockInTime = try StatedTime.backdated(
        clockIn, now: now, policy: policy, isLookBackLimited: isPastLimited)
    }
    let zone = try statedZone ?? zone(stored: entry.timeZone)
    entry.timeZone = zone.identifier
    entry.date = zone.localDate(at: entry.clockInTime)
    entry.offsetSeconds = zone.offsetSeconds(at: entry.clockInTime)
  }
}
