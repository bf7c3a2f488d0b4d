import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Removes for good the data that identifies a deactivated member.
  static let anonymizeMember = Operation("anonymizeMember") { request in
    try request.requireNoQuery()
    let userID: UserID = try request.pathIdentifier(.member)
    let reason = try request.optionalBody { $0.optionalString("reason") }
    let membership = try request.requireMembership()
    return try await request.once { member in
      .json(version: member.version, member.payload)
    } perform: { recording in
      try await request.timeclock.anonymizeMember(
        userID, reason: reason, by: membership, recording: recording)
    }
  }
}
