import TimeclockDomain

extension TimeEntry {
  /// Writes the contract's TimeEntry.
  ///
  /// - Parameters:
  ///   - now: The end of an active entry's `durationSeconds`.
  ///   - clockAhead: The milliseconds by which a time that was stated for it lay ahead of the time that was kept.
  ///   - periodState: Makes it the contract's ExportedTimeEntry.
  ///   - isObjected: Whether the member objects to a change of it, in an ExportedTimeEntry.
  func write(
    to writer: inout JSONWriter, at now: Instant, clockAhead: Int64 = 0, periodState: PeriodState.Word? = nil,
    isObjected: Bool = false
  ) {
    writer.open("{")
    writer.text(likely: Self.longestHead) { text in
      text.literal("\"id\":")
      text.identifier(id)
      text.literal(",\"userId\":")
      text.identifier(userID)
      text.literal(",\"organizationID\":")
      text.identifier(organizationID)
      text.literal(",\"clockInTime\":")
      text.instant(clockInTime)
      text.literal(",\"clockOutTime\":")
      text.instant(clockOutTime)
      text.literal(",\"date\":")
      text.date(date)
      text.literal(",\"status\":")
      text.plain(status.rawValue)
      text.literal(",\"sessionId\":")
      text.identifier(sessionID)
      text.literal(",\"notes\":")
    }
    if let notes { writer.string(notes.text) } else { writer.null() }
    let start = writer.bytes.count
    var duration = 0..<0
    writer.text(likely: Self.longestTail) { text in
      text.literal(",\"createdAt\":")
      text.instant(createdAt)
      text.literal(",\"updatedAt\":")
      text.instant(updatedAt)
      text.literal(",\"timeZone\":")
      text.plain(timeZone.name)
      text.literal(",\"durationSeconds\":")
      let begin = text.length
      text.integer(durationSeconds(at: now))
      duration = begin..<text.length
      text.literal(",\"source\":")
      text.plain(shownSource)
      text.literal(",\"flags\":[")
      var isFirst = true
      // Most have none, and the generic functions of option sets take calls in another module.
      if flags.rawValue != 0 {
        for (flag, name) in TimeEntryFlags.names where flags.contains(flag) {
          if !isFirst { text.literal(",") }
          isFirst = false
          text.plain(name)
        }
      }
      text.literal("],\"startedBy\":")
      text.plain(startedBy.rawValue)
      text.literal(",\"version\":")
      text.integer(version)
      if clockAhead > 0 {
        text.literal(",\"clockAheadMilliseconds\":")
        text.integer(clockAhead)
      }
      if let periodState {
        text.literal(",\"periodState\":")
        text.plain(periodState.rawValue)
        text.literal(isObjected ? ",\"objected\":true" : ",\"objected\":false")
      }
    }
    if clockOutTime == nil { writer.noteRunning(duration, behind: start) }
    writer.close("}")
  }

  /// More bytes than any entry has without its notes: names, ids of 36, instants of 24, a zone of 64 at most.
  private static let longestHead = 512
  private static let longestTail = 512

  /// The contract's TimeEntry.
  func payload(at now: Instant, clockAhead: Int64 = 0) -> [UInt8] {
    var writer = JSONWriter(capacity: 768)
    write(to: &writer, at: now, clockAhead: clockAhead)
    return writer.bytes
  }

  /// The path of the entry.
  var location: String {
    "/v1/organizations/\(organizationID)/timeEntries/\(id)"
  }
}
