import HTTPMessages

extension Operation {
  /// Who the caller is, and where a member.
  static let getMe = Operation("getMe", .get, "/v1/me", .user) { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let authentication = try request.requireAuthentication()
    let profile = try await request.timeclock.storage.profile(of: authentication.user)
    return .json(profile.payload(scope: authentication.scope))
  }
}
