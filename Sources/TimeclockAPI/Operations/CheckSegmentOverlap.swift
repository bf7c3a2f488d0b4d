import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Finds the segments of a member that overlap a span.
  static let checkSegmentOverlap = Operation("checkSegmentOverlap") { request in
    let (userID, start, end, excluded) = try request.query { query in
      let userID: UserID? = query.identifier("userId")
      let start = query.require("startTime", query.instant("startTime"), else: .earliest)
      let end = query.require("endTime", query.instant("endTime"), else: .latest)
      let excluded: SegmentID? = query.identifier("excludeSegmentId")
      return (userID, start, end, excluded)
    }
    try request.requireNoBody()
    let overlaps = try await request.timeclock.overlappingSegments(
      of: userID, from: start, to: end, excluding: excluded, for: request.requireMembership())
    return .json(
      JSONWriter.object { writer in
        writer.member("overlaps", overlaps.count > 0)
        writer.member("count", Int64(overlaps.count))
        writer.array("segmentIds", overlaps.segments) { $0.identifier($1.id) }
      })
  }
}
