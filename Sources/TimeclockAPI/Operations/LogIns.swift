import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Lists the caller's log-ins.
  static let listLogIns = Operation("listLogIns") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let caller = try request.requireAuthentication()
    let logIns = try await request.timeclock.logIns(of: caller)
    return .tagged { writer in
      writer.array("logIns", logIns) { writer, logIn in
        logIn.write(to: &writer, isCurrent: logIn.tokenKey == caller.tokenKey)
      }
    }
  }

  /// Ends all log-ins of the caller but the one that asks for it.
  static let deleteOtherLogIns = Operation("deleteOtherLogIns") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    try await request.timeclock.endOtherLogIns(of: request.requireAuthentication())
    return .noContent
  }

  /// Ends one of the caller's log-ins.
  static let deleteLogIn = Operation("deleteLogIn") { request in
    try request.requireNoQuery()
    try request.requireNoBody()
    let caller = try request.requireAuthentication()
    try caller.requireLogIn()
    guard let text = request.pathParameters.first, let id = LogInID(text) else {
      throw TimeclockError.logInNotFound
    }
    try await request.timeclock.endLogIn(id, of: caller)
    return .noContent
  }
}

extension LogIn {
  /// Writes the contract's LogIn.
  fileprivate func write(to writer: inout JSONWriter, isCurrent: Bool) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("createdAt", createdAt)
      writer.member("expiresAt", expiresAt)
      writer.member("lastUsedAt", lastUsedAt)
      writer.member("client", client?.rawValue)
      writer.member("current", isCurrent)
    }
  }
}
