import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Deletes a time entry.
  static let deleteTimeEntry = Operation("deleteTimeEntry") { request in
    let (reason, version) = try request.query { ($0.text("reason"), $0.sequence("version")) }
    try request.requireNoBody()
    let id: TimeEntryID = try request.pathIdentifier(.timeEntry)
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.timeEntry(id, for: membership).version
    }
    try await request.timeclock.deleteTimeEntry(
      id, reason: reason, expectedVersion: expectedVersion, by: membership)
    return .noContent
  }
}
