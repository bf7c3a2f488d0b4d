import TimeclockDomain

extension Timeclock {
  /// Creates an organization with its first admin and a token for the admin. The password is hashed only if nothing
  /// else is wrong.
  ///
  /// - Parameters:
  ///   - password: The admin's password; nil for an admin who uses tokens, or has an account.
  ///   - token: The digest of the token to make for the admin.
  ///   - author: The operator, by request or by command.
  /// - Throws: `.invalidName`, `.invalidEmail`, `.unknownTimeZone`, `.emailInUse`, and errors of hashing.
  package func createOrganization(
    _ request: NewOrganizationRequest, password: NewPassword?, token: TokenDigest, by author: Author,
    recording: AnswerRecording<NewOrganization>? = nil
  ) async throws -> NewOrganization {
    let now = clock.now
    let organization = Organization(
      id: identifiers.next(at: now), name: try Name.validated(request.name),
      timeZone: try zone(named: request.timeZone).identifier, createdAt: now, updatedAt: now)
    var account = NewAccount(
      userID: identifiers.next(at: now), email: try EmailAddress(request.adminEmail),
      name: try Name.validated(request.adminName), passwordHash: nil)
    if let password {
      // The storage has the last word; this only spares the hashing.
      guard try await storage.logInAccount(for: account.email) == nil else { throw TimeclockError.emailInUse }
      account.passwordHash = try await password.hash([account.email.text, organization.name])
    }
    let newToken = NewToken(logIn: token, with: nil, at: now)
    let created = { @Sendable (admin: User) in
      NewOrganization(organization: organization, admin: admin, tokenExpiresAt: newToken.expiresAt)
    }
    let admin = try await storage.createOrganization(
      organization, admin: account, token: newToken,
      context: ChangeContext(author: author, operation: "createOrganization", time: now),
      recording: recording?.mapping(created))
    return created(admin)
  }

  /// Changes an organization's settings. They hold for entries from now on.
  ///
  /// - Throws: `.forbidden`, `.invalidName`, `.unknownTimeZone`, `.invalidPolicy`, `.changed`, `.periodLocked`.
  package func updateOrganization(
    _ changes: OrganizationChanges, expectedVersion: Int64?, by caller: Membership
  ) async throws -> Organization {
    try caller.require(.admin)
    let name = try changes.name.map(Name.validated)
    let timeZone = try changes.timeZone.map { try zone(named: $0).identifier }
    return try await storage.updateOrganization(
      caller.key.organization, expectedVersion: expectedVersion,
      context: caller.change("updateOrganization", at: clock.now)
    ) { organization in
      organization.name = name ?? organization.name
      organization.timeZone = timeZone ?? organization.timeZone
      organization.policy = try changes.policy.applied(to: organization.policy)
    }
  }
}

/// An organization that was just created.
package struct NewOrganization: Sendable {
  package var organization: Organization
  package var admin: User
  package var tokenExpiresAt: Instant
}
