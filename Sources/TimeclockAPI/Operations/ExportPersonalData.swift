import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Everything about one person, as a file.
  static let exportPersonalData = Operation(
    "exportPersonalData", .get, "/v1/organizations/{organizationID}/members/{userId}/personalData",
    .role(.member)
  ) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let userID: UserID = try request.pathIdentifier(.member)
    let data = try await request.timeclock.personalData(of: userID, for: request.requireMembership())
    let now = request.timeclock.clock.now
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.json, body: .stream { try await data.write(to: $0, at: now) })
    response.fields.append("Content-Disposition", "attachment; filename=\"personal-data-\(userID).json\"")
    return response
  }
}
