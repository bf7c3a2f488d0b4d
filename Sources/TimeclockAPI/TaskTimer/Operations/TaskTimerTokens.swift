import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Logs in, as `createToken` does.
  static let taskTimerCreateToken = Operation("taskTimerCreateToken") { request in
    try request.requireNoQuery()
    let (email, password) = try request.openBody { ($0.string("email"), $0.string("password")) }
    return try await logIn(email, password, with: nil, request) { grant in
      JSONWriter.object { writer in
        writer.member("token", grant.token)
        writer.member("expiresAt", grant.expiresAt)
        writer.name("user")
        writer.object { writer in
          writer.member("id", grant.user.id)
          writer.member("email", grant.user.email)
        }
      }
    }
  }

  /// Logs out, as `deleteToken` does.
  static let taskTimerDeleteToken = Operation("taskTimerDeleteToken") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.deleteToken(of: request.requireAuthentication(), requestID: request.id)
    return .json(JSONWriter.object { $0.member("success", true) })
  }
}
