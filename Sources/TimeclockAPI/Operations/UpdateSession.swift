import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Changes a session and its assignees.
  static let updateSession = Operation(
    "updateSession", .patch, "/v1/organizations/{organizationID}/sessions/{sessionId}", .role(.manager)
  ) { request in
    try request.requireNoQuery()
    let id: SessionID = try request.pathIdentifier(.session)
    let (changes, version) = try request.optionalBody { ($0.sessionChanges(), $0.optionalInteger("version")) }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.session(id, for: membership).session.version
    }
    let changed = try await request.timeclock.updateSession(
      id, changes, expectedVersion: expectedVersion, by: membership)
    return .json(version: changed.session.version, changed.payload)
  }
}

extension ObjectReader {
  /// Null is a value only for the times and the location, and removes them.
  fileprivate func sessionChanges() -> SessionChanges {
    let (isStartGiven, isEndGiven, isLocationGiven) = (has("startTime"), has("endTime"), has("location"))
    let (start, end, location) = (
      optionalInstant("startTime"), optionalInstant("endTime"), optionalString("location")
    )
    return SessionChanges(
      date: optionalDate("date"), title: optionalString("title"),
      startTime: isStartGiven ? .some(start) : nil,
      endTime: isEndGiven ? .some(end) : nil, location: isLocationGiven ? .some(location) : nil,
      assigneeIDs: assigneeIDs())
  }
}
