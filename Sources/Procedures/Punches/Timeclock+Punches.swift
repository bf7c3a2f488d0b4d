import TimeclockDomain

extension Timeclock {
  /// Applies punches that a client noted while offline, in the order of its times, each by the rules of the operation
  /// that it stands for. A punch that was applied before changes nothing, however often and in whichever parts a client
  /// sends its queue; one that was refused is judged again.
  ///
  /// Details of a punch that mean nothing any more are dropped (`PunchEffect.dropped`); the time is taken.
  ///
  /// A beginning that cannot be made any more, because it is further back than the policy's look-back or because of
  /// later punches, is entered by hand together with all punches behind it up to the clock-out, by the rules of that,
  /// and not further back than `Punch.memory`. Until the clock-out comes, in whichever request, it waits.
  ///
  /// Queues of one member are taken one after the other: the clock-out of one device never ends the clock-in of another.
  ///
  /// - Parameters:
  ///   - userID: The member; nil means the caller.
  ///   - names: The names under which the member's punches are remembered.
  /// - Returns: The outcome of each, in the order of `punches`.
  /// - Throws: `.notFound(.member)`, `.forbidden`; `.unavailable`, `.storageFull` and other faults, after which some punches
  ///   may have been applied; `MissingTimeZone`.
  package func applyPunches(
    _ punches: [Punch], of userID: UserID?, by caller: Membership, names: PunchNames
  ) async throws -> [PunchOutcome] {
    let member = try await subject(userID, for: caller)
    return try await punchTurns.inTurn(for: member.key) {
      let waiting = try await names.waiting(of: member.key, in: storage, at: clock.now)
      var queue = PunchQueue(punches, behind: waiting, names, of: member, by: caller, at: self)
      return try await queue.outcomes()
    }
  }

  /// Takes back a punch that the caller has applied to their own clock, within `PunchMemory.undoTime` of that, if
  /// nothing of the clock has changed since. The rules of entering times by hand have no say in it.
  ///
  /// - Parameter punch: The name under which the punch is remembered.
  /// - Returns: The caller's clock.
  /// - Throws: The errors of `PunchStorage.undoPunch`; `MissingTimeZone`.
  package func undoPunch(_ punch: IdempotencyKey, by caller: Membership) async throws -> ClockState {
    try await storage.undoPunch(
      PunchUndo(punch: punch, member: caller.key, context: caller.change("undoPunch", at: clock.now)))
    return try await clock(of: nil, for: caller)
  }

  /// Applies a punch by the rules of its operation.
  ///
  /// - Parameter dropped: The dropped details.
  /// - Throws: `AnsweredBefore`, and the errors of its operation.
  func apply(
    _ punch: Punch, without dropped: [PunchDetail], of userID: UserID, by caller: Membership, _ key: PunchKey
  ) async throws -> PunchEffect {
    let now = clock.now
    var effect: PunchEffect
    switch punch.kind {
    case .clockIn:
      var request = ClockInRequest(
        userID: userID, clockInTime: punch.time, timeZone: punch.timeZone, sessionID: punch.sessionID,
        notes: punch.notes, purpose: punch.purpose)
      request.isPurposeDropped = punch.purpose == SegmentPurpose() && dropped.contains(where: \.isPurpose)
      let entry = try await clockIn(
        request, by: caller,
        recording: key.recording(at: now) { $0.memory(dropping: dropped, at: now) })
      effect = PunchEffect(timeEntryID: entry.id, clockAhead: entry.clockAhead(ofClockIn: punch.time))
    case .clockOut:
      let entry = try await clockOut(
        ClockOutRequest(userID: userID, clockOutTime: punch.time, notes: punch.notes), by: caller,
        recording: key.recording(at: now) { $0.memory(dropping: dropped, at: now) })
      effect = PunchEffect(timeEntryID: entry.id, clockAhead: entry.clockAhead(clockOut: punch.time))
    case .startSegment where punch.purpose == SegmentPurpose():
      effect = try await beginOnNothing(punch, without: dropped, of: userID, by: caller, key)
    case .startSegment:
      var request = StartSegmentRequest(
        userID: userID, purpose: punch.purpose, name: punch.name, startTime: punch.time,
        timeZone: punch.timeZone)
      request.takesArchivedBreaks = true
      let started = try await startSegment(
        request, by: caller,
        recording: key.recording(at: now) {
          PunchMemory(
            effect: PunchEffect(
              timeEntryID: $0.timeEntry.id, segmentID: $0.segment.id, dropped: dropped),
            appliedAt: now, rows: $0.rows)
        })
      effect = PunchEffect(
        timeEntryID: started.timeEntry.id, segmentID: started.segment.id,
        clockAhead: started.clockAhead(ofStart: punch.time))
    case .stopSegment:
      let stopped = try await stopSegment(
        StopSegmentRequest(userID: userID, endTime: punch.time), by: caller,
        recording: key.recording(at: now) {
          PunchMemory(
            effect: PunchEffect(
              timeEntryID: $0.timeEntry.id, segmentID: $0.segment.id, dropped: dropped),
            appliedAt: now, rows: $0.rows)
        })
      effect = PunchEffect(
        timeEntryID: stopped.timeEntry.id, segmentID: stopped.segment.id,
        clockAhead: stopped.segment.clockAhead(end: punch.time))
    }
    effect.dropped = dropped
    return effect
  }

  /// Begins a purpose that is gone: it ends the running segment, and clocks in, unless it was a break.
  private func beginOnNothing(
    _ punch: Punch, without dropped: [PunchDetail], of userID: UserID, by caller: Membership, _ key: PunchKey
  ) async throws -> PunchEffect {
    let now = clock.now
    var active = try await currentTimeEntry(of: userID, for: caller)
    if active == nil, !dropped.contains(.breakTypeID) {
      do {
        var request = ClockInRequest(userID: userID, clockInTime: punch.time, timeZone: punch.timeZone)
        request.isPurposeDropped = true
        let entry = try await clockIn(
          request, by: caller,
          recording: key.recording(at: now) { $0.memory(dropping: dropped, at: now) })
        return PunchEffect(timeEntryID: entry.id, clockAhead: entry.clockAhead(ofClockIn: punch.time))
      } catch TimeclockError.alreadyClockedIn(let other) {
        active = other
      }
    }
    guard let active else { throw TimeclockError.notClockedIn }
    guard active.clockInTime <= punch.time else { throw TimeclockError.alreadyClockedIn(active: active) }
    do {
      let stopped = try await stopSegment(
        StopSegmentRequest(userID: userID, endTime: punch.time, resume: false), by: caller,
        recording: key.recording(at: now) {
          PunchMemory(
            effect: PunchEffect(timeEntryID: $0.timeEntry.id, dropped: dropped), appliedAt: now,
            rows: $0.rows)
        })
      return PunchEffect(
        timeEntryID: stopped.timeEntry.id, clockAhead: stopped.segment.clockAhead(end: punch.time))
    } catch let refusal as TimeclockError where refusal == .noActiveSegment {
      try await storage.recordAnswer(
        key.recording(at: now) { _ in
          PunchMemory(
            effect: PunchEffect(timeEntryID: active.id, dropped: dropped), appliedAt: now, rows: [])
        })
      return PunchEffect(timeEntryID: active.id)
    }
  }
}

extension WrittenEntry {
  /// The memory of the punch that began or ended the entry.
  fileprivate func memory(dropping dropped: [PunchDetail], at now: Instant) -> PunchMemory {
    PunchMemory(
      effect: PunchEffect(timeEntryID: timeEntry.id, dropped: dropped), appliedAt: now, rows: rows)
  }
}
