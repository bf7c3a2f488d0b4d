import TimeclockDomain

extension RecordTransaction {
  /// Opens a segment, as `SegmentStorage.startSegment` says.
  func start(_ start: SegmentStart) async throws -> StartedSegment {
    let (member, context) = (start.member, start.context)
    guard try await lockForSegments(member) else { throw TimeclockError.memberDeactivated }
    let resolved = try await resolve(
      start.segment.purpose, of: member, takesArchivedBreaks: start.takesArchivedBreaks)
    var new = start.segment
    new.take(resolved)
    let last = try await lastEnd(of: member)
    let open = last == .some(nil) ? try await openSegment(of: member) : nil
    let active = try await activeEntry(of: member)
    if let active, start.clockIn != .ifNeeded { throw TimeclockError.alreadyClockedIn(active: active) }
    if let open, let active, open.segment.kind == .work, open.segment.purpose == new.purpose {
      let renamed = try await rename(open, start)
      return StartedSegment(
        segment: renamed, stopped: nil, timeEntry: active, clockedIn: false, isNew: false,
        rows: renamed == open.segment ? [] : [ClockRow(renamed)])
    }
    let entry: TimeEntry
    var rows: [ClockRow] = []
    if let active {
      entry = active
    } else {
      entry = try await beginEntry(start)
      rows.append(ClockRow(entry))
    }
    if !start.isTimeStated {
      // Clocks are set back now and then: entries that began by them are not yet over then.
      let earliest = max(entry.clockInTime, open?.segment.startTime ?? entry.clockInTime)
      new.startTime = max(new.startTime, earliest)
    }
    guard entry.clockInTime <= new.startTime else { throw TimeclockError.outsideTimeEntry }
    if let open, new.startTime < open.segment.startTime {
      throw TimeclockError.segmentOverlap([open.segment], count: 1)
    }
    new.timeEntryID = entry.id
    // No two segments share a moment: none begins after an open one, and of others the last one ends last.
    if case .some(.some(let end)) = last, end > new.startTime {
      try await requireFree(new, of: member, excluding: nil)
    }
    var stopped: Segment?
    if let open {
      let ended = try await end(open, at: new.startTime, in: member.organization, context)
      stopped = ended.segment
      rows.append(ended.row)
    }
    let stored = StoredSegment(
      segment: new, number: 0, user: member.user, rows: resolved.rows,
      resumes: new.kind == .break ? open.flatMap { $0.segment.kind == .break ? $0.resumes : $0.number } : nil)
    try await keep(stored, in: member.organization, context)
    return StartedSegment(
      segment: new, stopped: stopped, timeEntry: entry, clockedIn: active == nil, isNew: true,
      rows: rows + [ClockRow(new)])
  }

  /// Clocks the member in for a segment.
  ///
  /// - Throws: `.notClockedIn` if the start has no entry for that, or is one of a break.
  private func beginEntry(_ start: SegmentStart) async throws -> TimeEntry {
    guard let entry = start.entry, start.segment.kind == .work else { throw TimeclockError.notClockedIn }
    let needsSessionAssignment = start.clockIn == .required(needsSessionAssignment: true)
    return try await createEntry(
      NewTimeEntry(
        member: start.member, entry: entry, needsSessionAssignment: needsSessionAssignment,
        context: start.context))
  }

  /// The open segment under the name that a start states.
  private func rename(_ open: StoredSegment, _ start: SegmentStart) async throws -> Segment {
    guard start.isNameStated, start.segment.name != open.segment.name else { return open.segment }
    let renamed = open.segment.revised(at: start.context.time) { $0.name = start.segment.name }
    try await replace(open, by: renamed, in: start.member.organization, start.context)
    return renamed
  }

  /// Closes the open segment, as `SegmentStorage.stopSegment` says.
  func stop(_ stop: SegmentStop) async throws -> StoppedSegment {
    let (member, context) = (stop.member, stop.context)
    try await lockForSegments(member)
    guard let open = try await openSegment(of: member), let entry = try await activeEntry(of: member) else {
      throw TimeclockError.noActiveSegment
    }
    guard stop.time >= open.segment.startTime || !stop.isTimeStated else {
      throw TimeclockError.endNotAfterStart
    }
    let time = max(stop.time, open.segment.startTime)
    let ended = try await end(open, at: time, in: member.organization, context)
    if let policy = stop.clockOut {
      let closed = try await closeActiveEntry(of: member, context) { entry in
        try entry.close(at: time, isStated: stop.isTimeStated, by: policy, now: context.time)
      }
      return StoppedSegment(
        segment: ended.segment, resumed: nil, timeEntry: closed?.timeEntry ?? entry,
        rows: [ended.row] + (closed?.rows ?? []))
    }
    let resumed = try await resume(open, at: time, stop)
    return StoppedSegment(
      segment: ended.segment, resumed: resumed, timeEntry: entry,
      rows: [ended.row] + (resumed.map { [ClockRow($0)] } ?? []))
  }

  /// Opens the work again that a break goes back to; nil if it goes back to none.
  private func resume(_ ended: StoredSegment, at time: Instant, _ stop: SegmentStop) async throws -> Segment?
  {
    let organization = stop.member.organization
    guard let id = stop.resumed, ended.segment.kind == .break, let number = ended.resumes,
      let work = try await first(
        SegmentStatements.byNumber, [.key(organization), .integer(number)], StoredSegment.init),
      work.rows.project != nil || work.rows.task != nil
    else { return nil }
    var segment = work.segment
    segment.id = id
    segment.timeEntryID = ended.segment.timeEntryID
    segment.startTime = time
    segment.endTime = nil
    segment.version = 1
    segment.createdAt = stop.context.time
    segment.updatedAt = stop.context.time
    let stored = StoredSegment(
      segment: segment, number: 0, user: stop.member.user, rows: work.rows, resumes: nil)
    try await keep(stored, in: organization, stop.context)
    return segment
  }

  // The steps.

  /// Locks the membership, as every write of the member's entries and segments does before it reads them.
  ///
  /// - Returns: Whether the member is active.
  @discardableResult
  package func lockForSegments(_ member: MemberKey) async throws -> Bool {
    try await first(MemberLock.statement, [.key(member.organization), .key(member.user)]) {
      $0.bool("active")
    } ?? false
  }

  func openSegment(of member: MemberKey) async throws -> StoredSegment? {
    try await first(
      SegmentStatements.open, [.key(member.organization), .key(member.user)], StoredSegment.init)
  }

  /// The end of the member's last segment, which is nil while it is open; nil if there is no segment.
  private func lastEnd(of member: MemberKey) async throws -> Instant?? {
    try await first(SegmentStatements.lastEnd, [.key(member.organization), .key(member.user)]) {
      $0.optionalInstant("end_time")
    }
  }

  /// The segment to change. Nobody else writes segments of the member until the transaction ends.
  ///
  /// - Throws: `.notFound(.segment)`, `.changed`.
  func requireSegment(_ update: SegmentUpdate) async throws -> StoredSegment {
    let key: [RecordValue] = [.key(update.organization), .identifier(update.id)]
    guard let found = try await first(SegmentStatements.byID, key, StoredSegment.init) else {
      throw TimeclockError.notFound(.segment)
    }
    try await lockForSegments(MemberKey(organization: update.organization, user: found.user))
    guard let stored = try await first(SegmentStatements.byID, key, StoredSegment.init) else {
      throw TimeclockError.notFound(.segment)
    }
    try stored.segment.requireVersion(update.expectedVersion)
    return stored
  }

  /// The entry that wholly contains a segment.
  ///
  /// - Throws: `.outsideTimeEntry`.
  func entry(around segment: Segment, of member: MemberKey) async throws -> TimeEntry {
    let found = try await overlappingEntries(of: member, from: segment.startTime, to: segment.endTime)
    guard found.count == 1, let entry = found.entries.first, entry.clockInTime <= segment.startTime,
      entry.clockOutTime.map({ clockOut in segment.endTime.map { $0 <= clockOut } ?? false }) ?? true
    else { throw TimeclockError.outsideTimeEntry }
    return entry
  }

  /// Refuses a segment that would share a moment with another of the member.
  ///
  /// - Throws: `.segmentOverlap`.
  func requireFree(_ segment: Segment, of member: MemberKey, excluding number: Int64?) async throws {
    let values = SegmentFilters.span(
      member, from: segment.startTime, to: segment.endTime, excluding: number)
    let shown = try await read(
      SegmentStatements.overlapping, values + [.integer(Int64(TimeEntryStorageLimits.overlapsShown))],
      StoredSegment.init)
    guard !shown.isEmpty else { return }
    let count = try await first(SegmentStatements.overlappingCount, values) { $0.key } ?? 0
    throw TimeclockError.segmentOverlap(shown.map(\.segment), count: max(Int(count), shown.count))
  }

  /// Keeps a new segment, and writes that down.
  func keep(
    _ stored: StoredSegment, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await requireOpen(from: nil, to: .segment(stored.segment), in: organization, context)
    _ = try await insert(stored, into: StoredSegment.table, of: organization)
    try await log(from: nil, to: .segment(stored.segment), in: organization, context)
  }
}

private enum MemberLock {
  static let statement = RecordStatement(
    "FROM members WHERE organization_id = $1 AND user_id = $2", columns: RecordColumns("active"),
    lock: "FOR NO KEY UPDATE")
}

extension Segment: VersionedRecord {}
