import HTTPMessages

extension Operation {
  /// Returns the caller's account and memberships.
  static let getMe = Operation("getMe", .get, "/v1/me", .user) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let authentication = try request.requireAuthentication()
    let profile = try await request.timeclock.storage.profile(of: authentication.user)
    return .json(profile.payload(scope: authentication.scope))
  }
}
