import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Enters a span of time by hand.
  static let createTimeEntry = Operation("createTimeEntry") { request in
    try request.requireNoQuery()
    let manual = try request.body { $0.manualEntry() }
    let membership = try request.requireMembership()
    return try await request.once { entry in
      .json(
        status: .created, version: entry.version, location: entry.location,
        entry.payload(at: request.timeclock.clock.now, clockAhead: manual.clockAhead(of: entry)))
    } perform: { recording in
      try await request.timeclock.createTimeEntry(manual, by: membership, recording: recording)
    }
  }
}

extension ManualEntryRequest {
  /// The milliseconds by which a stated time lies ahead of the time that was kept for it.
  func clockAhead(of entry: TimeEntry) -> Int64 {
    entry.clockAhead(ofClockIn: clockInTime, clockOut: clockOutTime)
  }
}

extension ObjectReader {
  /// The contract's CreateTimeEntryRequest.
  func manualEntry() -> ManualEntryRequest {
    ManualEntryRequest(
      userID: optionalIdentifier("userId"), clockInTime: instant("clockInTime"),
      clockOutTime: instant("clockOutTime"), timeZone: optionalString("timeZone"),
      sessionID: optionalIdentifier("sessionId"), notes: optionalString("notes"),
      reason: optionalString("reason"))
  }
}
