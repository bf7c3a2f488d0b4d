import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns the content of the caller's Live Activity.
  static let getLiveActivity = Operation("getLiveActivity") { request in
    let (form, dates) = try request.query { query in
      (
        query.require("form", query.choice("form"), else: LiveActivityForm.task),
        query.choice("dates") as LiveActivityDates?
      )
    }
    try request.requireNoBody()
    let activity = try await request.timeclock.liveActivity(form, for: request.requireMembership())
    return activity.response(dates ?? .reference)
  }
}
