import TimeclockDomain

extension TimeEntry {
  /// Writes the contract's TimeEntry.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  func write(to writer: inout JSONWriter, at now: Instant) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("userId", userID)
      writer.member("organizationID", organizationID)
      writer.member("clockInTime", clockInTime)
      writer.member("clockOutTime", clockOutTime)
      writer.member("date", date)
      writer.member("status", status.rawValue)
      writer.member("sessionId", sessionID)
      writer.member("notes", notes?.text)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("timeZone", timeZone.name)
      writer.member("durationSeconds", durationSeconds(at: now))
      writer.member("source", source.rawValue)
      writer.name("flags")
      writer.array(TimeEntryFlags.names.lazy.filter { flags.contains($0.flag) }) { $0.string($1.name) }
    }
  }

  /// The contract's TimeEntry.
  func payload(at now: Instant) -> [UInt8] {
    var writer = JSONWriter(capacity: 768)
    write(to: &writer, at: now)
    return writer.bytes
  }

  /// Where the entry is found.
  var location: String {
    "/v1/organizations/\(organizationID)/timeEntries/\(id)"
  }
}
