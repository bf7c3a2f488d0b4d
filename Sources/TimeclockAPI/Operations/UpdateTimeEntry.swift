import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Changes a time entry.
  static let updateTimeEntry = Operation("updateTimeEntry") { request in
    try request.requireNoQuery()
    let id: TimeEntryID = try request.pathIdentifier(.timeEntry)
    let (changes, reason, version) = try request.optionalBody {
      ($0.timeEntryChanges(), $0.optionalString("reason"), $0.optionalSequence("version"))
    }
    let condition = try request.requireVersionCondition(stated: version)
    let membership = try request.requireMembership()
    let expectedVersion = try await condition.expectedVersion {
      try await request.timeclock.timeEntry(id, for: membership).version
    }
    let entry = try await request.timeclock.updateTimeEntry(
      id, changes, reason: reason, expectedVersion: expectedVersion, by: membership)
    let clockAhead = entry.clockAhead(ofClockIn: changes.clockInTime, clockOut: changes.clockOutTime)
    return .json(
      version: entry.version, entry.payload(at: request.timeclock.clock.now, clockAhead: clockAhead))
  }
}

extension ObjectReader {
  /// Null is a value only for session and notes, and removes them.
  fileprivate func timeEntryChanges() -> TimeEntryChanges {
    let (isSessionGiven, isNotesGiven) = (has("sessionId"), has("notes"))
    let session: SessionID? = optionalIdentifier("sessionId")
    let notes = optionalString("notes")
    return TimeEntryChanges(
      clockInTime: optionalInstant("clockInTime"), clockOutTime: optionalInstant("clockOutTime"),
      timeZone: optionalString("timeZone"), sessionID: isSessionGiven ? .some(session) : nil,
      notes: isNotesGiven ? .some(notes) : nil)
  }
}
