import TimeclockDomain

extension RecordTransaction {
  /// Has the segments of an entry follow it: they are closed with it, cut to its new span, or go with it, each with a
  /// change of its own in the log. Call it before the entry is written, for the database lets no segment be left outside.
  ///
  /// - Parameter after: The entry as it will be; nil if it is deleted.
  /// - Returns: The segments that have changed.
  @discardableResult
  package func haveSegmentsFollow(
    _ entry: TimeEntry, to after: TimeEntry?, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws -> [ClockRow] {
    var rows: [ClockRow] = []
    let segments = try await read(
      SegmentStatements.ofEntry, [.key(organization), .identifier(entry.id)], StoredSegment.init)
    for stored in segments {
      let cut = after.flatMap {
        stored.segment.cut(from: $0.clockInTime, to: $0.clockOutTime, at: context.time)
      }
      guard let cut else {
        try await discard(stored, in: organization, context)
        rows.append(stored.discarded)
        continue
      }
      guard cut != stored.segment else { continue }
      try await replace(stored, by: cut, in: organization, context)
      rows.append(ClockRow(cut))
    }
    return rows
  }

  /// Deletes a segment, and writes that down.
  func discard(
    _ stored: StoredSegment, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await requireOpen(from: .segment(stored.segment), to: nil, in: organization, context)
    try await delete(from: StoredSegment.table, of: organization, key: stored.number)
    try await log(from: .segment(stored.segment), to: nil, in: organization, context)
  }

  /// Writes a changed segment, and logs that.
  func replace(
    _ stored: StoredSegment, by segment: Segment, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws {
    try await requireOpen(from: .segment(stored.segment), to: .segment(segment), in: organization, context)
    var new = stored
    new.segment = segment
    try await update(new, in: StoredSegment.table, of: organization, key: stored.number)
    try await log(from: .segment(stored.segment), to: .segment(segment), in: organization, context)
  }

  /// Ends an open segment.
  ///
  /// - Returns: The segment as it ended, and the change of its row. A segment that would be empty is discarded, and
  ///   comes back empty.
  func end(
    _ stored: StoredSegment, at time: Instant, in organization: OrganizationKey, _ context: ChangeContext
  ) async throws -> (segment: Segment, row: ClockRow) {
    let ended = stored.segment.revised(at: context.time) { $0.endTime = time }
    guard time > stored.segment.startTime else {
      try await discard(stored, in: organization, context)
      return (ended, stored.discarded)
    }
    try await replace(stored, by: ended, in: organization, context)
    return (ended, ClockRow(ended))
  }
}

extension ClockRow {
  /// Makes the row of a segment that is there.
  init(_ segment: Segment) {
    self.init(id: ResourceID(segment.id), version: segment.version)
  }
}

extension StoredSegment {
  /// The row once it was discarded.
  fileprivate var discarded: ClockRow {
    ClockRow(id: ResourceID(segment.id), version: nil, resumes: resumes)
  }
}
