import HTTPMessages

extension Operation {
  /// Logs out: revokes the token that the request carries.
  static let deleteToken = Operation("deleteToken") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.deleteToken(of: request.requireAuthentication(), requestID: request.id)
    return .noContent
  }
}
