import TimeclockDomain

extension Storage {
  /// Keeps a closed entry with the work noted in it, in one transaction: beginnings and ends of work and breaks as
  /// `startSegment` and `stopSegment` take them. A step's purpose is dropped if it is gone, and a segment if it
  /// overlaps one without an entry; a break of an archived kind stays one. The entry stays.
  ///
  /// - Throws: The errors of `TimeEntryStorage.createTimeEntry`. Then nothing is changed.
  package func createNotedSpan(
    _ new: NewNotedSpan, recording: AnswerRecording<NotedSpan>?
  ) async throws -> NotedSpan {
    let organization = new.entry.member.organization
    return try await write(RecordWrite(.organization(organization)), recording: recording) {
      try await $0.keep(new)
    }
  }
}

extension RecordTransaction {
  /// Keeps an entry with its segments, as `SegmentStorage.createNotedSpan` says.
  func keep(_ new: NewNotedSpan) async throws -> NotedSpan {
    guard try await lockForSegments(new.entry.member) else { throw TimeclockError.memberDeactivated }
    var span = NotedSpan(entry: try await createEntry(new.entry))
    var running: RunningWork?
    for (place, step) in new.steps.enumerated() {
      switch step.action {
      case .start(let purpose, let name):
        let (resolved, dropped) = try await resolveWhatIsLeft(purpose, of: new.entry.member)
        span.steps.append(NotedSpan.Step(nil, dropped: dropped))
        if let resolved, running?.isContinued(by: resolved) == true {
          if let name { running?.segment.name = name }
        } else {
          let ended = try await end(&running, at: step.time, of: new, &span)
          guard let resolved else { continue }
          running = RunningWork(
            segment: segment(step, for: resolved, named: name, in: span.entry), rows: resolved.rows,
            resumes: resolved.purpose.breakTypeID == nil ? nil : ended, step: place)
        }
        span.steps[place].segmentID = running?.segment.id
      case .stop:
        let stopped = running
        span.steps.append(NotedSpan.Step(stopped?.segment.id))
        _ = try await end(&running, at: step.time, of: new, &span)
        if let work = stopped?.resumes { running = RunningWork(resuming: work, by: step, at: place) }
      }
    }
    span.last = running?.segment.id
    if let end = span.entry.clockOutTime { _ = try await self.end(&running, at: end, of: new, &span) }
    return span
  }

  /// Ends the running segment, and keeps it, unless it is empty or a segment without an entry is in its way.
  ///
  /// - Returns: The work that a break after it goes back to.
  private func end(
    _ running: inout RunningWork?, at time: Instant, of new: NewNotedSpan, _ span: inout NotedSpan
  ) async throws -> EndedWork? {
    guard var ended = running else { return nil }
    running = nil
    let member = new.entry.member
    ended.segment.endTime = time
    var isKept = ended.segment.startTime < time
    if isKept {
      do {
        try await requireFree(ended.segment, of: member, excluding: nil)
      } catch TimeclockError.segmentOverlap {
        isKept = false
        span.steps[ended.step].dropped = ended.segment.purpose.details
      }
    }
    guard isKept else { return ended.resumes }
    let stored = StoredSegment(
      segment: ended.segment, number: 0, user: member.user, rows: ended.rows, resumes: ended.resumes?.row)
    let row = try await insert(stored, into: StoredSegment.table, of: member.organization)
    try await log(from: nil, to: .segment(ended.segment), in: member.organization, new.entry.context)
    span.segments.append(ended.segment)
    guard ended.segment.kind == .work else { return ended.resumes }
    return EndedWork(segment: ended.segment, rows: ended.rows, row: row)
  }

  /// Looks up a step's purpose, without records that are gone; a break of a kind that has been archived since stays
  /// one.
  private func resolveWhatIsLeft(
    _ purpose: SegmentPurpose, of member: MemberKey
  ) async throws -> (resolved: ResolvedPurpose?, dropped: [PunchDetail]) {
    var (purpose, dropped) = (purpose, [PunchDetail]())
    while purpose != SegmentPurpose() {
      do {
        return (try await resolve(purpose, of: member, takesArchivedBreaks: true), dropped)
      } catch let refusal as TimeclockError {
        guard let rest = purpose.dropping(refusal) else { throw refusal }
        purpose = rest.left
        dropped += rest.dropped
      }
    }
    return (nil, dropped)
  }

  private func segment(
    _ step: WorkStep, for resolved: ResolvedPurpose, named name: String?, in entry: TimeEntry
  ) -> Segment {
    let standard =
      resolved.purpose.breakTypeID == nil ? SegmentText.standardName : SegmentText.standardBreakName
    var segment = Segment(
      id: step.begins, organizationID: entry.organizationID, userID: entry.userID, timeEntryID: entry.id,
      purpose: resolved.purpose, isPaid: true, isBillable: false, name: name ?? standard,
      tags: [], startTime: step.time, endTime: nil, timeZone: entry.timeZone, source: entry.source,
      version: 1,
      createdAt: entry.createdAt, updatedAt: entry.createdAt)
    segment.take(resolved)
    return segment
  }
}

/// The running segment in a span whose steps are taken one after the other.
private struct RunningWork {
  var segment: Segment
  let rows: SegmentRows
  /// The work that a break goes back to; nil for work.
  let resumes: EndedWork?
  /// The step that began it.
  let step: Int

  init(segment: Segment, rows: SegmentRows, resumes: EndedWork?, step: Int) {
    self.segment = segment
    self.rows = rows
    self.resumes = resumes
    self.step = step
  }

  /// Makes the work that continues after a break.
  init(resuming work: EndedWork, by stop: WorkStep, at step: Int) {
    segment = work.segment
    segment.id = stop.begins
    segment.startTime = stop.time
    segment.endTime = nil
    rows = work.rows
    resumes = nil
    self.step = step
  }

  /// Whether a start changes nothing, for the same work runs.
  func isContinued(by resolved: ResolvedPurpose) -> Bool {
    segment.kind == .work && segment.purpose == resolved.purpose
  }
}

/// Work that has ended, and its row.
private struct EndedWork {
  let segment: Segment
  let rows: SegmentRows
  let row: Int64?
}
