import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Finds the entries of a member that overlap a span.
  static let checkOverlap = Operation("checkOverlap") { request in
    let (userID, start, end, excluded) = try request.query { query in
      let userID: UserID? = query.identifier("userId")
      let start = query.require("startTime", query.instant("startTime"), else: .earliest)
      let end = query.require("endTime", query.instant("endTime"), else: .latest)
      let excluded: TimeEntryID? = query.identifier("excludeEntryId")
      return (userID, start, end, excluded)
    }
    try request.requireNoBody()
    let overlaps = try await request.timeclock.overlaps(
      of: userID, from: start, to: end, excluding: excluded, for: request.requireMembership())
    return .json(
      JSONWriter.object { writer in
        writer.member("overlaps", overlaps.count > 0)
        writer.member("count", Int64(overlaps.count))
        writer.array("timeEntryIds", overlaps.entries) { $0.identifier($1.id) }
      })
  }
}
