import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the records that have changed since a sequence number.
  static let listChanges = Operation("listChanges") { request in
    let (position, groupID, limit) = try request.query { query in
      (
        LogPosition(query.sequence("after") ?? 0, epoch: query.epoch("epoch")),
        query.identifier("groupId") as GroupID?, query.limit()
      )
    }
    try request.requireNoBody()
    let caller = try request.requireMembership()
    let view = try await request.timeclock.changeView(of: caller, ofGroup: groupID)
    let feed = try await request.timeclock.changes(
      of: caller.key.organization, after: position, limit: limit, seeing: view)
    let now = request.timeclock.clock.now
    return .tagged(capacity: 64 + feed.changes.count * 800) { writer in
      writer.array("changes", feed.changes) { $1.writeForFeed(to: &$0, at: now) }
      writer.member("nextAfter", feed.nextAfter)
      writer.member("epoch", feed.epoch.text)
    }
  }
}
