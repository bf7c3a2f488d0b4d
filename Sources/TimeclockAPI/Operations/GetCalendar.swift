import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns the caller's own time entries for calendar programs.
  static let getCalendar = Operation("getCalendar") { request in
    let dates = try request.query { $0.dates() }
    try request.requireNoBody()
    let caller = try request.requireMembership()
    let export = try await request.timeclock.calendar(of: dates, for: caller)
    let place = try request.context.exportPlaces.take(for: caller.key)
    let document = TimeEntryCalendar(at: export.now)
    return try await export.response(as: document, fileName: "time-entries.ics", holding: place)
  }
}
