import Credentials
import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Makes an API token that acts for a member in this organization only. The answer is its only showing.
  static let createApiToken = Operation("createApiToken") { request in
    try request.requireNoQuery()
    let (name, userID, scope, expiresAt) = try request.body { body in
      (
        body.string("name"), body.identifier("userId") as UserID,
        body.optionalChoice("scope") as ApiTokenScope? ?? .full, body.optionalInstant("expiresAt")
      )
    }
    let membership = try request.requireMembership()
    let token = BearerToken()
    return try await request.once(secrecy: .answer) { apiToken in
      var writer = JSONWriter()
      apiToken.write(to: &writer, secret: token.text)
      let location = "/v1/organizations/\(membership.organizationID)/apiTokens/\(apiToken.id)"
      return .json(status: .created, location: location, writer.bytes)
    } perform: { recording in
      try await request.timeclock.createApiToken(
        name: name, for: userID, scope: scope, expiresAt: expiresAt, digest: token.digest, by: membership,
        recording: recording)
    }
  }
}
