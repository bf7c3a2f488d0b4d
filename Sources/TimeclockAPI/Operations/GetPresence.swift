import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Lists the members who are clocked in now, since when, with their activity, and how long each has worked today.
  static let getPresence = Operation("getPresence") { request in
    let (wanted, list) = try request.query { query in
      let list = try request.list("getPresence", query)
      let wanted = PresenceRequest(
        isOverMaximum: query.bool("overMaximum"), groupID: query.identifier("groupId"),
        cursor: query.cursor(in: list), limit: query.limit())
      return (wanted, list)
    }
    try request.requireNoBody()
    let presence = try await request.timeclock.presence(wanted, for: request.requireMembership())
    let page = presence.page
    return .tagged(capacity: 128 + page.elements.count * 640) { writer in
      writer.array("presence", page.elements) { $1.write(to: &$0) }
      writer.member("serverTime", now: presence.time)
      writer.member("nextCursor", page.next?.text(in: list))
    }
  }
}
