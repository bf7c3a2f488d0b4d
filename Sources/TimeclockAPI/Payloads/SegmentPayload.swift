import HTTPMessages
import TimeclockDomain

extension Segment {
  /// Writes the contract's Segment.
  ///
  /// - Parameters:
  ///   - now: The end of an open segment's `durationSeconds`.
  ///   - clockAhead: The milliseconds by which a time that was stated for it lay ahead of the time that was kept.
  func write(to writer: inout JSONWriter, at now: Instant, clockAhead: Int64 = 0) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("organizationID", organizationID)
      writer.member("userId", userID)
      writer.member("timeEntryId", timeEntryID)
      writer.member("kind", kind.rawValue)
      writer.member("projectId", purpose.projectID)
      writer.member("taskId", purpose.taskID)
      writer.member("breakTypeId", purpose.breakTypeID)
      writer.member("isPaid", isPaid)
      writer.member("billable", isBillable)
      writer.member("name", name)
      writer.array("tags", tags) { $0.string($1) }
      writer.member("startTime", startTime)
      writer.member("endTime", endTime)
      writer.member("durationSeconds", durationSeconds(at: now), runs: endTime == nil)
      writer.member("timeZone", timeZone.name)
      writer.member("source", source.rawValue)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("version", version)
      if clockAhead > 0 { writer.member("clockAheadMilliseconds", clockAhead) }
    }
  }

  /// The contract's Segment.
  func payload(at now: Instant, clockAhead: Int64 = 0) -> [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, at: now, clockAhead: clockAhead)
    return writer.bytes
  }

  /// The path of the segment.
  var location: String { "/v1/organizations/\(organizationID)/segments/\(id)" }
}
