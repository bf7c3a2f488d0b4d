import TimeclockDomain

extension Presence {
  /// Writes the contract's Presence.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("userId", member.userID)
      writer.member("name", member.name)
      writer.member("timeEntryId", member.timeEntryID)
      writer.member("clockInTime", member.clockInTime)
      writer.member("sessionId", member.sessionID)
      writer.member("secondsToday", secondsToday, runs: true)
      writer.member("overMaximum", isOverMaximum)
    }
  }
}
