import TimeclockDomain

/// The content of a person's request to change their own account; nil leaves a value as it is.
package struct AccountChangesRequest: Sendable {
  package var name: String?
  /// The inner nil takes the person's own zone away.
  package var timeZone: String??
  /// The inner nil takes the person's language away.
  package var language: Language??
  package var email: String?

  package init(name: String?, timeZone: String??, language: Language??, email: String?) {
    self.name = name
    self.timeZone = timeZone
    self.language = language
    self.email = email
  }
}

extension Timeclock {
  /// Changes a person's own account data, as `MemberStorage.updateAccount` does it.
  ///
  /// - Parameter checkPassword: Checks the password that the person has stated, and runs a write with its hash. Called
  ///   for a new address only, if nothing else is wrong.
  /// - Throws: `.forbidden` for an API token, `.invalidName`, `.unknownTimeZone`, `.invalidEmail`, the errors of the
  ///   storage, and those of `checkPassword`.
  /// - Returns: The person and all of their organizations, after the change.
  package func updateAccount(
    _ request: AccountChangesRequest, by authentication: Authentication, requestID: RequestID?,
    checkPassword: (_ write: (PasswordHash) async throws -> Void) async throws -> Void
  ) async throws -> Profile {
    try authentication.requireLogIn()
    var changes = AccountChanges(
      name: try request.name.map(Name.validated),
      timeZone: try request.timeZone.map { try $0.map { try zone(named: $0).identifier } },
      language: request.language, address: nil)
    let email = try request.email.map { try EmailAddress($0) }
    let context = ChangeContext(
      author: authentication.author(requestID: requestID), operation: "updateMe", time: clock.now)
    if let email {
      try await checkPassword { hash in
        changes.address = (email, hash)
        try await storage.updateAccount(of: authentication.user, changes, context: context)
      }
    } else {
      try await storage.updateAccount(of: authentication.user, changes, context: context)
    }
    return try await storage.profile(of: authentication.user)
  }
}
