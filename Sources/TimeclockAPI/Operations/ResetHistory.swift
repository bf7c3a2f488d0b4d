import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Deletes a member's recorded time.
  static let resetHistory = Operation("resetHistory") { request in
    try request.requireNoQuery()
    let userID: UserID = try request.pathIdentifier(.member)
    let wanted = try request.body { body in
      HistoryResetRequest(
        scope: body.choices("scope"), before: body.optionalInstant("before"),
        reason: body.optionalString("reason"))
    }
    let membership = try request.requireMembership()
    return try await request.once { counts in
      .json(counts.payload)
    } perform: { recording in
      try await request.timeclock.resetHistory(of: userID, wanted, by: membership, recording: recording)
    }
  }
}

extension HistoryResetCounts {
  /// The contract's HistoryReset.
  fileprivate var payload: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("segments", Int64(segments))
      writer.member("projects", Int64(projects))
      writer.member("tasks", Int64(tasks))
      writer.member("timerSessions", Int64(timerSessions))
      writer.member("kept", Int64(kept))
    }
    return writer.bytes
  }
}
