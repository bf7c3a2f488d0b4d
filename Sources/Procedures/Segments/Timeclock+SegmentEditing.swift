import TimeclockDomain

extension Timeclock {
  /// Adds a closed segment, under the limits of time entries by hand; a segment of its own has no shortest and no longest
  /// length. Members add none to an entry that they may not change any more.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.editWindowClosed`, `.reasonRequired`, `.reasonInvalid`, `.invalidName`, `.invalidTags`, the
  ///   refusals of `ManualTimes`, `.unknownTimeZone`, the errors of `SegmentStorage.createSegment`; `MissingTimeZone`.
  package func createSegment(
    _ request: ManualSegmentRequest, by caller: Membership, recording: AnswerRecording<Segment>? = nil
  ) async throws -> Segment {
    if request.attachment == .create { try requireMayEnterTimes(caller) }
    let member = try await subject(request.userID, for: caller)
    let now = clock.now
    let context = caller.change(
      "createSegment", at: now, reason: try requiredReason(request.reason, to: member.userID, by: caller))
    let isTimeOfWork = request.attachment == .create || request.purpose.breakTypeID != nil
    let notice = isTimeOfWork ? try notice(of: member.userID, by: caller, context) : nil
    let name = try SegmentText.name(request.name, for: request.purpose)
    let tags = try SegmentText.tags(request.tags)
    // It says the zone and the source too, whether or not it is kept.
    let entry = try manualEntry(
      ManualEntryRequest(
        clockInTime: request.startTime, clockOutTime: request.endTime, timeZone: request.timeZone),
      for: member, by: caller, context: context, keepsOutOfPolicy: request.attachment != .create,
      mayEndAhead: request.mayEndAhead && request.attachment != .create
    ).entry
    let segment = Segment(
      id: identifiers.next(at: now), organizationID: member.organizationID, userID: member.userID,
      timeEntryID: nil, purpose: request.purpose, isPaid: true, isBillable: false, name: name, tags: tags,
      startTime: entry.clockInTime, endTime: entry.clockOutTime, timeZone: entry.timeZone,
      source: entry.source, version: 1, createdAt: now, updatedAt: now)
    let place: SegmentPlace =
      switch request.attachment {
      case .attach: .attached
      case .create: .created(entry)
      case .none: .alone
      }
    if request.attachment == .attach {
      try await requireEditableEntry(around: segment, of: member, by: caller)
    }
    return try await storage.createSegment(
      NewSegment(member: member.key, segment: segment, place: place, notice: notice, context: context),
      recording: recording)
  }

  /// One segment.
  ///
  /// - Throws: `.notFound(.segment)`; `.forbidden` for a member and someone else's segment.
  package func segment(_ id: SegmentID, for caller: Membership) async throws -> Segment {
    guard let segment = try await storage.segment(id, in: caller.key.organization) else {
      throw TimeclockError.notFound(.segment)
    }
    try caller.requireAccess(to: segment.userID, or: .segment)
    return segment
  }

  /// Changes a segment as long as its entry may be changed, by the rules of `updateTimeEntry`. An open segment gets its end
  /// by stopping only.
  ///
  /// - Throws: `.notFound(.segment)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.changed`, `.segmentActive`,
  ///   `.editWindowClosed`, `.consentRequired`, `.invalidName`, `.invalidTags`, the refusals of `ManualTimes` and `StatedTime`, the errors of
  ///   `SegmentStorage.updateSegment`.
  package func updateSegment(
    _ id: SegmentID, _ changes: SegmentChanges, reason: String?, expectedVersion: Int64?,
    by caller: Membership
  ) async throws -> Segment {
    let segment = try await segment(id, for: caller)
    let context = caller.change(
      "updateSegment", at: clock.now, reason: try requiredReason(reason, to: segment.userID, by: caller))
    let isOfBreak = segment.kind == .break || changes.breakTypeID != nil
    let notice =
      isOfBreak && changes.stateSpanOrPurpose
      ? try notice(of: segment.userID, by: caller, context) : nil
    _ = try changes.name.map { try SegmentText.name($0) }
    let tags = try changes.tags.map(SegmentText.tags)
    let isEditable = try await isEditable(segment, by: caller, at: context.time)
    return try await storage.updateSegment(
      SegmentUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        isBillableStated: changes.isBillable != nil, notice: notice, context: context)
    ) { [self] segment in
      guard changes.endTime == nil || segment.endTime != nil else { throw TimeclockError.segmentActive }
      guard isEditable else { throw TimeclockError.editWindowClosed }
      segment.tags = tags ?? segment.tags
      segment.purpose = changes.purpose(from: segment.purpose)
      if let name = changes.name { segment.name = try SegmentText.name(name, for: segment.purpose) }
      segment.isBillable = changes.isBillable ?? segment.isBillable
      try setTimes(of: &segment, changes, by: caller, now: context.time)
    }
  }

  /// Deletes a segment, by the rules of `updateSegment`. The time entry stays.
  ///
  /// - Throws: `.notFound(.segment)`, `.forbidden`, `.reasonRequired`, `.reasonInvalid`, `.changed`, `.editWindowClosed`,
  ///   `.consentRequired`.
  package func deleteSegment(
    _ id: SegmentID, reason: String?, expectedVersion: Int64?, by caller: Membership
  ) async throws {
    let segment = try await segment(id, for: caller)
    let context = caller.change(
      "deleteSegment", at: clock.now, reason: try requiredReason(reason, to: segment.userID, by: caller))
    let isEditable = try await isEditable(segment, by: caller, at: context.time)
    try await storage.deleteSegment(
      SegmentUpdate(
        id: id, organization: caller.key.organization, expectedVersion: expectedVersion,
        notice: segment.kind == .break ? try notice(of: segment.userID, by: caller, context) : nil,
        context: context)
    ) { _ in
      guard isEditable else { throw TimeclockError.editWindowClosed }
    }
  }

  /// The segments of a member that share a moment with `[start, end)`, one of them left out.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.endNotAfterStart`.
  package func overlappingSegments(
    of userID: UserID?, from start: Instant, to end: Instant, excluding excluded: SegmentID?,
    for caller: Membership
  ) async throws -> SegmentOverlaps {
    let member = try await subject(userID, for: caller)
    guard start < end else { throw TimeclockError.endNotAfterStart }
    return try await storage.overlappingSegments(of: member.key, from: start, to: end, excluding: excluded)
  }

  /// Whether a caller may change a segment: as long as its entry, whose pay it says, or its own span if it has none.
  private func isEditable(_ segment: Segment, by caller: Membership, at now: Instant) async throws -> Bool {
    guard caller.role < .manager else { return true }
    var (start, end) = (segment.startTime, segment.endTime)
    if let id = segment.timeEntryID, let entry = try await storage.timeEntry(id, in: caller.key.organization)
    {
      (start, end) = (entry.clockInTime, entry.clockOutTime)
    }
    return editableUntil(from: start, to: end, for: caller).map { now <= $0 } ?? true
  }

  /// - Throws: `.editWindowClosed` for the entry that would contain a new segment.
  private func requireEditableEntry(
    around segment: Segment, of member: Membership, by caller: Membership
  ) async throws {
    guard caller.role < .manager, let end = segment.endTime else { return }
    let found = try await storage.overlaps(
      of: member.key, from: segment.startTime, to: end, excluding: nil)
    for entry in found.entries where entry.clockInTime <= segment.startTime {
      guard let clockOut = entry.clockOutTime, clockOut >= end else { continue }
      try requireEditable(entry, by: caller, at: segment.createdAt)
    }
  }

  private func setTimes(
    of segment: inout Segment, _ changes: SegmentChanges, by caller: Membership, now: Instant
  ) throws {
    let start = changes.startTime ?? segment.startTime
    guard let oldEnd = segment.endTime else {
      if start != segment.startTime {
        segment.startTime = try StatedTime.backdated(
          start, now: now, policy: caller.policy, isLookBackLimited: caller.role < .manager)
      }
      return
    }
    let end = changes.endTime ?? oldEnd
    guard start != segment.startTime || end != oldEnd else { return }
    let times = try ManualTimes(
      clockIn: start, clockOut: end, now: now, policy: caller.policy,
      isDaysBackLimited: caller.role < .manager, isLengthLimited: false)
    segment.startTime = times.clockIn
    segment.endTime = times.clockOut
  }
}
