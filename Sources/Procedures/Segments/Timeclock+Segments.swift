import TimeclockDomain

/// The content of a client's request to start a segment.
package struct StartSegmentRequest: Sendable {
  /// The member; nil means the caller.
  package var userID: UserID?
  package var purpose: SegmentPurpose
  package var name: String?
  package var tags: [String]
  /// The time of the start, from a client that was offline; nil means now.
  package var startTime: Instant?
  /// Whether a member who is clocked out is clocked in.
  package var clockIn: Bool
  package var timeZone: String?
  /// Whether a break may be of a kind that has been archived since it began.
  package var takesArchivedBreaks = false

  package init(
    userID: UserID? = nil, purpose: SegmentPurpose, name: String? = nil, tags: [String] = [],
    startTime: Instant? = nil, clockIn: Bool = true, timeZone: String? = nil
  ) {
    self.userID = userID
    self.purpose = purpose
    self.name = name
    self.tags = tags
    self.startTime = startTime
    self.clockIn = clockIn
    self.timeZone = timeZone
  }
}

/// The content of a client's request to stop the running segment.
package struct StopSegmentRequest: Sendable {
  /// The member; nil means the caller.
  package var userID: UserID?
  /// The time of the stop, from a client that was offline; nil means now.
  package var endTime: Instant?
  /// Whether a break goes back to the work before it.
  package var resume: Bool
  /// Whether the time entry ends too.
  package var clockOut: Bool

  package init(
    userID: UserID? = nil, endTime: Instant? = nil, resume: Bool = true, clockOut: Bool = false
  ) {
    self.userID = userID
    self.endTime = endTime
    self.resume = resume
    self.clockOut = clockOut
  }
}

extension Timeclock {
  /// Begins work or a break, and ends the running segment at the same instant.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.invalidName`, `.invalidTags`, `.inFuture`, `.tooFarBack`,
  ///   `.unknownTimeZone`, the errors of `SegmentStorage.startSegment` and of `clockIn`; `MissingTimeZone`.
  package func startSegment(
    _ request: StartSegmentRequest, by caller: Membership, recording: AnswerRecording<StartedSegment>? = nil
  ) async throws -> StartedSegment {
    let member = try await subject(request.userID, for: caller)
    let now = clock.now
    let stated = try request.startTime.map { try StatedTime.backdated($0, now: now, policy: caller.policy) }
    let context = caller.change("startSegment", at: now)
    var entry = try newEntry(
      for: member, by: caller, from: stated ?? now, to: nil, timeZone: request.timeZone, session: nil,
      notes: nil, context: context)
    entry.entry.flags = .startedBySegment
    let segment = newSegment(
      for: request.purpose, named: try SegmentText.name(request.name, for: request.purpose),
      tags: try SegmentText.tags(request.tags),
      in: entry.entry, at: now)
    let isTimeStated = stated != nil && stated == request.startTime
    func start(_ entry: NewTimeEntry) async throws -> StartedSegment {
      var segment = segment
      segment.startTime = entry.entry.clockInTime
      return try await storage.startSegment(
        SegmentStart(
          member: member.key, segment: segment, isNameStated: request.name != nil,
          isTimeStated: isTimeStated, entry: request.clockIn ? entry.entry : nil, clockIn: .ifNeeded,
          takesArchivedBreaks: request.takesArchivedBreaks, context: context),
        recording: recording)
    }
    return try await clockingIn(entry, isTimeStated: isTimeStated, now: now, start)
  }

  /// A segment that begins with an entry, for the storage to keep.
  func newSegment(
    for purpose: SegmentPurpose, named name: String, tags: [String], in entry: TimeEntry, at now: Instant
  ) -> Segment {
    Segment(
      id: identifiers.next(at: now), organizationID: entry.organizationID, userID: entry.userID,
      timeEntryID: nil, purpose: purpose, isPaid: true, isBillable: false, name: name, tags: tags,
      startTime: entry.clockInTime, endTime: nil, timeZone: entry.timeZone, source: entry.source, version: 1,
      createdAt: now, updatedAt: now)
  }

  /// Ends the running segment: work, or a break, after which the work before it continues.
  ///
  /// - Throws: `.notFound(.member)`, `.forbidden`, `.inFuture`, `.tooFarBack`, the errors of
  ///   `SegmentStorage.stopSegment`.
  package func stopSegment(
    _ request: StopSegmentRequest, by caller: Membership, recording: AnswerRecording<StoppedSegment>? = nil
  ) async throws -> StoppedSegment {
    let member = try await subject(request.userID, for: caller)
    let now = clock.now
    let stated = try request.endTime.map {
      try StatedTime.backdated($0, now: now, policy: caller.policy, isLookBackLimited: caller.role < .manager)
    }
    return try await storage.stopSegment(
      SegmentStop(
        member: member.key, time: stated ?? now, isTimeStated: stated != nil && stated == request.endTime,
        resumed: request.resume ? identifiers.next(at: now) : nil,
        clockOut: request.clockOut ? caller.policy : nil, context: caller.change("stopSegment", at: now)),
      recording: recording)
  }
}
