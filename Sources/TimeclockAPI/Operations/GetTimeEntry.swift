import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns one time entry.
  static let getTimeEntry = Operation("getTimeEntry") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let entry = try await request.timeclock.timeEntry(
      request.pathIdentifier(.timeEntry), for: request.requireMembership())
    return .json(version: entry.version, entry.payload(at: request.timeclock.clock.now))
  }
}
