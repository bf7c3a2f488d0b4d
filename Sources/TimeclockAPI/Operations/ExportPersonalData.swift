import HTTPMessages
import Threads
import TimeclockDomain

extension Operation {
  /// Exports everything about one person as a file.
  static let exportPersonalData = Operation("exportPersonalData") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let userID: UserID = try request.pathIdentifier(.member)
    let caller = try request.requireMembership()
    let data = try await request.timeclock.personalData(of: userID, for: caller)
    let place = try request.context.exportPlaces.take(for: caller.key)
    let now = request.timeclock.clock.now
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.json,
      body: .stream { body in
        defer { withExtendedLifetime(place) {} }
        try await LongWorkExecutor.run { try await data.write(to: body, at: now) }
      })
    response.fields.append("Content-Disposition", "attachment; filename=\"personal-data-\(userID).json\"")
    return response
  }
}
