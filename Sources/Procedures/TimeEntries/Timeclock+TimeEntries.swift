import TimeclockDomain

/// The content of a client's request to clock a member in.
package struct ClockInRequest: Sendable {
  /// The member; nil means the caller.
  package var userID: UserID?
  /// The time of the clock-in, from a client that was offline; nil means now.
  package var clockInTime: Instant?
  package var timeZone: String?
  package var sessionID: SessionID?
  package var notes: String?
  /// The purpose to begin work with: a project, a task, or nothing.
  package var purpose: SegmentPurpose
  /// Whether it may be for nothing under any policy, because its purpose is gone.
  package var isPurposeDropped = false

  package init(
    userID: UserID? = nil, clockInTime: Instant? = nil, timeZone: String? = nil,
    sessionID: SessionID? = nil, notes: String? = nil, purpose: SegmentPurpose = SegmentPurpose()
  ) {
    self.userID = userID
    self.clockInTime = clockInTime
    self.timeZone = timeZone
    self.sessionID = sessionID
    self.notes = notes
    self.purpose = purpose
  }
}

/// The content of a client's request to clock a member out.
package struct ClockOutRequest: Sendable {
  /// The member; nil means the caller.
  package var userID: UserID?
  /// The time of the clock-out, from a client that was offline or a manager who helps; nil means now.
  package var clockOutTime: Instant?
  package var notes: String?

  package init(userID: UserID? = nil, clockOutTime: Instant? = nil, notes: String? = nil) {
    self.userID = userID
    self.clockOutTime = clockOutTime
    self.notes = notes
  }
}

/// The content of a client's request to enter a span by hand.
package struct ManualEntryRequest: Sendable {
  /// The member; nil means the caller.
  package var userID: UserID?
  package var clockInTime: Instant
  package var clockOutTime: Instant
  package var timeZone: String?
  package var sessionID: SessionID?
  package var notes: String?
  /// Why, for the log of changes.
  package var reason: String?

  package init(
    userID: UserID? = nil, clockInTime: Instant, clockOutTime: Instant, timeZone: String? = nil,
    sessionID: SessionID? = nil, notes: String? = nil, reason: String? = nil
  ) {
    self.userID = userID
    self.clockInTime = clockInTime
    self.clockOutTime = clockOutTime
    self.timeZone = timeZone
    self.sessionID = sessionID
    self.notes = notes
    self.reason = reason
  }
}

extension Timeclock {
  /// The most, in milliseconds, that a clock-in may be moved to begin where the member's last entry ends.
  ///
  /// A clock-out within the millisecond of its clock-in ends one millisecond after it; clocking in again at once must
  /// not be an overlap.
  private static var clockInMove: Int64 { 1_000 }

  /// The number of times that a clock-in is moved before it is refused as an overlap.
  private static var clockInMoveLimit: Int { 8 }

  /// Begins an active entry, and with it work on a project or a task if the request says so, both or neither.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.notesTooLong`, `.notesInvalid`, `.inFuture`,
  ///   `.tooFarBack`, `.unknownTimeZone`, `.projectRequired`, the errors of `TimeEntryStorage.createTimeEntry`, those of a
  ///   segment's project and task, and `.clockedOutLater` instead of an overlap with an entry that ends later than now;
  ///   `MissingTimeZone`.
  package func clockIn(
    _ request: ClockInRequest, by caller: Membership, recording: AnswerRecording<WrittenEntry>? = nil
  ) async throws -> TimeEntry {
    let member = try await subject(request.userID, for: caller)
    let now = clock.now
    let stated = try request.clockInTime.map {
      try StatedTime.backdated($0, now: now, policy: caller.policy)
    }
    let new = try newEntry(
      for: member, by: caller, from: stated ?? now, to: nil, timeZone: request.timeZone,
      session: request.sessionID, notes: request.notes, context: caller.change("clockIn", at: now))
    let isTimeStated = stated != nil && stated == request.clockInTime
    guard request.purpose != SegmentPurpose() else {
      guard !caller.policy.isProjectRequired || request.isPurposeDropped else {
        throw TimeclockError.projectRequired
      }
      return try await clockingIn(new, isTimeStated: isTimeStated, now: now) {
        try await storage.createTimeEntry(
          $0, recording: recording?.mapping { WrittenEntry(timeEntry: $0, rows: [ClockRow($0)]) })
      }
    }
    return try await clockingIn(new, isTimeStated: isTimeStated, now: now) { new in
      let segment = newSegment(
        for: request.purpose, named: SegmentText.standardName, tags: [], in: new.entry, at: now)
      return try await storage.startSegment(
        SegmentStart(
          member: member.key, segment: segment, isNameStated: false, isTimeStated: isTimeStated,
          entry: new.entry,
          clockIn: .required(needsSessionAssignment: new.needsSessionAssignment), context: new.context),
        recording: recording?.mapping { WrittenEntry(timeEntry: $0.timeEntry, rows: $0.rows) }
      ).timeEntry
    }
  }

  /// Keeps an active entry, moved behind the member's last one if it begins now and that ended a moment ago.
  ///
  /// - Throws: `.clockedOutLater` instead of an overlap with an entry that ends later than now, and any other error of
  ///   `keep`.
  func clockingIn<Value>(
    _ new: NewTimeEntry, isTimeStated: Bool, now: Instant, _ keep: (NewTimeEntry) async throws -> Value
  ) async throws -> Value {
    do {
      return try await isTimeStated ? keep(new) : keepingBehindLastEntry(new, now: now, keep)
    } catch TimeclockError.overlap(let entries, let count) {
      throw Self.clockInRefusal(by: entries, count: count, now: now)
    }
  }

  /// The refusal of a clock-in by the entries in the way. An entry that is closed and ends later than now was closed by
  /// a clock that was ahead, or the clock has been set back since: the refusal says until when.
  private static func clockInRefusal(by entries: [TimeEntry], count: Int, now: Instant) -> TimeclockError {
    guard let end = entries.compactMap(\.clockOutTime).max(),
      end.milliseconds(since: now) > Self.clockInMove
    else {
      return .overlap(entries, count: count)
    }
    return .clockedOutLater(end: end, entries, count: count)
  }

  /// Keeps an active entry that begins now, or if the entries end that a moment ago began or were moved to begin now.
  private func keepingBehindLastEntry<Value>(
    _ new: NewTimeEntry, now: Instant, _ keep: (NewTimeEntry) async throws -> Value
  ) async throws -> Value {
    var new = new
    // A refusal shows some of the entries in the way only, and another may come between two rounds.
    for _ in 0..<Self.clockInMoveLimit {
      do {
        return try await keep(new)
      } catch TimeclockError.overlap(let entries, let count) {
        let end = entries.map { $0.clockOutTime ?? .latest }.max() ?? .latest
        guard end.milliseconds(since: now) <= Self.clockInMove else {
          throw TimeclockError.overlap(entries, count: count)
        }
        let zone = try zone(stored: new.entry.timeZone)
        new.entry.clockInTime = end
        new.entry.date = zone.localDate(at: end)
        new.entry.offsetSeconds = zone.offsetSeconds(at: end)
      }
    }
    return try await keep(new)
  }

  /// Ends the active entry.
  ///
  /// Without a stated time it always works; an entry that is too long or too short is flagged.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.notesTooLong`, `.notesInvalid`, `.inFuture`,
  ///   `.tooFarBack`, and the errors of `TimeEntryStorage.clockOut`.
  package func clockOut(
    _ request: ClockOutRequest, by caller: Membership, recording: AnswerRecording<WrittenEntry>? = nil
  ) async throws -> TimeEntry {
    let member = try await subject(request.userID, for: caller)
    let now = clock.now
    let stated = try request.clockOutTime.map {
      try StatedTime.backdated($0, now: now, policy: caller.policy, isLookBackLimited: caller.role < .manager)
    }
    return try await storage.clockOut(
      ClockOut(
        member: member.key, time: stated ?? now, isStated: stated != nil && stated == request.clockOutTime,
        notes: sanitized(request.notes, by: caller.policy), policy: caller.policy,
        context: caller.change("clockOut", at: now)), recording: recording)
  }

  /// Adds a closed entry.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.reasonInvalid`, `.consentRequired`, the refusals of `ManualTimes` and
  ///   `Notes`, `.unknownTimeZone`, the errors of `TimeEntryStorage.createTimeEntry`; `MissingTimeZone`.
  package func createTimeEntry(
    _ request: ManualEntryRequest, by caller: Membership, recording: AnswerRecording<TimeEntry>? = nil
  ) async throws -> TimeEntry {
    try requireMayEnterTimes(caller)
    let member = try await subject(request.userID, for: caller)
    let context = caller.change(
      "createTimeEntry", at: clock.now, reason: try request.reason.flatMap(Reason.sanitized))
    let new = try manualEntry(request, for: member, by: caller, context: context)
    guard let notice = try notice(of: member.userID, by: caller, context) else {
      return try await storage.createTimeEntry(new, recording: recording)
    }
    return try await storage.changeTime(
      .add(new), noticedBy: notice, in: caller.key.organization, recording: recording)
  }

  /// A closed entry as the rules let it be, for the storage to keep.
  ///
  /// - Parameters:
  ///   - source: The source of the entry, if that is not the member or a manager.
  ///   - keepsOutOfPolicy: Whether an entry that is too short or too long is flagged, like a clocked one, and not refused.
  ///   - mayEndAhead: As of `ManualTimes`.
  ///   - isDaysBackLimited: Whether the days back are limited; nil if they are for members.
  /// - Throws: The refusals of `ManualTimes` and `Notes`, `.unknownTimeZone`; `MissingTimeZone`.
  func manualEntry(
    _ request: ManualEntryRequest, for member: Membership, by caller: Membership, context: ChangeContext,
    source: TimeEntrySource? = nil, keepsOutOfPolicy: Bool = false, mayEndAhead: Bool = false,
    isDaysBackLimited: Bool? = nil
  ) throws -> NewTimeEntry {
    let times = try ManualTimes(
      clockIn: request.clockInTime, clockOut: request.clockOutTime, now: context.time, policy: caller.policy,
      isDaysBackLimited: isDaysBackLimited ?? (caller.role < .manager), isLengthLimited: !keepsOutOfPolicy,
      mayEndAhead: mayEndAhead)
    var new = try newEntry(
      for: member, by: caller, from: times.clockIn, to: times.clockOut, timeZone: request.timeZone,
      session: request.sessionID, notes: request.notes, context: context, source: source)
    new.entry.flags = .judging(
      milliseconds: times.clockOut.milliseconds(since: times.clockIn), by: caller.policy)
    return new
  }

  /// The active entry of the caller or of another member; nil when clocked out.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`.
  package func currentTimeEntry(of userID: UserID?, for caller: Membership) async throws -> TimeEntry? {
    let member = try await subject(userID, for: caller)
    return try await storage.activeTimeEntry(of: member.key)
  }

  /// One entry.
  ///
  /// - Throws: `.notFound(.timeEntry)`; `.forbidden` for a member and someone else's entry.
  package func timeEntry(_ id: TimeEntryID, for caller: Membership) async throws -> TimeEntry {
    guard let entry = try await storage.timeEntry(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(.timeEntry)
    }
    try caller.requireAccess(to: entry.userID, or: .timeEntry)
    return entry
  }

  /// An entry as the rules let it be, for the storage to keep.
  ///
  /// - Throws: The refusals of `Notes`, `.unknownTimeZone`; `MissingTimeZone`.
  func newEntry(
    for member: Membership, by caller: Membership, from clockIn: Instant, to clockOut: Instant?,
    timeZone: String?, session: SessionID?, notes: String?, context: ChangeContext,
    source: TimeEntrySource? = nil
  ) throws -> NewTimeEntry {
    let notes = try sanitized(notes, by: caller.policy)
    let zone = try timeZone.map(zone(named:)) ?? zone(stored: member.timeZone)
    let entry = TimeEntry(
      id: identifiers.next(at: context.time), userID: member.userID, organizationID: member.organizationID,
      clockInTime: clockIn, clockOutTime: clockOut, date: zone.localDate(at: clockIn),
      timeZone: zone.identifier, offsetSeconds: zone.offsetSeconds(at: clockIn), sessionID: session,
      notes: notes, source: source ?? (member.userID == caller.userID ? caller.source : .admin), flags: [],
      version: 1,
      createdAt: context.time, updatedAt: context.time)
    return NewTimeEntry(
      member: member.key, entry: entry, needsSessionAssignment: caller.role < .manager, context: context)
  }

  /// Members enter no times if the policy leaves that to managers.
  ///
  /// - Throws: `.forbidden`.
  func requireMayEnterTimes(_ caller: Membership) throws {
    if !caller.policy.membersMayEnterTimes { try caller.require(.manager) }
  }

  func sanitized(_ notes: String?, by policy: Policy) throws -> Notes? {
    try notes.flatMap { try Notes.sanitized($0, maximumCharacters: policy.notesMaximumCharacters) }
  }
}
