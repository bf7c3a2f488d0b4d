import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Tells what a clock on the wall shows of a member.
  static let getClock = Operation(
    "getClock", .get, "/v1/organizations/{organizationID}/clock", .role(.member)
  ) { request in
    let userID: UserID? = try request.query { $0.identifier("userId") }
    try request.requireNoBody()
    let state = try await request.timeclock.clock(of: userID, for: request.requireMembership())
    var response = HTTPResponse.json(state.payload)
    response.fields.append("ETag", state.entityTag)
    return response
  }
}

extension ClockState {
  /// The contract's Clock.
  fileprivate var payload: [UInt8] {
    JSONWriter.object(capacity: 1_536) { writer in
      writer.member("status", status.rawValue)
      writer.member("timeEntry", timeEntry) { $1.write(to: &$0, at: time) }
      writer.member("segment", segment) { $1.write(to: &$0, at: time) }
      writer.member("sessionSeconds", sessionSeconds)
      writer.member("breakSeconds", breakSeconds)
      writer.member("dailySeconds", dailySeconds)
      writer.member("segmentSeconds", segmentSeconds)
      writer.member("segmentDailySeconds", segmentDailySeconds)
      writer.member("display", display)
      writer.member("serverTime", time)
    }
  }

  /// The tag of everything but the seconds that run and the time.
  fileprivate var entityTag: String {
    var parts = [status.rawValue, String(dayStart.millisecondsSince1970), timeEntry?.tagPart ?? ""]
    parts += ["entries"] + entries.map(\.tagPart)
    parts += ["segments"] + segments.map { "\($0.id) \($0.version)" }
    return EntityTag.weakText(of: parts)
  }
}

extension TimeEntry {
  fileprivate var tagPart: String { "\(id) \(version)" }
}
