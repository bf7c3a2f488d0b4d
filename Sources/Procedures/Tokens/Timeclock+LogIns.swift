import TimeclockDomain

extension Timeclock {
  /// The caller's log-ins, those made last first; at most `LogIn.listLimit`.
  ///
  /// - Throws: `.forbidden` for an API token.
  package func logIns(of caller: Authentication) async throws -> [LogIn] {
    try caller.requireLogIn()
    return try await storage.logIns(of: caller.user, at: clock.now)
  }

  /// Ends one of the caller's log-ins; its token is refused from the next request on.
  ///
  /// - Throws: `.forbidden` for an API token; `.logInNotFound`.
  package func endLogIn(_ id: LogInID, of caller: Authentication) async throws {
    guard let logIn = try await logIns(of: caller).first(where: { $0.id == id }) else {
      throw TimeclockError.logInNotFound
    }
    // A log-in ends in no log.
    try await storage.deleteToken(
      logIn.tokenKey,
      context: ChangeContext(
        author: caller.author(requestID: nil), operation: "deleteLogIn", time: clock.now))
  }

  /// Ends every log-in of the caller but the one that asks for it, however many there are.
  ///
  /// - Throws: `.forbidden` for an API token.
  package func endOtherLogIns(of caller: Authentication) async throws {
    try caller.requireLogIn()
    try await storage.deleteLogIns(of: caller.user, keepingToken: caller.tokenKey)
  }
}
