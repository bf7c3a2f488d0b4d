extension Timeclock {
  /// Applies what a client noted while it could not be told, in the order of its times, each by the rules of the operation that
  /// it stands for. A punch that was applied before changes nothing, however often and in whichever parts a client sends
  /// its queue; one that was refused is judged anew.
  ///
  /// A clock-in that cannot be made any more, because it is further back than the policy's look-back or because of what came
  /// after it, is entered by hand together with the clock-out behind it, by the rules of that.
  ///
  /// - Parameters:
  ///   - userID: The member; nil means the caller.
  ///   - key: The name under which a punch is remembered.
  /// - Returns: What became of each, in the order of `punches`.
  /// - Throws: `.notFound(.member)`, `.forbidden`; `.unavailable`, `.storageFull` and other faults, after which some punches
  ///   may have been applied; `MissingTimeZone`.
  package func applyPunches(
    _ punches: [Punch], of userID: UserID?, by caller: Membership, key: (Punch) -> PunchKey
  ) async throws -> [PunchOutcome] {
    _ = try await subject(userID, for: caller)
    let keys = punches.map(key)
    var outcomes: [PunchOutcome?] = Array(repeating: nil, count: punches.count)
    for (index, key) in keys.enumerated() {
      outcomes[index] = try await storage.recordedAnswer(for: key.key, at: clock.now).map(key.outcome)
    }
    var queue = punches.indices.filter { outcomes[$0] == nil }
      .sorted { (punches[$0].time, $0) < (punches[$1].time, $1) }[...]
    while let index = queue.popFirst() {
      let next = queue.first.flatMap { punches[$0].kind == .clockOut ? $0 : nil }
      do {
        outcomes[index] = .applied(try await apply(punches[index], of: userID, by: caller, keys[index]))
      } catch let refusal as TimeclockError where refusal.isAnswerToPunch {
        guard punches[index].kind == .clockIn, refusal.leavesSpan, let next else {
          outcomes[index] = .refused(refusal)
          continue
        }
        let outcome = try await outcome(of: refusal) { [self] in
          .applied(
            try await enter(
              from: punches[index], to: punches[next], of: userID, by: caller, keys[index], keys[next]))
        }
        (outcomes[index], outcomes[next]) = (outcome.withoutClockAhead, outcome)
        queue.removeFirst()
      } catch let before as AnsweredBefore {
        // The same queue came twice at the same time.
        outcomes[index] = keys[index].outcome(before.answer)
      }
    }
    return outcomes.map { $0 ?? .refused(.requestInProgress) }
  }

  /// - Parameter refusal: The refusal of the clock-in, where nothing better is to be said.
  private func outcome(
    of refusal: TimeclockError, _ body: () async throws -> PunchOutcome
  ) async throws -> PunchOutcome {
    do {
      return try await body()
    } catch let second as TimeclockError where second.isAnswerToPunch {
      return .refused(second == .forbidden ? refusal : second)
    }
  }

  private func apply(
    _ punch: Punch, of userID: UserID?, by caller: Membership, _ key: PunchKey
  ) async throws -> PunchEffect {
    let now = clock.now
    switch punch.kind {
    case .clockIn:
      let entry = try await clockIn(
        ClockInRequest(
          userID: userID, clockInTime: punch.time, timeZone: punch.timeZone, sessionID: punch.sessionID,
          notes: punch.notes, purpose: punch.purpose), by: caller,
        recording: key.recording(at: now) { PunchEffect(timeEntryID: $0.id) })
      return PunchEffect(timeEntryID: entry.id, clockAhead: entry.clockAhead(ofClockIn: punch.time))
    case .clockOut:
      let entry = try await clockOut(
        ClockOutRequest(userID: userID, clockOutTime: punch.time, notes: punch.notes), by: caller,
        recording: key.recording(at: now) { PunchEffect(timeEntryID: $0.id) })
      return PunchEffect(timeEntryID: entry.id, clockAhead: entry.clockAhead(clockOut: punch.time))
    case .startSegment:
      let started = try await startSegment(
        StartSegmentRequest(
          userID: userID, purpose: punch.purpose, name: punch.name, startTime: punch.time,
          timeZone: punch.timeZone), by: caller,
        recording: key.recording(at: now) {
          PunchEffect(timeEntryID: $0.timeEntry.id, segmentID: $0.segment.id)
        })
      return PunchEffect(
        timeEntryID: started.timeEntry.id, segmentID: started.segment.id,
        clockAhead: started.clockAhead(ofStart: punch.time))
    case .stopSegment:
      let stopped = try await stopSegment(
        StopSegmentRequest(userID: userID, endTime: punch.time), by: caller,
        recording: key.recording(at: now) {
          PunchEffect(timeEntryID: $0.timeEntry.id, segmentID: $0.segment.id)
        })
      return PunchEffect(
        timeEntryID: stopped.timeEntry.id, segmentID: stopped.segment.id,
        clockAhead: stopped.segment.clockAhead(end: punch.time))
    }
  }

  /// Enters a span by hand, and with it the segment that its clock-in was for. The effect has how far ahead the clock-out
  /// is.
  private func enter(
    from clockIn: Punch, to clockOut: Punch, of userID: UserID?, by caller: Membership, _ key: PunchKey,
    _ other: PunchKey
  ) async throws -> PunchEffect {
    let now = clock.now
    guard clockIn.purpose == SegmentPurpose() else {
      // A segment by hand brings an entry, which has neither notes nor a session then.
      guard clockIn.notes == nil, clockOut.notes == nil, clockIn.sessionID == nil else {
        throw TimeclockError.tooFarBack(hours: caller.policy.lookBackHours)
      }
      let segment = try await createSegment(
        ManualSegmentRequest(
          userID: userID, startTime: clockIn.time, endTime: clockOut.time, purpose: clockIn.purpose,
          attachment: .create, timeZone: clockIn.timeZone,
          reason: userID == nil || userID == caller.userID ? nil : Self.reasonOfPunches), by: caller,
        recording: key.recording(at: now, with: [other]) {
          PunchEffect(timeEntryID: $0.timeEntryID, segmentID: $0.id)
        })
      return PunchEffect(
        timeEntryID: segment.timeEntryID, segmentID: segment.id,
        clockAhead: segment.clockAhead(end: clockOut.time))
    }
    let entry = try await createTimeEntry(
      ManualEntryRequest(
        userID: userID, clockInTime: clockIn.time, clockOutTime: clockOut.time, timeZone: clockIn.timeZone,
        sessionID: clockIn.sessionID, notes: clockOut.notes ?? clockIn.notes), by: caller,
      recording: key.recording(at: now, with: [other]) { PunchEffect(timeEntryID: $0.id) })
    return PunchEffect(timeEntryID: entry.id, clockAhead: entry.clockAhead(clockOut: clockOut.time))
  }

  /// The reason of a manager who sends what another's device noted.
  private static let reasonOfPunches = "Noted by a device without a connection"
}

extension TimeclockError {
  /// Whether it is about the punch; anything else is about the request, or the service.
  fileprivate var isAnswerToPunch: Bool {
    switch self {
    case .unavailable, .storageFull, .notFound(.member), .callerDeactivated: false
    default: true
    }
  }

  /// Whether a clock-in that is refused so may still be a span that has ended.
  fileprivate var leavesSpan: Bool {
    switch self {
    case .tooFarBack, .overlap, .clockedOutLater, .alreadyClockedIn: true
    default: false
    }
  }
}
