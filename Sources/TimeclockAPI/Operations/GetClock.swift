import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Returns a member's state for a wall clock.
  static let getClock = Operation("getClock") { request in
    let userID: UserID? = try request.query { $0.identifier("userId") }
    try request.requireNoBody()
    let state = try await request.timeclock.clock(of: userID, for: request.requireMembership())
    var writer = JSONWriter(capacity: 1_536)
    state.write(to: &writer)
    var response = HTTPResponse.json(writer.bytes)
    response.fields.append("ETag", state.entityTag)
    return response
  }
}

extension ClockState {
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
