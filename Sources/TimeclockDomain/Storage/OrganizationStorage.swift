/// The storage of organizations.
package protocol OrganizationStorage: Sendable {
  /// Creates an organization together with its first admin and a token for that admin.
  ///
  /// The admin becomes a new account, or, where the e-mail address has an account and no password hash is given, the
  /// person with that account. The token of a new account is a log-in; that of an account which exists is an API token,
  /// good in the new organization only: the operator of the service does not get to act as that person elsewhere. Its
  /// id is the organization's. Log-ins of an account that exists are good in the new organization only after
  /// `TokenStorage.acceptMembership`.
  ///
  /// - Returns: The admin as a user.
  /// - Throws: `.emailInUse` when the address has an account and a password hash is given.
  func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext,
    recording: AnswerRecording<User>?
  ) async throws -> User

  /// The organization in this row.
  ///
  /// - Throws: `.notFound(.organization)`.
  func organization(_ key: OrganizationKey) async throws -> Organization

  /// Changes an organization: reads it, lets `change` change name, time zone and policy, raises the version
  /// and writes it back, all in one transaction. A change that changes nothing leaves the version too.
  ///
  /// - Parameter expectedVersion: The version that the change is meant for; nil means any.
  /// - Throws: `.changed` when the version is another; any error of `change`, and then nothing is changed.
  func updateOrganization(
    _ key: OrganizationKey, expectedVersion: Int64?, context: ChangeContext,
    _ change: @escaping @Sendable (inout Organization) throws -> Void
  ) async throws -> Organization
}

extension OrganizationStorage {
  /// Creates an organization, without an idempotency key.
  package func createOrganization(
    _ organization: Organization, admin: NewAccount, token: NewToken, context: ChangeContext
  ) async throws -> User {
    try await createOrganization(organization, admin: admin, token: token, context: context, recording: nil)
  }
}

/// A person to create an account for, or to find one by e-mail address.
package struct NewAccount: Sendable {
  /// The id of the account if one is created.
  package var userID: UserID
  package var email: EmailAddress
  package var name: String
  package var passwordHash: PasswordHash?

  package init(userID: UserID, email: EmailAddress, name: String, passwordHash: PasswordHash?) {
    self.userID = userID
    self.email = email
    self.name = name
    self.passwordHash = passwordHash
  }
}
