import TimeclockDomain

extension Storage {
  /// Opens a segment, and closes the one that was open at the same instant, which is discarded if nothing of it would
  /// be left. A member who is clocked out is clocked in, if the start has an entry for that. The same project and task
  /// again change nothing but a name that is stated.
  ///
  /// - Throws: `.memberDeactivated`, `.notClockedIn`, `.outsideTimeEntry`, `.segmentOverlap`, `.overlap`, the errors of
  ///   `SegmentPurpose` for a purpose that may not be used, `.breakTypeArchived`, `.unknownBreakType`. Then nothing is
  ///   changed.
  package func startSegment(
    _ start: SegmentStart, recording: AnswerRecording<StartedSegment>?
  ) async throws -> StartedSegment {
    try await write(RecordWrite(of: start.member), recording: recording) {
      try await $0.start(start)
    }
  }

  /// Closes the open segment, which is discarded if nothing of it would be left. A break goes back to the work before
  /// it, or the entry ends with it.
  ///
  /// - Throws: `.noActiveSegment`; `.endNotAfterStart` for a stated time. Then nothing is changed.
  package func stopSegment(
    _ stop: SegmentStop, recording: AnswerRecording<StoppedSegment>?
  ) async throws -> StoppedSegment {
    try await write(RecordWrite(of: stop.member), recording: recording) {
      try await $0.stop(stop)
    }
  }

  /// Keeps a closed segment.
  ///
  /// - Throws: The errors of `startSegment`, except `.notClockedIn`. Then nothing is changed.
  package func createSegment(_ new: NewSegment, recording: AnswerRecording<Segment>?) async throws -> Segment
  {
    let organization = new.member.organization
    return try await write(RecordWrite(of: new.member), recording: recording) { transaction in
      guard try await transaction.lockForSegments(new.member) else { throw TimeclockError.memberDeactivated }
      let resolved = try await transaction.resolve(new.segment.purpose, of: new.member)
      var segment = new.segment
      segment.take(resolved)
      switch new.place {
      case .attached:
        segment.timeEntryID = try await transaction.entry(around: segment, of: new.member).id
      case .created(let entry):
        segment.timeEntryID = try await transaction.createEntry(
          NewTimeEntry(
            member: new.member, entry: entry, needsSessionAssignment: false, context: new.context)
        ).id
      case .alone:
        segment.timeEntryID = nil
      }
      try await transaction.requireFree(segment, of: new.member, excluding: nil)
      let stored = StoredSegment(
        segment: segment, number: 0, user: new.member.user, rows: resolved.rows, resumes: nil)
      try await transaction.keep(stored, in: organization, new.context)
      try await transaction.keepNotice(of: new, as: segment)
      return segment
    }
  }

  /// One segment; nil if the organization has none with this id.
  package func segment(_ id: SegmentID, in organization: OrganizationKey) async throws -> Segment? {
    try await first(
      SegmentStatements.byID, [.key(organization), .identifier(id)], in: .organization(organization),
      StoredSegment.init)?.segment
  }

  /// A page of segments: the newest start first, among equal ones the last created first.
  package func segments(_ query: SegmentQuery) async throws -> Page<Segment, SegmentCursor> {
    let scope = RecordScope.organization(query.organization)
    var project: Int64?
    if let id = query.projectID {
      project = try await first(
        SegmentFilters.project, [.key(query.organization), .identifier(id)], in: scope
      ) { $0.key }
      guard project != nil else { return Page(elements: [], next: nil) }
    }
    var task: Int64?
    if let id = query.taskID {
      task = try await first(
        SegmentFilters.task, [.key(query.organization), .identifier(id)], in: scope
      ) { $0.key }
      guard task != nil else { return Page(elements: [], next: nil) }
    }
    let (pages, lead): (SegmentPages, RecordValue) =
      if case .member(let user) = query.members {
        (SegmentPages.ofMember, .key(user))
      } else if let row = query.members.row {
        (SegmentPages.ofSeveral(query.members.way), .integer(row))
      } else if let task {
        (SegmentPages.ofTask, .integer(task))
      } else if let project {
        (SegmentPages.ofProject, .integer(project))
      } else {
        (SegmentPages.ofEverybody, .null)
      }
    // Without a beginning of the span, every segment that shares a moment with it begins in it.
    let statement = query.match == .overlap && query.start != nil ? pages.overlapping : pages.beginning
    let count = PageSize.clamped(query.limit)
    let cursor = query.cursor ?? SegmentCursor(startTime: Instant(millisecondsSince1970: .max), row: .max)
    let rows = try await read(
      statement,
      [
        .key(query.organization), lead, .integer(query.start?.millisecondsSince1970 ?? .min),
        .integer(query.end?.millisecondsSince1970 ?? .max), .instant(cursor.startTime), .integer(cursor.row),
        .optional(project), .optional(task), .optional(query.kind?.rawValue),
        .optional(StoredTags.pattern(query.tag)), .integer(Int64(count) + 1),
      ], in: scope, limit: query.limit, StoredSegment.init)
    let shown = rows.prefix(count)
    return Page(
      elements: shown.map(\.segment),
      next: rows.count > shown.count
        ? shown.last.map { SegmentCursor(startTime: $0.segment.startTime, row: $0.number) } : nil)
  }

  /// The member's segments that share a moment with `[start, end)`, one of them left out.
  package func overlappingSegments(
    of member: MemberKey, from start: Instant, to end: Instant, excluding excluded: SegmentID?
  ) async throws -> SegmentOverlaps {
    let scope = RecordScope.organization(member.organization)
    var number: Int64 = 0
    if let excluded {
      number =
        try await first(
          SegmentStatements.byID, [.key(member.organization), .identifier(excluded)], in: scope,
          StoredSegment.init)?.number ?? 0
    }
    let values = SegmentFilters.span(member, from: start, to: end, excluding: number)
    let shown = try await read(
      SegmentStatements.overlapping, values + [.integer(Int64(TimeEntryStorageLimits.overlapsShown))],
      in: scope, limit: TimeEntryStorageLimits.overlapsShown, StoredSegment.init)
    let count = try await first(SegmentStatements.overlappingCount, values, in: scope) { $0.key } ?? 0
    return SegmentOverlaps(segments: shown.map(\.segment), count: max(Int(count), shown.count))
  }

  /// Changes a segment: reads it, lets `change` change it, raises the version and writes it back, all in one transaction.
  /// A change that changes nothing leaves the version too.
  ///
  /// - Throws: `.notFound(.segment)`; `.changed` when the version is another; any error of `change`; the errors of
  ///   `createSegment`. Then nothing is changed.
  package func updateSegment(
    _ update: SegmentUpdate, _ change: @escaping @Sendable (inout Segment) throws -> Void
  ) async throws -> Segment {
    let organization = update.organization
    return try await write(RecordWrite(.organization(organization)), recording: nil) { transaction in
      let before = try await transaction.requireSegment(update)
      guard var segment = try before.segment.changed(at: update.context.time, by: change) else {
        return before.segment
      }
      let member = MemberKey(organization: organization, user: before.user)
      var stored = before
      if segment.purpose != before.segment.purpose {
        let resolved = try await transaction.resolve(segment.purpose, of: member)
        let isBillable = segment.isBillable
        let (kind, project) = (before.segment.kind, before.segment.purpose.projectID)
        segment.take(resolved)
        // Only another project has a say in it.
        if update.isBillableStated || (segment.kind == kind && segment.purpose.projectID == project) {
          segment.isBillable = isBillable
        }
        stored.rows = resolved.rows
        // A task that was restated has brought the project that was there.
        var unchanged = segment
        unchanged.restoreFixed(from: before.segment)
        if unchanged == before.segment { return before.segment }
      }
      if segment.kind == .break, segment.timeEntryID == nil { throw TimeclockError.outsideTimeEntry }
      if segment.startTime != before.segment.startTime || segment.endTime != before.segment.endTime {
        if let id = segment.timeEntryID {
          let entry = try await transaction.entry(around: segment, of: member)
          guard entry.id == id else { throw TimeclockError.outsideTimeEntry }
        }
        try await transaction.requireFree(segment, of: member, excluding: before.number)
      }
      stored.segment = segment
      try await transaction.requireOpen(
        from: .segment(before.segment), to: .segment(segment), in: organization, update.context)
      try await transaction.update(stored, in: StoredSegment.table, of: organization, key: before.number)
      try await transaction.log(
        from: .segment(before.segment), to: .segment(segment), in: organization, update.context)
      try await transaction.keep(
        update.notice, ofBreakIn: segment.timeEntryID, of: member, update.context)
      return segment
    }
  }

  /// Deletes a segment unless `check` throws. Its last state stays in the log of changes.
  ///
  /// - Throws: `.notFound(.segment)`; `.changed` when the version is another; any error of `check`.
  package func deleteSegment(
    _ update: SegmentUpdate, _ check: @escaping @Sendable (Segment) throws -> Void
  ) async throws {
    try await write(RecordWrite(.organization(update.organization)), recording: nil) { transaction in
      let stored = try await transaction.requireSegment(update)
      try check(stored.segment)
      try await transaction.discard(stored, in: update.organization, update.context)
      try await transaction.keep(
        update.notice, ofBreakIn: stored.segment.timeEntryID,
        of: MemberKey(organization: update.organization, user: stored.user), update.context)
    }
  }
}

/// The statements and values that narrow lists of segments.
enum SegmentFilters {
  static let project = RecordStatement(
    "FROM projects WHERE organization_id = $1 AND id = $2", columns: RecordColumns("project_id"))
  static let task = RecordStatement(
    "FROM tasks WHERE organization_id = $1 AND id = $2", columns: RecordColumns("task_id"))

  /// The first values of the statements on segments that share a moment with a span.
  static func span(
    _ member: MemberKey, from start: Instant, to end: Instant?, excluding number: Int64?
  ) -> [RecordValue] {
    [
      .key(member.organization), .key(member.user), .instant(start),
      .integer(end?.millisecondsSince1970 ?? .max), .integer(number ?? 0),
    ]
  }
}

extension Segment {
  /// Takes over a segment's purpose, with its consequences.
  mutating func take(_ resolved: ResolvedPurpose) {
    purpose = resolved.purpose
    isPaid = resolved.isPaid
    isBillable = resolved.isBillable
  }
}
