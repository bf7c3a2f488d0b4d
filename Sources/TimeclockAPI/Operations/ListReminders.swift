import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists reminders: a member's own, and for managers everybody's.
  static let listReminders = Operation("listReminders") { request in
    let (members, limit, cursor, list) = try request.query { query in
      let list = try request.list("listReminders", query)
      return (
        query.members(), query.limit(), query.cursor(in: list) as RowCursor?, list
      )
    }
    try request.requireNoBody()
    let page = try await request.timeclock.reminders(
      of: members, before: cursor, limit: limit, for: request.requireMembership())
    return page.response("reminders", of: list) { $1.write(to: &$0) }
  }
}

extension Reminder {
  /// Writes the contract's Reminder.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("organizationID", organizationID)
      writer.member("userId", userID)
      writer.member("kind", kind.rawValue)
      writer.member("timeEntryId", timeEntryID)
      writer.member("createdAt", createdAt)
    }
  }
}
