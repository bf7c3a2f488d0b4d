import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Revokes an API token.
  static let deleteApiToken = Operation("deleteApiToken") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.deleteApiToken(
      request.pathIdentifier(.apiToken), by: request.requireMembership())
    return .noContent
  }
}
