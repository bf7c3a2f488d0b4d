import TimeclockDomain

extension PunchQueue {
  /// Enters a span by hand, from a beginning to the last punch behind it, which is its clock-out, in one write that
  /// remembers all of them.
  ///
  /// - Throws: `AnsweredBefore`, the errors of `createTimeEntry`.
  mutating func enter(_ first: Int, _ behind: [Int]) async throws {
    guard let last = behind.last else { return }
    try timeclock.requireMayEnterTimes(caller)
    for place in [first] + behind { dropInvalidTexts(of: place) }
    let now = timeclock.clock.now
    let context = caller.change(
      "createTimeEntry", at: now, reason: member.userID == caller.userID ? nil : Self.reason)
    while true {
      do {
        let notes =
          try timeclock.sanitized(punches[last].notes, by: caller.policy) == nil
          ? punches[first].notes : punches[last].notes
        var new = try timeclock.manualEntry(
          ManualEntryRequest(
            clockInTime: punches[first].time, clockOutTime: punches[last].time,
            timeZone: punches[first].timeZone,
            sessionID: punches[first].sessionID, notes: notes), for: member, by: caller, context: context)
        if punches[first].kind == .startSegment { new.entry.flags.formUnion(.startedBySegment) }
        let steps = steps(of: [first] + behind.dropLast(), until: new.entry.clockOutTime ?? now, at: now)
        let empty = behind.dropLast().filter { place in !steps.contains { $0.place == place } }
        let effects = effects(of: [first] + behind.filter { !empty.contains($0) }, steps.map(\.place))
        let kept: NotedSpan
        do {
          kept = try await timeclock.storage.createNotedSpan(
            NewNotedSpan(entry: new, steps: steps.map(\.step)), recording: recording(effects, at: now))
        } catch TimeclockError.periodLocked {
          try await propose(new.entry, for: [first] + behind, steps.map(\.step), at: now)
          return
        }
        active = nil
        for place in empty { decided[place] = .refused(.noActiveSegment) }
        for (place, effect) in effects { decided[place] = .applied(effect(kept)) }
        let ahead = kept.entry.clockAhead(clockOut: punches[last].time)
        if case .applied(var effect)? = decided[last] {
          effect.clockAhead = ahead
          decided[last] = .applied(effect)
        }
        return
      } catch let refusal as TimeclockError {
        guard drop(refusal, of: first) else { throw refusal }
      }
    }
  }

  /// Proposes a span that marks bind, in one write that remembers its punches. The reason says how long the breaks
  /// were, which a proposal has not.
  ///
  /// - Throws: `AnsweredBefore`, the errors of `Storage.createRecord`.
  private mutating func propose(
    _ entry: TimeEntry, for places: [Int], _ steps: [WorkStep], at now: Instant
  ) async throws {
    guard let clockOut = entry.clockOutTime else { return }
    let correction = Correction(
      head: Head(id: timeclock.identifiers.next(at: now), organizationID: member.organizationID, at: now)
    ) {
      ($0.userID, $0.by) = (member.userID, caller.userID)
      ($0.clockInTime, $0.clockOutTime) = (entry.clockInTime, clockOut)
      let breaks = steps.breakMilliseconds(until: clockOut) / 1_000
      $0.reason = Self.reason.text + (breaks > 0 ? ", with \(breaks) seconds of breaks" : "")
    }
    let effects = places.map { place in
      let details = dropped[place] + punches[place].details
      return (
        place: place,
        effect: { @Sendable (correction: Correction) in
          PunchEffect(timeEntryID: nil, correctionID: correction.id, dropped: details)
        }
      )
    }
    let kept = try await timeclock.storage.createRecord(
      correction, in: member.key.organization, zones: timeclock.zones,
      context: caller.change("applyPunches", at: now), recording: recording(effects, at: now))
    active = nil
    for (place, effect) in effects { decided[place] = .proposed(effect(kept)) }
  }

  /// Has a write remember the punches of a span.
  private func recording<Value>(
    _ effects: [(place: Int, effect: @Sendable (Value) -> PunchEffect)], at now: Instant
  ) -> AnswerRecording<Value>? {
    guard let (first, effect) = effects.first else { return nil }
    return keys[first].recording(
      at: now, with: effects.dropFirst().map { (keys[$0.place], $0.effect) }
    ) {
      PunchMemory(effect: effect($0), appliedAt: now, rows: nil)
    }
  }

  /// Drops notes and names that cannot be kept.
  private mutating func dropInvalidTexts(of place: Int) {
    do {
      _ = try timeclock.sanitized(punches[place].notes, by: caller.policy)
      _ = try SegmentText.name(punches[place].name)
    } catch let refusal as TimeclockError {
      // Nothing has both.
      _ = drop(refusal, of: place)
    } catch {
      return
    }
  }

  /// The beginnings and ends by a span's punches between its two ends, without stops if nothing runs.
  private func steps(
    of places: [Int], until end: Instant, at now: Instant
  ) -> [(place: Int, step: WorkStep)] {
    var steps: [(place: Int, step: WorkStep)] = []
    var (runs, isBreak, goesBack) = (false, false, false)
    for place in places {
      let punch = punches[place]
      let action: WorkStep.Action
      if punch.kind == .stopSegment {
        guard runs else { continue }
        (runs, isBreak) = (isBreak && goesBack, false)
        action = .stop
      } else {
        guard punch.kind == .startSegment || punch.purpose != SegmentPurpose() else { continue }
        let begins = punch.purpose.breakTypeID != nil
        if begins { goesBack = isBreak ? goesBack : runs }
        (runs, isBreak) = (true, begins)
        // One that cannot be kept has been dropped.
        let name = punch.name.flatMap { try? SegmentText.name($0, for: punch.purpose) }
        action = .start(punch.purpose, name: name)
      }
      steps.append(
        (place, WorkStep(action, at: min(punch.time, end), begins: timeclock.identifiers.next(at: now))))
    }
    return steps
  }

  /// The remembered effects of the punches of a span.
  ///
  /// - Parameter stepped: The places of those that are steps, in their order.
  private func effects(
    of places: [Int], _ stepped: [Int]
  ) -> [(place: Int, effect: @Sendable (NotedSpan) -> PunchEffect)] {
    places.map { place in
      let dropped = dropped[place]
      let isLast = place == places.last
      let index = stepped.firstIndex(of: place)
      return (
        place,
        { span in
          let step = index.map { span.steps[$0] }
          return PunchEffect(
            timeEntryID: span.entry.id, segmentID: isLast ? span.last : step?.segmentID,
            dropped: dropped + (step?.dropped ?? []))
        }
      )
    }
  }

  /// The reason of a manager who sends notes of another's device.
  private static let reason = Reason(stored: "Noted by a device without a connection")
}
