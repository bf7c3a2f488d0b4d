import Procedures
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
      writer.member("source", member.source.rawValue)
      writer.member("status", status.rawValue)
      writer.member("segment", member.segment) { $1.write(to: &$0) }
      writer.member("secondsToday", secondsToday, runs: true)
      writer.member("breakSeconds", breakSeconds, runs: status == .onBreak)
      writer.member("overMaximum", isOverMaximum)
    }
  }
}

extension RunningSegment {
  /// Writes the contract's RunningSegment.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("kind", purpose.kind.rawValue)
      writer.member("projectId", purpose.projectID)
      writer.member("taskId", purpose.taskID)
      writer.member("breakTypeId", purpose.breakTypeID)
      writer.member("name", name)
      writer.member("startTime", startTime)
    }
  }
}
