import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Replaces the caller's password and revokes the caller's other tokens.
  static let changePassword = Operation("changePassword", .put, "/v1/me/password", .user) { request in
    try request.requireNoQuery()
    let authentication = try request.requireAuthentication()
    try authentication.requireLogIn()
    let (current, new) = try request.body { ($0.string("currentPassword"), $0.string("newPassword")) }
    let passwords = request.context.passwords
    let storage = request.timeclock.storage
    guard let oldHash = try await storage.passwordHash(of: authentication.user),
      try await passwords.isCorrect(current, for: oldHash)
    else { throw TimeclockError.wrongPassword }
    try await storage.changePassword(
      of: authentication.user, from: oldHash, to: passwords.hash(new),
      keepingToken: authentication.tokenKey)
    return .noContent
  }
}
