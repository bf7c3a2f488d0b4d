import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Enters several spans of time by hand.
  static let createTimeEntries = Operation("createTimeEntries") { request in
    try request.requireNoQuery()
    let (mode, entries) = try request.body { body in
      let mode: BulkMode? = body.choice("mode")
      return (
        mode ?? .atomic,
        body.objects("timeEntries", count: 1...Timeclock.bulkMaximumCount) { $0.manualEntry() }
      )
    }
    let membership = try request.requireMembership()
    try request.rowCharge?.take(rows: entries.count)
    return try await request.once { outcomes in
      .json(BulkPayload.outcomes(outcomes, of: entries, at: request.timeclock.clock.now))
    } perform: { recording in
      try await request.timeclock.createTimeEntries(entries, mode: mode, by: membership, recording: recording)
    }
  }
}
